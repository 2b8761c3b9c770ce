"""The WebSocket protocol of a web process: uvicorn's, which writes waiting texts at once.

`connections`, `transport`, `conn`, `scope`, `writable`, `disconnected`, `close_sent` and
`close_timeout` are attributes of uvicorn's protocol that its documentation does not name.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from games.api.sockets.texts import TEXTS


class SocketProtocol(WebSocketsSansIOProtocol):
    """Offer the ASGI extension `TEXTS`.

    A client that reads nothing is cut some time after its connection should have closed.
    """

    _cut_timer: asyncio.TimerHandle | None = None

    async def run_asgi(self) -> None:
        """Run the application, then close."""
        await super().run_asgi()
        self._cut_later()

    def keepalive_timeout(self) -> None:
        """Close because the client does not respond."""
        super().keepalive_timeout()
        self._cut_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that the connection is gone."""
        super().connection_lost(exc)
        if self._cut_timer is not None:
            self._cut_timer.cancel()

    def _cut_later(self) -> None:
        """Cut the connection after `close_timeout`: a transport that closes first waits until the
        client has read everything."""
        if self._cut_timer is None and not self.disconnected:
            self._cut_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def handle_connect(self, event: Any) -> None:  # a handshake of `websockets`
        """Start the application, as uvicorn does."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            texts: dict[object, object] = {"write": self.write_texts}
            self.scope["extensions"] = {**(self.scope["extensions"] or {}), TEXTS: texts}

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
        for text in texts:
            self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    @property
    def _is_over(self) -> bool:
        """Whether nothing can be written any more."""
        return self.disconnected or self.close_sent or self.transport.is_closing()
