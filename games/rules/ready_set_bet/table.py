"""The table of a game: its state, and what follows from it alone."""

from functools import lru_cache

import msgspec

from games.engine import Seat, State, Turn
from games.rules.ready_set_bet.board import SPOTS, Spot, open_spots
from games.rules.ready_set_bet.box import Box
from games.rules.ready_set_bet.data import CLOSED_COLUMNS
from games.rules.ready_set_bet.messages import Phase, RaceEvent, ReadySetBetOptions
from games.rules.ready_set_bet.race import Course, Podium
from games.rules.ready_set_bet.settlement import Bet


class OpenCards(msgspec.Struct, array_like=True):
    """Prop bets and exotic finishes by name: face up, and those that may still come, whose order
    nobody knows."""

    props: tuple[str, ...]
    props_left: list[str]
    exotics: tuple[str, ...]
    exotics_left: list[str]


class VipTable(msgspec.Struct, array_like=True):
    """VIP cards by name. `deck` and `discards` have no order; the rest is by seat: cards kept,
    cards dealt and not yet decided on, and the choice that nobody else knows yet."""

    deck: list[str]
    discards: list[str]
    kept: list[tuple[str, ...]]
    hands: list[tuple[str, ...]]
    chosen: list[str | None]


class ReadySetBetState(State, kw_only=True, array_like=True):
    """All that a table knows. `awaited` numbers the alarms of the whole game; `tokens` are those in
    hand, by seat; `bets` are this race's; `bets_placed` counts those of the game. `cards` is None
    where neither props nor exotics are in play, `vip` where no VIP cards are, `announcer` where
    nobody announces. `asked` is who may answer an offer to announce. With `dice_ready` a human
    announcer may roll."""

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
    vip: VipTable | None = None
    announcer: Seat | None = None
    asked: Seat | None = None
    dice_ready: bool = False


Table = Turn[ReadySetBetState, RaceEvent]


def players(state: ReadySetBetState) -> list[Seat]:
    """Who competes: everyone but a neutral announcer."""
    neutral = state.announcer if state.options.mode == "standard" else None
    return [Seat(seat) for seat in range(state.seats) if seat != neutral]


def drafters(state: ReadySetBetState) -> list[Seat]:
    """Who is dealt VIP cards. Rulebook: a rotating announcer too, a betting one never."""
    if state.options.mode == "rotating_announcer":
        return players(state)
    return [seat for seat in players(state) if seat != state.announcer]


def active_players(state: ReadySetBetState) -> int:
    """How many bet while the horses run. Ruling 4.22: they are what columns and tokens depend
    on."""
    return state.seats - (state.announcer is not None)


def closed_columns(state: ReadySetBetState) -> tuple[str, ...]:
    """Rulebook, "Variantes à 2, 3 et 4 joueurs": advice that the host may decline. Coloured spots
    are never closed.

    Ruling 4.21: a single active player has the columns of two. Ruling 4.20: closed to announcers
    too."""
    return CLOSED_COLUMNS.get(active_players(state), ()) if state.options.few_close_columns else ()


def bets_in_the_way(state: ReadySetBetState, seat: Seat) -> list[Bet]:
    """The bets that may keep this seat from a spot.

    Rulebook, "Variante Speaker parieur", and ruling 4.24: the announcer's tokens leave spots free
    for the others. They are placed first, and on different spots."""
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
    """The whole board, closed columns too, and the cards that lie face up."""
    return _spots_shown(box, state.cards.props + state.cards.exotics) if state.cards else SPOTS


@lru_cache(maxsize=1024)
def _spots_shown(box: Box, cards: tuple[str, ...]) -> tuple[Spot, ...]:
    return SPOTS + _spots_on(box, cards)


def spots_in_play(state: ReadySetBetState, box: Box) -> tuple[Spot, ...]:
    """Where tokens may be placed in this race, if nobody else's lies there."""
    return open_spots(closed_columns(state)) + card_spots(state, box)


def with_tokens(
    tokens: tuple[tuple[int, ...], ...], seat: Seat, hand: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """The same tokens, but this hand for one seat."""
    return (*tokens[:seat], hand, *tokens[seat + 1 :])


def tokens_without(
    tokens: tuple[tuple[int, ...], ...], seat: Seat, token: int
) -> tuple[tuple[int, ...], ...]:
    """All tokens in hand but this one."""
    left = list(tokens[seat])
    left.remove(token)
    return with_tokens(tokens, seat, tuple(left))
