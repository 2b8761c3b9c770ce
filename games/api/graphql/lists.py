"""Lists of rows as connections, with filters, orders and a cursor for each row.

Pages are read by keyset (`kit.paging`). A list in games is read for many games at once.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any, Final
from uuid import UUID

import msgspec
import strawberry
from django.db.models import QuerySet
from strawberry.relay import Edge, ListConnection, PageInfo
from strawberry.relay.types import NodeType
from strawberry.types.base import StrawberryList
from strawberry.types.field import StrawberryField
from strawberry_django import Ordering

from accounts.models import User
from accounts.tokens import Caller
from games.api import types
from games.api.graphql.context import Context
from games.api.graphql.structs import Types, field, one_of, optional
from games.api.operations import games
from games.api.operations.lists import RowList
from games.archive.reading import archived_among, opened
from games.live.hubs import Commit
from games.play import service
from games.reads.filters import CommitFilter
from games.reads.games import open_to
from games.reads.histories import commits_in_all, with_previous
from games.reads.readable import readable
from games.store.commits import DamagedError
from kit import metrics
from kit.paging import Paged, Rows, pages_of
from kit.problems import Problem
from kit.replicas import replicated

Order = Sequence[str]


@strawberry.type(name="Connection", description="A page of a list.")
class DatedConnection(ListConnection[NodeType]):
    """A connection that says how far it is known to be current."""

    as_of: datetime | None = strawberry.field(
        default=None,
        description="The page comes from a replica and has everything that was committed before "
        "this time, and perhaps more. Null: the page is current.",
    )


Reader = Callable[[Caller, UUID], Awaitable[Any]]

ARGUMENTS: Final = {"limit": "first", "cursor": "after"}
"""The arguments of a connection by the fields of a page."""

FIELDS: Final = {argument: name for name, argument in ARGUMENTS.items()}

COMMITS: Final = RowList(
    **vars(replace(games.list_commits, query=CommitFilter)),
    rows=lambda wanted, query: with_previous(query.narrow(commits_in_all(wanted))),
    item=lambda row, reader: types.commit_of_row(row, *reader),
    struct=Commit,
    order={"version": "version"},
    by="game_id",
    is_live=True,
)
"""The commits of a game. REST lists them after a version instead."""


async def user_of(caller: Caller, _game: UUID) -> User:
    """Return what the rows of most lists depend on."""
    return caller.user


async def reader_of(caller: Caller, game: UUID) -> tuple[Any, Any]:
    """Return what commits depend on: the rules and the seat. Raises Problem `not_found`."""
    seat = await service.viewer_of_request(caller.user.id, game)
    return (await service.at_head(game)).rules, seat


def user_list(types_: Types, name: str, listed: RowList) -> StrawberryField:
    """Return the field for a list of the caller."""

    async def resolve(info: strawberry.Info, **values: Any) -> Any:
        context: Context = info.context

        def read(page: Any, order: Order) -> Any:
            with opened(page.only_game):
                found = listed.page(_ordered(listed.rows(caller, page), order), page)
            return _connection(
                found, page, readable(found.rows, lambda row: listed.item(row, caller.user))
            )

        work = read if listed.is_live else replicated(read)
        with metrics.counted(metrics.REQUESTS, listed.name), _arguments_named():
            caller = await context.admit(listed)
            return await context.in_thread(work)(*_read(listed, **values))

    return _field(types_, name, listed, resolve)


def game_list(
    types_: Types, name: str, listed: RowList, reader: Reader = user_of
) -> StrawberryField:
    """Return the field of a game for a list in it."""

    async def resolve(root: Any, info: strawberry.Info, **values: Any) -> Any:
        context: Context = info.context
        caller = await context.admit_once(listed)
        reading = await reader(caller, root.id)
        with _arguments_named():
            page, order = _read(listed, **values)

            def read(wanted: list[UUID]) -> list[Rows]:
                # An operator may list a game whose rows stay closed.
                archived = [place.game_id for place in archived_among(wanted)]
                found: dict[Any, Rows] = {}
                for some in (archived, [each for each in wanted if each not in archived]):
                    if some:
                        rows = _ordered(listed.rows(open_to(caller.user, some), page), order)
                        with opened(some):
                            found |= pages_of(rows, page, str(listed.by))
                return [found.get(each, Rows([], None, [])) for each in wanted]

            work = read if listed.is_live else replicated(read)
            found = await context.load((listed.name, page, order), work, root.id)
        # No damaged row is left out: a history has no gaps.
        try:
            return _connection(
                found, page, ((row, listed.item(row, reading)) for row in found.rows)
            )
        except DamagedError as damaged:
            try:  # to read it again as everybody does, which stalls the game
                await service.commits(root.id, damaged.version - 1, 1)
            except DamagedError as confirmed:
                raise DamagedError(confirmed.version, root.id) from damaged
            raise

    return _field(types_, name, listed, resolve)


def _field(
    types_: Types, name: str, listed: RowList, resolve: Callable[..., Any]
) -> StrawberryField:
    given = types_.arguments(listed.query).items()
    arguments = {ARGUMENTS.get(key, key): kind for key, kind in given}
    name_of_order = f"{listed.struct.__name__}{'InGame' if listed.by else ''}Order"
    order = optional(StrawberryList(_order(name_of_order, tuple(listed.order))))
    arguments |= {"first": optional(int), "order_by": order}
    node = types_.object(listed.struct)
    kind = DatedConnection[node] | None  # type: ignore[valid-type]  # made at run time
    return field(name, kind, resolve, arguments=arguments, operation=listed)


@cache
def _order(name: str, columns: Sequence[str]) -> Any:
    text = "The order of a list: columns in one direction, most important first."
    return one_of(name, text, dict.fromkeys(columns, Ordering), dict)


def _read(
    listed: RowList,
    *,
    order_by: Sequence[Mapping[str, Ordering | None]] | None = None,
    **values: Any,
) -> tuple[Any, Order]:
    """Read the arguments of a connection. Raises Problem `malformed`."""
    given = {FIELDS.get(name, name): value for name, value in msgspec.to_builtins(values).items()}
    page = {name: value for name, value in given.items() if value is not None}
    chosen = [
        (listed.order[name], "-" if way.value.startswith("DESC") else "")
        for entry in order_by or ()
        for name, way in entry.items()
        if way is not None
    ]
    if len({sign for _, sign in chosen}) > 1:
        reason = "columns have opposite directions; all must have the same"
        raise Problem("malformed", path="$.orderBy", reason=reason)
    order = tuple(f"{sign}{column}" for column, sign in dict.fromkeys(chosen))
    return listed.read(page, {})["query"], order


def _ordered(rows: QuerySet[Any, Any], order: Order) -> QuerySet[Any, Any]:
    """Order rows by these columns, then by all others in their direction.

    The order is total, and has one direction.
    """
    if not order:
        return rows
    sign = "-" if order[0].startswith("-") else ""
    chosen = [column.removeprefix("-") for column in order]
    rest = [str(column).removeprefix("-") for column in rows.query.order_by]
    return rows.order_by(*order, *(f"{sign}{name}" for name in rest if name not in chosen))


def _connection(found: Rows, page: Paged, shown: Iterable[tuple[Any, Any]]) -> Any:
    """Return a page of rows, each with its node."""
    edges: list[Any] = [Edge(cursor=found.cursor_of(row), node=node) for row, node in shown]
    return DatedConnection(
        edges=edges,
        as_of=found.as_of,
        page_info=PageInfo(
            has_next_page=found.next is not None,
            has_previous_page=page.cursor is not None,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else found.next,
        ),
    )


@contextmanager
def _arguments_named() -> Iterator[None]:
    """Name the arguments of a connection in problems, not the fields of a page."""
    try:
        yield
    except Problem as problem:
        path = ARGUMENTS.get(str(problem.data.get("path")).removeprefix("$."))
        if path is None:
            raise
        raise Problem(problem.code, **{**problem.data, "path": f"$.{path}"}) from None
