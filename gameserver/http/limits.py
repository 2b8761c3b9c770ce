"""Checks before authentication: open files and the rate limit per address for HTTP and WebSockets,
and the host and origin of a WebSocket."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

from channels.routing import URLRouter
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from games.api.sockets.websocket_connection import (
    Receive,
    Scope,
    Send,
    address_of,
    closed_for,
    explain,
    header_of,
)
from gameserver.errors import page
from gameserver.processes.connections import SHORT_OF_FILES
from kit import metrics, rate_limits
from kit.problems import Problem

Application = Callable[[Any, Any, Any], Awaitable[None]]  # of ASGI

PROBES: Final = "/api/v1/health/"
"""Health checks are not limited."""


class AddressLimit(MiddlewareMixin):
    """Reject requests beyond the limit, and report the remaining budget in every response."""

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        """Return the error response if the limit is reached."""
        if not request.path_info.startswith(PROBES):
            try:
                rate_limits.spend(_budget(request))
            except Problem as problem:
                return page(problem)
        return None

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add rate limit headers, unless the view reported a stricter limit."""
        if not request.path_info.startswith(PROBES) and "RateLimit" not in response:
            for name, value in rate_limits.headers([_budget(request)]).items():
                response[name] = value
        return response


class FilesKept:
    """Refuse everything but health checks on connections that have one of the last files."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if SHORT_OF_FILES not in scope.get("state", {}) or scope["path"].startswith(PROBES):
            await self._application(scope, receive, send)
        elif scope["type"] == "websocket":
            metrics.SOCKETS_CLOSED.labels("busy").inc()
            await send({"type": "websocket.accept"})
            await explain(send, closed_for(Problem("busy")))
        else:
            await _end_with(Problem("busy"), "http.response", send)


class Handshakes:
    """Apply the rate limit, ALLOWED_HOSTS and CORS_ALLOWED_ORIGINS to WebSocket handshakes.

    A handshake that fails is rejected with an HTTP response.
    """

    def __init__(self, sockets: URLRouter) -> None:
        self._sockets = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await asyncio.to_thread(
                rate_limits.spend, rate_limits.Spent("address", address_of(scope))
            )
            _check_host(scope)
            _check_origin(scope)
        except Problem as problem:
            await _end_with(problem, "websocket.http.response", send)
        else:
            await self._sockets(scope, receive, send)


async def answer(response: HttpResponse, kind: str, send: Send) -> None:
    """Send a response of Django as messages of this kind."""
    response.headers["Content-Length"] = str(len(response.content))
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in response.items()
    ]
    await send({"type": f"{kind}.start", "status": response.status_code, "headers": headers})
    await send({"type": f"{kind}.body", "body": response.content})


async def _end_with(problem: Problem, kind: str, send: Send) -> None:
    """Send the document of a problem, and have the connection closed."""
    response = page(problem)
    response.headers["Connection"] = "close"
    await answer(response, kind, send)


def _budget(request: HttpRequest) -> rate_limits.Spent:
    return rate_limits.Spent("address", rate_limits.source(rate_limits.address_of(request)))


def _check_host(scope: Scope) -> None:
    """Apply the rule of HTTP requests to the host of a handshake. Raises Problem `bad_request`."""
    request = HttpRequest()
    request.META["HTTP_HOST"] = header_of(scope, b"host")
    try:
        request.get_host()
    except DisallowedHost:
        raise Problem("bad_request") from None


def _check_origin(scope: Scope) -> None:
    """Let the pages of this server and of the configured origins open sockets, and programs, which
    name no origin. Raises Problem `forbidden`."""
    origin = header_of(scope, b"origin")
    if not origin or settings.CORS_ALLOW_ALL_ORIGINS or origin in settings.CORS_ALLOWED_ORIGINS:
        return
    if urlsplit(origin).netloc != header_of(scope, b"host"):
        raise Problem("forbidden")
