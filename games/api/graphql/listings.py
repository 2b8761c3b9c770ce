"""The lists of rows: what REST has as pages, as connections with filters, an order and a cursor for
every row."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import strawberry
import strawberry_django
from django.db.models import OrderBy, QuerySet
from msgspec import inspect as info
from strawberry import auto
from strawberry.relay import PageInfo
from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry_django.ordering import process_ordering

from accounts.models import Account, Transfer, User
from games import models
from games.api import types
from games.api.graphql.calls import Context, Served
from games.api.graphql.fields import Argument, field, given
from games.api.graphql.inputs import Inputs
from games.api.graphql.outputs import Outputs
from games.api.graphql.structs import Shape, Struct
from games.operators import actions
from games.play import service
from games.reads import selectors
from games.reads.filters import (
    PAGE_MAX,
    AccountFilter,
    ActionFilter,
    AnyBetFilter,
    BetFilter,
    CommitFilter,
    GameFilter,
    LobbyFilter,
    TransferFilter,
)
from kit import validation
from kit.paging import Paged, Rows, page_of, pages_of
from kit.problems import Problem


@strawberry_django.order_type(models.Lobby)
class LobbyOrder:
    """What lobbies may be ordered by."""

    created_at: auto
    buy_in: auto
    capacity: auto


@strawberry_django.order_type(models.Game)
class GameOrder:
    """What games may be ordered by."""

    started_at: auto
    slug: auto


@strawberry_django.order_type(models.Bet)
class BetOrder:
    """What bets may be ordered by."""

    at: auto = strawberry_django.order_field(name="placedAt")
    number: auto
    stake: auto


@strawberry_django.order_type(Account)
class AccountOrder:
    """What accounts may be ordered by."""

    unit: auto
    key: auto


@strawberry_django.order_type(Transfer)
class TransferOrder:
    """What transfers may be ordered by."""

    at: auto
    amount: auto
    number: auto


@strawberry_django.order_type(models.Commit)
class CommitOrder:
    """What commits may be ordered by."""

    version: auto


@strawberry_django.order_type(models.OperatorAction)
class OperatorActionOrder:
    """What acts of operators may be ordered by."""

    at: auto
    action: auto


class ListOfRows(NamedTuple):
    """How a list is made: its rows as one person may see them, and each of them as an answer."""

    rows: Callable[[User, Any], QuerySet[Any, Any]]
    answer: Callable[[Any, User], Any]
    order: type


class ListsOfRows(NamedTuple):
    """How the lists of several games are made at once. `by` is the column that tells whose a row
    is."""

    rows: Callable[[QuerySet[models.Game, Any], Any], QuerySet[Any, Any]]
    answer: Callable[[Any], Any]
    order: type
    by: str


def _lobbies(user: User, asked: LobbyFilter) -> QuerySet[models.Lobby]:
    return asked.narrow(selectors.lobbies_for(user), user)


def _games(user: User, asked: GameFilter) -> QuerySet[models.Game]:
    return asked.narrow(selectors.games_for(user), user)


def _bets(user: User, asked: BetFilter) -> QuerySet[models.Bet, Any]:
    return selectors.with_fates(asked.narrow(selectors.bets_of(user)))


def _all_bets(_: User, asked: AnyBetFilter) -> QuerySet[models.Bet, Any]:
    return selectors.with_fates(asked.narrow(selectors.all_bets()))


def _actions(_: User, asked: ActionFilter) -> QuerySet[models.OperatorAction]:
    return asked.narrow(selectors.operator_actions())


def _accounts(user: User, asked: AccountFilter) -> QuerySet[Account]:
    return asked.narrow(selectors.accounts_of(user))


def _transfers(user: User, asked: TransferFilter) -> QuerySet[Transfer]:
    return asked.narrow(selectors.transfers_of(user))


def _bets_in(games: QuerySet[models.Game, Any], asked: BetFilter) -> QuerySet[models.Bet, Any]:
    return selectors.with_fates(asked.narrow(selectors.bets_in_all(games)))


def _transfers_in(games: QuerySet[models.Game, Any], asked: TransferFilter) -> QuerySet[Transfer]:
    return asked.narrow(selectors.transfers_in_all(games))


LISTS: Final[Mapping[str, ListOfRows]] = {
    "list_lobbies": ListOfRows(
        _lobbies, lambda lobby, user: types.Lobby.of(lobby, user.id), LobbyOrder
    ),
    "list_games": ListOfRows(_games, types.Game.of, GameOrder),
    "list_all_lobbies": ListOfRows(
        actions.find_lobbies, lambda lobby, _: types.Lobby.of(lobby, None), LobbyOrder
    ),
    "list_all_games": ListOfRows(actions.find_games, types.Game.of, GameOrder),
    "list_bets": ListOfRows(_bets, lambda bet, _: types.Bet.of(bet), BetOrder),
    "list_all_bets": ListOfRows(_all_bets, lambda bet, _: types.Bet.of(bet), BetOrder),
    "list_operator_actions": ListOfRows(
        _actions, lambda action, _: types.OperatorAction.of(action), OperatorActionOrder
    ),
    "list_accounts": ListOfRows(
        _accounts, lambda account, _: types.Account.of(account), AccountOrder
    ),
    "list_transfers": ListOfRows(
        _transfers, lambda moved, _: types.Transfer.of(moved), TransferOrder
    ),
}
LISTS_IN_GAMES: Final[Mapping[str, ListsOfRows]] = {
    "list_bets_in_game": ListsOfRows(_bets_in, types.Bet.of, BetOrder, "game_id"),
    "list_transfers_in_game": ListsOfRows(_transfers_in, types.Transfer.of, TransferOrder, "cause"),
}


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

    def of_person(self, operation: str) -> Any:
        """A list of the person who asks, as a field of the query."""
        served, listing = self._operations[operation], LISTS[operation]
        query, (struct,) = served.declared.query, served.declared.answer.__args__
        kind, arguments = self._connection(struct), self._arguments(query, listing.order)

        async def resolve(info: strawberry.Info, **values: Any) -> Connection:
            context: Context = info.context
            user = await context.admitted(served)

            def read(asked: Paged, order: Sequence[str]) -> Connection:
                rows = _ordered(listing.rows(user, asked), order)
                return Connection.of(
                    page_of(rows, asked), asked.cursor, lambda row: listing.answer(row, user)
                )

            with _paths_of_arguments():
                found: Connection = await context.in_thread(read)(*_asked(query, arguments, values))
            return found

        return field(
            resolve, kind, arguments=arguments, description=served.summary, declared=served.declared
        )

    def of_game(self, operation: str) -> Any:
        """A list of a game, as a field of games: of however many games, it is one query."""
        served, listing = self._operations[operation], LISTS_IN_GAMES[operation]
        query, (struct,) = served.declared.query, served.declared.answer.__args__
        kind, arguments = self._connection(struct), self._arguments(query, listing.order)

        async def resolve(root: Any, info: strawberry.Info, **values: Any) -> Connection:
            context: Context = info.context
            user = await context.admitted(served)
            with _paths_of_arguments():
                asked, order = _asked(query, arguments, values)

                def rows(games: list[UUID]) -> QuerySet[Any, Any]:
                    # Of a game that one found among all as an operator, but may not see, there is
                    # nothing here.
                    return _ordered(listing.rows(selectors.open_to(user, games), asked), order)

                found = await self._page(
                    context, (served.declared.name, asked, order), rows, listing.by, root.id
                )
            return Connection.of(found, asked.cursor, listing.answer)

        return field(
            resolve, kind, arguments=arguments, description=served.summary, declared=served.declared
        )

    def commits(self) -> Any:
        """The commits of a game, as a field of games: of however many games, it is one query; what
        one may read of them, the game says."""
        served = self._operations["list_commits"]
        kind, arguments = (
            self._connection(types.Commit),
            self._arguments(CommitFilter, CommitOrder),
        )

        async def resolve(root: Any, info: strawberry.Info, **values: Any) -> Connection:
            context: Context = info.context
            user = await context.admitted(served)
            viewer = await service.viewer_of(user.id, root.id)
            rules = (await service.at_head(root.id)).rules
            with _paths_of_arguments():
                asked, order = _asked(CommitFilter, arguments, values)

                def rows(games: list[UUID]) -> QuerySet[Any, Any]:
                    return _ordered(asked.narrow(selectors.commits_in_all(games)), order)

                found = await self._page(
                    context, (served.declared.name, asked, order), rows, "game_id", root.id
                )
            return Connection.of(
                found, asked.cursor, lambda row: types.Commit.stored(row, rules, viewer)
            )

        return field(
            resolve, kind, arguments=arguments, description=COMMITS, declared=served.declared
        )

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

    def _arguments(self, query: Any, order: type) -> dict[str, Argument]:
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
            "order_by": Argument(Shape(StrawberryList(order)), required=False),
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
    text = msgspec.json.encode(
        {
            **(asked.get("filter") or {}),
            **{name: value for name, value in page.items() if value is not None},
        }
    )
    return validation.decode(text, query), _columns(asked.get("order_by") or [])


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
