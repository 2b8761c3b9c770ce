"""The lists of rows: what REST has as pages, as connections with filters, an order and a cursor for
every row."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from uuid import UUID

import strawberry
import strawberry_django
from django.db.models import Model, OrderBy, QuerySet
from msgspec import inspect as info
from strawberry import auto
from strawberry.relay import PageInfo
from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry_django.ordering import process_ordering

from accounts.models import User
from accounts.tokens import Caller
from games import models
from games.api import types
from games.api.graphql.calls import Context, Served
from games.api.graphql.fields import Argument, field, given
from games.api.graphql.inputs import Inputs
from games.api.graphql.outputs import Outputs
from games.api.graphql.structs import Shape, Struct, camel
from games.api.operations.lists import RowList
from games.live.hubs import Commit
from games.play import service
from games.reads.filters import PAGE_MAX, CommitFilter
from games.reads.games import open_to
from games.reads.histories import commits_in_all
from kit import validation
from kit.paging import Paged, Rows, page_of, pages_of
from kit.problems import Problem

COMMITS: Final = "The commits of the game, in order, with the events that one may read."


class Edge(NamedTuple):
    """An answer in a list, and the cursor that goes on after it."""

    cursor: str
    node: Any


class Connection(NamedTuple):
    """A page of a list."""

    edges: Sequence[Edge]
    page_info: PageInfo

    @classmethod
    def of(cls, found: Rows, cursor: str | None, answer: Callable[[Any], Any]) -> "Connection":
        """A page of rows as answers."""
        edges = [Edge(found.cursor_of(row), answer(row)) for row in found.rows]
        return cls(
            edges,
            PageInfo(
                has_next_page=found.next is not None,
                has_previous_page=cursor is not None,
                start_cursor=edges[0].cursor if edges else None,
                end_cursor=edges[-1].cursor if edges else None,
            ),
        )


class Connections:
    """The connections of a schema."""

    def __init__(self, outputs: Outputs, inputs: Inputs, operations: Mapping[str, Served]) -> None:
        self._outputs = outputs
        self._operations = operations
        self._inputs = inputs
        self._kinds: dict[Any, Any] = {}
        self._orders: dict[Struct, Any] = {}

    def of_user(self, listed: RowList) -> Any:
        """A list of the user who asks, as a field of the query."""
        kind = self._connection(listed.struct)
        arguments = self._arguments(listed.query, listed.struct, listed.model, listed.order)

        async def resolve(info: strawberry.Info, **values: Any) -> Connection:
            context: Context = info.context
            caller = await context.admit(listed)
            assert isinstance(caller, Caller)

            def read(asked: Any, order: Sequence[str]) -> Connection:
                found = page_of(_ordered(listed.rows(caller, asked), order), asked)
                return Connection.of(found, asked.cursor, lambda row: listed.item(row, caller.user))

            with _paths_of_arguments():
                asked, order = _asked(listed.query, arguments, values)
                return await context.in_thread(read)(asked, order)

        return field(resolve, kind, arguments=arguments, description=listed.text, declared=listed)

    def of_game(self, operation: str) -> Any:
        """A list of a game, as a field of games: of however many games, it is one query."""
        listed = self._operations[operation].declared
        assert isinstance(listed, RowList)
        assert listed.by is not None
        by = listed.by
        kind = self._connection(listed.struct)
        arguments = self._arguments(listed.query, listed.struct, listed.model, listed.order)

        async def resolve(root: Any, info: strawberry.Info, **values: Any) -> Connection:
            context: Context = info.context
            user = await context.admitted(listed)
            with _paths_of_arguments():
                asked, order = _asked(listed.query, arguments, values)

                def rows(games: list[UUID]) -> QuerySet[Any, Any]:
                    # An operator may list a game without the right to see its rows.
                    return _ordered(listed.rows(open_to(user, games), asked), order)

                named = (listed.name, asked, order)
                found = await self._page(context, named, rows, by, root.id)
            return Connection.of(found, asked.cursor, lambda row: listed.item(row, user))

        return field(resolve, kind, arguments=arguments, description=listed.text, declared=listed)

    def commits(self) -> Any:
        """The commits of a game, as a field of games: of however many games, it is one query; what
        one may read of them, the game says."""
        listed = self._operations["list_commits"].declared
        kind = self._connection(Commit)
        arguments = self._arguments(CommitFilter, Commit, models.Commit, {"version": "version"})

        async def resolve(root: Any, info: strawberry.Info, **values: Any) -> Connection:
            context: Context = info.context
            user = await context.admitted(listed)
            viewer = await service.viewer_of_request(user.id, root.id)
            rules = (await service.at_head(root.id)).rules
            with _paths_of_arguments():
                asked, order = _asked(CommitFilter, arguments, values)

                def rows(games: list[UUID]) -> QuerySet[Any, Any]:
                    return _ordered(asked.narrow(commits_in_all(games)), order)

                named = (listed.name, asked, order)
                found = await self._page(context, named, rows, "game_id", root.id)
            return Connection.of(
                found, asked.cursor, lambda row: types.commit_of_row(row, rules, viewer)
            )

        return field(resolve, kind, arguments=arguments, description=COMMITS, declared=listed)

    @staticmethod
    async def _page(
        context: Context,
        named: tuple[str, Paged, Sequence[str]],
        rows: Callable[[list[UUID]], QuerySet[Any, Any]],
        by: str,
        game: UUID,
    ) -> Rows:
        """A game's page of rows, read with those of all games that are asked for the same at the
        same time."""

        def read(games: list[UUID]) -> list[Rows]:
            pages = pages_of(rows(games), named[1], by)
            return [pages.get(each, Rows([], None, [])) for each in games]

        found: Rows = await context.loader(named, read).load(game)
        return found

    def _order(self, struct: Struct, model: type[Model], order: Mapping[str, str]) -> Any:
        """The input by which rows of this model are ordered."""
        if struct not in self._orders:
            body: dict[str, Any] = {"__annotations__": dict.fromkeys(order.values(), auto)}
            for name, column in order.items():
                if name != column:
                    body[column] = strawberry_django.order_field(name=camel(name))
            called = f"{struct.__name__}Order"
            made = strawberry_django.order_type(
                model, name=called, description="The order of a list; the first entry counts most."
            )
            self._orders[struct] = made(type(called, (), body))
        return self._orders[struct]

    def _arguments(
        self, query: Any, struct: Struct, model: type[Model], order: Mapping[str, str]
    ) -> dict[str, Argument]:
        described = info.type_info(query)
        assert isinstance(described, info.StructType)
        return {
            "first": Argument(
                Shape(int), required=False, description=f"How many; {PAGE_MAX} at most."
            ),
            "after": Argument(
                Shape(str), required=False, description="The cursor after which to go on."
            ),
            "filter": Argument(
                self._inputs.input_of(described.cls, without=("cursor", "limit")), required=False
            ),
            "order_by": Argument(
                Shape(StrawberryList(self._order(struct, model, order))), required=False
            ),
        }

    def _connection(self, struct: Struct) -> Any:
        if struct not in self._kinds:
            node = self._outputs.object_of(struct)
            name = node.__strawberry_definition__.name
            edge = _object(
                f"{name}Edge", "A row, and where it stands.", {"cursor": str, "node": node}
            )
            fields = {"edges": StrawberryList(edge), "page_info": PageInfo}
            self._kinds[struct] = _object(
                f"{name}Connection", "A page of a list that may grow meanwhile.", fields
            )
        return StrawberryOptional(self._kinds[struct])


def _asked(
    query: Any, arguments: Mapping[str, Argument], values: Mapping[str, Any]
) -> tuple[Any, tuple[str, ...]]:
    """Which page of which rows in which order. Raises Problem `malformed`."""
    asked = given(arguments, values)
    page = {"limit": asked.get("first"), "cursor": asked.get("after")}
    chosen = {name: value for name, value in page.items() if value is not None}
    asked_for = {**(asked.get("filter") or {}), **chosen}
    return validation.convert(asked_for, query), _columns(asked.get("order_by") or [])


@contextmanager
def _paths_of_arguments() -> Iterator[None]:
    """A context whose problems name the arguments of a connection, not those of a page."""
    try:
        yield
    except Problem as problem:
        path = problem.data.get("path")
        raise Problem(
            problem.code,
            **{
                **problem.data,
                "path": {"$.limit": "$.first", "$.cursor": "$.after"}.get(str(path), path),
            },
        ) from None


def _columns(order: Sequence[Any]) -> tuple[str, ...]:
    """The columns to order by, each once."""
    _, columns = (
        process_ordering(type(order[0]), order, None, User.objects.none()) if order else (None, [])
    )
    found: dict[str, bool] = {}
    for column in columns:
        assert isinstance(column, OrderBy), "an order names what comes first"
        found[getattr(column.expression, "name")] = column.descending  # noqa: B009  (an F, whose name its stubs forget)
    return tuple(f"{'-' if descending else ''}{name}" for name, descending in found.items())


def _ordered(rows: QuerySet[Any, Any], columns: Sequence[str]) -> QuerySet[Any, Any]:
    """Rows in this order; what it leaves open stays in the order they were in, so that no two share
    their place."""
    chosen = {column.removeprefix("-") for column in columns}
    rest = [
        str(column) for column in rows.query.order_by if str(column).removeprefix("-") not in chosen
    ]
    return rows.order_by(*columns, *rest)


def _object(name: str, description: str, fields: Mapping[str, Any]) -> Any:
    body = {key: strawberry.field(graphql_type=kind) for key, kind in fields.items()}
    return strawberry.type(type(name, (), body), name=name, description=description)
