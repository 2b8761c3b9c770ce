"""The WebSocket of a game: a view on connect, commits as they happen, commands and their answers, resume by version.

Plain ASGI under Channels' router: a consumer would pay a thread's round trip for every frame.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs
from uuid import UUID

import msgspec
import structlog
from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.urls import path

from accounts import strict, tokens
from accounts.problems import Problem
from games import push, services
from games.api import frames
from games.api.frames import CloseCode
from games.engine import Seat
from games.loop import one_per_loop

log = structlog.get_logger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

AUTHENTICATE_WITHIN_S: Final = 5.0
CLOSE_WITHIN_S: Final = 10.0
CHECK_EVERY_S: Final = 5.0
COMMITS_PER_FRAME: Final = 200
SOCKETS_PER_USER: Final = 100

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(frames.AnyClientFrame).decode


def read_frame(text: str) -> frames.AnyClientFrame:
    """What a client sent. Raises Problem `malformed`."""
    try:
        frame: frames.AnyClientFrame = _decode(text)
    except RecursionError:
        raise Problem("malformed", path="$", reason="nested too deep") from None
    except msgspec.MsgspecError as error:
        raise strict.malformed(error) from error
    return frame


class Who(NamedTuple):
    """A person, and the token that says so."""

    user: UUID
    token: str


class Gone(Exception):
    """The client has left."""


class Closed(Exception):
    """The server closes this connection."""

    def __init__(self, code: int, problem: str, **data: object) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.data = data


def who_holds(token: str) -> Who | None:
    """The person with this token, if it is valid."""
    found = tokens.held(token)
    return None if found is None else Who(found.user.pk, found.digest)


def valid_tokens(digests: Collection[str]) -> set[str]:
    """Those of these tokens that still hold."""
    return set(tokens.live_tokens().filter(digest__in=digests).values_list("digest", flat=True))


class GameSocket:
    """One connection to one game."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._game: UUID = scope["url_route"]["kwargs"]["game"]
        self._outbox = push.Outbox()
        self._plays: set[asyncio.Task[None]] = set()
        self._seat: Seat | None = None
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._closing: Closed | None = None
        self.token = ""
        self.sending: bytes | None = None
        """The frame that the client's side of the network is slow to take, if there is one."""
        self.user: UUID | None = None

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        message = await self._receive()
        assert message["type"] == "websocket.connect"
        await self._send({"type": "websocket.accept"})
        subscription = None
        try:
            who = await self._authenticate()
            self.user, self.token = who.user, who.token
            self._seat = await services.viewer_of(who.user, self._game)
            subscription = await self._subscribe(self._after())
            with open_sockets().holding(self):
                await self._converse()
        except Gone:
            pass
        except Closed as closed:
            await self._close(closed)
        except Problem as problem:
            codes = {"not_found": CloseCode.NOT_FOUND}
            await self._close(Closed(codes.get(problem.code, CloseCode.UNAVAILABLE), problem.code, **problem.data))
        except asyncio.CancelledError:
            if self._closing is None or self._task is None:
                raise
            self._task.uncancel()
            await self._close(self._closing)
        finally:
            if subscription is not None:
                push.switchboard().unsubscribe(subscription)
            for task in self._plays:
                task.cancel()

    def end(self, closed: Closed) -> None:
        """Close the connection from outside, soon; the first reason stands."""
        if self._closing is None and self._task is not None:
            self._closing = closed
            self._task.cancel()

    async def _close(self, closed: Closed) -> None:
        try:
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self._send_bytes(_encode(frames.Error(code=closed.problem, data=closed.data)))
                await self._send({"type": "websocket.close", "code": closed.code, "reason": closed.problem})
        except (TimeoutError, OSError, RuntimeError):
            log.debug("socket_gone_before_close", code=closed.code)

    # Who is it

    async def _authenticate(self) -> Who:
        headers = dict(self._scope["headers"])
        scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if scheme.lower() not in {"token", "bearer"}:
            token = await self._first_frame()
        who: Who | None = await database_sync_to_async(who_holds)(token)
        if who is None:
            raise Closed(CloseCode.UNAUTHENTICATED, "unauthenticated")
        return who

    async def _first_frame(self) -> str:
        try:
            async with asyncio.timeout(AUTHENTICATE_WITHIN_S):
                frame = read_frame(await self._next_text())
        except (TimeoutError, Problem) as error:
            raise Closed(CloseCode.UNAUTHENTICATED, "unauthenticated") from error
        if not isinstance(frame, frames.Authenticate):
            raise Closed(CloseCode.UNAUTHENTICATED, "unauthenticated")
        return frame.token

    def _after(self) -> int | None:
        """The version to resume from, if the client names one."""
        asked = parse_qs(self._scope["query_string"].decode("latin-1")).get("after")
        if asked is None:
            return None
        if not (asked[0].isascii() and asked[0].isdigit() and len(asked[0]) < 16):
            raise Closed(CloseCode.NOT_FOUND, "malformed", path="after", expected="a version")
        return int(asked[0])

    # Joining the stream

    async def _subscribe(self, after: int | None) -> push.Subscription:
        """Send a view, or all commits after a version; then take a place at the hub with nothing missed in between."""
        known = after
        while True:
            table = await services.at_head(self._game)
            if known is not None and known > table.version:
                raise Closed(CloseCode.NOT_FOUND, "version_ahead", version=table.version)
            while known is not None and known < table.version:
                records = await services.commits(self._game, known, COMMITS_PER_FRAME)
                await self._send_bytes(push.commits_frame(records, self._seat))
                known = records[-1].version
            if known is None or known == table.version:
                # Nothing is awaited from here to the subscription, so no commit comes between.
                subscription = push.switchboard().subscribe(self._game, self._seat, table.version, self._outbox)
                if subscription is not None:
                    if known is None:
                        self._outbox.put(_encode(self._view(services.seen(table, self._seat))))
                    return subscription

    def _view(self, seen: services.Seen) -> frames.View:
        return frames.View(game=self._game, version=seen.version, seat=self._seat, ended=seen.ended, view=seen.view)

    # The conversation

    async def _converse(self) -> None:
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        finally:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _write(self) -> None:
        # No timeout here: one per frame would cost as much as sending it. OpenSockets looks for the stuck ones.
        try:
            while (frame := await self._outbox.take()) is not None:
                self.sending = frame
                await self._send_bytes(frame)
                self.sending = None
        except OSError:
            return  # The client has left: the reader hears of it.
        self.end(Closed(CloseCode.TOO_SLOW, "too_slow"))

    async def _send_bytes(self, frame: bytes) -> None:
        await self._send({"type": "websocket.send", "text": frame.decode()})

    async def _next_text(self) -> str:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        text: str | None = message.get("text")
        if text is None:
            raise Closed(CloseCode.UNSUPPORTED, "text_frames_only")
        return text

    async def _read(self) -> None:
        while True:
            text = await self._next_text()
            try:
                frame = read_frame(text)
            except Problem as problem:
                self._put(frames.Error(code=problem.code, data=problem.data))
                continue
            match frame:
                case frames.Play():
                    self._start(frame)
                case frames.Look():
                    self._put(self._view(await services.view(self._game, self._seat)))
                case frames.Authenticate():
                    self._put(frames.Error(code="authenticated_already", data={}))

    def _put(self, frame: frames.ServerFrame) -> None:
        self._outbox.put(_encode(frame))

    def _start(self, frame: frames.Play) -> None:
        if self._seat is None:
            self._put(frames.Refused(id=frame.id, code="spectators_only_watch", version=None, data={}))
        elif len(self._plays) >= frames.PLAYS_WAITING_MAX:
            self._put(frames.Refused(id=frame.id, code="too_many_commands", version=None, data={}))
        else:
            task = self._loop.create_task(self._play(self._seat, frame))
            self._plays.add(task)
            task.add_done_callback(self._plays.discard)

    async def _play(self, seat: Seat, frame: frames.Play) -> None:
        command = bytes(frame.command)
        try:
            strict.check(command, path="$.command")
            record = await services.play(self._game, seat, command, frame.id)
        except msgspec.MsgspecError as error:
            data = strict.malformed(error, "$.command").data
            answer: frames.ServerFrame = frames.Refused(id=frame.id, code="malformed", version=None, data=data)
        except Problem as problem:
            version = problem.version if isinstance(problem, services.Refused) else None
            answer = frames.Refused(id=frame.id, code=problem.code, version=version, data=problem.data)
        else:
            seen = push.seen_by(record, seat)
            answer = frames.Accepted(id=frame.id, version=seen.version, hash=seen.hash, events=seen.events)
        self._put(answer)


class OpenSockets:
    """The connections of this process: whose token was revoked, and who takes no frame any more, is cut within seconds."""

    def __init__(self) -> None:
        self._sockets: set[GameSocket] = set()
        self._sending: dict[GameSocket, bytes] = {}
        self._of_user: Counter[UUID | None] = Counter()
        self._checking: asyncio.Task[None] | None = None

    @contextmanager
    def holding(self, socket: GameSocket) -> Iterator[None]:
        """A context in which the connection is known here. Raises Closed when its person has too many."""
        if self._of_user[socket.user] >= SOCKETS_PER_USER:
            raise Closed(CloseCode.TOO_MANY, "too_many_sockets", most=SOCKETS_PER_USER)
        if self._checking is None:
            self._checking = asyncio.create_task(self._check())
        self._sockets.add(socket)
        self._of_user[socket.user] += 1
        try:
            yield
        finally:
            self._sockets.discard(socket)
            self._of_user[socket.user] -= 1
            if not self._of_user[socket.user]:
                del self._of_user[socket.user]

    async def _check(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            self._end_stuck()
            try:
                await self._end_revoked()
            except DatabaseError as error:
                log.warning("tokens_not_checked", error=str(error))

    def _end_stuck(self) -> None:
        """Who is still sending the frame of the last look has not moved for a whole period."""
        sending = {socket: socket.sending for socket in self._sockets if socket.sending is not None}
        for socket, frame in sending.items():
            if self._sending.get(socket) is frame:
                socket.end(Closed(CloseCode.TOO_SLOW, "too_slow"))
        self._sending = sending

    async def _end_revoked(self) -> None:
        tokens = {socket.token for socket in self._sockets}
        revoked = tokens - await database_sync_to_async(valid_tokens)(tokens) if tokens else set()
        for socket in [socket for socket in self._sockets if socket.token in revoked]:
            socket.end(Closed(CloseCode.UNAUTHENTICATED, "unauthenticated"))


open_sockets = one_per_loop(OpenSockets)
"""The connections of the running loop."""


async def game_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application behind /ws/v1/games/{id}."""
    await GameSocket(scope, receive, send).run()


websocket_urlpatterns = [path("ws/v1/games/<uuid:game>", game_socket)]  # type: ignore[arg-type]  # Channels routes ASGI applications
