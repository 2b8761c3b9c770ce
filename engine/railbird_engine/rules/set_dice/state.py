"""The state of a game and its parts. All of it is public except the order of the bag."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from railbird_engine import Seat, State
from railbird_engine.rules.set_dice.data import BOARD_SIZE, Face, Shown
from railbird_engine.rules.set_dice.options import SetDiceOptions

Phase = Literal["opening", "turns", "reroll", "finished"]
Ending = Literal["hand_empty", "rounds_passed", "openings_unanswered", "openings_uncalled"]

DieNumber = Annotated[int, Meta(ge=1, le=42, description="The number of a die, 1 to 42.")]
Coordinate = Annotated[
    int, Meta(ge=0, lt=BOARD_SIZE, description="Row or column of the board, 0 to 10.")
]


class Die(msgspec.Struct, frozen=True):
    """A thrown die in a player's hand: its number and what it shows."""

    number: DieNumber
    shows: Shown


class BoardDie(msgspec.Struct, frozen=True):
    """A die on the board. A Wild keeps the face that was announced for it."""

    number: DieNumber
    face: Face
    wild: bool


class SetDiceState(State, kw_only=True):
    """The state of a game.

    `board` maps a cell (row * 11 + column) to its die. `answered` lists the seats that saw no SET
    in this opening, or that have decided in this reroll. `moment` numbers the alarms.
    """

    seats: int
    options: SetDiceOptions
    phase: Phase = "opening"
    moment: int = 1
    round: int = 1
    bag: list[int]
    hands: list[list[Die]]
    board: dict[int, BoardDie] = {}
    first: Seat | None = None
    on_turn: Seat | None = None
    wild_replaced: bool = False
    answered: list[Seat] = []
    dice_placed: bool = False
    """Whether any seat has placed dice in this round."""
    idle: int = 0
    """Rounds in a row in which every seat passed, or openings in a row that no seat answered."""
    openings: int = 0
    """Openings in which no seat called a SET."""
    ending: Ending | None = None
