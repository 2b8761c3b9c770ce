"""The GraphQL schema: a query or a mutation for each operation of the API, and subscriptions."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
import strawberry
import structlog
from django.urls import URLResolver
from graphql import (
    GraphQLEnumType,
    GraphQLError,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSyntaxError,
)
from msgspec import inspect as info
from strawberry.types import ExecutionContext
from strawberry.types.field import StrawberryField

from games.api import types
from games.api.graphql.context import Context
from games.api.graphql.edges import GAME, LOBBY, MORE, by_id
from games.api.graphql.limits import TOKENS_MAX, Limits
from games.api.graphql.lists import user_list
from games.api.graphql.structs import (
    CONFIG,
    At,
    Chosen,
    Integer,
    Struct,
    Types,
    define,
    field,
    optional,
    pascal,
)
from games.api.graphql.subscriptions import game_commits, lobbies, notices
from games.api.operations.lists import RowList
from games.api.rest.urls import urlpatterns
from games.play import service
from kit import metrics
from kit.operations import Operation
from kit.problems import Problem

log = structlog.get_logger(__name__)

ELSEWHERE: Final = {
    *("live", "ready"),
    *("get_view", "list_views", "list_commits", "list_legal_commands"),
}
"""Probes of a process, and fields of a game instead of the query, as all lists in games are."""

_UNKNOWN_NAME: Final = re.compile(
    r"\bEnum '(\w+)'|\bin '(\w+)' enum|Unknown argument '\w+' on field '(\w+\.\w+)'"
    r"|\bof type '(\w+)' not to include unknown field"
)
"""How GraphQL names the type of an unknown value, argument or field."""

RENAMED: Final = {"get_rules": "rules_of"}


class Done(msgspec.Struct, frozen=True):
    """The operation was carried out and returns nothing."""

    done: bool = True


class Schema(strawberry.Schema):
    """The schema of this deployment. Its errors are problem documents.

    `document` returns the one of an exception, of the struct `problem`; None for an internal error.
    """

    def __init__(self, problem: Struct, document: Callable[[Exception], Any]) -> None:
        self.document = document
        self._problem = problem
        same: dict[Any, Struct] = {types.GameInFull: types.Game, types.RulesInFull: types.Rules}
        it = self._types = Types({problem: "Problem"}, same, MORE)
        queries = {"game": by_id(it, "game", GAME), "lobby": by_id(it, "lobby", LOBBY)}
        mutations = []
        for method, operation in _operations(urlpatterns):
            if operation.name in ELSEWHERE or operation.media:
                continue
            if method != "get":
                mutations.append(self._mutation(operation))
            elif not isinstance(operation, RowList):
                name = RENAMED.get(operation.name) or operation.name.removeprefix("get_")
                name = name.removeprefix("list_")
                queries.setdefault(name, self._query(name, operation))
            elif operation.by is None:
                name = operation.name.removeprefix("list_")
                queries[name] = user_list(it, name, operation)
        super().__init__(
            define("Query", None, [*queries.values()]),
            define("Mutation", None, mutations),
            define("Subscription", None, [game_commits(it), lobbies(it), notices(it)]),
            config=CONFIG,
            extensions=[Limits],
        )

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Replace the errors of a response by problems."""
        errors[:] = [self.as_problem(error) for error in errors]
        context = None if execution_context is None else execution_context.context
        for error in errors:
            code = str((error.extensions or {}).get("code"))
            if context is not None and code != "internal_error":  # which has a line of its own
                context.note_refusal(code)

    def as_problem(self, error: GraphQLError) -> GraphQLError:
        """Return the error with the problem document of REST as its `extensions`."""
        cause = error.original_error
        while isinstance(cause, GraphQLError):  # errors of variables are wrapped
            cause = cause.original_error
        if error.path is None and error.nodes and isinstance(cause, ValueError | TypeError):
            cause = None  # a scalar of the document or of its variables could not be read
        if isinstance(cause, RecursionError):
            cause = Problem("malformed", path="$", reason="nested too deep")
        reason = self._explained(error.message)
        problem = self.document(cause or _malformed(error, reason))
        if problem is None:
            metrics.ERRORS.inc()
            log.error("graphql_failed", path=error.path, exc_info=cause)
            problem = self.document(Problem("internal_error"))
        message = reason if cause is None else problem.detail or problem.title
        place = error.nodes, error.source, error.positions, error.path
        return GraphQLError(message, *place, extensions=msgspec.to_builtins(problem))

    def _explained(self, message: str) -> str:
        """Return the message of an error. If a document has a name that the schema does not, the
        message ends with those that it has there."""
        found = _UNKNOWN_NAME.search(message)
        kind, _, name = str(found and found[found.lastindex or 0]).partition(".")
        match self._schema.get_type(kind):
            case GraphQLEnumType(values=known):
                names = [*known]
            case GraphQLInputObjectType(fields=known):
                names = [*known]
            case GraphQLObjectType(fields=fields) if name in fields:
                names = [*fields[name].args]
            case _:
                names = []
        return f"{message} Allowed: {', '.join(names)}." if names else message

    def _query(self, name: str, operation: Operation) -> StrawberryField:
        async def resolve(info: strawberry.Info, **values: Any) -> Any:
            context: Context = info.context
            with metrics.counted(metrics.REQUESTS, operation.name):
                asker = await context.admit(operation)
                return await context.run(operation, asker, **_read(operation, values))

        kind = self._types.of(info.type_info(operation.answer), At(self._problem, operation.name))
        arguments = _addressed(operation) | self._types.arguments(operation.query)
        return field(name, optional(kind), resolve, arguments=arguments, operation=operation)

    def _mutation(self, operation: Operation) -> StrawberryField:
        async def resolve(info: strawberry.Info, **values: Any) -> Any:
            context: Context = info.context
            try:
                with metrics.counted(metrics.REQUESTS, operation.name):
                    asker = await context.admit(operation)
                    given = await _of_one_game(asker, values)
                    answer = await context.run(operation, asker, **_read(operation, given))
            except Exception as error:
                problem = self.document(error)
                if problem is None:
                    raise
                context.note_refusal(problem.code)
                return problem
            return Done() if answer is None else answer

        answer = Done if operation.answer is type(None) else operation.answer
        kind = self._types.union(f"{pascal(operation.name)}Result", [answer, self._problem])
        codes = ", ".join(f"`{code}`" for code in operation.problems)
        text = f"{operation.text}\n\nFurther problems: {codes}." if codes else operation.text
        arguments = _addressed(operation) | self._types.arguments(operation.body)
        name = operation.name
        return field(name, kind, resolve, arguments=arguments, operation=operation, text=text)


def _operations(patterns: Sequence[Any]) -> Iterator[tuple[str, Operation]]:
    """Yield the operations that REST serves, with their methods."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _operations(pattern.url_patterns)
        else:
            view = getattr(pattern.callback, "cls", None)
            yield from getattr(view, "operations", {}).items()


def _addressed(operation: Operation) -> dict[str, Any]:
    """Return the arguments that REST has in the address."""
    kinds = operation.arguments.items()
    return {name: Integer if kind is int else kind for name, kind in kinds}


def _read(operation: Operation, values: Mapping[str, Any]) -> dict[str, Any]:
    """Read the arguments of a field as those of an operation. Raises Problem `malformed`."""
    addressed = {name: value for name, value in values.items() if name in operation.arguments}
    rest = {name: value for name, value in values.items() if name not in operation.arguments}
    given = msgspec.to_builtins(rest)
    return {**addressed, **operation.read(given, given)}


async def _of_one_game(asker: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Take options and commands out of the input of their game.

    Raises Problem `malformed` if it is not the game that is asked for, and `not_found` for a game
    that the caller may not see.
    """
    game: UUID | None = values.get("game")
    chosen = {name: value for name, value in values.items() if isinstance(value, Chosen)}
    for name, value in chosen.items():
        slug = values.get("slug") if game is None else await service.slug_of(game)
        if slug not in {None, value.slug}:
            if game is not None:
                await service.viewer_of(asker.user.id, game)
            reason = f"the game is {slug}, not {value.slug}"
            raise Problem("malformed", path=f"$.{name}", reason=reason)
    return {**values, **{name: value.value for name, value in chosen.items()}}


def _malformed(error: GraphQLError, reason: str) -> Problem:
    """Return the problem of a document or of variables that GraphQL refused."""
    if isinstance(error, GraphQLSyntaxError) and "tokens" in error.message:
        return Problem("too_many_query_tokens", most=TOKENS_MAX)
    place = re.match(r"Variable '\$(\w+)' has invalid value(?: at ([^:]+))?:", error.message)
    path = f"$.{place[1]}{place[2] or ''}" if place else "$"
    return Problem("malformed", path=path, reason=reason)
