"""The GraphQL API of this server: its schema, its view and its socket.

Strawberry is imported and the schema built for the first request, which then takes about a second
longer: processes and commands that never serve GraphQL do not pay for it.
"""

import asyncio
from functools import cache
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page, require_safe

from gameserver.errors import ProblemDocument, document, problem_of
from gameserver.http.index import prefers_html
from gameserver.http.static import Receive, Scope, Send
from gameserver.http.texts import Text, made_once, serve, text

_PATH: Final = settings.PUBLIC_PATH
GUIDE: Final = {
    "name": "Railbird",
    "usage": {
        "queries": "POST JSON with `query` and `variables`, and `Authorization: Bearer <token>`.",
        "token": f"POST {_PATH}/api/v1/auth/guest/, or the mutation createGuest, which needs no "
        "token.",
        "subscriptions": "Open a WebSocket here with the subprotocol graphql-transport-ws.",
        "schema": f"GET {_PATH}/graphql/schema.graphql, or introspection.",
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
    """Return the schema, its view and the class of its sockets, made once."""
    with _making:
        return _made()


_making = Lock()


@cache
def _made() -> tuple[Any, Any, Any]:
    from games.api.graphql.http import GraphQLView  # noqa: PLC0415 -- see above
    from games.api.graphql.schema import Schema  # noqa: PLC0415 -- see above
    from games.api.graphql.socket import GraphQLSocket  # noqa: PLC0415 -- see above

    made = Schema(ProblemDocument, document_of)
    view = GraphQLView.as_view(schema=made, graphql_ide=None, allow_queries_via_get=False)
    return made, view, GraphQLSocket


@cache
def _sdl() -> Text:
    return text("text/plain; charset=utf-8", f"{schema().as_str()}\n".encode())


@conditional_page
@require_safe
def sdl(request: HttpRequest) -> HttpResponse:
    """`/graphql/schema.graphql`: the schema as one document, for code generators."""
    return serve(request, made_once(_sdl))


@csrf_exempt  # tokens authenticate clients here, never cookies
async def graphql(request: HttpRequest) -> HttpResponseBase:
    """Answer a request to `/graphql/`. A browser gets GraphiQL, a GET without a query a guide."""
    is_browser = prefers_html(request)
    if request.method == "GET" and (is_browser or "query" not in request.GET):
        response = render(request, "graphiql.html") if is_browser else JsonResponse(GUIDE)
        patch_vary_headers(response, ["Accept"])
        return response
    _, view, _ = await asyncio.to_thread(_served)
    answer: HttpResponseBase = await view(request)
    return answer


async def socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a WebSocket at `/graphql/`."""
    made, _, connection = await asyncio.to_thread(_served)
    await connection(scope, receive, send, made).run()
