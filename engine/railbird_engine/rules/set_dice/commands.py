"""The commands of SET Dice."""

from typing import Annotated

import msgspec
from msgspec import Meta

from railbird_engine import Command
from railbird_engine.rules.set_dice.data import Face
from railbird_engine.rules.set_dice.state import Coordinate, DieNumber


class NamedDie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A die of the seat's hand. `wild_as` announces the face of a Wild, and only of a Wild."""

    die: DieNumber
    wild_as: Face | None = None


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A die of the seat's hand and the empty square it goes to.

    `wild_as` announces the face of a Wild, and only of a Wild.
    """

    die: DieNumber
    row: Coordinate
    column: Coordinate
    wild_as: Face | None = None


class CallSet(Command, frozen=True):
    """Opening: call a SET of three dice of the hand. The first valid call wins the race.

    The dice are placed on the logo in the order given, left to right. The caller plays first in
    every round. In the list of legal commands `dice` is empty: a call may be made, of any dice.
    """

    dice: Annotated[tuple[NamedDie, ...], Meta(max_length=5)]


class DeclareNoSet(Command, frozen=True):
    """Opening: declare that the hand holds no SET. The seat may still call one later."""


class ReplaceWild(Command, frozen=True):
    """Before placing: replace a Wild on the board by a die that shows its announced face.

    The recovered die joins the hand and is thrown.
    """

    row: Coordinate
    column: Coordinate
    die: DieNumber


class PlaceDice(Command, frozen=True):
    """Place one to three dice, which are judged together, and end the turn."""

    dice: Annotated[tuple[Placement, ...], Meta(max_length=5)]


class PassTurn(Command, frozen=True):
    """Place no dice in this round."""


class Reroll(Command, frozen=True):
    """Between rounds: throw some or all dice of the hand again, once."""

    dice: Annotated[tuple[DieNumber, ...], Meta(max_length=5)]


class KeepDice(Command, frozen=True):
    """Between rounds: keep all dice as they are."""


SetDiceCommand = CallSet | DeclareNoSet | ReplaceWild | PlaceDice | PassTurn | Reroll | KeepDice
