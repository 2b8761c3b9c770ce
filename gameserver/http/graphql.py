"""The GraphQL API of this server: its schema, with the one table of errors, its view and its socket.

Strawberry is imported and the schema built when the first client asks, which then waits about a
second: processes and commands that never serve GraphQL do not pay for it.
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
from gameserver.http.static import Receive, Scope, Send


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
    from games.api.graphql.schema import Face  # noqa: PLC0415 -- see above

    return Face(ProblemDocument, document_of).schema()


@cache
def _view() -> Any:
    from games.api.graphql.http import GraphQLView  # noqa: PLC0415 -- see above

    page = "graphiql" if settings.DEBUG else None
    return GraphQLView.as_view(schema=schema(), document=document_of, graphql_ide=page)


@cache
def _socket() -> Any:
    from games.api.graphql.websocket import graphql_socket  # noqa: PLC0415 -- see above

    return graphql_socket(schema)


@csrf_exempt  # tokens authenticate clients here, never cookies
async def graphql(request: HttpRequest) -> HttpResponseBase:
    """Answer a request to `/graphql/`."""
    view = await asyncio.to_thread(_view)
    response: HttpResponseBase = await view(request)
    return response


async def socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a WebSocket at `/graphql/`."""
    serve = await asyncio.to_thread(_socket)
    await serve(scope, receive, send)
