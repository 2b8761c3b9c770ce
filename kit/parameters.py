"""Parameters of SQL statements as texts, which PostgreSQL reads by the types that the statement
names.

A value of Python has a type only where it is known, and a list that of the values that it happens
to have. PostgreSQL would prepare a statement again for each combination of types.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

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
        texts: Iterable[str | None] = ()
        if number == "one":
            texts = [_TEXTS[type(value)](value) for value in rows[0]]
        elif number == "many":
            texts = map(_array, zip(*rows, strict=True))
        return dict(zip(self._names.values(), texts, strict=bool(number)))


class Numbered(NamedTuple):
    """A statement whose parameters have numbers, and their names in that order.

    The fields `query` and `types` make it a query to psycopg's record of what is prepared.
    """

    query: bytes
    parameters: tuple[str, ...]
    types: tuple[int, ...] = ()


@cache
def numbered(statement: str) -> Numbered:
    """Return a statement with parameters `%(name)s` as libpq reads it. The process remembers it."""
    names = tuple(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement)))
    text = re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", statement)
    return Numbered(text.encode(), names)


def _array(values: Sequence[Any]) -> str:
    return "{" + ",".join([_ELEMENTS[type(value)](value) for value in values]) + "}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class _ByType(dict[type, Callable[[Any], Any]]):
    """Functions by type. A subclass has that of its base."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        found = self[kind] = next(self[base] for base in kind.__mro__[1:] if base in self)
        return found


_TEXTS: Final = _ByType(
    {
        NoneType: lambda _: None,
        int: int.__repr__,
        float: float.__repr__,
        str: str.__str__,
        bytes: lambda value: f"\\x{value.hex()}",
        UUID: lambda value: value.hex,
        datetime: datetime.isoformat,
    }
)
"""The text of a value."""

_ELEMENTS: Final = _ByType(
    {
        **_TEXTS,
        NoneType: lambda _: "NULL",
        str: _quoted,
        bytes: lambda value: f'"\\\\x{value.hex()}"',
    }
)
"""How the text of an array contains a value."""
