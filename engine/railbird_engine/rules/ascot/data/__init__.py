"""The printed content, read from the files of this folder.

A host can replace cards, squares or the race field: `load(folder)` reads another folder.

Source: the rulebook gives the notes, the entry, the commissions, the extra rows, the counts of
leases and horses, and a few squares. Names, prices, squares, reports and the race field are ours,
made to fit its hints. An Italian edition of the game counts 78 cards and 100 small cards.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from railbird_engine.kernel.host_data import file_text, placed, read_json, read_table, require
from railbird_engine.rules.ascot.data.printed import (
    COLOURS,
    OFFICES,
    PACKS,
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

_LANES: Final = 6
_ROWS: Final = 44


def load(folder: Path = DATA) -> Printed:
    """Read the files of a folder. Raises ValueError with file and place of a fault."""
    colours = read_table(folder / "colours.csv", HorseColour, "colour")
    require({row.colour for row in colours} == {*COLOURS}, f"colours.csv: expected {COLOURS}")
    table = read_table(folder / "inscriptions.csv", Inscription, "code")
    inscriptions = {row.code: row for row in table}
    codes = [*(row.letter for row in colours), *inscriptions]
    require(len(set(codes)) == len(codes), "colours.csv, inscriptions.csv: a code occurs twice")
    with placed("field.txt"):
        field = _field(folder / "field.txt", {*codes})
        course = _course(field, inscriptions)
    printed = Printed(
        colours={row.colour: row for row in colours},
        horses={row.number: row for row in read_table(folder / "horses.csv", HorseLease, "number")},
        offices={
            row.office: row for row in read_table(folder / "offices.csv", OfficeLease, "office")
        },
        squares=tuple(read_table(folder / "training.csv", Square, "number")),
        reports=tuple(read_table(folder / "reports.csv", Report, "pack", "code")),
        inscriptions=inscriptions,
        field=field,
        tariff=read_json(folder / "tariff.json", Tariff),
        course=course,
    )
    _check_counts(printed)
    return printed


def _check_counts(printed: Printed) -> None:
    horses = printed.horses
    numbers = [square.number for square in printed.squares]
    stock = Counter(horse.colour for horse in horses.values())
    require(
        list(horses) == list(range(1, 13)) and set(stock.values()) == {3},
        "horses.csv: expected horses 1 to 12, 3 of each colour",
    )
    require(printed.offices.keys() == {*OFFICES}, f"offices.csv: expected {OFFICES}")
    require(numbers == list(range(1, 61)), "training.csv: expected squares 1 to 60")
    require(all(map(printed.pack_codes, PACKS)), "reports.csv: a pack has no cards")


def _field(path: Path, codes: set[str]) -> tuple[tuple[str, ...], ...]:
    """Read the race field: below the headings, each row has its number and a code per lane."""
    _, *rows = file_text(path).splitlines() or [""]
    for number, row in enumerate(rows, start=1):
        first, *cells = row.split() or [""]
        with placed(f"line {number + 1}"):
            require(first == f"{number}", f"expected row {number}")
            require(len(cells) == _LANES, f"{len(cells)} lanes instead of {_LANES}")
            require(
                codes.issuperset(cells),
                f"{sorted({*cells} - codes)} in neither colours.csv nor inscriptions.csv",
            )
    require(len(rows) == _ROWS, f"line {len(rows) + 1} is the last: expected {_ROWS} rows")
    return tuple(tuple(row.split()[1:]) for row in rows)


def _course(field: Sequence[Sequence[str]], inscriptions: Mapping[str, Inscription]) -> Course:
    """Find the last bend: from the row after the "bend" squares to the row of "whip" squares."""

    def row_of(effect: str) -> int:
        codes = {code for code, found in inscriptions.items() if found.effect == effect}
        row = next((row for row, cells in enumerate(field, 1) if codes & {*cells}), 0)
        require(row and codes.issuperset(field[row - 1]), f"expected a whole row of {effect!r}")
        return row

    bend, whip = row_of("bend"), row_of("whip")
    require(bend < whip, f"line {whip + 1}: the whip comes before the bend")
    return Course(lanes=_LANES, rows=_ROWS, bend_first=bend + 1, bend_last=whip)
