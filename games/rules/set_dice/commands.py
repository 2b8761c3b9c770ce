"""What a seat may ask for."""

from typing import Annotated

import msgspec
from msgspec import Meta

from games.engine import Command
from games.rules.set_dice.data import Face
from games.rules.set_dice.table import Coordinate, DieNumber


class NamedDie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A die of one's hand; `wild_as` announces the face of a Wild, and only of a Wild."""

    die: DieNumber
    wild_as: Face | None = None


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A die of one's hand and the empty square it goes to; `wild_as` announces the face of a Wild,
    and only of a Wild."""

    die: DieNumber
    row: Coordinate
    column: Coordinate
    wild_as: Face | None = None


class CallSet(Command, frozen=True):
    """Opening: "SET!" The first valid call takes the logo with its three dice, from left to right,
    and plays first."""

    dice: Annotated[tuple[NamedDie, ...], Meta(max_length=5)]


class DeclareNoSet(Command, frozen=True):
    """Opening: I see no SET among my dice. It does not bind: a later call still counts."""


class ReplaceWild(Command, frozen=True):
    """Before placing: swap a Wild on the board for a die that shows its face, and throw the
    recovered die."""

    row: Coordinate
    column: Coordinate
    die: DieNumber


class PlaceDice(Command, frozen=True):
    """Play one to three dice, judged together, and end the turn."""

    dice: Annotated[tuple[Placement, ...], Meta(max_length=5)]


class PassTurn(Command, frozen=True):
    """Play nothing this round."""


class Reroll(Command, frozen=True):
    """Between rounds: throw some or all of one's dice again, once."""

    dice: Annotated[tuple[DieNumber, ...], Meta(max_length=5)]


class KeepDice(Command, frozen=True):
    """Between rounds: throw nothing again."""


SetDiceCommand = CallSet | DeclareNoSet | ReplaceWild | PlaceDice | PassTurn | Reroll | KeepDice
