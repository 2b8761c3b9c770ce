"""The printed content, read from the files of this folder and checked.

A host can replace cards, squares or the race field: `load(folder)` reads another folder.

Source: the rulebook gives the notes, the entry, the commissions, the extra rows, the counts of
leases and horses, and a few squares. Names, prices, squares, reports and the race field are ours,
made to fit its hints. An Italian edition of the game counts 78 cards and 100 small cards.
"""

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from railbird_engine.rules.ascot.data.checks import DataError, check, require
from railbird_engine.rules.ascot.data.printed import (
    Colour,
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

LANES: Final = 6
ROWS: Final = 44

RowT = TypeVar("RowT", bound=msgspec.Struct)
KeyT = TypeVar("KeyT")


def load(folder: Path = DATA) -> Printed:
    """Read and check the files of a folder. Raises DataError."""
    colours: dict[Colour, HorseColour] = _by_key(
        folder, "colours.csv", HorseColour, lambda row: row.colour
    )
    inscriptions = _by_key(folder, "inscriptions.csv", Inscription, lambda row: row.code)
    squares = _by_key(folder, "training.csv", Square, lambda row: row.number)
    letters = {row.letter for row in colours.values()}
    field = _read_field(folder, letters | inscriptions.keys())
    printed = Printed(
        colours=colours,
        horses=_by_key(folder, "horses.csv", HorseLease, lambda row: row.number),
        offices=_by_key(folder, "offices.csv", OfficeLease, lambda row: row.office),
        squares=tuple(squares.values()),
        reports=tuple(_read(folder, "reports.csv", Report)),
        inscriptions=inscriptions,
        field=field,
        tariff=_read_tariff(folder),
        course=_course(field, inscriptions),
    )
    check(printed)
    return printed


def _read(folder: Path, name: str, row_type: type[RowT]) -> list[RowT]:
    """Read the rows of a file; an empty cell takes the default of its column."""
    try:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file, restkey="", strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{name}: {error}") from error
    rows = []
    for line, cells in enumerate(lines, start=2):
        if "" in cells:
            raise DataError(f"{name} line {line}: more cells than columns")
        filled = {column: cell for column, cell in cells.items() if cell}
        try:
            rows.append(msgspec.convert(filled, row_type, strict=False))
        except msgspec.ValidationError as error:
            raise DataError(f"{name} line {line}: {error}") from error
    return rows


def _by_key(
    folder: Path, name: str, row_type: type[RowT], key: Callable[[RowT], KeyT]
) -> dict[KeyT, RowT]:
    """Read the rows of a file by their key, which may appear once only."""
    rows: dict[KeyT, RowT] = {}
    for line, row in enumerate(_read(folder, name, row_type), start=2):
        require(key(row) not in rows, f"{name} line {line}", f"{key(row)} appears twice")
        rows[key(row)] = row
    return rows


def _read_tariff(folder: Path) -> Tariff:
    try:
        return msgspec.json.decode((folder / "tariff.json").read_bytes(), type=Tariff)
    except (OSError, msgspec.DecodeError) as error:
        raise DataError(f"tariff.json: {error}") from error


def _read_field(folder: Path, codes: set[str]) -> tuple[tuple[str, ...], ...]:
    """Read the race field: a line of headings, then per row its number and a code per lane."""
    try:
        lines = (folder / "field.txt").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"field.txt: {error}") from error
    field: list[tuple[str, ...]] = []
    for line in lines[1:]:
        number, *cells = line.split() or [""]
        row = len(field) + 1
        place = f"field.txt row {row}"
        require(number == str(row), place, f"expected {row}, found {number!r}")
        require(len(cells) == LANES, place, f"expected {LANES} lanes, found {len(cells)}")
        for lane, code in enumerate(cells, start=1):
            require(code in codes, f"{place} lane {lane}", f"unknown code {code!r}")
        field.append(tuple(cells))
    require(len(field) == ROWS, "field.txt", f"expected {ROWS} rows, found {len(field)}")
    return tuple(field)


def _course(field: tuple[tuple[str, ...], ...], inscriptions: dict[str, Inscription]) -> Course:
    """Find the last bend: from the row after the "bend" squares to the row of "whip" squares."""
    bend = _row_of("bend", field, inscriptions.values())
    whip = _row_of("whip", field, inscriptions.values())
    require(bend < whip, "field.txt", "the bend squares must come before the whip squares")
    return Course(lanes=LANES, rows=ROWS, bend_first=bend + 1, bend_last=whip)


def _row_of(
    effect: str, field: tuple[tuple[str, ...], ...], inscriptions: Iterable[Inscription]
) -> int:
    """The only row with inscriptions of this effect, which must fill it."""
    codes = {inscription.code for inscription in inscriptions if inscription.effect == effect}
    found = [row for row, cells in enumerate(field, start=1) if codes & set(cells)]
    complaint = f"expected one row of {effect} squares, found {len(found)}"
    require(len(found) == 1, "field.txt", complaint)
    (row,) = found
    require(set(field[row - 1]) <= codes, f"field.txt row {row}", f"expected {effect} squares only")
    return row
