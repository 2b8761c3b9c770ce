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
from games.api.graphql.calls import Context, Refusal, Served, served_operations
from games.api.graphql.fields import Argument, arguments_of, field, given
from games.api.graphql.graph import GAME, LOBBY, Graph
from games.api.graphql.inputs import Chosen, Inputs
from games.api.graphql.limits import Limited
from games.api.graphql.listings import LISTS, LISTS_IN_GAMES, Connections
from games.api.graphql.outputs import Outputs
from games.api.graphql.scalars import CONFIG, Integer
from games.api.graphql.structs import Enums, Names, Shape, Struct, camel, pascal
from games.api.graphql.subscriptions import game_commits, lobbies
from games.api.graphql.telling import Document, told
from games.play import service
from games.store.loaded_games import loaded_games
from kit.problems import Problem

NOT_HERE: Final = frozenset({"live", "ready"})
"""What REST alone has: probes of the process."""

IN_GAMES: Final = frozenset({"get_view", "list_commits", "list_legal_commands", *LISTS_IN_GAMES})
"""What is asked of a game rather than of the query."""

RENAMED: Final[Mapping[Struct, str]] = {
    types.Seat: "Seat",
    types.Account: "Account",
    types.Transfer: "Transfer",
}
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
        names, enums = Names({**RENAMED, problem: "Problem"}), Enums()
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
            if (
                served.method == "GET"
                and name not in NOT_HERE | IN_GAMES
                and not served.declared.media
            ):
                called = CALLED.get(name) or camel(name.removeprefix("get_").removeprefix("list_"))
                if called not in found:
                    found[called] = (
                        self._connections.of_person(name) if name in LISTS else self._query(served)
                    )
        return found

    def _query(self, served: Served) -> Any:
        route = _route_arguments(served)
        query = arguments_of(served.declared.query, self._inputs)

        async def resolve(info: strawberry.Info, **values: Any) -> Any:
            context: Context = info.context
            asked = {
                name: _in_query(value) for name, value in given(query, _some(values, query)).items()
            }
            return await context.call(served, given(route, _some(values, route)), query=asked)

        kind = self._outputs.shape(
            info.type_info(served.declared.answer), self._problem, served.declared.name
        ).kind
        return field(
            resolve,
            StrawberryOptional(kind),
            arguments={**route, **query},
            description=served.summary,
            declared=served.declared,
        )

    def _mutations(self) -> dict[str, Any]:
        return {
            camel(name): self._mutation(served)
            for name, served in self._operations.items()
            if served.method != "GET" and name not in NOT_HERE
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
            address = given(route, _some(values, route))
            try:
                carried = await _of_one_game(
                    context, served, address, given(body, _some(values, body))
                )
                answer = await context.call(
                    served, address, body=carried if served.declared.body else None
                )
            except Refusal as refusal:
                return refusal.problem
            except Problem as problem:
                return self._document(problem)
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


def _in_query(value: Any) -> str:
    """A value as it stands in a query string."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _described(served: Served) -> str:
    codes = ", ".join(f"`{code}`" for code in served.declared.problems)
    return f"{served.summary}\n\nProblems of its own: {codes}." if codes else served.summary


async def _of_one_game(
    context: Context, served: Served, address: Mapping[str, Any], body: dict[str, Any]
) -> dict[str, Any]:
    """What was given, without the name of the game in options and commands, which has to be that of
    the game they are for.

    Raises Problem `malformed`.
    """
    chosen = {name: value for name, value in body.items() if isinstance(value, Chosen)}
    for name, value in chosen.items():
        slug = body.get("slug") or await _slug_of(context, address.get("game"))
        if slug not in {None, value.key}:
            await context.admitted(
                served
            )  # Who may not even ask is told that; and what is refused here counts, too.
            raise Problem(
                "malformed", path=f"$.{name}", reason=f"the game is {slug}, not {value.key}"
            )
    return {**body, **{name: value.value for name, value in chosen.items()}}


async def _slug_of(context: Context, game: UUID | None) -> str | None:
    """Which game this is, for those who may see it; what others are told is the operation's to
    say."""
    if game is None:
        return None
    try:
        caller = await context.caller()
        if caller is None:
            return None
        await service.viewer_of(caller.user.id, game)
        return (await loaded_games().get(game)).rules.slug
    except Problem:
        return None
