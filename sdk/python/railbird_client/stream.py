"""A socket that reconnects and resumes, over any number of connections."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar, get_args
from urllib.parse import urlencode
from uuid import UUID, uuid4

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from railbird_client import frames, patience
from railbird_client.clock import ServerClock, moment
from railbird_client.http import trouble_of, written
from railbird_client.patience import GOOD_AFTER_S, Patience, retry_after_s
from railbird_client.problems import (
    Closed,
    FellBehind,
    Misused,
    Problem,
    ServerError,
    Unanswered,
    Unreachable,
)

F = TypeVar("F")
N = TypeVar("N")

SILENT_MAX_S: Final = 40.0
NEWS_MAX: Final = 100_000
NEWS_BYTES_MAX: Final = 1 << 27
FRAME_BYTES_MAX: Final = 1 << 24
OPEN_WITHIN_S: Final = 10.0
CLOSE_WITHIN_S: Final = 1.0
ANSWER_WITHIN_S: Final = 30.0
UNREADABLE_MAX: Final = 4
"""After so many connections in a row that could not be read, and brought nothing new, the stream
ends."""

FINAL: Final = frozenset({1003, 1008, 1009})
"""Close codes that forbid reconnecting, in addition to 4400 to 4499 without PASSING."""
PASSING: Final = frozenset({4408, 4423, 4429})
"""Close codes for a client that is too slow, for a history that has to be repaired first, and for
too many connections or frames."""
UNREADABLE: Final = frozenset({1002, 1007, 1009})
"""Close codes with which this client ends a connection whose frames break the protocol."""


class Lost(Exception):
    """This connection is unusable; the next one resumes. The code says why."""

    def __init__(self, code: str = "unreachable") -> None:
        super().__init__(code)
        self.code = code


class Connect(connect):
    """A connection to the address itself: a redirect is a failure."""

    def process_redirect(self, exc: Exception) -> Exception:
        """Never follow a redirect, which would hand the token or the game to another server."""
        return exc


class Reader(Generic[F]):
    """Decodes frames of one union. Newer servers send types of frames that it does not know."""

    def __init__(self, union: Any) -> None:
        self._decode = msgspec.json.Decoder(union).decode
        self._kinds = {kind.__struct_config__.tag for kind in get_args(union)}

    def read(self, text: str | bytes) -> F | None:
        """Return a frame, or None if its type is unknown. Raises Lost for anything else."""
        try:
            frame: F = self._decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            if isinstance(text, str) and _kind_of(text) not in {None, *self._kinds}:
                return None
            raise Lost("unreadable") from None
        return frame


class _Typed(msgspec.Struct):
    type: str


def _kind_of(text: str) -> str | None:
    """Return the type of a frame, or None if it has none."""
    try:
        return msgspec.json.decode(text, type=_Typed).type
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


class Asked:
    """A request that awaits its answer; `copies` counts how often it was sent."""

    def __init__(self, frame: str) -> None:
        self.frame = frame
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.copies = 0


class Stream(ABC, Generic[F, N]):
    """An asynchronous context and iterator: it receives frames and yields news.

    It reconnects by itself. Raises Closed when the server forbids reconnecting, FellBehind when too
    many news are unread, and Unreachable when it can read nothing that arrives.
    """

    def __init__(self, address: str, token: str, reader: Reader[F]) -> None:
        self.trouble = ""
        """Why the stream is not connected, as a code; empty while it is."""
        self._clock = ServerClock()
        self._is_timed = asyncio.Event()
        """Set when the server has said its time, or will not."""
        self._address = address
        self._token = token
        self._reader = reader
        self._socket: ClientConnection | None = None
        self._asked: dict[str, Asked] = {}
        self._news: asyncio.Queue[tuple[int, N] | None] = asyncio.Queue()
        self._news_bytes = 0
        self._frame_bytes = 0
        self._keeper: asyncio.Task[None] | None = None
        self._last_error: frames.Error | None = None
        self._failure: ServerError | None = None
        self._is_open = False
        self._unreadable = 0
        self._open_within_s = OPEN_WITHIN_S
        self._opened_at: float | None = None
        """When this connection opened; None if it has not."""

    # Hooks for subclasses

    @abstractmethod
    def _from(self) -> Mapping[str, object]:
        """Return the query parameters of the next connection; None values are left out."""

    @abstractmethod
    def _take(self, frame: F) -> None:
        """Handle a frame that is neither an error nor an answer. Raises Lost when this connection
        misses frames, and ValidationError for a frame that cannot be read."""

    def _is_over(self) -> bool:
        """Whether all news have arrived."""
        return False

    def _starts_again(self, _code: int) -> bool:
        """Forget everything if this close code asks for that, and return whether it did."""
        return False

    def _resume(self) -> None:
        """Called when a connection opens."""

    # For users of the stream

    async def __aenter__(self) -> Self:
        if self._keeper is not None:
            raise Misused("a stream is opened once: make another one")
        self._is_open = True
        self._keeper = asyncio.create_task(self._keep())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._keeper is not None
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> N:
        self._check_loop()
        if (found := await self._news.get()) is not None:
            self._news_bytes -= found[0]
            return found[1]
        self._news.put_nowait(None)  # Further calls end the same way.
        if self._keeper is not None and not self._is_over():
            await asyncio.wait([self._keeper])
            if not self._keeper.cancelled():
                self._keeper.result()  # Raises unexpected errors of the task.
        raise self._failure or StopAsyncIteration

    def _tell(self, news: N) -> None:
        self._news_bytes += self._frame_bytes
        if self._news.qsize() >= NEWS_MAX or self._news_bytes > NEWS_BYTES_MAX:
            raise FellBehind(f"{self._news.qsize()} unread news")
        self._news.put_nowait((self._frame_bytes, news))

    # Requests and their answers

    async def _request(self, kind: str, within_s: float, **fields: object) -> Any:
        """Return the answer to a request. Raises Problem, Unanswered."""
        request = fields.setdefault("id", uuid4())
        try:
            async with asyncio.timeout(within_s):
                answer, _ = await self._ask({"type": kind, **fields})
        except TimeoutError:
            raise Unanswered(UUID(str(request)), self.trouble) from None
        if isinstance(answer, frames.Refused):
            raise Problem(answer.code, answer.data, version=answer.version)
        return answer

    async def _ask(self, frame: Mapping[str, object]) -> tuple[Any, int]:
        """Return the answer to a frame, and how many copies of it were sent."""
        self._check()
        key = str(frame["id"])
        if key in self._asked:
            raise Misused(f"a request with the id {key} awaits its answer")
        asked = self._asked[key] = Asked(written(frame).decode())
        try:
            await self._send(asked)
            return await asked.answer, asked.copies
        finally:
            del self._asked[key]

    async def _now(self) -> datetime:
        """Return the server's time, once the server has said it."""
        self._check()
        await self._is_timed.wait()
        self._check()
        return self._clock.now()

    def _check_loop(self) -> None:
        if self._keeper is None:
            raise Misused("open the stream first: `async with client.table(...) as table`")
        if self._keeper.get_loop() is not asyncio.get_running_loop():
            raise Misused("this stream is of another event loop: make another one")

    def _check(self) -> None:
        self._check_loop()
        if not self._is_open:
            raise self._failure or Misused("this stream is closed: make another one")

    async def _send(self, asked: Asked) -> None:
        """Send a request if connected. The next connection repeats what is unanswered."""
        if self._socket is not None:
            asked.copies += 1
            with suppress(ConnectionClosed):
                await self._socket.send(asked.frame)

    # The connection

    async def _keep(self) -> None:
        """Stay connected until the server forbids it."""
        pauses = Patience()
        try:
            while True:
                known, self._opened_at = self._from(), None
                try:
                    asked_s = await self._follow()
                finally:
                    self._socket = None
                was_new = known != self._from()
                self._count_unreadable(was_new=was_new)
                await asyncio.sleep(
                    asked_s + pauses.pause_s(was_good=was_new or self._has_lasted())
                )
        except ServerError as error:
            self._failure = error
        finally:
            self._end()

    def _has_lasted(self) -> bool:
        opened_at = self._opened_at
        return opened_at is not None and time.monotonic() - opened_at >= GOOD_AFTER_S

    async def _follow(self) -> float:
        """Follow one connection to its end, and return how long the server asks to wait. Raises
        ServerError if there can be no other one."""
        try:
            await self._converse()
        except ConnectionClosed as closed:
            self.trouble = self._trouble_of(closed)
        except InvalidStatus as error:
            self.trouble = "redirected" if error.response.status_code // 100 == 3 else "refused"
            headers = error.response.headers
            asked_s = retry_after_s(headers.get("Retry-After", ""), headers.get("Date", ""))
            return min(asked_s, patience.ASKED_MAX_S)
        except Lost as lost:
            self.trouble = lost.code
        except (OSError, EOFError, InvalidHandshake, InvalidURI) as error:
            if isinstance(error, TimeoutError) and self._opened_at is None:
                # A slow server gets more time, or every retry would add to what slows it.
                self._open_within_s = min(2 * self._open_within_s, SILENT_MAX_S)
            self.trouble = trouble_of(error)
        return 0.0

    def _count_unreadable(self, *, was_new: bool) -> None:
        """Raises Unreachable when connection after connection cannot be read."""
        self._unreadable = 0 if was_new else self._unreadable + (self.trouble == "unreadable")
        if self._unreadable == UNREADABLE_MAX:
            raise Unreachable("unreadable", "the server sends what this client cannot read")

    async def _converse(self) -> None:
        """Follow one connection, which ends with an exception."""
        async with self._connect() as socket:
            self._socket, self._last_error, self.trouble = socket, None, ""
            self._opened_at, self._open_within_s = time.monotonic(), OPEN_WITHIN_S
            self._resume()
            for asked in list(self._asked.values()):
                await self._send(asked)
            async for text in _texts(socket):
                self._hear(text)
                if self._is_over():
                    self._news.put_nowait(None)

    def _connect(self) -> Connect:
        asked = {name: value for name, value in self._from().items() if value is not None}
        return Connect(
            f"{self._address}?{urlencode(asked)}" if asked else self._address,
            additional_headers={"Authorization": f"Bearer {self._token}"},
            compression=None,
            max_size=FRAME_BYTES_MAX,
            ping_interval=None,
            open_timeout=self._open_within_s,
            close_timeout=CLOSE_WITHIN_S,
        )

    def _hear(self, text: str | bytes) -> None:
        """Handle a frame. Raises Lost, ServerError."""
        if (frame := self._reader.read(text)) is None:
            return
        self._frame_bytes = len(text)
        try:
            if (now := getattr(frame, "now", None)) is not None:
                self._clock.set(moment(now))
                self._is_timed.set()
            if isinstance(frame, frames.Error):
                self._last_error = frame
            elif (request := getattr(frame, "id", None)) is not None:
                self._answer(request, frame)
            else:
                self._take(frame)
        except msgspec.ValidationError as error:
            raise Lost("unreadable") from error

    def _answer(self, request: str, frame: F) -> None:
        asked = self._asked.get(request)
        if asked is not None and not asked.answer.done():
            asked.answer.set_result(frame)

    def _trouble_of(self, closed: ConnectionClosed) -> str:
        """Return why a connection was closed. Raises Closed if that forbids reconnecting."""
        if closed.rcvd is None:
            ours = closed.sent is not None and closed.sent.code in UNREADABLE
            return "unreadable" if ours else "unreachable"
        code, said = closed.rcvd.code, self._last_error or frames.Error(code="closed", data={})
        is_final = code in FINAL or (4400 <= code < 4500 and code not in PASSING)
        if is_final and not self._starts_again(code):
            raise Closed(code, said.code, said.data) from closed
        return said.code

    def _end(self) -> None:
        """End everything that waits: no further connection will open."""
        self._is_open = False
        self._is_timed.set()
        self._news.put_nowait(None)
        for key, asked in self._asked.items():
            if not asked.answer.done():
                asked.answer.set_exception(self._failure or Unanswered(UUID(key), "closed"))


async def _texts(socket: ClientConnection) -> AsyncIterator[str | bytes]:
    """Yield frames. Raises TimeoutError when not even heartbeats arrive."""
    while True:
        async with asyncio.timeout(SILENT_MAX_S):
            text = await socket.recv()
        yield text


class Conversation(Stream[F, N]):
    """A stream on which the user may also send chat messages."""

    async def send_message(
        self,
        text: str,
        *,
        id: UUID | None = None,  # noqa: A002 -- as the protocol calls it
        within_s: float = ANSWER_WITHIN_S,
    ) -> int:
        """Send a chat message to all who can see the lobby, and return the lobby's version.

        It is sent once, however often it is repeated with the same `id`. Raises Problem,
        Unanswered.
        """
        key = uuid4() if id is None else id
        sent = await self._request("send_message", within_s, id=key, text=text)
        return expect(sent, frames.MessageAccepted).version


S = TypeVar("S")


def expect(answer: object, kind: type[S]) -> S:
    """Return an answer of this kind. Raises Unreachable for any other."""
    if not isinstance(answer, kind):
        raise Unreachable("unreadable", f"an answer of the wrong type: {type(answer).__name__}")
    return answer
