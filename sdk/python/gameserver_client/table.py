"""A place at the socket of a game: commits without gaps, and commands that count once, over any number of connections."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from types import TracebackType
from typing import Final, Generic, Self, TypeAlias
from uuid import UUID, uuid4

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from gameserver_client import frames
from gameserver_client.backoff import pause_s
from gameserver_client.problems import Closed, FellBehind, Problem, ServerError, Unanswered
from gameserver_client.types import C, E, GameTypes, Unknown, V

SILENT_MAX_S: Final = 40.0
PLAYS_WAITING_MAX: Final = 16
NEWS_MAX: Final = 100_000
FRAME_BYTES_MAX: Final = 1 << 24
OPEN_WITHIN_S: Final = 10.0
CLOSE_WITHIN_S: Final = 1.0

AGAIN: Final = frozenset({"busy", "unavailable", "outcome_unknown", "too_many_commands"})
"""Refusals after which the same command, under the same id, is sent again."""

TOO_SLOW: Final = 4408
FINAL: Final = frozenset({1003, 1008, 1009})
"""Close codes after which coming back would change nothing, as after those from 4400 on; but TOO_SLOW asks to come back."""

LOOK: Final = '{"type":"look"}'

_decode = msgspec.json.Decoder(frames.FromGame).decode


@dataclass(frozen=True, slots=True)
class View(Generic[V]):
    """What one's seat, or a spectator (no seat), sees at a version. `ended` is empty while the game goes on."""

    version: int
    seat: int | None
    ended: str
    view: V


@dataclass(frozen=True, slots=True)
class Commit(Generic[E]):
    """What happened at a version, as far as one may know."""

    version: int
    at: datetime
    hash: str
    events: tuple[E | Unknown, ...]


@dataclass(frozen=True, slots=True)
class Accepted(Generic[E]):
    """One's own command, committed as this version."""

    id: UUID
    version: int
    hash: str
    events: tuple[E | Unknown, ...]


class _Lost(Exception):
    """This connection is of no use any more; the next one resumes."""


Answer: TypeAlias = frames.Accepted | frames.Refused


class Table(Generic[C, E, V]):
    """An asynchronous context, and inside it an asynchronous iterator of what happens.

    Opened without `after`, it brings a View and then each Commit that follows; with it, the commits after that version. It
    ends when the game has ended. Connections may come and go meanwhile: nothing is missed and nothing comes twice. It raises
    Closed when the server does not let one back, and FellBehind when the commits are not taken from it.
    """

    def __init__(self, address: str, token: str, types: GameTypes[C, E, V], *, after: int | None = None) -> None:
        self.version = after
        """How far the news have come; None until the first view."""
        self._address = address
        self._token = token
        self._types = types
        self._socket: ClientConnection | None = None
        self._news: asyncio.Queue[View[V] | Commit[E] | None] = asyncio.Queue()
        self._plays: dict[str, tuple[str, asyncio.Future[Answer]]] = {}
        self._looks: deque[asyncio.Future[View[V]]] = deque()
        self._room = asyncio.Semaphore(PLAYS_WAITING_MAX)
        self._keeper: asyncio.Task[None] | None = None
        self._last_error = frames.Error(code="not_found", data={})
        self._failure: ServerError | None = None
        self._ends_at: int | None = None
        self._heard_of = 0
        self._is_open = False

    async def __aenter__(self) -> Self:
        self._is_open = True
        self._keeper = asyncio.create_task(self._keep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._keeper is not None
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> View[V] | Commit[E]:
        news = await self._news.get()
        if news is not None:
            return news
        self._news.put_nowait(None)  # Whoever asks again hears the same.
        assert self._keeper is not None
        if not self._is_over():
            await asyncio.wait([self._keeper])
            if not self._keeper.cancelled():
                self._keeper.result()  # What it did not expect is raised here.
        raise self._failure or StopAsyncIteration

    async def play(self, command: C, *, id: UUID | None = None, within_s: float = 30.0) -> Accepted[E]:  # noqa: A002
        """Give a command. It counts once, through however many connections its answer has to come.

        Raises Problem when it was refused, Unanswered when its fate is not known in time: played again with the same `id`,
        it is answered as the first time.
        """
        key = uuid4() if id is None else id
        frame = msgspec.json.encode({"type": "play", "id": key, "command": command}).decode()
        try:
            async with asyncio.timeout(within_s), self._room:
                answer = await self._answer(str(key), frame)
        except TimeoutError:
            raise Unanswered(key) from None
        if isinstance(answer, frames.Refused):
            raise Problem(answer.code, answer.data, version=answer.version)
        return Accepted(key, answer.version, answer.hash, self._types.events(answer.events))

    async def look(self, *, within_s: float = 30.0) -> View[V]:
        """The view at the head. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            self._check()
            future: asyncio.Future[View[V]] = asyncio.get_running_loop().create_future()
            self._looks.append(future)
            await self._say(LOOK)
            return await future

    # Commands

    async def _answer(self, key: str, frame: str) -> Answer:
        assert key not in self._plays, "one command at a time under one id"
        for failures in count():
            self._check()
            future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            self._plays[key] = (frame, future)
            try:
                await self._say(frame)
                answer = await future
            finally:
                del self._plays[key]
            if not (isinstance(answer, frames.Refused) and answer.code in AGAIN):
                break
            await asyncio.sleep(pause_s(failures))
        return answer

    def _check(self) -> None:
        if not self._is_open:
            raise self._failure or ServerError("the table is closed")

    async def _say(self, frame: str) -> None:
        """Send a frame, if there is a connection. The next one sends again what has not been answered."""
        if self._socket is not None:
            try:
                await self._socket.send(frame)
            except ConnectionClosed:
                return

    # The connection

    async def _keep(self) -> None:
        """Stay connected until the server shows us out."""
        failures = 0
        try:
            while True:
                try:
                    async with self._connect() as socket:
                        await self._resume(socket)
                        async for frame in self._frames(socket):
                            failures = 0
                            self._take(frame)
                            if self._is_over():
                                self._news.put_nowait(None)
                except ConnectionClosed as closed:
                    self._check_welcome(closed)
                except InvalidStatus as error:
                    if error.response.status_code < 500:
                        raise Problem("bad_request", {}, status=error.response.status_code) from error
                except (OSError, TimeoutError, InvalidHandshake, _Lost):
                    pass
                self._socket = None
                await asyncio.sleep(pause_s(failures))
                failures += 1
        except ServerError as error:
            self._failure = error
        finally:
            self._socket = None
            self._end()

    def _connect(self) -> connect:
        return connect(
            self._address if self.version is None else f"{self._address}?after={self.version}",
            additional_headers={"Authorization": f"Bearer {self._token}"},
            compression=None,
            max_size=FRAME_BYTES_MAX,
            ping_interval=None,
            open_timeout=OPEN_WITHIN_S,
            close_timeout=CLOSE_WITHIN_S,
        )

    async def _resume(self, socket: ClientConnection) -> None:
        """Ask again for all that has not been answered."""
        self._socket = socket
        self._heard_of = 0
        self._looks = deque(future for future in self._looks if not future.done())
        for frame in [*(frame for frame, _ in self._plays.values()), *(LOOK for _ in self._looks)]:
            await socket.send(frame)

    async def _frames(self, socket: ClientConnection) -> AsyncIterator[str]:
        """Frames as they come. Raises TimeoutError when not even a heartbeat does."""
        while True:
            async with asyncio.timeout(SILENT_MAX_S):
                text = await socket.recv(decode=True)
            yield text

    def _check_welcome(self, closed: ConnectionClosed) -> None:
        """Raises Closed when the server does not want us back."""
        code = closed.rcvd.code if closed.rcvd is not None else 1006
        if code in FINAL or (4400 <= code < 4500 and code != TOO_SLOW):
            raise Closed(code, self._last_error.code, self._last_error.data) from closed

    def _is_over(self) -> bool:
        return self._ends_at is not None and self.version is not None and self.version >= self._ends_at

    def _end(self) -> None:
        self._is_open = False
        for key, (_, answer) in self._plays.items():
            if not answer.done():
                answer.set_exception(self._failure or Unanswered(UUID(key)))
        for look in self._looks:
            if not look.done():
                look.set_exception(self._failure or ServerError("the table is closed"))
        self._news.put_nowait(None)

    # What it brings

    def _take(self, text: str) -> None:
        try:
            frame = _decode(text)
        except msgspec.ValidationError:
            return
        match frame:
            case frames.CommitsFrame():
                for commit in frame.commits:
                    self._take_commit(commit)
            case frames.View():
                self._take_view(frame)
            case frames.Accepted() | frames.Refused():
                _, future = self._plays.get(frame.id, (None, None))
                if future is not None and not future.done():
                    future.set_result(frame)
            case frames.HeartbeatFrame():
                self._take_heartbeat(frame)
            case frames.Error():
                self._last_error = frame

    def _take_heartbeat(self, frame: frames.HeartbeatFrame) -> None:
        if self.version is not None and self.version < self._heard_of:
            raise _Lost  # A whole heartbeat ago the game stood further than what has come since.
        self._heard_of = frame.version
        if frame.ended:
            self._ends_at = frame.version

    def _take_commit(self, commit: frames.CommitSeen) -> None:
        if self.version is None or commit.version > self.version + 1:
            raise _Lost
        if commit.version <= self.version:
            return
        if self._news.qsize() >= NEWS_MAX:
            raise FellBehind(f"{NEWS_MAX} commits wait to be read")
        self.version = commit.version
        at = datetime.fromisoformat(commit.at)
        self._news.put_nowait(Commit(commit.version, at, commit.hash, self._types.events(commit.events)))

    def _take_view(self, frame: frames.View) -> None:
        view = View(frame.version, frame.seat, frame.ended, self._types.view(frame.view))
        if frame.ended:
            self._ends_at = frame.version
        if self.version is None:
            self.version = frame.version
            self._news.put_nowait(view)
        elif self._looks:
            look = self._looks.popleft()
            if not look.done():
                look.set_result(view)
