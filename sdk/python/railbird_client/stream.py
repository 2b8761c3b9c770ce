"""A socket that comes back: what is told goes on where it was, over any number of connections."""

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
"""Close codes after which coming back would change nothing, as after those from 4400 on; but
TOO_SLOW asks to come back."""


class Lost(Exception):
    """This connection is of no use any more; the next one resumes."""


class Stream(ABC, Generic[F, N]):
    """An asynchronous context, and inside it an asynchronous iterator of what is told: frames come
    in, news come out.

    Connections may come and go meanwhile. It raises Closed when the server does not let one back,
    and FellBehind when what is told is not taken from it."""

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

    # What each kind is about

    @abstractmethod
    def _from(self) -> Mapping[str, object]:
        """What the next connection asks for, behind the question mark; what is None is left out."""

    @abstractmethod
    def _take(self, frame: F) -> None:
        """A frame came that is no error. Raises Lost when this connection cannot bring what is
        missing."""

    def _is_over(self) -> bool:
        """Whether nothing more is going to be told."""
        return False

    async def _resume(self, socket: ClientConnection) -> None:
        """A connection stands."""
        self._socket = socket

    def _end(self) -> None:
        """No connection will stand any more."""
        self._is_open = False
        self._news.put_nowait(None)

    # What it is for whoever follows it

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
        self._news.put_nowait(None)  # Whoever asks again hears the same.
        assert self._keeper is not None
        if not self._is_over():
            await asyncio.wait([self._keeper])
            if not self._keeper.cancelled():
                self._keeper.result()  # What it did not expect is raised here.
        raise self._failure or StopAsyncIteration

    def _tell(self, news: N) -> None:
        if self._news.qsize() >= NEWS_MAX:
            raise FellBehind(f"{NEWS_MAX} pieces of news wait to be read")
        self._news.put_nowait(news)

    def _check(self) -> None:
        if not self._is_open:
            raise self._failure or ServerError("it is closed")

    async def _say(self, frame: str) -> bool:
        """Send a frame; False without a connection. The next one sends again what has not been
        answered."""
        if self._socket is None:
            return False
        with suppress(ConnectionClosed):
            await self._socket.send(frame)
        return True

    # The connection

    async def _keep(self) -> None:
        """Stay connected until the server shows us out."""
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
                    self._check_welcome(closed)
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
        """Frames as they come. Raises TimeoutError when not even a heartbeat does."""
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
                    f"this client was not made for what the server says: {error}"
                ) from error
            return  # A newer server tells what this client does not know.
        if isinstance(frame, frames.Error):
            self._last_error = frame
        else:
            self._take(frame)

    def _check_welcome(self, closed: ConnectionClosed) -> None:
        """Raises Closed when the server does not want us back."""
        code = closed.rcvd.code if closed.rcvd is not None else 1006
        if code in FINAL or (4400 <= code < 4500 and code != TOO_SLOW):
            raise Closed(code, self._last_error.code, self._last_error.data) from closed
