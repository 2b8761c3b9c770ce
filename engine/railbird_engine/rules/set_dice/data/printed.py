"""The box: the faces of the dice and the numbered squares of the board.

`dice.csv` and `board.csv` beside this module are our own values. An owner of the game gives the
printed ones: `SetDice(read_box(folder))`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from railbird_engine import edition_of
from railbird_engine.kernel.host_data import placed, read_rows, require
from railbird_engine.rules.set_dice.data import BOARD_SIZE, LOGO, Shown

_DICE: Final = 42
_SIDES: Final = 6
_POINTS_MAX: Final = 100


class Box:
    """The six sides of each die by its number, and the points of the numbered squares by cell."""

    def __init__(self, dice: Mapping[int, tuple[str, ...]], bonus: Mapping[int, int]) -> None:
        self.dice: Final = dict(dice)
        self.bonus: Final = dict(bonus)
        self.edition: Final = edition_of([sorted(self.dice.items()), sorted(self.bonus.items())])


def read_box(folder: Path) -> Box:
    """Read `dice.csv`, below its headings, and the squares of `board.csv` of a folder.

    Raises ValueError with file and place of a fault.
    """
    return Box(_dice(folder / "dice.csv"), _bonus(folder / "board.csv"))


def _dice(path: Path) -> dict[int, tuple[str, ...]]:
    dice = {}
    _, *rows = list(read_rows(path, 1 + _SIDES)) or [("", [])]
    for number, (place, (first, *sides)) in enumerate(rows, start=1):
        with placed(place):
            require(first == f"{number}", f"expected die {number}, found {first!r}")
            dice[number] = msgspec.convert(tuple(sides), tuple[Shown, ...])
    require(len(dice) == _DICE, f"{path.name}: {len(dice)} dice instead of {_DICE}")
    return dice


def _bonus(path: Path) -> dict[int, int]:
    rows = list(read_rows(path, BOARD_SIZE))
    require(len(rows) == BOARD_SIZE, f"{path.name}: {len(rows)} rows instead of {BOARD_SIZE}")
    squares = [(place, square) for place, row in rows for square in row]
    for cell, (place, square) in enumerate(squares):
        column = f"{place}, column {cell % BOARD_SIZE + 1}"
        require((square == "logo") == (cell in LOGO), f"{column}: the logo is elsewhere")
        numbers = map(str, range(1, _POINTS_MAX + 1))
        require(square in {"", "logo", *numbers}, f"{column}: {square!r} is no number of points")
    return {cell: int(square) for cell, (_, square) in enumerate(squares) if square.isdigit()}


BOX: Final = read_box(Path(__file__).parent)
"""The box of this package."""
