"""The box: the faces of the dice and the numbered squares of the board, read and checked.

`dice.csv` and `board.csv` beside this module are our own values. An owner of the game gives the
printed ones: `SetDice(read_box(folder))`. An invalid file is refused with its line.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from railbird_engine import edition_of
from railbird_engine.rules.set_dice.data import (
    BOARD_SIZE,
    DICE_COUNT,
    LOGO,
    SIDES,
    WILD,
)

_SIDE: Final = re.compile(rf"[RGP][123][ODS]|{WILD}")
_BONUS_MAX: Final = 100


class BadBoxError(ValueError):
    """A file of a box is invalid: which file, which line, and why."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(f"{file}, line {line}: {reason}")


class Box:
    """The six sides of each die by its number, and the points of the numbered squares by cell."""

    def __init__(self, dice: Mapping[int, tuple[str, ...]], bonus: Mapping[int, int]) -> None:
        self.dice: Final = dict(dice)
        self.bonus: Final = dict(bonus)
        self.edition: Final = edition_of([sorted(self.dice.items()), sorted(self.bonus.items())])


def read_box(folder: Path) -> Box:
    """Read `dice.csv` and `board.csv` of a folder. Raises BadBoxError, OSError."""
    return Box(dict(_dice(folder)), dict(_bonus(folder)))


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    yield from enumerate(csv.reader(path.read_text("utf-8").splitlines()), start=1)


def _dice(folder: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the dice, in their order, after the line with the headings."""
    rows = list(_rows(folder / "dice.csv"))
    for line, (number, *sides) in rows[1:]:
        if number != str(line - 1):
            raise BadBoxError("dice.csv", line, f"expected die {line - 1}, found {number!r}")
        if len(sides) != SIDES or not all(map(_SIDE.fullmatch, sides)):
            raise BadBoxError("dice.csv", line, f"expected {SIDES} faces or {WILD}, found {sides}")
        yield line - 1, tuple(sides)
    if len(rows) != DICE_COUNT + 1:
        raise BadBoxError("dice.csv", len(rows), f"expected {DICE_COUNT} dice")


def _bonus(folder: Path) -> Iterator[tuple[int, int]]:
    """Yield the numbered squares. The logo is where the rulebook shows it, and has no number."""
    rows = list(_rows(folder / "board.csv"))
    for line, squares in rows:
        if len(squares) != BOARD_SIZE or len(rows) != BOARD_SIZE:
            raise BadBoxError("board.csv", line, f"expected {BOARD_SIZE} x {BOARD_SIZE} squares")
        for column, square in enumerate(squares):
            cell = (line - 1) * BOARD_SIZE + column
            if (square == "logo") != (cell in LOGO):
                raise BadBoxError("board.csv", line, f"column {column + 1}: the logo is elsewhere")
            if square.isdigit() and 0 < int(square) <= _BONUS_MAX:
                yield cell, int(square)
            elif square not in ("", "logo"):
                raise BadBoxError(
                    "board.csv", line, f"column {column + 1}: {square!r} is no number"
                )


BOX: Final = read_box(Path(__file__).parent)
"""The box of this package."""
