"""The GraphQL face as this server has it: its schema, with the one error table, and its address.

Nothing here is made before it is asked for: commands that need no schema do not wait for it.
"""

import asyncio
from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from gameserver.errors import ProblemDocument, document, problem_of


def document_of(error: Exception) -> ProblemDocument | None:
    """The document of the problem that an error stands for; None when the fault is ours."""
    problem = problem_of(error)
    return None if problem is None else document(problem)


def schema() -> Any:
    """The schema of this deployment's games, made once, whichever thread asks first."""
    with _making:
        return _schema()


_making = Lock()


@cache
def _schema() -> Any:
    from games.api.graphql.schema import Face  # noqa: PLC0415  (see above)

    return Face(ProblemDocument, document_of).schema()


@cache
def _view() -> Any:
    from games.api.graphql.http import GraphQLView  # noqa: PLC0415  (see above)

    page = "graphiql" if settings.DEBUG else None
    return GraphQLView.as_view(schema=schema(), document=document_of, graphql_ide=page)


@csrf_exempt  # who asks is told by a token, never by a cookie
async def graphql(request: HttpRequest) -> HttpResponseBase:
    """`/graphql/`"""
    view = await asyncio.to_thread(_view)
    response: HttpResponseBase = await view(request)
    return response
