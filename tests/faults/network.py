"""A network with faults: TCP proxies that cut, delay or silence connections."""

import asyncio
from collections import deque
from pathlib import Path
from typing import Final

BACKEND_KEY_DATA: Final = b"K\x00\x00\x00\x0c"
"""The message in which PostgreSQL sends the process id of the backend."""

FOUND_DEAD_AFTER_S: Final = 15.0


class Link:
    """One connection through a proxy: `near` is its client, `far` the server."""

    def __init__(self, line: "Line") -> None:
        self.line = line
        self.backend: int | None = None
        self.delay_s = 0.0
        self.is_silent = False
        self.is_holding = False
        self.peer = 0
        """The port of its client."""
        self.near = End(self)
        self.far = End(self)
        self.near.other, self.far.other = self.far, self.near

    def cut(self) -> None:
        """End both halves at once."""
        self.near.abort()
        self.far.abort()

    def delay(self, seconds: float) -> None:
        """Delay all data by this time. It arrives even after its sender has ended."""
        self.delay_s = seconds

    def hold(self) -> None:
        """Hold back what the client sends from now on. The server does not notice its end."""
        self.is_holding = True

    async def deliver(self, answer: bytes) -> bool:
        """Deliver what was held back, wait for an answer that contains these bytes, and end.

        Returns False if nothing was held back, or if the server ended the connection instead.
        """
        self.is_holding = False
        answered = self.far.has_held and await self.far.exchange(answer)
        self.cut()
        return answered

    @property
    def is_open(self) -> bool:
        """Whether neither half has ended."""
        return self.near.is_open and self.far.is_open

    @property
    def is_sound(self) -> bool:
        """Whether it is open, neither delayed nor silent."""
        return self.is_open and not self.delay_s and not self.is_silent

    def forget_if_over(self) -> None:
        """Leave the proxy after both halves have ended."""
        if not self.near.is_open and not self.far.is_open:
            self.line.links.discard(self)

    def silence(self) -> None:
        """Drop all data from now on, even the end of the other half: a half-open connection.

        After a while the keepalives of the server find its half dead.
        """
        self.is_silent = True
        asyncio.get_running_loop().call_later(FOUND_DEAD_AFTER_S, self.far.abort)


class End(asyncio.Protocol):
    """One half of a link."""

    other: "End"

    def __init__(self, link: Link) -> None:
        self.transport: asyncio.Transport | None = None
        self._link = link
        self._held: deque[bytes] = deque()
        """Data from the other half that is not forwarded yet; empty bytes are its end."""
        self._received = b""
        self._awaited: tuple[bytes, asyncio.Future[bool]] | None = None
        """Bytes that the next data may contain, and whether it did."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # uvloop has classes of its own
        if self is self._link.near:
            self._link.peer = transport.get_extra_info("peername")[1]
        if not self._link.delay_s:
            self._release_all()

    def data_received(self, data: bytes) -> None:
        if self._link.backend is None and BACKEND_KEY_DATA in data:
            at = data.index(BACKEND_KEY_DATA) + len(BACKEND_KEY_DATA)
            self._link.backend = int.from_bytes(data[at : at + 4], "big")
        self._hear(data)
        self.other.take(data)

    @property
    def is_open(self) -> bool:
        return self.transport is not None

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self._link.forget_if_over()
        self._hear(b"")
        self.other.take(b"")

    def abort(self) -> None:
        """End this half at once."""
        if self.transport is not None:
            self.transport.abort()

    def pause_writing(self) -> None:
        if self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other.transport is not None:
            self.other.transport.resume_reading()

    def take(self, data: bytes) -> None:
        """Forward the data of the other half, now or later."""
        is_held = self._link.is_holding and self is self._link.far
        if self._link.is_silent or (is_held and not data):
            return
        self._held.append(data)
        if is_held:
            return
        if self._link.delay_s:
            asyncio.get_running_loop().call_later(self._link.delay_s, self._release)
        elif self.transport is not None:
            self._release_all()

    @property
    def has_held(self) -> bool:
        """Whether this half is open and has data that is not forwarded yet."""
        return self.is_open and bool(self._held)

    async def exchange(self, answer: bytes) -> bool:
        """Forward all data, and wait for data that contains `answer`.

        Returns False if this half ends first.
        """
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._awaited = answer, future
        self._release_all()
        return await future

    def _hear(self, data: bytes) -> None:
        if self._awaited is None:
            return
        self._received += data
        wanted, future = self._awaited
        if not future.done() and (wanted in self._received or not data):
            future.set_result(bool(data))

    def _release_all(self) -> None:
        while self._held:
            self._release()

    def _release(self) -> None:
        data = self._held.popleft() if self._held else None
        if data is None or self.transport is None or self.transport.is_closing():
            return
        if data:
            self.transport.write(data)
        else:
            self.transport.close()


class Line:
    """A proxy in front of one server for one client, or for many.

    `target` is a host and port, or the path of a socket.
    """

    def __init__(self, name: str, target: tuple[str, int] | Path) -> None:
        self.name = name
        self.links: set[Link] = set()
        self.port = 0
        self.is_silent = False
        """Whether its server is frozen: it accepts connections, and answers nothing."""
        self._target = target
        self._server: asyncio.Server | None = None
        self._connecting: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen on a free port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def freeze(self) -> None:
        """Let the server answer nothing any more, on old and new connections."""
        self.is_silent = True
        for link in self.links:
            link.is_silent = True

    async def close(self) -> None:
        """Stop listening, and end all links."""
        assert self._server is not None
        self._server.close()
        while self.links:
            for link in list(self.links):
                link.cut()
            await asyncio.sleep(0)

    def _accept(self) -> End:
        link = Link(self)
        self.links.add(link)
        link.is_silent = self.is_silent
        task = asyncio.get_running_loop().create_task(self._connect(link))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)
        return link.near

    async def _connect(self, link: Link) -> None:
        loop = asyncio.get_running_loop()
        try:
            if isinstance(self._target, Path):
                await loop.create_unix_connection(lambda: link.far, str(self._target))
            else:
                await loop.create_connection(lambda: link.far, *self._target)
        except OSError:
            link.cut()
            link.forget_if_over()
