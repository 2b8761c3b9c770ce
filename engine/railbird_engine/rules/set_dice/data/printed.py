"""The box: the faces of the dice and the numbered squares of the board.

`dice.csv` and `board.csv` beside this module are our own values. An owner of the game gives the
printed ones: `SetDice(read_box(folder))`.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from railbird_engine import edition_of


class Box:
    """The six sides of each die by its number, and the points of the numbered squares by cell."""

    def __init__(self, dice: Mapping[int, tuple[str, ...]], bonus: Mapping[int, int]) -> None:
        self.dice: Final = dict(dice)
        self.bonus: Final = dict(bonus)
        self.edition: Final = edition_of([sorted(self.dice.items()), sorted(self.bonus.items())])


def read_box(folder: Path) -> Box:
    """Read `dice.csv`, below its headings, and the squares of `board.csv` of a folder."""
    _, *dice = _rows(folder / "dice.csv")
    squares = [square for row in _rows(folder / "board.csv") for square in row]
    return Box(
        {int(number): tuple(sides) for number, *sides in dice},
        {cell: int(square) for cell, square in enumerate(squares) if square.isdigit()},
    )


def _rows(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text("utf-8").splitlines()))


BOX: Final = read_box(Path(__file__).parent)
"""The box of this package."""
