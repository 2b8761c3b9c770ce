"""The state of a game and its parts."""

from typing import Final, Literal

import msgspec

from railbird_engine import Seat, State, Turn
from railbird_engine.rules.carcassonne.board import Board, Cell
from railbird_engine.rules.carcassonne.events import CarcassonneEvent
from railbird_engine.rules.carcassonne.options import CarcassonneOptions

MEEPLES: Final = 7
"""Meeples in each seat's supply; the eighth marks the score."""

Stage = Literal["tile", "meeple", "settlement", "bets", "evaluation", "over"]
"""The current decision: actions 1 and 2, the feature for which chips count in action 3, action 4,
and the same choice at the start of the final evaluation. Scoring needs no decision, so it is no
stage."""


class Sealed(msgspec.Struct, array_like=True):
    """A chip face down on an office; `counts_for` is its chosen feature."""

    seat: Seat
    chip: str
    counts_for: int | None = None


class Betting(msgspec.Struct, array_like=True):
    """The chips of every seat and on every office.

    `stacks` are in the order in which their tiles were placed. `decided` holds the choices of the
    running action 4 by seat: a chip, or None for a pass.
    """

    chips: list[list[str]]
    stacks: dict[Cell, list[Sealed]]
    decided: dict[Seat, str | None]
    turned: int = 0


class CarcassonneState(State, kw_only=True):
    """The state of a game.

    `stack` holds the remaining tiles; their order has no meaning. `laid` is the cell of the last
    tile placed. `deadline` numbers the alarms. `betting` is None without the expansion.
    """

    options: CarcassonneOptions
    seats: int
    stack: list[str]
    meeples: list[int]
    board: Board
    betting: Betting | None
    active: Seat = Seat(0)
    stage: Stage = "tile"
    tile: str | None = None
    laid: Cell = 0
    discarded: list[str] = []
    deadline: int = 0


CarcassonneTurn = Turn[CarcassonneState, CarcassonneEvent]
"""The turn of this game."""
