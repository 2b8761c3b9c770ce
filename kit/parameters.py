"""Parameters of SQL statements as texts, which PostgreSQL reads by the types that the statement
names.

psycopg derives the type of a list from its values, so PostgreSQL would prepare one statement again
for each combination of types.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

Parameters = dict[str, str | None]
"""The texts of parameters by name. None is NULL."""

Number = Literal["", "one", "many"]
"""How many rows a statement has: none, exactly one, or any number."""


def number_of(rows: Sequence[Any], can_be_one: bool) -> Number:
    """Return how many rows these are. Without `can_be_one`, one row counts as many."""
    if not rows:
        return ""
    return "one" if can_be_one and len(rows) == 1 else "many"


class Rows:
    """Rows in the parameters of a statement: an alias, and its columns with their types.

    The values of one row are parameters of their own, which makes a smaller plan; of many rows,
    each column is an array.
    """

    def __init__(self, alias: str, **types: str) -> None:
        self._types = types
        self._texts = [_TEXTS[each] for each in types.values()]
        self._elements = [_ELEMENTS[each] for each in types.values()]
        self._names = {column: f"{alias}_{column}" for column in types}
        self._alias = f"{alias}({', '.join(types)})"

    def parameter(self, column: str) -> str:
        """Return the expression for a column of one row."""
        return f"%({self._names[column]})s::{self._types[column]}"

    def source(self, number: Number) -> str:
        """Return what stands in the FROM clause for one row or many."""
        values = [self.parameter(column) for column in self._types]
        if number == "one":
            return f"(VALUES ({', '.join(values)})) AS {self._alias}"
        return f"unnest({', '.join(f'{value}[]' for value in values)}) AS {self._alias}"

    def values(self, rows: Sequence[Sequence[Any]], number: Number) -> Parameters:
        """Return the parameters of so many rows."""
        if not number:
            return {}
        texts: Sequence[str | None]
        if number == "one":
            pairs = zip(self._texts, rows[0], strict=True)
            texts = [None if value is None else text(value) for text, value in pairs]
        else:
            columns = zip(self._elements, zip(*rows, strict=True), strict=True)
            texts = [_array(element, values) for element, values in columns]
        return dict(zip(self._names.values(), texts, strict=True))


def array(kind: str, values: Iterable[Any]) -> str:
    """Return the text of an array of values of this type."""
    return _array(_ELEMENTS[kind], values)


def _array(element: Callable[[Any], str], values: Iterable[Any]) -> str:
    return f"{{{','.join(['NULL' if each is None else element(each) for each in values])}}}"


class Numbered(NamedTuple):
    """A statement whose parameters have numbers, and their names in that order."""

    query: bytes
    parameters: tuple[str, ...]


@cache
def numbered(statement: str) -> Numbered:
    """Return a statement with parameters `%(name)s` as libpq reads it. The process remembers it."""
    names = tuple(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement)))
    text = re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", statement)
    return Numbered(text.encode(), names)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_TEXTS: Final[Mapping[str, Callable[[Any], str]]] = {
    **dict.fromkeys(("smallint", "int", "bigint"), int.__repr__),
    "float8": str,
    "bool": lambda value: "t" if value else "f",
    "text": str.__str__,
    "bytea": lambda value: f"\\x{value.hex()}",
    "uuid": attrgetter("hex"),
    "timestamptz": datetime.isoformat,
}
"""The text of a value of each type."""

_ELEMENTS: Final[Mapping[str, Callable[[Any], str]]] = {
    **_TEXTS,
    "text": _quoted,
    "bytea": lambda value: f'"\\\\x{value.hex()}"',
}
"""How the text of an array contains a value of each type."""
