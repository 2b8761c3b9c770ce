"""The WebSocket protocol of a web process: uvicorn's, with fewer system calls.

uvicorn writes each message by itself, and stops and starts to read for each that it receives. The
parser of `websockets` takes as long for a command as deciding it.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import structlog
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the fast one, if it is there

from games.api.sockets.texts import ALLOWANCE, TEXTS, Allowance, Take
from gameserver.processes.connections import client_at

if TYPE_CHECKING:
    from websockets.frames import Frame

log = structlog.get_logger(__name__)

AHEAD_MAX: Final = 16
AHEAD_BYTES_MAX: Final = 1024
"""So many texts of a client are read ahead, none longer than this."""

FRAGMENTS_MAX: Final = 1_000
"""The parts of one message."""

_FINAL_TEXT: Final = b"\x81"
_MASKED: Final = 0x80
_MASK_SIZE: Final = 4
_SHORT_MAX: Final = 125
_MIDDLE_MAX: Final = 0xFFFF


class SocketProtocol(WebSocketsSansIOProtocol):
    """Offer the ASGI extension `TEXTS`, and read a few short texts ahead.

    A connection with extensions of its own, such as compression, does not offer it. A client that
    reads nothing is cut some time after its connection should have closed.
    """

    _cut_timer: asyncio.TimerHandle | None = None
    _take: Take | None = None
    _floods = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to count the frames of a connection."""
        self._allowance = Allowance()
        super().connection_made(transport)
        self.client = self.client or client_at(transport)

    async def run_asgi(self) -> None:
        """Run the application, then close."""
        await super().run_asgi()
        self._cut_later()
        if self._floods:
            self.transport.close()

    def keepalive_timeout(self) -> None:
        """Close because the client does not respond."""
        if not self._is_over:
            log.info("socket_dropped", reason="no_pong", code=1011, path=self.scope["path"])
        super().keepalive_timeout()
        self._cut_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that the connection is gone."""
        super().connection_lost(exc)
        if self._cut_timer is not None:
            self._cut_timer.cancel()
        self._let_go()

    def _let_go(self) -> None:
        """Break the cycles of this connection: garbage that is old is hardly ever collected, and
        this would be some 20 KB a connection."""
        self._take = None
        self.conn.parser.close()
        if hasattr(self, "scope"):
            self.scope["extensions"] = {}

    def _cut_later(self) -> None:
        """Cut the connection after `close_timeout`: a transport that closes first waits until the
        client has read everything."""
        if self._cut_timer is None and not self.disconnected:
            self._cut_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def handle_connect(self, event: Any) -> None:  # a handshake of `websockets`
        """Start the application, as uvicorn does."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            more: dict[str, Any] = {ALLOWANCE: self._allowance}
            if not self.conn.extensions:
                more[TEXTS] = {"write": self.write_texts, "offer": self.offer_texts}
            self.scope["extensions"] = {**(self.scope["extensions"] or {}), **more}

    def data_received(self, data: bytes) -> None:
        """Receive bytes. A text that came alone, and may be read ahead, needs no parser. It is also
        taken between the parts of another message, where a client may not send it."""
        if self._floods:
            return
        is_ready = self._take is not None and not self.conn.reader.buffer and not self._is_over
        text = _lone_text(data) if is_ready and self.queue.qsize() < AHEAD_MAX else None
        if text is None:
            super().data_received(data)
        else:
            self._receive(text)

    def handle_text(self, event: "Frame") -> None:
        """Receive a text. uvicorn reads no more before the application has taken it."""
        ahead = self.queue.qsize() < AHEAD_MAX and len(event.data) <= AHEAD_BYTES_MAX
        if not ahead or not event.fin or self.close_sent:
            super().handle_text(event)
            return
        try:
            text = bytes(event.data).decode()
        except UnicodeDecodeError:
            super().handle_text(event)
        else:
            self._receive(text)

    def handle_cont(self, event: "Frame") -> None:
        """Receive a part of a message."""
        if self._allowance.take() and len(self.frames) < FRAGMENTS_MAX:
            super().handle_cont(event)
        else:
            self._flood()

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._allowance.take():
            super().handle_ping()
        else:
            self._flood()

    def handle_pong(self, event: "Frame") -> None:
        """Receive a pong. Those that answer a ping of the server are free."""
        is_awaited = self.pending_ping_payload == bytes(event.data)
        if is_awaited or self._allowance.take():
            super().handle_pong(event)
        else:
            self._flood()

    def _flood(self) -> None:
        """Read no more, and have the application close: its next text is above the limit."""
        if not self._floods:
            self._floods, self.frames = True, []
            self._allowance.exhaust()
            self.queue.put_nowait({"type": "websocket.receive", "text": ""})

    def _receive(self, text: str) -> None:
        """Have the application take a text, or make it a message."""
        if self._take is None or not self.queue.empty() or not self._take(text):
            self.queue.put_nowait({"type": "websocket.receive", "text": text})

    def offer_texts(self, take: Take) -> None:
        """Offer each text that may be read ahead to this function, while no other waits."""
        self._take = take

    async def send(self, message: Any) -> None:  # any ASGI message
        """Send a message of ASGI or of the extension."""
        if message["type"] != TEXTS:
            await super().send(message)
            return
        # Others, such as pongs, may fill the buffer again before the turn of this task.
        while not self.write_texts(message["texts"]):
            if self._is_over:
                raise ClientDisconnected
            await self.writable.wait()

    def write_texts(self, texts: Sequence[bytes]) -> bool:
        """Write texts now. Return False if the client has gone or takes no more for now."""
        if not self.writable.is_set() or self._is_over:
            return False
        self.transport.write(_framed(texts))
        return True

    @property
    def _is_over(self) -> bool:
        """Whether nothing can be written any more."""
        return self.disconnected or self.close_sent or self.transport.is_closing()


def _lone_text(data: bytes) -> str | None:
    """Return the text of a frame from a client if the data is exactly that, and not too long to be
    read ahead."""
    head = _HEADS.get(len(data))
    if head is None or not data.startswith(head):
        return None
    text_at = len(head) + _MASK_SIZE
    try:
        return apply_mask(data[text_at:], data[len(head) : text_at]).decode()
    except UnicodeDecodeError:
        return None


def _client_head(size: int) -> bytes:
    """Return the first bytes of a text of a client, before its mask."""
    length = bytearray(_length(size))
    length[0] |= _MASKED
    return _FINAL_TEXT + length


def _framed(texts: Sequence[bytes]) -> bytes:
    """Return the frames of texts from a server."""
    parts: list[bytes] = []
    for text in texts:
        parts += _FINAL_TEXT, _length(len(text)), text
    return b"".join(parts)


def _length(size: int) -> bytes:
    if size <= _SHORT_MAX:
        return size.to_bytes(1, "big")
    return (
        b"\x7e" + size.to_bytes(2, "big")
        if size <= _MIDDLE_MAX
        else b"\x7f" + size.to_bytes(8, "big")
    )


_HEADS: Final = {
    len(head) + _MASK_SIZE + size: head
    for size in range(AHEAD_BYTES_MAX + 1)
    for head in [_client_head(size)]
}
"""The first bytes of each text that may be read ahead, by the size of its frame."""
