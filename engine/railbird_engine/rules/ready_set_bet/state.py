"""The state of a game, and functions of the state alone."""

from functools import lru_cache
from typing import Literal, TypeVar

import msgspec

from railbird_engine import Seat, State, Turn
from railbird_engine.rules.ready_set_bet.data import (
    CLOSED_COLUMNS,
    CROWD,
    IDLE_MISSED,
    MISSED_MAX,
    TOKENS,
    TOKENS_OF_A_CROWD,
)
from railbird_engine.rules.ready_set_bet.data.board import SPOTS, Spot, open_spots
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.events import RaceEvent
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.race import Course, Podium
from railbird_engine.rules.ready_set_bet.settlement import Bet

T = TypeVar("T")

Phase = Literal["paddock", "open", "closed", "finished", "draft", "offer", "over"]
"""Horses at the start; a race with open bets; a race with closed bets; a race just finished; the
choice of VIP cards; the choice of an announcer; the end of the game."""


class OpenCards(msgspec.Struct, array_like=True):
    """Prop bets and exotic finishes by name: face up, and left to draw from, in no secret order."""

    props: tuple[str, ...]
    props_left: tuple[str, ...]
    exotics: tuple[str, ...]
    exotics_left: tuple[str, ...]


class VipState(msgspec.Struct, array_like=True):
    """VIP cards by name. `deck` and `discards` have no order. By seat: the cards `kept`, the cards
    dealt and not yet chosen from (`hands`), the secret choice (`chosen`), and the money that cards
    have `paid` since the race was prepared."""

    deck: tuple[str, ...]
    discards: tuple[str, ...]
    kept: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    chosen: tuple[str | None, ...]
    paid: tuple[int, ...]


class ReadySetBetState(State, kw_only=True, array_like=True):
    """The state of a game. `awaited` numbers the alarms of the game. `tokens` are those in hand,
    by seat; `bets` are those of this race; `bets_placed` counts the bets of the game. `cards` is
    None without props and exotics, `vip` without VIP cards, `announcer` without an announcer.
    `asked` may answer an offer to announce; with `dice_ready` the announcer may roll. `missed`
    counts, by seat, the decisions that the clock made since the seat's last command; the seats in
    `ready` want this pause to end."""

    options: ReadySetBetOptions
    seats: int
    race: int
    phase: Phase
    awaited: int
    course: Course
    dice: tuple[int, int] | None
    podium: Podium | None
    tokens: tuple[tuple[int, ...], ...]
    bets: tuple[Bet, ...]
    bets_placed: int
    cards: OpenCards | None = None
    vip: VipState | None = None
    announcer: Seat | None = None
    asked: Seat | None = None
    dice_ready: bool = False
    missed: tuple[int, ...] = ()
    ready: tuple[Seat, ...] = ()


RaceTurn = Turn[ReadySetBetState, RaceEvent]


def is_idle(state: ReadySetBetState, seat: Seat) -> bool:
    """Whether the clock made this seat's last two decisions."""
    return state.missed[seat] >= IDLE_MISSED


def is_absent(state: ReadySetBetState) -> bool:
    """Whether the announcer missed so many decisions that the game continues alone (ruling
    4.43)."""
    return state.announcer is not None and state.missed[state.announcer] >= MISSED_MAX


def players(state: ReadySetBetState) -> list[Seat]:
    """The seats that compete: all but a neutral announcer."""
    neutral = state.announcer if state.options.mode == "standard" else None
    return [Seat(seat) for seat in range(state.seats) if seat != neutral]


def drafters(state: ReadySetBetState) -> list[Seat]:
    """The seats that are dealt VIP cards. Rulebook, the two variants of the announcer: a rotating
    announcer is dealt cards, a betting one never."""
    if state.options.mode == "rotating_announcer":
        return players(state)
    return [seat for seat in players(state) if seat != state.announcer]


def active_players(state: ReadySetBetState) -> int:
    """How many players bet while the horses run. Ruling 4.22: closed columns and dropped tokens go
    by this number."""
    return state.seats - (state.announcer is not None)


def closed_columns(state: ReadySetBetState) -> tuple[str, ...]:
    """Rulebook, "Variantes à 2, 3 et 4 joueurs": advice that the host may decline. Coloured spots
    are never closed. Ruling 4.21: a single active player has the columns of two. Ruling 4.20: a
    closed column is closed to announcers as well."""
    return CLOSED_COLUMNS.get(active_players(state), ()) if state.options.few_close_columns else ()


def tokens_for_race(state: ReadySetBetState) -> tuple[tuple[int, ...], ...]:
    """The tokens that each seat begins a race with.

    Rulebook, "Mise en place", steps 9 and 11: seven or eight active players leave one token each
    in the box; an announcer who bets has six tokens, a neutral one has none."""
    drops_token = state.options.many_drop_a_token and active_players(state) in CROWD
    tokens = (TOKENS_OF_A_CROWD if drops_token else TOKENS,) * state.seats
    if state.announcer is None:
        return tokens
    bets = state.options.mode != "standard"
    return with_item(tokens, state.announcer, state.options.announcer_tokens if bets else ())


def bets_in_the_way(state: ReadySetBetState, seat: Seat) -> list[Bet]:
    """The bets that may block a spot for this seat. Rulebook, "Variante Speaker parieur", and
    ruling 4.24: the announcer's tokens leave their spots free for the others."""
    if seat == state.announcer:
        return [bet for bet in state.bets if bet.seat == seat]
    return [bet for bet in state.bets if bet.seat != state.announcer]


def card_spots(state: ReadySetBetState, box: Box) -> tuple[Spot, ...]:
    """The spots on the cards that lie face up."""
    return _spots_on(box, state.cards.props + state.cards.exotics) if state.cards else ()


@lru_cache(maxsize=1024)
def _spots_on(box: Box, cards: tuple[str, ...]) -> tuple[Spot, ...]:
    return tuple(spot for card in cards for spot in box.spots_of_card[card])


def spots_shown(state: ReadySetBetState, box: Box) -> tuple[Spot, ...]:
    """All spots of the board, closed columns included, and of the cards that lie face up."""
    return _spots_shown(box, state.cards.props + state.cards.exotics) if state.cards else SPOTS


@lru_cache(maxsize=1024)
def _spots_shown(box: Box, cards: tuple[str, ...]) -> tuple[Spot, ...]:
    return SPOTS + _spots_on(box, cards)


def spots_in_play(state: ReadySetBetState, box: Box) -> tuple[Spot, ...]:
    """The spots where tokens may be placed in this race, taken or not."""
    return open_spots(closed_columns(state)) + card_spots(state, box)


def with_item(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    """Return items by seat with that of one seat replaced."""
    return (*items[:seat], item, *items[seat + 1 :])


def tokens_without(
    tokens: tuple[tuple[int, ...], ...], seat: Seat, token: int
) -> tuple[tuple[int, ...], ...]:
    """Return all hands without one token of one seat."""
    left = list(tokens[seat])
    left.remove(token)
    return with_item(tokens, seat, tuple(left))
