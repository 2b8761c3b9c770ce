"""Places for commands over REST, before Django spends a thread on them."""

import asyncio
import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware

from games.api.sockets.websocket_connection import header_of
from games.play.places import no_place, places_of_requests, waits_until
from games.store.commits import store
from gameserver.errors import page
from gameserver.http.limits import answer
from gameserver.http.requests import HEADER, id_of
from gameserver.http.static import Application, Receive, Scope, Send
from kit import metrics
from kit.problems import Problem

COMMANDS: Final = re.compile(
    r"/api/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/commands/?"
)


class _Identified(msgspec.Struct):
    id: UUID


_decode = msgspec.json.Decoder(_Identified).decode


class BoundedCommands:
    """Refuse a command that gets no place within about a second, unless the history contains it.

    Django and its middleware never see what is refused, so a refusal costs a small part of what the
    command would.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = COMMANDS.fullmatch(scope["path"]) if scope["method"] == "POST" else None
        if found is None:
            await self._application(scope, receive, send)
            return
        body = _Body(receive)
        await body.read()  # before a place is taken, because it may be slow
        places = places_of_requests()
        waits_until.set(asyncio.get_running_loop().time() + places.wait_s())
        async with places.one_for(header_of(scope, b"authorization")) as has_place:
            if has_place:
                await self._application(scope, body.receive, send)
                return
        request_id = id_of(header_of(scope, HEADER.lower().encode()))
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                if not await _is_stored(UUID(found[1]), body.content):
                    raise no_place()
            except Problem as problem:
                response = page(problem)
                response.headers[HEADER] = request_id
                metrics.REQUESTS.labels("play", problem.code).inc()
                await _refuse(response, scope, send)
                return
        await self._application(scope, body.receive, send)


class _Body:
    """The body of a request, as far as a command can be long, which can be received again."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: deque[Mapping[str, Any]] = deque()
        self.content = b""

    async def read(self) -> None:
        has_more = True
        while has_more and len(self.content) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            message = await self._receive()
            self._messages.append(message)
            self.content += message.get("body", b"")
            has_more = message.get("more_body", False)

    async def receive(self) -> Mapping[str, Any]:
        """Return the messages that were read, and after them those that come."""
        return self._messages.popleft() if self._messages else await self._receive()


async def _is_stored(game: UUID, body: bytes) -> bool:
    """Return whether the history contains the command of this body. Raises Problem."""
    try:
        command = _decode(body)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return await store().has_command((game, command.id))


_cross_origin = CorsMiddleware(lambda _request: page(Problem("not_found")))


async def _refuse(response: HttpResponse, scope: Scope, send: Send) -> None:
    """Send a refusal, which pages of the configured origins may read."""
    request = HttpRequest()
    request.path_info = scope["path"]
    request.META["HTTP_ORIGIN"] = header_of(scope, b"origin")
    _cross_origin.add_response_headers(request, response)
    await answer(response, "http.response", send)


@sync_only_middleware
def in_one_thread(
    answer: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Run the middleware before this one in the thread of the view.

    Each of them would change to that thread and back for each of its hooks.
    """
    return answer
