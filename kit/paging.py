"""Cursor pagination for lists that grow while a client reads them.

Each page starts exactly after the last row of the page before it. DRF's cursor counts an offset
among rows that share the first column; a group commit gives many bets the same time, so this cursor
compares all columns of the order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar

import msgspec
from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q, QuerySet, Window
from django.db.models.fields.tuple_lookups import (
    Tuple,
    TupleGreaterThan,
    TupleGreaterThanOrEqual,
    TupleLessThan,
    TupleLessThanOrEqual,
)
from django.db.models.functions import RowNumber

from kit import base64url, replicas
from kit.problems import Problem
from kit.validation import in_utc

Row = TypeVar("Row", bound=Model)

_Stored = Annotated[list[int | str], msgspec.Meta(min_length=1)]
"""The values in a cursor: those of the row before the page in the first columns of the order."""


class Paged(Protocol):
    """A request for one page."""

    @property
    def cursor(self) -> str | None: ...

    @property
    def limit(self) -> int: ...


class Column(NamedTuple):
    """One column of an ordering."""

    field: "Field[Any, Any]"
    name: str
    descending: bool


class Rows(NamedTuple):
    """Rows in order, and the cursor of the next page if there is one. `as_of` is how far they are
    known to be current, None if they come from the primary."""

    rows: Sequence[Any]
    next: str | None
    order: Sequence[Column]
    as_of: datetime | None = None

    def cursor_of(self, row: Any) -> str:
        """Return the cursor of the page that begins after this row."""
        return _cursor(self.order, row)


def page_of(rows: QuerySet[Row, Any], page: Paged, end: Sequence[Any] = ()) -> Rows:
    """Return one page of rows. Their order must be total, and have one direction.

    `end` has the values of the first columns of the order up to which the rows were limited (see
    `until`): a page that is short by them has a next one, which begins there. Raises Problem
    `malformed` for a cursor that does not belong to this list.
    """
    rows, order = beyond_cursor(rows, page)
    return _page(list(rows[: page.limit + 1]), page, order, end)


def page_among(rows: QuerySet[Row, Any], page: Paged, end: Sequence[Any] = ()) -> Rows:
    """Return one page of rows that are few, as `page_of`, and read all of them.

    With a limit, the planner would search their table for them in the order of the page.
    """
    rows, order = beyond_cursor(rows, page)
    return _page(list(rows)[: page.limit + 1], page, order, end)


def values_ahead(rows: QuerySet[Row, Any], page: Paged, places: int) -> Sequence[Any]:
    """Return the values of the ordering columns so many places after the cursor, none beyond the
    last row.

    The order may be the beginning of that of the list. Raises as `page_of`.
    """
    rows, order = from_cursor(rows, page)
    names = [column.name for column in order]
    return next(iter(rows.values_list(*names)[places : places + 1]), ())


def from_cursor(
    rows: QuerySet[Row, Any], page: Paged
) -> tuple[QuerySet[Row, Any], Sequence[Column]]:
    """Return the rows of this page and all later ones, and possibly some before, and their order.

    The order may be the beginning of that of the list. A cursor without further columns comes from
    a page that had all rows with its values. Raises as `page_of`.
    """
    order = _order_of(rows)
    if page.cursor is not None:
        stored = _stored(page.cursor)
        values = _values(order, stored)
        if len(stored) <= len(order):
            rows = rows.filter(_beyond(order, values))
        else:
            backwards = [column._replace(descending=not column.descending) for column in order]
            rows = rows.filter(_until(backwards, values))
    return rows, order


def until(rows: QuerySet[Row, Any], end: Sequence[Any]) -> QuerySet[Row, Any]:
    """Return the rows up to those with these values in the first columns of the order."""
    return rows.filter(_until(_order_of(rows), end))


def pages_of(rows: QuerySet[Row, Any], page: Paged, by: str) -> Mapping[Any, Rows]:
    """Return the same page of several lists at once, by the value of the column `by`.

    Lists without rows are left out. Raises as `page_of`.
    """
    rows, order = beyond_cursor(rows, page)
    place = Window(
        RowNumber(), partition_by=by, order_by=[str(column) for column in rows.query.order_by]
    )
    lists: dict[Any, list[Any]] = {}
    for row in rows.alias(place=place).filter(place__lte=page.limit + 1):
        lists.setdefault(getattr(row, by), []).append(row)
    return {key: _page(found, page, order) for key, found in lists.items()}


def beyond_cursor(
    rows: QuerySet[Row, Any], page: Paged
) -> tuple[QuerySet[Row, Any], Sequence[Column]]:
    """Return the rows of this page and all later ones, and their order. Raises as `page_of`."""
    order = _order_of(rows)
    if page.cursor is not None:
        rows = rows.filter(_beyond(order, _values(order, _stored(page.cursor))))
    return rows, order


def _page(found: list[Any], page: Paged, order: Sequence[Column], end: Sequence[Any] = ()) -> Rows:
    """Build a page from rows that were read up to one beyond the limit."""
    if len(found) <= page.limit:
        return Rows(found, _encoded(end) if end else None, order, replicas.as_of())
    return Rows(found[:-1], _cursor(order, found[-2]), order, replicas.as_of())


def batches(
    rows: QuerySet[Row, Any], size: int, among: QuerySet[Row, Any] | None = None
) -> Iterator[Sequence[Any]]:
    """Yield all rows in order, `size` at a time, without a transaction between batches.

    With `among`, of which `rows` are a part in the same order, a batch has those of `rows` that are
    among the next `size` of these, so that no batch has to search for its rows.
    """
    order = _order_of(rows)
    beyond = Q()
    if among is None:
        while batch := list(rows.filter(beyond)[:size]):
            yield batch
            beyond = _beyond(order, [getattr(batch[-1], column.name) for column in order])
        return
    keys = among.values_list(*(column.name for column in order))
    while end := next(iter(keys.filter(beyond)[size - 1 : size]), None):
        if batch := list(rows.filter(beyond, _until(order, end))):
            yield batch
        beyond = _beyond(order, end)
    if batch := list(rows.filter(beyond)):
        yield batch


def _order_of(rows: QuerySet[Row, Any]) -> Sequence[Column]:
    """Return the columns of the order. They have one direction, as one comparison of rows has."""
    order = [_column(rows, str(name)) for name in rows.query.order_by]
    assert len({column.descending for column in order}) == 1
    return order


def _column(rows: QuerySet[Row, Any], ordering: str) -> Column:
    name = ordering.removeprefix("-")
    field = rows.model._meta.get_field(name)
    assert isinstance(field, Field)
    return Column(field, name, ordering.startswith("-"))


def _cursor(order: Sequence[Column], row: Any) -> str:
    return _encoded([getattr(row, column.name) for column in order])


def _encoded(values: Sequence[Any]) -> str:
    return base64url.encode(msgspec.json.encode(values))


def _stored(cursor: str) -> list[int | str]:
    """Return the values in a cursor as they are stored."""
    try:
        return msgspec.json.decode(base64url.decode(cursor), type=_Stored)
    except (msgspec.MsgspecError, ValueError) as error:
        raise _malformed() from error


def _values(order: Sequence[Column], stored: Sequence[int | str]) -> list[Any]:
    """Return the stored values of the first columns of an order."""
    try:
        values = [
            column.field.to_python(value) for column, value in zip(order, stored, strict=False)
        ]
        return [in_utc(value) if isinstance(value, datetime) else value for value in values]
    except (ValidationError, TypeError, ValueError) as error:
        raise _malformed() from error


def _malformed() -> Problem:
    return Problem("malformed", path="$.cursor", reason="not a cursor of this list")


def _beyond(order: Sequence[Column], values: Sequence[Any]) -> Q:
    """Build the condition for rows after those with these values."""
    if order[0].descending:
        return _compared(order, values, "lte", TupleLessThan)
    return _compared(order, values, "gte", TupleGreaterThan)


def _until(order: Sequence[Column], values: Sequence[Any]) -> Q:
    """Build the condition for rows before those with these values, and these rows."""
    if order[0].descending:
        return _compared(order, values, "gte", TupleGreaterThanOrEqual)
    return _compared(order, values, "lte", TupleLessThanOrEqual)


def _compared(
    order: Sequence[Column], values: Sequence[Any], bound: str, compare: Callable[..., Any]
) -> Q:
    names = [column.name for column in order[: len(values)]]
    # The bound is redundant, but an index can use it, and the planner can estimate it.
    bounded = Q(**{f"{names[0]}__{bound}": values[0]})
    return bounded & Q(compare(Tuple(*names), tuple(values)))
