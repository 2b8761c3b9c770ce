"""The table of a game: its state, and what follows from it alone."""

import msgspec

from games.engine import Seat, State, Turn
from games.rules.ready_set_bet.board import Spot, open_spots
from games.rules.ready_set_bet.box import Box
from games.rules.ready_set_bet.data import CLOSED_COLUMNS
from games.rules.ready_set_bet.messages import Phase, RaceEvent, ReadySetBetOptions
from games.rules.ready_set_bet.race import Course, Podium
from games.rules.ready_set_bet.settlement import Bet


class OpenCards(msgspec.Struct, array_like=True):
    """Prop bets and exotic finishes by name: face up, and those that may still come, whose order nobody knows."""

    props: list[str]
    props_left: list[str]
    exotics: list[str]
    exotics_left: list[str]


class VipTable(msgspec.Struct, array_like=True):
    """VIP cards by name. `deck` and `discards` have no order; the rest is by seat: cards kept, cards dealt and not yet decided
    on, and the choice that nobody else knows yet.
    """

    deck: list[str]
    discards: list[str]
    kept: list[list[str]]
    hands: list[list[str]]
    chosen: list[str | None]


class ReadySetBetState(State, kw_only=True, omit_defaults=True):
    """All that a table knows. `awaited` numbers the alarms of the whole game; `tokens` are those in hand, by seat; `bets` are
    this race's; `bets_placed` counts those of the game. `cards` is None where neither props nor exotics are in play,
    `vip` where no VIP cards are.
    """

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


Table = Turn[ReadySetBetState, RaceEvent]


def drafters(state: ReadySetBetState) -> list[Seat]:
    """Who is dealt VIP cards."""
    return [Seat(seat) for seat in range(state.seats)]


def closed_columns(state: ReadySetBetState) -> tuple[str, ...]:
    """Rulebook, "Variantes à 2, 3 et 4 joueurs": advice that the host may decline. Coloured spots are never closed."""
    return CLOSED_COLUMNS.get(state.seats, ()) if state.options.few_close_columns else ()


def card_spots(state: ReadySetBetState, box: Box) -> tuple[Spot, ...]:
    """The spots on the cards that lie face up."""
    if state.cards is None:
        return ()
    return tuple(spot for card in (*state.cards.props, *state.cards.exotics) for spot in box.spots_of_card[card])


def spots_in_play(state: ReadySetBetState, box: Box) -> tuple[Spot, ...]:
    """Where tokens may be placed in this race, if nobody else's lies there."""
    return open_spots(closed_columns(state)) + card_spots(state, box)


def tokens_without(tokens: tuple[tuple[int, ...], ...], seat: Seat, token: int) -> tuple[tuple[int, ...], ...]:
    """All tokens in hand but this one."""
    left = list(tokens[seat])
    left.remove(token)
    return (*tokens[:seat], tuple(left), *tokens[seat + 1 :])
