"""How things hang together: from a bet to its game, from a game to its lobby, and what one sees of
a game."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

import strawberry
from django.db.models import QuerySet
from strawberry.types.base import StrawberryOptional

from accounts.models import User
from games import models
from games.api import types
from games.api.graphql.any_game import options_of
from games.api.graphql.calls import Context, Served
from games.api.graphql.fields import Argument, arguments_of, field, given
from games.api.graphql.inputs import Inputs
from games.api.graphql.listings import Connections
from games.api.graphql.outputs import Outputs
from games.api.graphql.scalars import JSON
from games.api.graphql.structs import Shape, Struct
from games.api.operations.games import HowMany
from games.api.schemas import document_of
from games.engine import Seat
from games.live import presence
from games.play import service
from games.reads.games import games_open_to
from games.reads.lobbies import lobbies_open_to
from games.store.registry import newest_rules
from kit import validation
from kit.problems import Problem


class One(NamedTuple):
    """How things are found by their ids: the operation that answers one of them, and their rows."""

    operation: str
    struct: Struct
    rows: Callable[[User], QuerySet[Any]]
    answer: Callable[[Any, User], Any]


def _lobby(lobby: models.Lobby, user: User) -> types.Lobby:
    presence.record_lobby_request(user.id, lobby)
    return types.Lobby.of(lobby, user.id)


GAME: Final = One("get_game", types.Game, games_open_to, types.Game.of)
LOBBY: Final = One("get_lobby", types.Lobby, lobbies_open_to, _lobby)


class Graph:
    """The fields that lead from one object to others."""

    def __init__(
        self,
        outputs: Outputs,
        inputs: Inputs,
        connections: Connections,
        operations: Mapping[str, Served],
    ) -> None:
        self._outputs = outputs
        self._inputs = inputs
        self._operations = operations
        # Bets and lobbies come before games, whose lists are made of them.
        outputs.more[types.Rules] = {"json_schema": field(_json_schema, JSON)}
        outputs.more[types.Bet] = self._edge("game", GAME)
        outputs.more[types.ViewAtHead] = self._edge("game", GAME)
        outputs.more[types.Lobby] = {
            **self._edge("game", GAME, nullable=True),
            "options": self._options(),
        }
        outputs.more[types.Game] = {
            **self._edge("lobby", LOBBY),
            "result": self._of_game("get_game", types.Result, _result),
            "view": self._of_game("get_view", types.ViewAtHead, _view),
            "commits": connections.commits(),
            "legal": self._of_game("list_legal_commands", types.LegalCommands, _legal),
            "bets": connections.of_game("list_bets_in_game"),
            "transfers": connections.of_game("list_transfers_in_game"),
        }

    def one(self, one: One) -> Any:
        """A field of the query: one thing, by its id."""
        served = self._operations[one.operation]

        async def resolve(info: strawberry.Info, id: UUID) -> Any:  # noqa: A002  (what the argument is called)
            found = await self._load(info.context, one, id)
            if found is None:
                raise Problem("not_found", what=one.struct.__name__.lower())
            return found

        arguments = {"id": Argument(Shape(UUID))}
        return field(
            resolve,
            self._kind(one),
            arguments=arguments,
            description=served.declared.text,
            declared=served.declared,
        )

    def _edge(self, name: str, one: One, *, nullable: bool = False) -> dict[str, Any]:
        """For a field that was an id the thing itself, for all rows at once; and the id beside
        it."""

        async def resolve(root: Any, info: strawberry.Info) -> Any:
            wanted: UUID | None = getattr(root, name)
            return None if wanted is None else await self._load(info.context, one, wanted)

        def its_id(root: Any) -> Any:
            return getattr(root, name)

        return {
            name: field(resolve, self._kind(one)),
            f"{name}_id": field(its_id, StrawberryOptional(UUID) if nullable else UUID),
        }

    def _kind(self, one: One) -> Any:
        return StrawberryOptional(self._outputs.later(one.struct))

    async def _load(self, context: Context, one: One, wanted: UUID) -> Any:
        """The thing with this id as an answer, or None when the caller may not see it."""
        user = await context.admitted(self._operations[one.operation].declared)

        def read(ids: list[UUID]) -> list[Any]:
            found = {row.id: one.answer(row, user) for row in one.rows(user).filter(id__in=ids)}
            return [found.get(each) for each in ids]

        return await context.loader(one.operation, read).load(wanted)

    def _options(self) -> Any:
        """Options are stored as JSON: the rules of the game say what they mean."""

        def resolve(root: Any) -> Any:
            return options_of(root.slug, root.options)

        return field(resolve, self._outputs.of_any_game["options"].kind)

    def _of_game(self, operation: str, struct: Struct, read: Callable[..., Awaitable[Any]]) -> Any:
        """What the game itself says, at its table; nothing is asked of the database but where its
        head is."""
        served = self._operations[operation]
        arguments = arguments_of(served.declared.query, self._inputs)

        async def resolve(root: Any, info: strawberry.Info, **values: Any) -> Any:
            context: Context = info.context
            user = await context.admitted(served.declared)
            query = served.declared.query
            asked = () if query is None else (validation.convert(given(arguments, values), query),)
            return await read(root, await service.viewer_of_request(user.id, root.id), *asked)

        kind = StrawberryOptional(self._outputs.object_of(struct))
        return field(
            resolve,
            kind,
            arguments=arguments,
            description=served.declared.text,
            declared=served.declared,
        )


async def _result(game: types.Game, viewer: Seat | None) -> types.Result | None:
    return types.Result.of(await service.at_head(game.id)) if game.ended == "finished" else None


async def _view(game: types.Game, viewer: Seat | None) -> types.ViewAtHead:
    return types.ViewAtHead.of(game.id, viewer, await service.view(game.id, viewer))


async def _legal(game: types.Game, viewer: Seat | None, asked: HowMany) -> types.LegalCommands:
    if viewer is None:
        raise Problem("spectators_only_watch")
    version, commands, is_complete = await service.legal(game.id, viewer, asked.limit)
    return types.LegalCommands(version=version, commands=commands, is_complete=is_complete)


def _json_schema(root: types.Rules) -> Any:
    return document_of(newest_rules(root.slug))
