"""Texts for a WebSocket, several at once where the server can write them together."""

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final

TEXTS: Final = "railbird.websocket.texts"
"""The ASGI extension of a server that takes many encoded texts in one message of this type."""


async def send_texts(
    scope: MutableMapping[str, Any],
    send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    texts: Sequence[bytes],
) -> None:
    """Send texts in order, each as a message of its own for the client."""
    if TEXTS in scope.get("extensions", ()):
        await send({"type": TEXTS, "texts": texts})
    else:
        for text in texts:
            await send({"type": "websocket.send", "text": text.decode()})
