"""A socket that reconnects and resumes, over any number of connections."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Final, Generic, Self, TypeVar
from urllib.parse import urlencode

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from railbird_client import frames
from railbird_client.backoff import pause_s
from railbird_client.problems import Closed, FellBehind, Problem, ServerError

F = TypeVar("F")
N = TypeVar("N")

SILENT_MAX_S: Final = 40.0
NEWS_MAX: Final = 100_000
FRAME_BYTES_MAX: Final = 1 << 24
OPEN_WITHIN_S: Final = 10.0
CLOSE_WITHIN_S: Final = 1.0

TOO_MANY_REQUESTS: Final = 429
TOO_SLOW: Final = 4408
FINAL: Final = frozenset({1003, 1008, 1009})
"""Close codes that forbid reconnecting, in addition to 4400 to 4499 without TOO_SLOW."""


class Lost(Exception):
    """This connection is unusable; the next one resumes."""


class Stream(ABC, Generic[F, N]):
    """An asynchronous context and iterator: it receives frames and yields news.

    It reconnects by itself. Raises Closed when the server forbids reconnecting, and FellBehind when
    too many news are unread.
    """

    def __init__(self, address: str, token: str, decode: Callable[[str], F]) -> None:
        self._address = address
        self._token = token
        self._decode = decode
        self._socket: ClientConnection | None = None
        self._news: asyncio.Queue[N | None] = asyncio.Queue()
        self._keeper: asyncio.Task[None] | None = None
        self._last_error = frames.Error(code="not_found", data={})
        self._failure: ServerError | None = None
        self._is_open = False

    # Hooks for subclasses

    @abstractmethod
    def _from(self) -> Mapping[str, object]:
        """Return the query parameters of the next connection; None values are left out."""

    @abstractmethod
    def _take(self, frame: F) -> None:
        """Handle a frame other than an error. Raises Lost when this connection misses frames."""

    def _is_over(self) -> bool:
        """Whether all news have arrived."""
        return False

    async def _resume(self, socket: ClientConnection) -> None:
        """Called when a connection is open."""
        self._socket = socket

    def _end(self) -> None:
        """Called when no further connection will open."""
        self._is_open = False
        self._news.put_nowait(None)

    # For users of the stream

    async def __aenter__(self) -> Self:
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
        news = await self._news.get()
        if news is not None:
            return news
        self._news.put_nowait(None)  # Further calls end the same way.
        assert self._keeper is not None
        if not self._is_over():
            await asyncio.wait([self._keeper])
            if not self._keeper.cancelled():
                self._keeper.result()  # Raises unexpected errors of the task.
        raise self._failure or StopAsyncIteration

    def _tell(self, news: N) -> None:
        if self._news.qsize() >= NEWS_MAX:
            raise FellBehind(f"{NEWS_MAX} unread news")
        self._news.put_nowait(news)

    def _check(self) -> None:
        if not self._is_open:
            raise self._failure or ServerError("the socket is closed")

    async def _say(self, frame: str) -> bool:
        """Send a frame; return False without a connection.

        The next connection repeats unanswered frames.
        """
        if self._socket is None:
            return False
        with suppress(ConnectionClosed):
            await self._socket.send(frame)
        return True

    # The connection

    async def _keep(self) -> None:
        """Stay connected until the server forbids it."""
        failures = 0
        try:
            while True:
                try:
                    async with self._connect() as socket:
                        await self._resume(socket)
                        async for text in self._texts(socket):
                            failures = 0
                            self._hear(text)
                            if self._is_over():
                                self._news.put_nowait(None)
                except ConnectionClosed as closed:
                    self._check_close_code(closed)
                except InvalidStatus as error:
                    if (
                        error.response.status_code < 500
                        and error.response.status_code != TOO_MANY_REQUESTS
                    ):
                        raise Problem(
                            "bad_request", {}, status=error.response.status_code
                        ) from error
                except (OSError, TimeoutError, InvalidHandshake, Lost):
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
        asked = {name: value for name, value in self._from().items() if value is not None}
        return connect(
            f"{self._address}?{urlencode(asked)}" if asked else self._address,
            additional_headers={"Authorization": f"Bearer {self._token}"},
            compression=None,
            max_size=FRAME_BYTES_MAX,
            ping_interval=None,
            open_timeout=OPEN_WITHIN_S,
            close_timeout=CLOSE_WITHIN_S,
        )

    async def _texts(self, socket: ClientConnection) -> AsyncIterator[str]:
        """Yield frames. Raises TimeoutError when not even heartbeats arrive."""
        while True:
            async with asyncio.timeout(SILENT_MAX_S):
                text = await socket.recv(decode=True)
            yield text

    def _hear(self, text: str) -> None:
        try:
            frame = self._decode(text)
        except msgspec.ValidationError as error:
            if "`$.type`" not in str(error):
                raise ServerError(
                    f"the server sent a frame that this client cannot read: {error}"
                ) from error
            return  # A newer server sends frames that this client does not know.
        if isinstance(frame, frames.Error):
            self._last_error = frame
        else:
            self._take(frame)

    def _check_close_code(self, closed: ConnectionClosed) -> None:
        """Raise Closed if the close code forbids reconnecting."""
        code = closed.rcvd.code if closed.rcvd is not None else 1006
        if code in FINAL or (4400 <= code < 4500 and code != TOO_SLOW):
            raise Closed(code, self._last_error.code, self._last_error.data) from closed
