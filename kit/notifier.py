"""Version hints between the processes of this server: "this id is now at that version".

A lost, repeated or reordered hint is harmless: receivers read the store, and also check it
periodically without hints.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from kit import background, pubsub

TELL_AFTER_S: Final = 0.005


class HintLine:
    """One kind of hints. After `listen`, `hear` is called for hints of all processes."""

    def __init__(self, group: str, hear: Callable[[UUID, int], None]) -> None:
        self._group = group
        self._hear = hear
        self._hints: dict[UUID, int] = {}
        self._telling = False
        self._listening = False

    def tell(self, what: UUID, version: int) -> None:
        """Publish the newest version of an id after a short delay, in one batch with others."""
        self._hints[what] = version
        if not self._telling:
            self._telling = True
            asyncio.get_running_loop().call_later(
                TELL_AFTER_S, lambda: background.spawn("hints", self._publish())
            )

    async def _publish(self) -> None:
        heads, self._hints = self._hints, {}
        try:
            await pubsub.tell(
                self._group, {"heads": {what.hex: version for what, version in heads.items()}}
            )
        finally:
            if self._hints:
                asyncio.get_running_loop().call_later(
                    TELL_AFTER_S, lambda: background.spawn("hints", self._publish())
                )
            else:
                self._telling = False

    def listen(self) -> None:
        """Receive hints for as long as the process lives."""
        if not self._listening:
            self._listening = True
            pubsub.listen(self._group, self._take)

    async def _take(self, hint: Mapping[str, Any]) -> None:
        for what, version in hint["heads"].items():
            self._hear(UUID(what), version)


async def woken(wake: asyncio.Event, until: float, gather_s: float) -> None:
    """Wait until woken or until `until` by the loop's clock, then gather for `gather_s` more."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await wake.wait()
        await asyncio.sleep(gather_s)
    wake.clear()
