"""The base of all WebSockets: authentication, a bounded queue of frames, limits and closing.

They are plain ASGI under the router of Channels, whose consumers would use a thread for each frame.
"""

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from math import ceil
from typing import Any, ClassVar, Final, TypeVar
from urllib.parse import parse_qs
from uuid import UUID

import msgspec
import structlog
from django.db import InterfaceError, OperationalError

from accounts import tokens
from accounts.tokens import Caller
from games.api.sockets import frames
from games.api.sockets.frames import CloseCode
from games.api.sockets.texts import send_texts, writer_of
from games.live import hubs
from games.live.rooms import in_thread
from games.reads.players import DisconnectReason
from kit import background, metrics, pubsub, rate_limits, validation
from kit.event_loop import one_per_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

AUTHENTICATE_WITHIN_S: Final = 5.0
CLOSE_WITHIN_S: Final = 10.0
REASON_MAX: Final = 120
CHECK_EVERY_S: Final = 5.0
DRAIN_S: Final = 3.0
DRAIN_STEP_S: Final = 0.05
SOCKETS_PER_USER: Final = 100
STRANGERS_PER_ADDRESS: Final = 100
FRAMES_PER_S: Final = 500
FRAMES_AT_ONCE: Final = 2 * FRAMES_PER_S
CLOSED_FOR: Final[Mapping[str, int]] = {
    "unauthenticated": CloseCode.UNAUTHENTICATED,
    "scope_missing": CloseCode.SCOPE_MISSING,
    "not_found": CloseCode.NOT_FOUND,
    "malformed": CloseCode.NOT_FOUND,
    "version_ahead": CloseCode.NOT_FOUND,
}

SAID_GOODBYE: Final = frozenset({1000, 1001, 1005})
SERVER_RESTARTS: Final = 1012

K = TypeVar("K")

encode = msgspec.json.Encoder().encode


def address_of(scope: Scope) -> str:
    """Return the address that the limits of a connection count."""
    host, _ = scope.get("client") or ("", 0)
    return rate_limits.source(host)


def header_of(scope: Scope, name: bytes) -> str:
    """Return a header of the handshake, empty if missing."""
    return str(dict(scope["headers"]).get(name, b"").decode("latin-1"))


def read_frame(text: str, decoder: msgspec.json.Decoder[Any]) -> frames.ClientFrame:
    """Decode a frame of a client. Raises Problem `malformed`."""
    try:
        validation.check_frame(text.encode())
        frame: frames.ClientFrame = decoder.decode(text)
    except RecursionError:
        raise Problem("malformed", path="$", reason="nested too deep") from None
    except msgspec.MsgspecError as error:
        raise validation.malformed(error) from error
    return frame


def why_gone(disconnect: Mapping[str, Any]) -> DisconnectReason:
    """Return why a connection ended. Only a client that closed it properly gives a reason."""
    code = disconnect.get("code")
    if code == SERVER_RESTARTS:
        return "closed"
    return "left" if "reason" in disconnect and code in SAID_GOODBYE else "lost"


class Allowance:
    """The rate limit of frames: a burst, and so many a second. A long frame counts once more for
    every KiB."""

    def __init__(self) -> None:
        self._left = float(FRAMES_AT_ONCE)
        self._looked_at = time.monotonic()

    def take(self, text: str) -> None:
        """Count a frame. Raises Closed above the limit."""
        now = time.monotonic()
        self._left = (
            min(FRAMES_AT_ONCE, self._left + (now - self._looked_at) * FRAMES_PER_S)
            - 1
            - len(text) // 1024
        )
        self._looked_at = now
        if self._left < 0:
            raise Closed(CloseCode.TOO_MANY, "too_many_frames", most=FRAMES_PER_S)


class Gone(Exception):
    """The client closed the connection."""


class Closed(Exception):
    """The server closes this connection."""

    def __init__(self, code: int, problem: str, **data: object) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.data = data


async def close(send: Send, code: int, reason: str, *rest: bytes) -> None:
    """Send the remaining frames, then close."""
    try:
        async with asyncio.timeout(CLOSE_WITHIN_S):
            for frame in rest:
                await send({"type": "websocket.send", "text": frame.decode()})
            await send({"type": "websocket.close", "code": code, "reason": reason[:REASON_MAX]})
    except (TimeoutError, OSError, RuntimeError):
        log.debug("socket_gone_before_close", code=code)


async def explain(send: Send, closed: Closed, *rest: bytes) -> None:
    """Send the remaining frames and the problem, then close."""
    problem = encode(frames.Error(code=closed.problem, data=closed.data))
    await close(send, closed.code, closed.problem, *rest, problem)


async def nowhere(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Reject unknown paths: accept, explain, close. Browsers hide the reason of a rejected
    handshake."""
    await send({"type": "websocket.accept"})
    await explain(send, Closed(CloseCode.NOT_FOUND, "not_found"))


class Connection(ABC):
    """One connection of any protocol: its user, and how it ends."""

    used_for: tokens.Scope = tokens.Scope.READ
    """The scope that the token needs as long as the connection is open."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._task = asyncio.current_task()
        self._closing: Closed | None = None
        self._allowance = Allowance()
        self._caller: Caller | None = None
        self.disconnect_reason: DisconnectReason = "lost"
        """Why the connection ended."""
        self.sending: bytes | None = None
        """The frame that is being sent, if any."""

    @abstractmethod
    async def accept(self) -> bool:
        """Accept the handshake, or reject it and return False."""

    @abstractmethod
    async def serve(self) -> None:
        """Serve an accepted connection until the client ends it. Raises Closed, Gone, Problem."""

    @abstractmethod
    async def say_goodbye(self, closed: Closed) -> None:
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
                await self.say_goodbye(closed)
            reason = self.disconnect_reason if closed is None else closed.problem
            metrics.SOCKETS_CLOSED.labels(reason).inc()
        finally:
            self.leave()

    async def _served(self) -> Closed | None:
        """Serve the connection. Return why the server closes it, or None if the client left."""
        try:
            await self.serve()
        except Gone:
            return None
        except Closed as closed:
            return closed
        except Problem as problem:
            code = CLOSED_FOR.get(problem.code, CloseCode.UNAVAILABLE)
            return Closed(code, problem.code, **problem.data)
        except (OperationalError, InterfaceError) as error:
            log.warning("socket_without_database", error=str(error))
            return Closed(CloseCode.UNAVAILABLE, "unavailable")
        except asyncio.CancelledError:
            if self._closing is None or self._task is None:
                raise
            self._task.uncancel()
            return self._closing
        return None

    async def next_text(self) -> str:
        """Receive a text frame. Raises Gone, and Closed for other frames and too many."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            self.disconnect_reason = why_gone(message)
            raise Gone
        text: str | None = message.get("text")
        if text is None:
            raise Closed(CloseCode.UNSUPPORTED, "text_frames_only")
        self._allowance.take(text)
        return text

    def end(self, closed: Closed) -> None:
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


class Socket(Connection):
    """A connection that joins its subject, then receives and sends frames."""

    reads: ClassVar[msgspec.json.Decoder[Any]]
    """The decoder of client frames, which include `Authenticate`."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._loop = asyncio.get_running_loop()
        self.outbox = hubs.Outbox()
        self._write_now = writer_of(scope)
        self._writes = True
        self._is_writing = False
        self._waiting: asyncio.Task[None] | None = None
        """The task that waits until the client takes frames."""

    # Of each kind of connection

    @abstractmethod
    async def join(self) -> None:
        """Subscribe, and send the first frames. Raises Closed, Problem."""

    @abstractmethod
    async def take(self, frame: frames.ClientFrame) -> None:
        """Handle a frame. A Problem ends the connection."""

    # The connection

    @property
    def user(self) -> UUID:
        """The id of the authenticated user."""
        return self.caller.user.id

    async def accept(self) -> bool:
        """Accept every handshake: browsers hide the reason of a rejected one."""
        await self._send({"type": "websocket.accept"})
        return True

    async def serve(self) -> None:
        """Authenticate, join, then exchange frames."""
        self._caller = tokens.require(await self._authenticate(), tokens.Scope.READ)
        await self.join()
        with open_sockets().holding(self):
            await self._converse()

    async def say_goodbye(self, closed: Closed) -> None:
        """Send the reason and close; if the subject or the process goes, first the last frames."""
        self.disconnect_reason = "closed"
        goes = closed.code in {CloseCode.NOT_FOUND, CloseCode.RESTARTING}
        await explain(self._send, closed, *(self.outbox.drain() if goes else ()))

    # Authentication and query

    async def _authenticate(self) -> Caller | None:
        """Raises Problem `unauthenticated`, `busy`, `unavailable`, Closed."""
        header = header_of(self._scope, b"authorization")
        caller: Caller | None = await in_thread(tokens.caller_of, header)
        return caller or await in_thread(tokens.caller_with, await self._first_frame())

    async def _first_frame(self) -> str:
        """Raises Closed, Problem `busy`."""
        with open_sockets().awaiting(address_of(self._scope)):
            try:
                async with asyncio.timeout(AUTHENTICATE_WITHIN_S):
                    frame = read_frame(await self.next_text(), self.reads)
            except (TimeoutError, Problem) as error:
                raise Closed(CloseCode.UNAUTHENTICATED, "unauthenticated") from error
        if not isinstance(frame, frames.Authenticate):
            raise Closed(CloseCode.UNAUTHENTICATED, "unauthenticated")
        return frame.token

    def query(self, into: type[validation.AnyQuery]) -> validation.AnyQuery:
        """Read the query string. Raises Problem `malformed`."""
        given = parse_qs(self._scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if repeated := [name for name, values in given.items() if len(values) > 1]:
            raise Problem("malformed", path=f"$.{repeated[0]}", reason="given more than once")
        return validation.read_query({name: values[0] for name, values in given.items()}, into)

    # The conversation

    async def _converse(self) -> None:
        self.outbox.notify = self._write_soon
        self._write_soon()
        try:
            await self._read()
        finally:
            self._writes = False
            if self._waiting is not None:
                self._waiting.cancel()
                await asyncio.gather(self._waiting, return_exceptions=True)

    def _write_soon(self) -> None:
        """Write the frames of this turn of the loop together."""
        if not self._is_writing:
            self._is_writing = True
            self._loop.call_soon(self._write)

    def _write(self) -> None:
        if not self._writes:
            return
        while together := self.outbox.take_together():
            if not self._write_now(together):
                self._waiting = self._loop.create_task(self._write_later(together))
                return
        self._is_writing = False
        if self.outbox.overflowed:
            self.end(Closed(CloseCode.TOO_SLOW, "too_slow"))

    async def _write_later(self, together: list[bytes]) -> None:
        """Write frames when the client takes them, then the rest."""
        # A timeout for each frame would cost as much as sending it: OpenSockets finds stuck ones.
        self.sending = together[0]
        try:
            await send_texts(self._scope, self._send, together)
        except OSError:
            return  # the reader notices that the client is gone
        finally:
            self.sending = None
        self._write()

    async def send_now(self, frame: bytes) -> None:
        """Send without the queue, before `_converse` starts."""
        await send_texts(self._scope, self._send, [frame])

    def put(self, frame: frames.ServerFrame) -> None:
        """Queue a frame for this connection alone."""
        self.outbox.put(encode(frame))

    async def _read(self) -> None:
        while True:
            text = await self.next_text()
            try:
                frame = read_frame(text, self.reads)
            except Problem as problem:
                self.put(frames.Error(code=problem.code, data=problem.data))
                continue
            if isinstance(frame, frames.Authenticate):
                self.put(frames.Error(code="authenticated_already", data={}))
            else:
                await self.take(frame)


@contextmanager
def _one_more(held: Counter[K], by: K, *, most: int, otherwise: Exception) -> Iterator[None]:
    if held[by] >= most:
        raise otherwise
    held[by] += 1
    try:
        yield
    finally:
        held[by] -= 1
        if not held[by]:
            del held[by]


class OpenSockets:
    """The connections of this process. It closes those with a revoked token at once, and those that
    take no frame for seconds."""

    def __init__(self) -> None:
        self._sockets: set[Connection] = set()
        self._sending: dict[Connection, bytes] = {}
        self._of_person: Counter[UUID] = Counter()
        self._strangers: Counter[str] = Counter()
        self._watching = False

    @contextmanager
    def awaiting(self, address: str) -> Iterator[None]:
        """Count a connection that has not authenticated yet. Raises Problem `busy` for too many of
        one address, whose clients may retry: many reconnect when a server restarts."""
        with _one_more(
            self._strangers, address, most=STRANGERS_PER_ADDRESS, otherwise=Problem("busy")
        ):
            yield

    @contextmanager
    def holding(self, socket: Connection) -> Iterator[None]:
        """Count and watch an authenticated connection. Raises Closed for too many of one user."""
        too_many = Closed(CloseCode.TOO_MANY, "too_many_sockets", most=SOCKETS_PER_USER)
        with _one_more(
            self._of_person,
            socket.caller.user.answerable,
            most=SOCKETS_PER_USER,
            otherwise=too_many,
        ):
            if not self._watching:
                self._watching = True
                background.forever("sockets", self._check)
                pubsub.listen(tokens.REVOKED, self._take_hint)
            self._sockets.add(socket)
            try:
                yield
            finally:
                self._sockets.discard(socket)

    def outboxes(self) -> list[hubs.Outbox]:
        """Return the queue of each connection; those of GraphQL have none of their own."""
        return [
            each.outbox if isinstance(each, Socket) else hubs.Outbox() for each in self._sockets
        ]

    async def drain(self) -> None:
        """Close all connections because the process ends, spread over `DRAIN_S`, so that not all
        clients reconnect at the same moment. Each first gets its pending responses."""
        sockets = list(self._sockets)
        random.shuffle(sockets)
        share = ceil(len(sockets) * DRAIN_STEP_S / DRAIN_S)
        for first in range(0, len(sockets), max(1, share)):
            for socket in sockets[first : first + share]:
                socket.end(Closed(CloseCode.RESTARTING, "restarting"))
            await asyncio.sleep(DRAIN_STEP_S)
        await asyncio.gather(*(socket.ended() for socket in sockets))

    async def _check(self) -> None:
        await asyncio.sleep(CHECK_EVERY_S)
        self._end_stuck()
        await self._end_revoked()

    async def _take_hint(self, _hint: bytes) -> None:
        await self._end_revoked()

    def _end_stuck(self) -> None:
        """Close connections that have been sending the same frame for a whole period."""
        sending = {socket: socket.sending for socket in self._sockets if socket.sending is not None}
        for socket, frame in sending.items():
            if self._sending.get(socket) is frame:
                socket.end(Closed(CloseCode.TOO_SLOW, "too_slow"))
        self._sending = sending

    async def _end_revoked(self) -> None:
        shown = {(socket.caller.token, socket.used_for) for socket in self._sockets}
        if not shown:
            return
        revoked = shown - await in_thread(tokens.still_valid, shown)
        for socket in [
            socket for socket in self._sockets if (socket.caller.token, socket.used_for) in revoked
        ]:
            socket.end(Closed(CloseCode.UNAUTHENTICATED, "unauthenticated"))


open_sockets = one_per_loop(OpenSockets)
"""The connections of the running loop."""
