"""A minimal WebSocket client: just enough of RFC 6455 to play against this server cheaply.

It masks with zeros, which is valid and saves work. Text frames are passed on undecoded, as
positions in the buffer.
"""

import asyncio
import os
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, Self

TEXT: Final = 0x1
CLOSE: Final = 0x8
PING: Final = 0x9
MASK: Final = bytes(4)
SHORT_MAX: Final = 125
FRAME_MAX: Final = 65_535

CONNECT_WITHIN_S: Final = 60.0
CLOSE_WITHIN_S: Final = 2.0

OnText = Callable[[bytes, int, int], None]


def text_frame(text: bytes) -> bytes:
    """Encode a client's text frame."""
    assert len(text) <= FRAME_MAX
    if len(text) <= SHORT_MAX:
        return bytes((0x80 | TEXT, 0x80 | len(text))) + MASK + text
    return bytes((0x80 | TEXT, 0x80 | 126)) + len(text).to_bytes(2, "big") + MASK + text


class Address(NamedTuple):
    """Where a server is. `name` is for the header Host, and `prefix` precedes all paths. `tls`
    checks its certificate; without it the connection is not encrypted."""

    host: str
    port: int
    name: str
    prefix: str = ""
    tls: ssl.SSLContext | None = None

    @classmethod
    def local(cls, port: int) -> Self:
        """Return the address of a server on this machine."""
        return cls("127.0.0.1", port, "localhost")


class Wire(asyncio.Protocol):
    """One connection. `on_text(buffer, start, end)` is called for every text frame.

    `lost` is set once the connection has ended.
    """

    transport: asyncio.Transport

    def __init__(self, path: str, token: str, on_text: OnText, *, protocol: str = "") -> None:
        self.lost = False
        self._on_text = on_text
        self._rest = b""
        self._open = False
        self._path = path
        self._token = token
        self._protocol = f"Sec-WebSocket-Protocol: {protocol}\r\n" if protocol else ""
        self._first = b""
        self._answer = "the connection was closed"
        self._ended = asyncio.Event()

    async def open(self, address: Address, ready: asyncio.Event) -> None:
        """Connect, and return when `ready` is set. Raises OSError and TimeoutError."""
        self._address = address
        self._ready = ready
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_WITHIN_S):
            await loop.create_connection(lambda: self, address.host, address.port, ssl=address.tls)
            await ready.wait()
        if self.lost:
            raise ConnectionError(self._answer)

    async def close(self) -> None:
        """Close the connection, and wait until it is closed."""
        self.transport.close()
        try:
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self._ended.wait()
        except TimeoutError:
            self.transport.abort()

    def send_first(self, text: bytes) -> None:
        """Send a text as soon as the connection is open."""
        self._first = text_frame(text)

    def send(self, text: bytes) -> None:
        """Send a text at once, where the transport would wait for the end of its turn of the loop:
        that time would count as the server's."""
        frame = text_frame(text)
        sent = 0
        if self._may_write_now and not self.transport.get_write_buffer_size():
            with suppress(OSError):  # a full buffer, or an end that the transport notices
                sent = os.write(self._file, frame)
        if sent < len(frame):
            self.transport.write(frame[sent:])

    @property
    def _may_write_now(self) -> bool:
        return self._address.tls is None and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._file = transport.get_extra_info("socket").fileno()
        self.transport = transport  # type: ignore[assignment]  # uvloop's transports are not asyncio's classes
        request = (
            f"GET {self._address.prefix}{self._path} HTTP/1.1\r\nHost: {self._address.name}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            f"{self._protocol}Authorization: Bearer {self._token}\r\n\r\n"
        )
        self.transport.write(request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._ready.set()
        self._ended.set()

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        position = 0 if self._open else self._upgrade(data)
        size = len(data)
        while size - position >= 2:
            length = data[position + 1]
            start = position + 2
            if length > SHORT_MAX:
                wide = 2 if length == 126 else 8
                if size - start < wide:
                    break
                length = int.from_bytes(data[start : start + wide], "big")
                start += wide
            end = start + length
            if end > size:
                break
            self._frame(data[position] & 0x0F, data, start, end)
            position = end
        self._rest = data[position:]

    def _upgrade(self, data: bytes) -> int:
        """Return where the frames begin: after the handshake response.

        0 while it is incomplete; the end of the data when the server declined.
        """
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        if not data.startswith(b"HTTP/1.1 101"):
            self._answer = data[: data.find(b"\r\n")].decode("latin-1")
            self.transport.close()
            return len(data)
        self._open = True
        self.transport.write(self._first)
        return end + 4

    def _frame(self, opcode: int, data: bytes, start: int, end: int) -> None:
        if opcode == TEXT:
            self._on_text(data, start, end)
        elif opcode == PING:
            self.transport.write(bytes((0x8A, 0x80 | (end - start))) + MASK + data[start:end])
        elif opcode == CLOSE:
            self.transport.close()
