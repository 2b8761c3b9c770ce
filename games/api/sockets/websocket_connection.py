"""One connection of any protocol: its user, its limits, and how it ends."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from django.db import InterfaceError, OperationalError

from accounts import tokens
from accounts.tokens import Caller
from games.api.sockets import frames
from games.api.sockets.frames import CloseCode
from games.api.sockets.texts import FRAMES_PER_S, allowance_of
from games.live import hubs
from games.reads.players import DisconnectReason
from kit import metrics, rate_limits
from kit.problems import Problem

log = structlog.get_logger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

CLOSE_WITHIN_S: Final = 10.0
REASON_MAX: Final = 120
CLOSED_FOR: Final[Mapping[str, int]] = {
    "unauthenticated": CloseCode.UNAUTHENTICATED,
    "scope_missing": CloseCode.SCOPE_MISSING,
    "not_found": CloseCode.NOT_FOUND,
    "malformed": CloseCode.NOT_FOUND,
    "version_ahead": CloseCode.NOT_FOUND,
    "too_slow": CloseCode.TOO_SLOW,
    "history_lost": CloseCode.HISTORY_LOST,
    "history_damaged": CloseCode.HISTORY_DAMAGED,
}

SAID_GOODBYE: Final = frozenset({1000, 1001, 1005})
SERVER_RESTARTS: Final = 1012

encode = msgspec.json.Encoder().encode


def address_of(scope: Scope) -> str:
    """Return the address that the limits of a connection count."""
    host, _ = scope.get("client") or ("", 0)
    return rate_limits.source(host)


def header_of(scope: Scope, name: bytes) -> str:
    """Return a header of the handshake, empty if missing."""
    return str(dict(scope["headers"]).get(name, b"").decode("latin-1"))


def why_gone(disconnect: Mapping[str, Any]) -> DisconnectReason:
    """Return why a connection ended. Only a client that closed it properly gives a reason."""
    code = disconnect.get("code")
    if code == SERVER_RESTARTS:
        return "closed"
    return "left" if "reason" in disconnect and code in SAID_GOODBYE else "lost"


class GoneError(Exception):
    """The client closed the connection."""


class ClosedError(Exception):
    """The server closes this connection."""

    def __init__(self, code: int, problem: str, **data: object) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.data = data


def closed_for(problem: Problem) -> ClosedError:
    """Return how the server closes a connection because of a problem."""
    code = CLOSED_FOR.get(problem.code, CloseCode.UNAVAILABLE)
    return ClosedError(code, problem.code, **problem.data)


async def close(send: Send, code: int, reason: str, *rest: bytes) -> None:
    """Send the remaining frames, then close."""
    try:
        async with asyncio.timeout(CLOSE_WITHIN_S):
            for frame in rest:
                await send({"type": "websocket.send", "text": frame.decode()})
            await send({"type": "websocket.close", "code": code, "reason": reason[:REASON_MAX]})
    except (TimeoutError, OSError, RuntimeError):
        log.debug("socket_gone_before_close", code=code)


async def explain(send: Send, closed: ClosedError, *rest: bytes) -> None:
    """Send the remaining frames and the problem, then close."""
    problem = encode(frames.Error(code=closed.problem, data=closed.data))
    await close(send, closed.code, closed.problem, *rest, problem)


async def nowhere(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Reject unknown paths: accept, explain, close. Browsers hide the reason of a rejected
    handshake."""
    await send({"type": "websocket.accept"})
    await explain(send, ClosedError(CloseCode.NOT_FOUND, "not_found"))


class WebSocketConnection(ABC):
    """One connection of any protocol: its user, and how it ends."""

    used_for: tokens.Scope = tokens.Scope.READ
    """The scope that the token needs as long as the connection is open."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._task = asyncio.current_task()
        self._closing: ClosedError | None = None
        self._allowance = allowance_of(scope)
        self._caller: Caller | None = None
        self.disconnect_reason: DisconnectReason = "lost"
        """Why the connection ended."""
        self.outbox = hubs.Outbox()
        """The queue of its frames. It stays empty on connections of GraphQL, which have others."""
        self.watched: set[UUID] = set()
        """The lobbies that the user follows; a ban from one ends the connection."""
        self.sending: bytes | None = None
        """The frame that is being sent, or that could not be sent, if any."""

    @abstractmethod
    async def accept(self) -> bool:
        """Accept the handshake, or reject it and return False."""

    @abstractmethod
    async def serve(self) -> None:
        """Serve an accepted connection until the client ends it. Raises ClosedError, GoneError,
        Problem."""

    @abstractmethod
    async def say_goodbye(self, closed: ClosedError) -> None:
        """Close the connection from this side."""

    @abstractmethod
    def leave(self) -> None:
        """Release what the connection holds, even if it failed early."""

    @property
    def caller(self) -> Caller:
        """The authenticated user of this connection."""
        assert self._caller is not None, "the client has not authenticated"
        return self._caller

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        message = await self._receive()
        assert message["type"] == "websocket.connect"
        if not await self.accept():
            return
        try:
            closed = await self._served()
            if closed is not None:
                self._log(closed)
                await self.say_goodbye(closed)
            reason = self.disconnect_reason if closed is None else closed.problem
            metrics.SOCKETS_CLOSED.labels(reason).inc()
        finally:
            self.leave()

    async def _served(self) -> ClosedError | None:
        """Serve the connection. Return why the server closes it, or None if the client left."""
        try:
            await self.serve()
        except GoneError:
            return None
        except ClosedError as closed:
            return closed
        except Problem as problem:
            return closed_for(problem)
        except (OperationalError, InterfaceError) as error:
            log.warning("socket_without_database", error=str(error))
            return ClosedError(CloseCode.UNAVAILABLE, "unavailable")
        except asyncio.CancelledError:
            if self._closing is None or self._task is None:
                raise
            self._task.uncancel()
            return self._closing
        return None

    def _log(self, closed: ClosedError) -> None:
        """Log that the server drops a user. A drain, and clients without a user, are counted."""
        if self._caller is not None and closed.code != CloseCode.RESTARTING:
            path = self._scope["path"]
            log.info("socket_dropped", reason=closed.problem, code=closed.code, path=path)

    async def next_text(self) -> str:
        """Receive a text frame. Raises GoneError, and ClosedError for other frames and too many."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            self.disconnect_reason = why_gone(message)
            raise GoneError
        text: str | None = message.get("text")
        if text is None:
            raise ClosedError(CloseCode.UNSUPPORTED, "text_frames_only")
        self.count(text)
        return text

    def count(self, text: str) -> None:
        """Count a text frame. Raises ClosedError above the limit."""
        if not self._allowance.take(len(text)):
            raise ClosedError(CloseCode.TOO_MANY, "too_many_frames", most=FRAMES_PER_S)

    def end(self, closed: ClosedError) -> None:
        """Close the connection from another task. The first reason counts."""
        if self._closing is None and self._task is not None:
            self._closing = closed
            self.disconnect_reason = "closed"
            self._task.cancel()

    @property
    def is_restarted(self) -> bool:
        """Whether the connection ends because its process does."""
        return self._closing is not None and self._closing.code == CloseCode.RESTARTING

    async def ended(self) -> None:
        """Wait until the connection has ended."""
        if self._task is not None:
            await asyncio.wait({self._task})
