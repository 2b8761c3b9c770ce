"""Fields that lead from one object to others, such as from a bet to its game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import strawberry
from django.db.models import QuerySet
from strawberry.scalars import JSON
from strawberry.types.field import StrawberryField

from accounts.models import User
from games import models
from games.api import types
from games.api.graphql.context import Context
from games.api.graphql.lists import COMMITS, game_list, reader_of
from games.api.graphql.structs import Struct, Types, field, optional
from games.api.operations import games, histories, lobbies
from games.api.schemas import document_of
from games.live import presence
from games.play import service
from games.reads.games import games_open_to
from games.reads.lobbies import lobbies_open_to
from games.store.registry import catalogue, newest_rules
from kit.operations import Operation
from kit.problems import Problem


class One(NamedTuple):
    """How to find objects by their ids: the operation of one, and the rows of many."""

    operation: Operation
    struct: Struct
    rows: Callable[[User], QuerySet[Any]]
    answer: Callable[[Any, User], Any]

    async def load(self, context: Context, wanted: UUID) -> Any:
        """Return the object with this id, or None if the caller may not see it."""
        user = (await context.admit_once(self.operation)).user

        def read(ids: list[UUID]) -> list[Any]:
            found = {row.id: self.answer(row, user) for row in self.rows(user).filter(id__in=ids)}
            return [found.get(each) for each in ids]

        return await context.load(self.operation.name, read, wanted)


def _lobby(lobby: models.Lobby, user: User) -> types.Lobby:
    presence.record_lobby_request(user.id, lobby)
    return types.Lobby.of(lobby, user.id)


GAME: Final = One(games.get_game, types.Game, games_open_to, types.Game.of)
LOBBY: Final = One(lobbies.get_lobby, types.Lobby, lobbies_open_to, _lobby)


def by_id(types_: Types, name: str, one: One) -> StrawberryField:
    """Return the field of the query that finds an object by its id."""

    async def resolve(info: strawberry.Info, id: UUID) -> Any:  # noqa: A002  (the argument's name)
        found = await one.load(info.context, id)
        if found is None:
            raise Problem("not_found", what=name)
        return found

    kind = optional(types_.object(one.struct))
    return field(name, kind, resolve, arguments={"id": UUID}, operation=one.operation)


def _edge(types_: Types, name: str, one: One, its_id: Any = UUID) -> Sequence[StrawberryField]:
    """Return the field for the object whose id a struct has, and the field for the id."""

    async def resolve(root: Any, info: strawberry.Info) -> Any:
        wanted: UUID | None = getattr(root, name)
        return None if wanted is None else await one.load(info.context, wanted)

    return [
        field(name, optional(types_.object(one.struct)), resolve),
        field(f"{name}_id", its_id, lambda root: getattr(root, name)),
    ]


def _part(types_: Types, name: str, operation: Operation) -> StrawberryField:
    """Return the field of a game for an operation on it."""

    async def resolve(root: Any, info: strawberry.Info, **values: Any) -> Any:
        context: Context = info.context
        caller = await context.admit_once(operation)
        read = operation.read(msgspec.to_builtins(values), {})
        return await context.run(operation, caller, game=root.id, **read)

    kind = optional(types_.object(operation.answer))
    arguments = types_.arguments(operation.query)
    return field(name, kind, resolve, arguments=arguments, operation=operation)


async def _result(root: types.Game, info: strawberry.Info) -> types.Result | None:
    await info.context.admit_once(games.get_game)
    return types.Result.of(await service.at_head(root.id)) if root.ended == "finished" else None


def _options(root: types.Lobby) -> msgspec.Struct | None:
    """Return stored options as the newest rules read them, or None if they cannot."""
    rules = catalogue().get(root.slug)
    try:
        return None if rules is None else msgspec.convert(root.options, rules.options_type)
    except msgspec.ValidationError:
        return None


MORE: Final[Mapping[Struct, Callable[[Types], Sequence[StrawberryField]]]] = {
    types.Rules: lambda _: [
        field("json_schema", JSON, lambda root: document_of(newest_rules(root.slug)))
    ],
    types.Bet: lambda it: _edge(it, "game", GAME),
    types.ViewAtVersion: lambda it: _edge(it, "game", GAME),
    types.Lobby: lambda it: [
        *_edge(it, "game", GAME, optional(UUID)),
        field("options", it.parts["GameOptions", False], _options),
    ],
    types.Game: lambda it: [
        *_edge(it, "lobby", LOBBY),
        field("result", optional(it.object(types.Result)), _result),
        _part(it, "view", games.get_view),
        _part(it, "views", games.list_views),
        _part(it, "legal", games.list_legal_commands),
        game_list(it, "commits", COMMITS, reader_of),
        game_list(it, "bets", histories.list_bets_in_game),
        game_list(it, "transfers", histories.list_transfers_in_game),
    ],
}
"""The fields that objects have in addition to those of their structs."""
