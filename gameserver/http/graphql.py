"""The GraphQL API of this server: its schema, its view and its socket.

Strawberry is imported and the schema built for the first request, which then takes about a second
longer: processes and commands that never serve GraphQL do not pay for it.
"""

import asyncio
from functools import cache
from threading import Lock
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page, require_safe

from gameserver.errors import ProblemDocument, document, problem_of
from gameserver.http.index import prefers_html
from gameserver.http.static import Receive, Scope, Send

GUIDE: Final = {
    "name": "Railbird",
    "usage": {
        "queries": "POST JSON with `query` and `variables`, and `Authorization: Bearer <token>`.",
        "token": "POST /api/v1/auth/guest/, or the mutation createGuest, which needs no token.",
        "subscriptions": "Open a WebSocket here with the subprotocol graphql-transport-ws.",
        "schema": "GET /graphql/schema.graphql, or introspection.",
        "editor": "Open this address in a browser.",
    },
}


def document_of(error: Exception) -> ProblemDocument | None:
    """Return the error document of an exception; None for an internal error."""
    problem = problem_of(error)
    return None if problem is None else document(problem)


def schema() -> Any:
    """Return the schema of this deployment's games."""
    return _served()[0]


def _served() -> tuple[Any, Any, Any]:
    """Return the schema, its view and its socket, made once, safely across threads."""
    with _making:
        return _made()


_making = Lock()


@cache
def _made() -> tuple[Any, Any, Any]:
    from games.api.graphql.http import GraphQLView  # noqa: PLC0415 -- see above
    from games.api.graphql.schema import Schema  # noqa: PLC0415 -- see above
    from games.api.graphql.socket import graphql_socket  # noqa: PLC0415 -- see above

    made = Schema(ProblemDocument, document_of)
    return made, GraphQLView.as_view(schema=made), graphql_socket(lambda: made)


@cache
def _sdl() -> str:
    return f"{schema().as_str()}\n"


@conditional_page
@require_safe
def sdl(request: HttpRequest) -> HttpResponse:
    """`/graphql/schema.graphql`: the schema as one document, for code generators."""
    return HttpResponse(_sdl(), content_type="text/plain; charset=utf-8")


@csrf_exempt  # tokens authenticate clients here, never cookies
async def graphql(request: HttpRequest) -> HttpResponseBase:
    """Answer a request to `/graphql/`. A browser gets GraphiQL, a GET without a query a guide."""
    if request.method == "GET" and (prefers_html(request) or "query" not in request.GET):
        return _guide(request)
    _, view, _ = await asyncio.to_thread(_served)
    response: HttpResponseBase = await view(request)
    return response


def _guide(request: HttpRequest) -> HttpResponseBase:
    response = render(request, "graphiql.html") if prefers_html(request) else JsonResponse(GUIDE)
    patch_vary_headers(response, ["Accept"])
    return response


async def socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a WebSocket at `/graphql/`."""
    _, _, serve = await asyncio.to_thread(_served)
    await serve(scope, receive, send)
