"""The commands of Carcassonne."""

from typing import Annotated

import msgspec

from railbird_engine import Command
from railbird_engine.rules.carcassonne.board import REACH

Coordinate = Annotated[int, msgspec.Meta(ge=-REACH, le=REACH)]
"""Counted from the start tile at 0, 0: x grows to the east and y to the south."""

Name = Annotated[str, msgspec.Meta(max_length=16)]


class PlaceTile(Command, frozen=True):
    """Action 1: place the drawn tile on an empty cell after `rotation` quarter turns clockwise."""

    x: Coordinate
    y: Coordinate
    rotation: Annotated[int, msgspec.Meta(ge=0, le=3)]


class PlaceMeeple(Command, frozen=True):
    """Action 2: place a meeple on a segment of the tile just placed.

    The segment goes by its name: `C1`, `R2`, `G1`, `M`.
    """

    segment: Name


class SkipMeeple(Command, frozen=True):
    """Action 2: place no meeple."""


class PlaceBet(Command, frozen=True):
    """Action 4: place a chip face down on the office of the tile just placed. Final."""

    chip: Name


class PassBet(Command, frozen=True):
    """Action 4: place no chip. Final."""


class ChooseFeature(Command, frozen=True):
    """Choose the feature for which the chips on the office at x, y count. Final.

    In a turn the choice applies to all chips on the office, at the end to the seat's own chip.
    """

    x: Coordinate
    y: Coordinate
    feature: Annotated[int, msgspec.Meta(ge=1, le=9999)]


CarcassonneCommand = PlaceTile | PlaceMeeple | SkipMeeple | PlaceBet | PassBet | ChooseFeature
