"""What stands on the table: options, dice, the state, and the view of it (all is public but the
order of the bag)."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.engine import Options, Seat, State, View
from games.rules.set_dice.data import BOARD_SIZE, Face, Shown

Seconds = Annotated[int, Meta(ge=0, le=3600, description="0: no limit.")]
Phase = Literal["opening", "turns", "reroll", "finished"]
Ending = Literal["hand_empty", "rounds_passed", "openings_unanswered"]

DieNumber = Annotated[int, Meta(ge=1, le=42, description="The number of a die, 1 to 42.")]
Coordinate = Annotated[
    int, Meta(ge=0, lt=BOARD_SIZE, description="Row or column of the board, 0 to 10.")
]


class SetDiceOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`refill`: hand by hand (ruling D22), or one die each in turn. `bots`: how well the bots
    play."""

    opening_s: Seconds = 60
    turn_s: Seconds = 90
    reroll_s: Seconds = 30
    refill: Literal["by_hand", "one_each"] = "by_hand"
    bots: Literal["casual", "expert"] = "casual"


class Die(msgspec.Struct, frozen=True):
    """A thrown die before a player: its number and what it shows."""

    number: DieNumber
    shows: Shown


class BoardDie(msgspec.Struct, frozen=True):
    """A die on the board. A Wild keeps the face that was announced for it."""

    number: DieNumber
    face: Face
    wild: bool


class Square(msgspec.Struct, frozen=True):
    """An occupied square, as views and events show it."""

    row: Coordinate
    column: Coordinate
    die: DieNumber
    face: Face
    wild: bool


class SetDiceState(State, kw_only=True):
    """`board` maps a cell (row * 11 + column) to its die. `answered` are the seats that saw no SET
    in this opening, or decided in this reroll. `moment` names what the clock is awaited for."""

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
    """Whether anybody has played in this round."""
    idle: int = 0
    """Rounds in a row in which everybody passed, or openings in a row in which nobody spoke."""
    ending: Ending | None = None


class SetDiceView(View, frozen=True, kw_only=True):
    """What everybody sees. `scores` and `hands` are in seat order."""

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


def square(cell: int, die: BoardDie) -> Square:
    """A cell of the board with its row and column told apart."""
    row, column = divmod(cell, BOARD_SIZE)
    return Square(row, column, die.number, die.face, die.wild)
