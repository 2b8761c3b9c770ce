"""How errors are told: each with a code of the one error table, and nothing that is only for our
eyes."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from graphql import GraphQLError, GraphQLSyntaxError

from games.api.graphql.limits import TOKENS_MAX
from kit.problems import Problem

log = structlog.get_logger(__name__)

Document = Callable[[Exception], Any]
"""The document of the problem that an error stands for; None when the fault is ours."""


def told(error: GraphQLError, document: Document) -> GraphQLError:
    """An error as the caller is told of it: `extensions` are the problem document that REST would
    have answered."""
    cause = error.original_error
    while isinstance(
        cause, GraphQLError
    ):  # what is wrong with a variable comes wrapped in what is wrong with the request
        cause = cause.original_error
    if error.path is None and isinstance(cause, ValueError | TypeError):
        cause = None  # No field was asked for yet: a scalar could not be read.
    if isinstance(cause, RecursionError):
        cause = Problem("malformed", path="$", reason="nested too deep")
    problem = document(cause or _malformed(error))
    if problem is None:
        log.error("graphql_failed", path=error.path, exc_info=cause)
        problem = document(Problem("internal_error"))
    # What GraphQL itself finds wrong it says best itself; of all else there is the table.
    message = error.message if cause is None else problem.title
    return GraphQLError(
        message,
        error.nodes,
        error.source,
        error.positions,
        error.path,
        extensions=msgspec.to_builtins(problem),
    )


def _malformed(error: GraphQLError) -> Problem:
    """What the document is at fault for: GraphQL found that out before anything was carried out."""
    if isinstance(error, GraphQLSyntaxError) and "tokens" in error.message:
        return Problem("too_many_query_tokens", most=TOKENS_MAX)
    place = re.match(r"Variable '\$(\w+)' has invalid value(?: at ([^:]+))?:", error.message)
    path = f"$.{place[1]}{place[2] or ''}" if place else "$"
    return Problem("malformed", path=path, reason=error.message)
