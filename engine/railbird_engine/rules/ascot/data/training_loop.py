"""The layout of the training loop: 60 squares around a lawn with the boxes of both stables.

The rulebook does not show the board; this layout is ours.
"""

from typing import Final

import msgspec

from railbird_engine.rules.ascot.data.printed import Stable


class Place(msgspec.Struct, frozen=True):
    """A place on a grid; column 0 and row 0 are at the top left."""

    column: int
    row: int


class Loop(msgspec.Struct, frozen=True):
    """A grid of `columns` by `rows`: a place for each square, in number order.

    `boxes` are the places of the boxes, each of them 4 columns by 2 rows.
    """

    columns: int
    rows: int
    squares: tuple[Place, ...]
    boxes: dict[Stable, Place]


COLUMNS: Final = 20
ROWS: Final = 12

LOOP: Final = Loop(
    columns=COLUMNS,
    rows=ROWS,
    squares=(
        *(Place(column, 0) for column in range(COLUMNS)),
        *(Place(COLUMNS - 1, row) for row in range(1, ROWS - 1)),
        *(Place(column, ROWS - 1) for column in reversed(range(COLUMNS))),
        *(Place(0, row) for row in reversed(range(1, ROWS - 1))),
    ),
    boxes={"stevens": Place(1, 1), "walroy": Place(COLUMNS - 5, ROWS - 3)},
)
