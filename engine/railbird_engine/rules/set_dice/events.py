"""The events of SET Dice. All of them are public."""

from typing import Literal

from railbird_engine import Event, Seat
from railbird_engine.rules.set_dice.board import MadeSet
from railbird_engine.rules.set_dice.data import Face
from railbird_engine.rules.set_dice.state import Coordinate, Die, DieNumber, Ending
from railbird_engine.rules.set_dice.view import Square

Cause = Literal["drawn", "rerolled", "recovered", "all_again"]


class DiceThrown(Event, frozen=True, kw_only=True):
    """A seat threw dice.

    `cause`: the dice were drawn from the bag (`drawn`), chosen for the reroll (`rerolled`) or
    recovered from the board (`recovered`), or every seat throws all its dice again (`all_again`).
    """

    seat: Seat
    dice: list[Die]
    cause: Cause


class NoSetDeclared(Event, frozen=True, kw_only=True):
    """A seat declared that its hand holds no SET."""

    seat: Seat


class SetCalled(Event, frozen=True, kw_only=True):
    """A seat won the race: its three dice are on the logo, and it plays first in every round."""

    seat: Seat
    dice: list[Square]
    points: int


class RoundStarted(Event, frozen=True, kw_only=True):
    """A round began with the turn of seat `first`."""

    round: int
    first: Seat


class WildReplaced(Event, frozen=True, kw_only=True):
    """A die that shows the announced face replaced a Wild on the board. Nothing is scored.

    `die` now lies on the square; `recovered` is the Wild, which the seat throws next.
    """

    seat: Seat
    row: Coordinate
    column: Coordinate
    die: DieNumber
    recovered: DieNumber


class WildAnnounced(Event, frozen=True, kw_only=True):
    """A seat places this Wild, next, as this face."""

    seat: Seat
    die: DieNumber
    face: Face


class DicePlaced(Event, frozen=True, kw_only=True):
    """A seat placed dice, which made `made` SETs. `points` is the sum of the SETs and the bonus."""

    seat: Seat
    dice: list[Square]
    made: int
    sets: list[MadeSet]
    bonus: int
    points: int


class TurnPassed(Event, frozen=True, kw_only=True):
    """A seat placed no dice, by choice or because its time expired."""

    seat: Seat
    timed_out: bool


class DiceKept(Event, frozen=True, kw_only=True):
    """A seat kept its dice, by choice or because its time expired."""

    seat: Seat
    timed_out: bool


class GameEnded(Event, frozen=True, kw_only=True):
    """The game ended.

    `hand_empty`: a hand was empty at the end of a round. `rounds_passed`: every seat passed in
    three rounds in a row (ruling D14, ours). `openings_unanswered`: no seat answered three openings
    in a row, `openings_uncalled`: no seat called a SET in ten openings (ruling D23, ours).
    """

    ending: Ending


SetDiceEvent = (
    DiceThrown
    | NoSetDeclared
    | SetCalled
    | RoundStarted
    | WildReplaced
    | WildAnnounced
    | DicePlaced
    | TurnPassed
    | DiceKept
    | GameEnded
)
