"""The betting board: its spots and their names."""

from functools import cache
from typing import Final

import msgspec

from railbird_engine.rules.ready_set_bet.data import COLOUR_SPOTS, GRID, GRID_COLUMNS, Colour, Kind


class Spot(msgspec.Struct, frozen=True):
    """A space that holds one token. A won bet pays `gain` times the token; a lost bet costs `loss`.

    `spot` is its name: `win:2/3:r` (kind, horse, side) in the grid, `colour:blue`, and `prop:P01`
    or `exotic:E1:l` on cards. `column` is set in the grid, `card` on a card."""

    spot: str
    kind: Kind
    horse: str | None
    colour: Colour | None
    column: str | None
    gain: int
    loss: int
    card: str | None = None

    @property
    def odds(self) -> str:
        """The odds as printed: `9x -2`, or `3x` where a lost bet costs nothing."""
        return f"{self.gain}x -{self.loss}" if self.loss else f"{self.gain}x"


def _grid_spot(horse: str, column: str, gain: int, loss: int) -> Spot:
    kind, side = column.split(":")
    return Spot(
        f"{kind}:{horse}:{side}", msgspec.convert(kind, Kind), horse, None, column, gain, loss
    )


def _colour_spot(colour: Colour, gain: int, loss: int) -> Spot:
    return Spot(
        f"colour:{colour}",
        "black" if colour == "black" else "colour",
        None,
        colour,
        None,
        gain,
        loss,
    )


GRID_SPOTS: Final = tuple(
    _grid_spot(horse, column, gain, loss)
    for horse, cells in GRID.items()
    for column, (gain, loss) in zip(GRID_COLUMNS, cells, strict=True)
)
SPOTS: Final = GRID_SPOTS + tuple(
    _colour_spot(colour, gain, loss) for colour, (gain, loss) in COLOUR_SPOTS.items()
)
SPOT_NAMED: Final = {spot.spot: spot for spot in SPOTS}


@cache
def open_spots(closed: tuple[str, ...]) -> tuple[Spot, ...]:
    """The spots outside the closed columns."""
    return tuple(spot for spot in SPOTS if spot.column not in closed)
