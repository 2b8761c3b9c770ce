"""Errors of GraphQL as problems with the codes of the one table of errors."""

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
"""Return the problem document of an exception; None for an internal error."""


def as_problem(error: GraphQLError, document: Document) -> GraphQLError:
    """Return the error with the problem document of REST as its `extensions`."""
    cause = error.original_error
    while isinstance(cause, GraphQLError):  # errors of variables are wrapped
        cause = cause.original_error
    if error.path is None and isinstance(cause, ValueError | TypeError):
        cause = None  # before execution: a scalar could not be read
    if isinstance(cause, RecursionError):
        cause = Problem("malformed", path="$", reason="nested too deep")
    problem = document(cause or _malformed(error))
    if problem is None:
        log.error("graphql_failed", path=error.path, exc_info=cause)
        problem = document(Problem("internal_error"))
    return GraphQLError(
        error.message if cause is None else problem.title,
        error.nodes,
        error.source,
        error.positions,
        error.path,
        extensions=msgspec.to_builtins(problem),
    )


def _malformed(error: GraphQLError) -> Problem:
    """Return the problem of a document or of variables that GraphQL refused."""
    if isinstance(error, GraphQLSyntaxError) and "tokens" in error.message:
        return Problem("too_many_query_tokens", most=TOKENS_MAX)
    place = re.match(r"Variable '\$(\w+)' has invalid value(?: at ([^:]+))?:", error.message)
    path = f"$.{place[1]}{place[2] or ''}" if place else "$"
    return Problem("malformed", path=path, reason=error.message)
