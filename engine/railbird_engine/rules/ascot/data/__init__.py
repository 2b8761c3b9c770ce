"""The printed content, read from the files of this folder.

A host can replace cards, squares or the race field: `load(folder)` reads another folder.

Source: the rulebook gives the notes, the entry, the commissions, the extra rows, the counts of
leases and horses, and a few squares. Names, prices, squares, reports and the race field are ours,
made to fit its hints. An Italian edition of the game counts 78 cards and 100 small cards.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from railbird_engine.rules.ascot.data.printed import (
    HorseColour,
    HorseLease,
    Inscription,
    OfficeLease,
    Printed,
    Report,
    Square,
    Tariff,
)
from railbird_engine.rules.ascot.path import Course

DATA: Final = Path(__file__).parent

RowT = TypeVar("RowT", bound=msgspec.Struct)


def load(folder: Path = DATA) -> Printed:
    """Read the files of a folder. Raises OSError, msgspec.ValidationError."""
    inscriptions = {row.code: row for row in _read(folder, "inscriptions.csv", Inscription)}
    _, *rows = (folder / "field.txt").read_text(encoding="utf-8").splitlines()
    # Each row has its number, and a code for each lane.
    field = tuple(tuple(row.split()[1:]) for row in rows)
    return Printed(
        colours={row.colour: row for row in _read(folder, "colours.csv", HorseColour)},
        horses={row.number: row for row in _read(folder, "horses.csv", HorseLease)},
        offices={row.office: row for row in _read(folder, "offices.csv", OfficeLease)},
        squares=tuple(_read(folder, "training.csv", Square)),
        reports=tuple(_read(folder, "reports.csv", Report)),
        inscriptions=inscriptions,
        field=field,
        tariff=msgspec.json.decode((folder / "tariff.json").read_bytes(), type=Tariff),
        course=_course(field, inscriptions),
    )


def _read(folder: Path, name: str, row_type: type[RowT]) -> list[RowT]:
    """Read the rows of a file; an empty cell takes the default of its column."""
    with (folder / name).open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, strict=True)
        filled = [{column: cell for column, cell in row.items() if cell} for row in rows]
    return msgspec.convert(filled, list[row_type], strict=False)  # type: ignore[valid-type]


def _course(field: Sequence[Sequence[str]], inscriptions: Mapping[str, Inscription]) -> Course:
    """Find the last bend: from the row after the "bend" squares to the row of "whip" squares."""

    def row_of(effect: str) -> int:
        codes = {code for code, found in inscriptions.items() if found.effect == effect}
        return next(row for row, cells in enumerate(field, start=1) if codes & {*cells})

    return Course(
        lanes=len(field[0]),
        rows=len(field),
        bend_first=row_of("bend") + 1,
        bend_last=row_of("whip"),
    )
