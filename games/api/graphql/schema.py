"""The schema, put together: what may be asked, done and followed."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
import strawberry
from graphql import GraphQLError
from msgspec import inspect as info
from strawberry.types import ExecutionContext
from strawberry.types.base import StrawberryOptional

from games.api import types
from games.api.graphql.any_game import describe_games
from games.api.graphql.calls import Context, Served, served_operations
from games.api.graphql.fields import Argument, arguments_of, field, given
from games.api.graphql.graph import GAME, LOBBY, Graph
from games.api.graphql.inputs import Chosen, Inputs
from games.api.graphql.limits import Limited
from games.api.graphql.listings import Connections
from games.api.graphql.outputs import Outputs
from games.api.graphql.scalars import CONFIG, Integer
from games.api.graphql.structs import Enums, Names, Shape, Struct, camel, pascal
from games.api.graphql.subscriptions import game_commits, lobbies
from games.api.graphql.telling import Document, told
from games.api.operations.lists import RowList
from games.play import service
from kit.problems import Problem

NOT_HERE: Final = frozenset({"live", "ready"})
"""What REST alone has: probes of the process."""

IN_GAMES: Final = frozenset({"get_view", "list_commits", "list_legal_commands"})
"""Fields of a game rather than of the query, as all lists in games are."""

CALLED: Final[Mapping[str, str]] = {"get_rules": "rulesOf"}
"""Operations whose field is not called as they are."""


class Done(msgspec.Struct, frozen=True):
    """It is done, and there is nothing to say about it."""

    done: bool = True


class TellingSchema(strawberry.Schema):
    """A schema whose errors are told before anybody sees them."""

    document: Document

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Strawberry's hook for errors of every kind; the list is the one that travels."""
        errors[:] = [told(error, self.document) for error in errors]


class Face:
    """The GraphQL face, made from what is served. `problem` is the type of what `document` makes of
    errors."""

    def __init__(self, problem: Struct, document: Callable[[Exception], Any]) -> None:
        self._problem = problem
        self._document = document
        names, enums = Names({problem: "Problem"}), Enums()
        self._outputs = Outputs(
            names, enums, {types.GameInFull: types.Game, types.RulesInFull: types.Rules}
        )
        self._inputs = Inputs(names, enums)
        self._operations = served_operations()
        describe_games(self._outputs, self._inputs)
        self._connections = Connections(self._outputs, self._inputs, self._operations)
        self._graph = Graph(self._outputs, self._inputs, self._connections, self._operations)

    def schema(self) -> strawberry.Schema:
        """The schema."""
        queries, mutations = _root("Query", self._queries()), _root("Mutation", self._mutations())
        followed = {
            "game_commits": game_commits(self._outputs, self._operations["list_commits"]),
            "lobbies": lobbies(self._outputs, self._inputs, self._operations["list_lobbies"]),
        }
        made = TellingSchema(
            queries, mutations, _root("Subscription", followed), config=CONFIG, extensions=[Limited]
        )
        made.document = self._document
        return made

    def _queries(self) -> dict[str, Any]:
        found = {"game": self._graph.one(GAME), "lobby": self._graph.one(LOBBY)}
        for name, served in self._operations.items():
            declared = served.declared
            listed = declared if isinstance(declared, RowList) else None
            if not served.is_query or name in NOT_HERE | IN_GAMES or declared.media:
                continue
            if listed is not None and listed.by is not None:
                continue
            called = CALLED.get(name) or camel(name.removeprefix("get_").removeprefix("list_"))
            if called not in found:
                found[called] = (
                    self._query(served) if listed is None else self._connections.of_user(listed)
                )
        return found

    def _query(self, served: Served) -> Any:
        route = _route_arguments(served)
        query = arguments_of(served.declared.query, self._inputs)

        async def resolve(info: strawberry.Info, **values: Any) -> Any:
            context: Context = info.context
            asker = await context.admit(served.declared)
            read = served.declared.read(given(query, _some(values, query)), {})
            return await context.run(served.declared, asker, **_some(values, route), **read)

        kind = self._outputs.shape(
            info.type_info(served.declared.answer), self._problem, served.declared.name
        ).kind
        return field(
            resolve,
            StrawberryOptional(kind),
            arguments={**route, **query},
            description=served.declared.text,
            declared=served.declared,
        )

    def _mutations(self) -> dict[str, Any]:
        return {
            camel(name): self._mutation(served)
            for name, served in self._operations.items()
            if not served.is_query and name not in NOT_HERE
        }

    def _mutation(self, served: Served) -> Any:
        route = _route_arguments(served)
        body = arguments_of(served.declared.body, self._inputs)
        assert not route.keys() & body.keys(), (
            f"{served.declared.name} takes two things of one name"
        )
        succeeded = Done if served.declared.answer is type(None) else served.declared.answer

        async def resolve(info: strawberry.Info, **values: Any) -> Any:
            context: Context = info.context
            named = _some(values, route)
            try:
                asker = await context.admit(served.declared)
                carried = given(body, _some(values, body))
                carried = await _of_one_game(asker, named.get("game"), carried)
                read = served.declared.read({}, carried)
                answer = await context.run(served.declared, asker, **named, **read)
            except Exception as error:
                problem = self._document(error)
                if problem is None:
                    raise
                return problem
            return Done() if answer is None else answer

        union = self._outputs.union_of(
            f"{pascal(served.declared.name)}Result", {"ok": succeeded, "problem": self._problem}
        )
        return field(
            resolve,
            union,
            arguments={**route, **body},
            description=_described(served),
            declared=served.declared,
        )


def _root(name: str, fields: Mapping[str, Any]) -> Any:
    return strawberry.type(type(name, (), dict(fields)), name=name)


def _route_arguments(served: Served) -> dict[str, Argument]:
    return {
        name: Argument(Shape(Integer if kind is int else kind))
        for name, kind in served.arguments.items()
    }


def _some(values: Mapping[str, Any], arguments: Mapping[str, Argument]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in arguments}


def _described(served: Served) -> str:
    text, problems = served.declared.text, served.declared.problems
    codes = ", ".join(f"`{code}`" for code in problems)
    return f"{text}\n\nProblems of its own: {codes}." if codes else text


async def _of_one_game(asker: Any, game: UUID | None, body: dict[str, Any]) -> dict[str, Any]:
    """The body without the names of games: options and commands are given by the name of their
    game, which must be the one that is asked for.

    Raises Problem `malformed`; `not_found` for a game that the caller may not see."""
    chosen = {name: value for name, value in body.items() if isinstance(value, Chosen)}
    for name, value in chosen.items():
        slug = body.get("slug") if game is None else await service.slug_of(game)
        if slug not in {None, value.key}:
            if game is not None:
                await service.viewer_of(asker.user.id, game)
            reason = f"the game is {slug}, not {value.key}"
            raise Problem("malformed", path=f"$.{name}", reason=reason)
    return {**body, **{name: value.value for name, value in chosen.items()}}
