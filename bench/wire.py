"""A minimal WebSocket client: just enough of RFC 6455 to play against this server cheaply.

It masks with zeros, which is valid and saves work. Text frames are passed on undecoded, as
positions in the buffer.
"""

import asyncio
from collections.abc import Callable
from typing import Final

TEXT: Final = 0x1
CLOSE: Final = 0x8
PING: Final = 0x9
MASK: Final = bytes(4)
SHORT_MAX: Final = 125
FRAME_MAX: Final = 65_535

OnText = Callable[[bytes, int, int], None]


def text_frame(text: bytes) -> bytes:
    """Encode a client's text frame."""
    assert len(text) <= FRAME_MAX
    if len(text) <= SHORT_MAX:
        return bytes((0x80 | TEXT, 0x80 | len(text))) + MASK + text
    return bytes((0x80 | TEXT, 0x80 | 126)) + len(text).to_bytes(2, "big") + MASK + text


class Wire(asyncio.Protocol):
    """One connection. `on_text(buffer, start, end)` is called for every text frame.

    `lost` is set once the connection has ended.
    """

    transport: asyncio.Transport

    def __init__(self, path: str, token: str, on_text: OnText) -> None:
        self.lost = False
        self._on_text = on_text
        self._rest = b""
        self._open = False
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: "
            "websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: "
            f"13\r\nAuthorization: Bearer {token}\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # uvloop's transports are not asyncio's classes
        self.transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

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
        """Return where the frames begin: after the handshake response; 0 while it is incomplete."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        if not data.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(data[:end].decode("latin-1"))
        self._open = True
        return end + 4

    def _frame(self, opcode: int, data: bytes, start: int, end: int) -> None:
        if opcode == TEXT:
            self._on_text(data, start, end)
        elif opcode == PING:
            self.transport.write(bytes((0x8A, 0x80 | (end - start))) + MASK + data[start:end])
        elif opcode == CLOSE:
            self.transport.close()
