"""A line between the processes of this server that carries hints only: "this stands at that
version".

Losing, doubling or reordering them is harmless: who hears them reads the store, and looks there now
and then anyway."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from kit import background, pubsub

TELL_AFTER_S: Final = 0.005


class HintLine:
    """One kind of hints. `hear` is called for what other processes, and this one, tell, once
    `listen` was called."""

    def __init__(self, group: str, hear: Callable[[UUID, int], None]) -> None:
        self._group = group
        self._hear = hear
        self._hints: dict[UUID, int] = {}
        self._telling = False
        self._listening = False

    def tell(self, what: UUID, version: int) -> None:
        """Tell the other processes, soon; only the newest version is told."""
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
        """Take hints for as long as the process lives."""
        if not self._listening:
            self._listening = True
            pubsub.listen(self._group, self._take)

    async def _take(self, hint: Mapping[str, Any]) -> None:
        for what, version in hint["heads"].items():
            self._hear(UUID(what), version)


async def woken(wake: asyncio.Event, until: float, gather_s: float) -> None:
    """Wait to be woken, but not beyond `until` by the loop's clock; and then a moment more for
    others to join in."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await wake.wait()
        await asyncio.sleep(gather_s)
    wake.clear()
