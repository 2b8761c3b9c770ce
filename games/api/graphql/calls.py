"""Calls of operations: the same functions that REST serves, with the same admission.

So GraphQL can ask for nothing that REST would refuse, and a new operation is one of GraphQL at
once."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from channels.db import database_sync_to_async
from django.urls import URLPattern, URLResolver
from django.urls.converters import IntConverter, UUIDConverter
from strawberry.dataloader import DataLoader

from accounts import tokens
from accounts.models import User
from accounts.operations import Headers, admit
from accounts.tokens import Caller, Origin
from games.api.rest.urls import urlpatterns
from games.reads.players import DisconnectReason
from kit.operations import Operation
from kit.problems import Problem

T = TypeVar("T")

KINDS: Final[Mapping[type, type]] = {UUIDConverter: UUID, IntConverter: int}


class Served(NamedTuple):
    """An operation that is served: whether it changes something, and the arguments of its
    address."""

    declared: Operation
    is_query: bool
    arguments: Mapping[str, type]


def served_operations() -> dict[str, Served]:
    """Every operation of the API, by name."""
    return {served.declared.name: served for served in _operations(urlpatterns, {})}


def _operations(patterns: list[Any], above: Mapping[str, type]) -> Iterator[Served]:
    for pattern in patterns:
        converters = pattern.pattern.converters.items()
        arguments = {**above, **{name: KINDS.get(type(kind), str) for name, kind in converters}}
        if isinstance(pattern, URLResolver):
            yield from _operations(pattern.url_patterns, arguments)
        elif isinstance(pattern, URLPattern):
            view = getattr(pattern.callback, "cls", None)
            for method, declared in getattr(view, "operations", {}).items():
                yield Served(declared, method == "get", arguments)


class Context:
    """One request, or one operation on a connection: who asks, and what was looked up for it.

    `headers` of the response, if there is one, receive the rate limits."""

    def __init__(
        self,
        authorization: str,
        origin: Origin,
        *,
        headers: Headers | None = None,
        own_thread: bool = True,
        cut: Callable[[], None] = lambda: None,
        disconnect_reason: Callable[[], DisconnectReason] = lambda: "left",
    ) -> None:
        self._authorization = authorization
        self._origin = origin
        self._headers = headers
        self._own_thread = own_thread
        self.cut = cut
        """Ends the connection of a client that does not keep up."""
        self.disconnect_reason = disconnect_reason
        """Why the connection ended, or why the client follows nothing any more."""
        self._caller: tuple[Caller | None] | None = None
        self._admitted: dict[str, asyncio.Future[Caller | Origin]] = {}
        self._loaders: dict[Any, DataLoader[Any, Any]] = {}

    def in_thread(self, work: Callable[..., T]) -> Callable[..., Awaitable[T]]:
        """The same, away from the loop: an HTTP request has a thread of its own, sockets share the
        loop's."""
        return database_sync_to_async(work, thread_sensitive=self._own_thread)  # type: ignore[no-any-return]

    async def admit(self, operation: Operation) -> Caller | Origin:
        """Admit a call of this operation, and count it. Raises Problem."""
        return await self.in_thread(self._admit)(operation)

    async def admitted(self, operation: Operation) -> User:
        """The user who asks, admitted once for all rows that ask at the same time or later. Raises
        Problem."""
        if operation.name not in self._admitted:
            self._admitted[operation.name] = asyncio.ensure_future(self.admit(operation))
        try:
            asker = await self._admitted[operation.name]
        except BaseException:
            # A subscriber may be admitted when the next event arrives.
            self._admitted.pop(operation.name, None)
            raise
        assert isinstance(asker, Caller)
        return asker.user

    async def run(self, operation: Operation, asker: Any, **arguments: Any) -> Any:
        """What the operation answers to an admitted caller: a coroutine function runs here on the
        loop, any other in a thread. Raises Problem."""
        if operation.is_async:
            return await operation.run(asker, **arguments)
        return await self.in_thread(operation.run)(asker, **arguments)

    def loader(
        self, name: Hashable, read: Callable[[list[Any]], list[Any]]
    ) -> DataLoader[Any, Any]:
        """A loader that reads for all the rows of an answer at once, by name; `read` runs in a
        thread."""
        if name not in self._loaders:
            self._loaders[name] = DataLoader(self.in_thread(read))
        return self._loaders[name]

    def look_again(self) -> None:
        """Read anew from here on: a subscription goes on, and its rows change."""
        self._loaders.clear()

    def _admit(self, operation: Operation) -> Caller | Origin:
        asker = self._origin if operation.is_open else self._look_up()
        try:
            admit(asker, operation, self._headers)
        except Problem as problem:
            if self._headers is not None and "retry_after" in problem.data:
                self._headers["Retry-After"] = str(problem.data["retry_after"])
            raise
        return asker or self._origin

    def _look_up(self) -> Caller | None:
        """Who asks: looked up once for all that this context asks for."""
        if self._caller is None:
            self._caller = (tokens.caller_of(self._authorization, self._origin),)
        return self._caller[0]
