"""Places for commands over REST, before Django spends a thread on them."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Final
from uuid import UUID

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, resolve
from django.utils.decorators import async_only_middleware, sync_only_middleware

from games.play.places import no_place, places_of_requests, waits_until
from games.store.commits import store
from gameserver.errors import page
from kit.problems import Problem

COMMANDS: Final = re.compile(
    r"/api/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/commands/?"
)

View = Callable[[HttpRequest], HttpResponseBase]
AsyncView = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


class _Identified(msgspec.Struct):
    id: UUID


_decode = msgspec.json.Decoder(_Identified).decode


@async_only_middleware
def bound_commands(answer: AsyncView) -> AsyncView:
    """Refuse a command that gets no place within about a second, unless the history contains it.

    It costs a small part of what the command would.
    """

    async def bounded(request: HttpRequest) -> HttpResponseBase:
        found = COMMANDS.fullmatch(request.path_info) if request.method == "POST" else None
        if found is None:
            return await answer(request)
        places, owner = places_of_requests(), request.META.get("HTTP_AUTHORIZATION", "")
        waits_until.set(asyncio.get_running_loop().time() + places.wait_s())
        async with places.one_for(owner) as has_place:
            if has_place:
                return await answer(request)
        request.resolver_match = _address()  # for what is counted and logged
        try:
            if await _is_stored(request, UUID(found[1])):
                return await answer(request)
        except Problem as problem:
            return _refusal(problem)
        return _refusal(no_place())

    return bounded


@sync_only_middleware
def in_one_thread(answer: View) -> View:
    """Run the middleware between `bound_commands` and this one in the thread of the view.

    Each of them would change to that thread and back for each of its hooks.
    """
    return answer


def _refusal(problem: Problem) -> HttpResponse:
    response = page(problem)
    response.headers["Content-Length"] = str(len(response.content))  # no middleware will
    return response


@cache
def _address() -> ResolverMatch:
    """Return the address of commands, of no game, which is resolved once."""
    return resolve(f"/api/v1/games/{UUID(int=0)}/commands/")


async def _is_stored(request: HttpRequest, game: UUID) -> bool:
    """Return whether the history contains the command of a request. Raises Problem."""
    try:
        command = _decode(request.body)
    except (msgspec.MsgspecError, RecursionError, RequestDataTooBig, UnreadablePostError):
        return False
    return await store().has_command((game, command.id))
