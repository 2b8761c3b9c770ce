"""Reads the printed content from tables and checks it, so that a host can replace cards, squares or
the race field."""

import csv
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from games.rules.ascot.path import Course
from games.rules.ascot.printed import (
    COLOURS,
    HAZARDS,
    OFFICES,
    ColourRow,
    HorseRow,
    Inscription,
    OfficeRow,
    Printed,
    Report,
    Square,
    Tariff,
)

DATA: Final = Path(__file__).parent / "data"

LEASES: Final = 20
HORSES: Final = 12
CARDS: Final = 78
SMALL_CARDS: Final = 100
SQUARES: Final = 60
LANES: Final = 6
ROWS: Final = 44

RowT = TypeVar("RowT", bound=msgspec.Struct)
KeyT = TypeVar("KeyT")


class TableError(ValueError):
    """The tables do not make a game; the message names the file and the place."""


def load(folder: Path = DATA) -> Printed:
    """Read and check the tables of a folder. Raises TableError."""
    colours = _by_key(
        "colours.csv", _read(folder, "colours.csv", ColourRow), lambda row: row.colour
    )
    inscriptions = _by_key(
        "inscriptions.csv", _read(folder, "inscriptions.csv", Inscription), lambda row: row.code
    )
    field = _read_field(folder, {row.letter for row in colours.values()} | inscriptions.keys())
    printed = Printed(
        colours=colours,
        horses=_by_key("horses.csv", _read(folder, "horses.csv", HorseRow), lambda row: row.number),
        offices=_by_key(
            "offices.csv", _read(folder, "offices.csv", OfficeRow), lambda row: row.office
        ),
        squares=tuple(
            _by_key(
                "training.csv", _read(folder, "training.csv", Square), lambda row: row.number
            ).values()
        ),
        reports=tuple(_read(folder, "reports.csv", Report)),
        inscriptions=inscriptions,
        field=field,
        tariff=_read_tariff(folder),
        course=_course(field, inscriptions),
    )
    _check_leases(printed)
    _check_squares(printed)
    _check_reports(printed)
    _check_cards(printed)
    _check_inscriptions(printed)
    return printed


def _read(folder: Path, name: str, row_type: type[RowT]) -> list[RowT]:
    """The rows of a table; an empty cell takes the default of its column."""
    try:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file, restkey="", strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TableError(f"{name}: {error}") from error
    rows = []
    for line, cells in enumerate(lines, start=2):
        if "" in cells:
            raise TableError(f"{name} line {line}: more cells than columns")
        try:
            rows.append(
                msgspec.convert(
                    {column: cell for column, cell in cells.items() if cell}, row_type, strict=False
                )
            )
        except msgspec.ValidationError as error:
            raise TableError(f"{name} line {line}: {error}") from error
    return rows


def _by_key(name: str, rows: Iterable[RowT], key: Callable[[RowT], KeyT]) -> dict[KeyT, RowT]:
    table: dict[KeyT, RowT] = {}
    for line, row in enumerate(rows, start=2):
        _require(key(row) not in table, f"{name} line {line}", f"{key(row)} appears twice")
        table[key(row)] = row
    return table


def _read_tariff(folder: Path) -> Tariff:
    try:
        return msgspec.json.decode((folder / "tariff.json").read_bytes(), type=Tariff)
    except (OSError, msgspec.DecodeError) as error:
        raise TableError(f"tariff.json: {error}") from error


def _read_field(folder: Path, codes: set[str]) -> tuple[tuple[str, ...], ...]:
    """The race field: under a line of headings, one line per row with its number and a code per
    lane."""
    try:
        lines = (folder / "field.txt").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"field.txt: {error}") from error
    field: list[tuple[str, ...]] = []
    for line in lines[1:]:
        number, *cells = line.split() or [""]
        place = f"field.txt row {len(field) + 1}"
        _require(
            number == str(len(field) + 1), place, f"expected {len(field) + 1}, found {number!r}"
        )
        _require(len(cells) == LANES, place, f"expected {LANES} lanes, found {len(cells)}")
        for lane, code in enumerate(cells, start=1):
            _require(code in codes, f"{place} lane {lane}", f"unknown code {code!r}")
        field.append(tuple(cells))
    _require(len(field) == ROWS, "field.txt", f"expected {ROWS} rows, found {len(field)}")
    return tuple(field)


def _course(field: tuple[tuple[str, ...], ...], inscriptions: dict[str, Inscription]) -> Course:
    """Where the last bend lies: from the row after the white squares before it to the squares that
    say to whip."""
    rows = {}
    for effect in ("bend", "whip"):
        codes = {code for code, inscription in inscriptions.items() if inscription.effect == effect}
        found = [row for row, cells in enumerate(field, start=1) if codes & set(cells)]
        _require(
            len(found) == 1,
            "field.txt",
            f"expected one row of {effect} squares, found {len(found)}",
        )
        _require(
            set(field[found[0] - 1]) <= codes,
            f"field.txt row {found[0]}",
            f"expected {effect} squares only",
        )
        rows[effect] = found[0]
    _require(
        rows["bend"] < rows["whip"],
        "field.txt",
        "the bend squares must come before the whip squares",
    )
    return Course(lanes=LANES, rows=ROWS, bend_first=rows["bend"] + 1, bend_last=rows["whip"])


def _require(condition: bool, place: str, complaint: str) -> None:
    if not condition:
        raise TableError(f"{place}: {complaint}")


def _check_leases(printed: Printed) -> None:
    for colour in COLOURS:
        _require(colour in printed.colours, "colours.csv", f"{colour} is missing")
        found = sum(horse.colour == colour for horse in printed.horses.values())
        _require(
            found == HORSES // len(COLOURS),
            "horses.csv",
            f"expected 3 {colour} horses, found {found}",
        )
    for office in OFFICES:
        _require(office in printed.offices, "offices.csv", f"{office} is missing")
    _require(
        printed.offices["auctioneer"].price == 0, "offices.csv", "the Auctioneer's card is free"
    )
    _require(
        list(printed.horses) == list(range(1, HORSES + 1)),
        "horses.csv",
        f"expected the numbers 1 to {HORSES} in order",
    )
    _require(
        len(printed.leases) == LEASES,
        "horses.csv",
        f"expected {LEASES} leases, found {len(printed.leases)}",
    )
    letters = [row.letter for row in printed.colours.values()]
    _require(len(set(letters)) == len(letters), "colours.csv", "two colours share a letter")
    _require(
        not set(letters) & printed.inscriptions.keys(),
        "inscriptions.csv",
        "a code is the letter of a colour",
    )


def _check_squares(printed: Printed) -> None:
    numbers = [square.number for square in printed.squares]
    _require(
        numbers == list(range(1, SQUARES + 1)),
        "training.csv",
        f"expected the squares 1 to {SQUARES} in order",
    )
    headers: dict[str, tuple[str | None, ...]] = {
        "pay": ("forage", "stable", "farrier", "veterinary", "club"),
        "report": ("stable", "veterinary"),
        "join": ("club",),
        "dues": ("club",),
    }
    for square in printed.squares:
        place = f"training.csv line {square.number + 1}"
        allowed = headers.get(square.effect, (None,))
        _require(
            square.header in allowed,
            place,
            f"{square.effect} cannot stand under the header {square.header or 'none'}",
        )
        needs_amount = square.effect in {"pay", "join", "dues", "advantage", "disadvantage"}
        _require(
            needs_amount == (square.amount > 0),
            place,
            f"wrong amount for {square.effect}: {square.amount}",
        )


def _check_reports(printed: Printed) -> None:
    for line, report in enumerate(printed.reports, start=2):
        place = f"reports.csv line {line}"
        _require(
            (report.effect == "keep") == (report.keeps is not None),
            place,
            "cards to keep, and no others, say what they keep",
        )
        plain = {"keep", "strangles", "withdraw"}
        _require(
            (report.effect in plain) == (report.amount == 0),
            place,
            f"wrong amount for {report.effect}: {report.amount}",
        )
    ordered = sorted((report.pack, report.code) for report in printed.reports)
    for (pack, code), same in groupby(ordered):
        _require(len(list(same)) == 1, "reports.csv", f"{code} appears twice in the {pack} pack")


def _check_cards(printed: Printed) -> None:
    copies = Counter[str]()
    for report in printed.reports:
        copies[report.pack] += report.copies
    cards = LEASES + 2 * copies["trainer"] + copies["veterinary"] + printed.tariff.member_cards
    _require(
        cards == CARDS,
        "reports.csv",
        f"expected {CARDS} leases, reports and member cards in all, found {cards}",
    )
    small = sum(row.advantages for row in printed.colours.values()) + printed.tariff.disadvantages
    _require(
        small == SMALL_CARDS,
        "colours.csv",
        f"expected {SMALL_CARDS} Advantages and Disadvantages, found {small}",
    )
    kept = {report.keeps for report in printed.reports}
    for hazard in HAZARDS:
        _require(hazard in kept, "reports.csv", f"no card keeps {hazard}")


def _check_inscriptions(printed: Printed) -> None:
    for line, inscription in enumerate(printed.inscriptions.values(), start=2):
        place = f"inscriptions.csv line {line}"
        needs_rows = inscription.effect in {"advance", "back", "whip"}
        _require(
            needs_rows == (inscription.rows > 0),
            place,
            f"wrong rows for {inscription.effect}: {inscription.rows}",
        )
        is_hazard = inscription.effect in {"ruin", "fall"}
        _require(
            is_hazard == (inscription.report is not None),
            place,
            "hazards, and no others, name the report that averts them",
        )
        _require(
            inscription.lanes is None or inscription.effect == "advance",
            place,
            "only an advance is bound to lanes",
        )
