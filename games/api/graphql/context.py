"""The context of a GraphQL operation: its caller, admission, and data loaders."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

from channels.db import database_sync_to_async
from strawberry.dataloader import DataLoader

from accounts import tokens
from accounts.keyed_requests import answered_once, check_key
from accounts.operations import Headers, admit
from accounts.tokens import Caller, Origin
from games.api.graphql.delivery import Result
from games.live.hubs import Outbox
from games.reads.players import DisconnectReason
from kit.operations import Operation
from kit.problems import Problem

T = TypeVar("T")


async def refuse_to_deliver(_outbox: Outbox, _result: object) -> None:
    """Raises Problem: subscriptions need a WebSocket."""
    raise Problem("not_graphql")


@dataclass
class Context:
    """The caller of one operation, and what was read for it.

    Work with the database runs in a thread: an HTTP request has its own, sockets share those of
    the event loop (`own_thread=False`).
    """

    authorization: str
    origin: Origin
    headers: Headers | None = None
    """The headers of the response, which report the rate limits."""
    own_thread: bool = True
    note_caller: Callable[[Caller], None] = lambda _: None
    """Note whom the token named, for the log."""
    note_refusal: Callable[[str], None] = lambda _: None
    """Note the code of a refusal that an answer of status 200 has in it, for the log."""
    cut: Callable[[], None] = lambda: None
    """Close the connection of a client that reads too slowly."""
    deliver: Callable[[Outbox, Result], Awaitable[None]] = refuse_to_deliver
    """Send results of the running subscription: for each frame of an outbox what a function makes
    of it, until that is None. Raises Problem as the outbox does."""
    watched: set[UUID] = field(default_factory=set)
    """The lobbies whose games the connection follows without a seat."""
    disconnect_reason: Callable[[], DisconnectReason] = lambda: "left"
    idempotency_key: str = ""
    """Carry out the mutations of all requests with this key once."""
    connection_params: Mapping[str, Any] = field(default_factory=dict)
    """The payload of `connection_init`, which Strawberry sets."""
    _admitted: dict[str, asyncio.Future[Any]] = field(default_factory=dict, init=False)
    _keyed: Counter[str] = field(default_factory=Counter, init=False)
    """How many mutations of an operation were run under the key."""
    _loaders: dict[Hashable, DataLoader[Any, Any]] = field(default_factory=dict, init=False)

    def in_thread(self, work: Callable[..., T]) -> Callable[..., Awaitable[T]]:
        """Return the function to await, which does the work in a thread."""
        return database_sync_to_async(work, thread_sensitive=self.own_thread)  # type: ignore[no-any-return]

    async def admit(self, operation: Operation) -> Any:
        """Count a call and return its caller, or its origin if the operation is open.

        Raises Problem as `accounts.operations.admit`.
        """
        return await self.in_thread(self._admit)(operation)

    async def admit_once(self, operation: Operation) -> Caller:
        """Count one call for all rows that ask for it, and return the caller. Raises as `admit`."""
        if operation.name not in self._admitted:
            self._admitted[operation.name] = asyncio.ensure_future(self.admit(operation))
        try:
            caller: Caller = await self._admitted[operation.name]
        except BaseException:
            self._admitted.pop(operation.name, None)  # a subscription asks again
            raise
        return caller

    async def run(self, operation: Operation, asker: Any, **arguments: Any) -> Any:
        """Run an operation for an admitted caller. Raises Problem."""
        run = operation.run if operation.is_async else self.in_thread(operation.run)
        try:
            if self.idempotency_key and operation.is_keyed:
                key = check_key(self.idempotency_key)
                self._keyed[operation.name] += 1  # mutations run in their order
                key = f"{key} {self._keyed[operation.name]}"
                return await self.in_thread(answered_once)(asker, operation, key, arguments)
            return await run(asker, **arguments)
        except Problem as problem:
            self._note_wait(problem)
            raise

    async def load(self, name: Hashable, read: Callable[[list[Any]], list[Any]], key: Any) -> Any:
        """Read the value of a key together with other keys under this name, in a thread."""
        if name not in self._loaders:
            self._loaders[name] = DataLoader(self.in_thread(read))
        return await self._loaders[name].load(key)

    def forget(self) -> None:
        """Forget what was loaded, because rows change while a subscription runs."""
        self._loaders.clear()

    def _admit(self, operation: Operation) -> Caller | Origin:
        asker = self.origin if operation.is_open else self._caller
        if isinstance(asker, Caller):
            self.note_caller(asker)
        try:
            admit(asker, operation, self.headers)
        except Problem as problem:
            self._note_wait(problem)
            raise
        return asker or self.origin

    def _note_wait(self, problem: Problem) -> None:
        if self.headers is not None and "retry_after" in problem.data:
            self.headers["Retry-After"] = str(problem.data["retry_after"])

    @cached_property
    def _caller(self) -> Caller | None:
        return tokens.caller_of(self.authorization, self.origin)
