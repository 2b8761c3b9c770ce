"""What happens at the table; everybody may read all of it."""

from typing import Literal

from games.engine import Event, Seat
from games.rules.set_dice.board import MadeSet
from games.rules.set_dice.table import Coordinate, Die, DieNumber, Ending, Square

Cause = Literal["drawn", "rerolled", "recovered", "all_again"]


class DiceThrown(Event, frozen=True, kw_only=True):
    """A seat threw dice: drawn from the bag, chosen for the reroll, recovered from the board, or
    all of them again."""

    seat: Seat
    dice: list[Die]
    cause: Cause


class NoSetDeclared(Event, frozen=True, kw_only=True):
    """A seat sees no SET among its dice."""

    seat: Seat


class SetCalled(Event, frozen=True, kw_only=True):
    """The race is won: three dice lie on the logo and this seat plays first in every round."""

    seat: Seat
    dice: list[Square]
    points: int


class RoundStarted(Event, frozen=True, kw_only=True):
    """A new round; `first` begins it."""

    round: int
    first: Seat


class WildReplaced(Event, frozen=True, kw_only=True):
    """A Wild left the board for a die that shows its face; nothing is scored."""

    seat: Seat
    row: Coordinate
    column: Coordinate
    die: DieNumber
    recovered: DieNumber


class DicePlaced(Event, frozen=True, kw_only=True):
    """A turn was played. `points` holds the SETs and the bonus."""

    seat: Seat
    dice: list[Square]
    sets: list[MadeSet]
    bonus: int
    points: int


class TurnPassed(Event, frozen=True, kw_only=True):
    """A turn without dice, by choice or because the time was up."""

    seat: Seat
    timed_out: bool


class DiceKept(Event, frozen=True, kw_only=True):
    """A seat throws nothing again, by choice or because the time was up."""

    seat: Seat
    timed_out: bool


class GameEnded(Event, frozen=True, kw_only=True):
    """The last turn is over: a hand is empty, or nobody plays any more."""

    ending: Ending


SetDiceEvent = (
    DiceThrown
    | NoSetDeclared
    | SetCalled
    | RoundStarted
    | WildReplaced
    | DicePlaced
    | TurnPassed
    | DiceKept
    | GameEnded
)
