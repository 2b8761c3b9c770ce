"""The view, which is the same for players and spectators: everything except the bag's order."""

import msgspec

from railbird_engine import Seat, View, seat_purse
from railbird_engine.rules.set_dice.data import BOARD_SIZE, Face
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.state import (
    BoardDie,
    Coordinate,
    Die,
    DieNumber,
    Ending,
    Phase,
    SetDiceState,
)


class Square(msgspec.Struct, frozen=True):
    """An occupied square of the board. A Wild shows the face that was announced for it."""

    row: Coordinate
    column: Coordinate
    die: DieNumber
    face: Face
    wild: bool


class SetDiceView(View, frozen=True, kw_only=True):
    """The game as every viewer sees it. `scores` and `hands` are in seat order.

    `bag` counts the dice that can still be drawn. `first` begins every round. `answered` lists the
    seats that saw no SET in this opening, or that have decided in this reroll.
    """

    phase: Phase
    round: int
    options: SetDiceOptions
    scores: list[int]
    hands: list[list[Die]]
    board: list[Square]
    bag: int
    first: Seat | None
    on_turn: Seat | None
    wild_replaced: bool
    answered: list[Seat]
    ending: Ending | None
    you: Seat | None


def view_of(state: SetDiceState, viewer: Seat | None) -> SetDiceView:
    """The only filter of state."""
    return SetDiceView(
        phase=state.phase,
        round=state.round,
        options=state.options,
        scores=scores(state),
        hands=state.hands,
        board=[square(cell, die) for cell, die in sorted(state.board.items())],
        bag=len(state.bag),
        first=state.first,
        on_turn=state.on_turn,
        wild_replaced=state.wild_replaced,
        answered=state.answered,
        ending=state.ending,
        you=viewer,
    )


def square(cell: int, die: BoardDie) -> Square:
    """A die of the board with its row and column."""
    row, column = divmod(cell, BOARD_SIZE)
    return Square(row, column, die.number, die.face, die.wild)


def scores(state: SetDiceState) -> list[int]:
    """Points so far, in seat order."""
    return [state.purses[seat_purse(seat)] for seat in range(state.seats)]
