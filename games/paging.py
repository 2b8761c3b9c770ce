"""Pages of a list that grows while it is read: each goes on exactly after the last row of the one before.

DRF's cursor counts an offset among rows that share the first column, and a group commit makes many bets share their time;
this one compares all columns of the order.
"""

import base64
import binascii
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

import msgspec
from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q, QuerySet

from accounts.problems import Problem
from accounts.strict import in_utc
from games.filters import Paged

Row = TypeVar("Row", bound=Model)


class Column(NamedTuple):
    """A column of an order."""

    field: "Field[Any, Any]"
    name: str
    descending: bool


class Rows(NamedTuple):
    """Some rows, and the cursor of the page after them if there is one."""

    rows: Sequence[Any]
    next: str | None


def page_of(rows: QuerySet[Row, Any], asked: Paged) -> Rows:
    """One page of rows whose order no two rows share. Raises Problem `malformed` for a cursor that is none of ours."""
    order = [_column(rows, str(name)) for name in rows.query.order_by]
    if asked.cursor is not None:
        rows = rows.filter(_beyond(order, _values(order, asked.cursor)))
    found = list(rows[: asked.limit + 1])
    if len(found) <= asked.limit:
        return Rows(found, None)
    return Rows(found[:-1], _cursor(order, found[-2]))


def batches(rows: QuerySet[Row, Any], size: int) -> Iterator[Sequence[Any]]:
    """All rows, in their order, `size` at a time; between two batches nothing is held in the database."""
    order = [_column(rows, str(name)) for name in rows.query.order_by]
    beyond = Q()
    while batch := list(rows.filter(beyond)[:size]):
        yield batch
        beyond = _beyond(order, [getattr(batch[-1], column.name) for column in order])


def _column(rows: QuerySet[Row, Any], ordering: str) -> Column:
    name = ordering.removeprefix("-")
    field = rows.model._meta.get_field(name)
    assert isinstance(field, Field)
    return Column(field, name, ordering.startswith("-"))


def _cursor(order: Sequence[Column], row: Any) -> str:
    values = msgspec.json.encode([getattr(row, column.name) for column in order])
    return base64.urlsafe_b64encode(values).rstrip(b"=").decode()


def _values(order: Sequence[Column], cursor: str) -> list[Any]:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        stored = msgspec.json.decode(text, type=list[int | str])
        values = [column.field.to_python(value) for column, value in zip(order, stored, strict=True)]
        return [in_utc(value) if isinstance(value, datetime) else value for value in values]
    except (binascii.Error, msgspec.MsgspecError, ValidationError, UnicodeDecodeError, TypeError, ValueError) as error:
        raise Problem("malformed", path="$.cursor", reason="not a cursor of this list") from error


def _beyond(order: Sequence[Column], values: Sequence[Any]) -> Q:
    """After this row: further in the first column, or the same there and further in the next, and so on."""
    column, value = order[0], values[0]
    further = Q(**{f"{column.name}__{'lt' if column.descending else 'gt'}": value})
    if len(order) == 1:
        return further
    # The first bound says nothing new, but an index can use it.
    bound = Q(**{f"{column.name}__{'lte' if column.descending else 'gte'}": value})
    return bound & (further | (Q(**{column.name: value}) & _beyond(order[1:], values[1:])))
