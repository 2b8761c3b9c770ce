"""Texts for a WebSocket, several at once where the server can write them together."""

import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final

FRAMES_PER_S: Final = 500
FRAMES_AT_ONCE: Final = 2 * FRAMES_PER_S
ALLOWANCE: Final = "railbird.websocket.allowance"
"""The ASGI extension of a server that counts frames which are no texts. It holds the Allowance."""

TEXTS: Final = "railbird.websocket.texts"
"""The ASGI extension of a server that writes many encoded texts at once. Its `write` in the scope
writes them now, or returns False; a message of this type waits until the client takes them. Its
`offer` has each text offered to a function as soon as it arrives, before it becomes a message."""

Write = Callable[[Sequence[bytes]], bool]
Take = Callable[[str], bool]
"""Take a text, or return False if it is to become a message."""


class Allowance:
    """The rate limit of frames of any kind: a burst, and so many a second. A long frame counts once
    more for every KiB. Once exceeded, it stays so."""

    def __init__(self) -> None:
        self._left = float(FRAMES_AT_ONCE)
        self._looked_at = time.monotonic()

    def take(self, size: int = 0) -> bool:
        """Count a frame. Return False above the limit."""
        if self._left < 0:
            return False
        now = time.monotonic()
        more = (now - self._looked_at) * FRAMES_PER_S
        self._left = min(FRAMES_AT_ONCE, self._left + more) - 1 - size // 1024
        self._looked_at = now
        return self._left >= 0

    def exhaust(self) -> None:
        """Allow no more frames."""
        self._left = -1.0


def allowance_of(scope: MutableMapping[str, Any]) -> Allowance:
    """Return the rate limit of a connection, which the server shares if it counts too."""
    found: Allowance = scope.get("extensions", {}).get(ALLOWANCE) or Allowance()
    return found


def writer_of(scope: MutableMapping[str, Any]) -> Write:
    """Return a function that writes texts at once, or returns False if they must be sent."""
    found: Write = scope.get("extensions", {}).get(TEXTS, {}).get("write", _write_nothing)
    return found


def _write_nothing(_texts: Sequence[bytes]) -> bool:
    return False


def offer_texts(scope: MutableMapping[str, Any], take: Take) -> None:
    """Have the texts that arrive offered to this function, if the server does that.

    A text that arrives while others wait as messages is not offered, so that their order stays.
    """
    offer: Callable[[Take], None] | None = scope.get("extensions", {}).get(TEXTS, {}).get("offer")
    if offer is not None:
        offer(take)


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
