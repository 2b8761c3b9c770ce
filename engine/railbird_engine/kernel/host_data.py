"""Reads data files that a host may replace: each fault is one ValueError with file and place."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
RowT = TypeVar("RowT", bound=msgspec.Struct)


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Put the place before the reason of a fault within."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(f"{place}: the file is not UTF-8 (byte {error.start})") from error
    except (OSError, ValueError, RecursionError, csv.Error, msgspec.MsgspecError) as error:
        raise ValueError(f"{place}: {error}") from error


def require(holds: object, fault: str) -> None:
    """Raise ValueError with the fault unless something holds."""
    if not holds:
        raise ValueError(fault)


def require_once(values: Iterable[object]) -> None:
    """Raise ValueError if a value occurs twice."""
    twice = [value for value, count in Counter(values).items() if count > 1]
    require(not twice, f"{twice} more than once")


def file_text(path: Path) -> str:
    """The text of a file, which may begin with a byte order mark, and end lines in any way."""
    return path.read_text(encoding="utf-8-sig")


def parse_json(source: str | bytes, kind: type[T]) -> T:
    """Parse JSON; an object may not have a key twice. Only `json` tells the line of a fault."""
    json.loads(source, object_pairs_hook=_object)
    return msgspec.json.decode(source, type=kind)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require_once(key for key, _ in pairs)
    return dict(pairs)


def read_json(path: Path, kind: type[T]) -> T:
    """Read a JSON file."""
    with placed(path.name):
        return parse_json(file_text(path), kind)


def read_rows(path: Path, cells: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of a CSV file, of so many cells each, and their place. Leaves out blank
    lines."""
    with placed(path.name):
        reader = csv.reader(io.StringIO(file_text(path)), strict=True)
        rows = [(f"{path.name}, line {reader.line_num}", row) for row in reader if row]
    for place, row in rows:
        require(len(row) == cells, f"{place}: {len(row)} cells instead of {cells}")
        yield place, row


def read_table(path: Path, row_type: type[RowT], *key: str) -> list[RowT]:
    """Read a CSV file with the fields of a type as its headings, and no `key` twice.

    An empty cell takes the default of its column.
    """
    fields = row_type.__struct_fields__
    (_, columns), *rows = list(read_rows(path, len(fields))) or [("", [])]
    require(sorted(columns) == sorted(fields), f"{path.name}, line 1: expected {fields}")
    found: dict[tuple[Any, ...], RowT] = {}
    for place, cells in rows:
        with placed(place):
            filled = {column: cell for column, cell in zip(columns, cells, strict=True) if cell}
            row = msgspec.convert(filled, row_type, strict=False)
            mark = tuple(getattr(row, name) for name in key)
            require(mark not in found, f"{mark} more than once")
            found[mark] = row
    return list(found.values())
