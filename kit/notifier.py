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

PUBLISH_AFTER_S: Final = 0.015
"""How long hints wait for others. At 200 moves/s one publication then carries four of them, which
saves a web process a tenth of its time; sockets at other processes get a move that much later."""


class Hints:
    """One kind of hints. After `listen`, `receive` is called for hints of all processes."""

    def __init__(self, group: str, receive: Callable[[UUID, int], None]) -> None:
        self._group = group
        self._receive = receive
        self._versions: dict[UUID, int] = {}
        self._publishing = False
        self._listening = False

    def publish(self, id_: UUID, version: int) -> None:
        """Publish the newest version of an id after a short delay, in one batch with others."""
        self._versions[id_] = version
        if not self._publishing:
            self._publishing = True
            background.spawn("hints", self._publish())

    async def _publish(self) -> None:
        # In one task, which ends with its loop: a timer that fires while the loop closes would open
        # a connection that nobody closes.
        try:
            while self._versions:
                await asyncio.sleep(PUBLISH_AFTER_S)
                heads, self._versions = self._versions, {}
                await pubsub.publish(
                    self._group, {"heads": {id_.hex: version for id_, version in heads.items()}}
                )
        finally:
            self._publishing = False

    def listen(self) -> None:
        """Receive hints for as long as the process lives."""
        if not self._listening:
            self._listening = True
            pubsub.listen(self._group, self._receive_all)

    async def _receive_all(self, hint: Mapping[str, Any]) -> None:
        for id_, version in hint["heads"].items():
            self._receive(UUID(id_), version)


async def woken(wake: asyncio.Event, until: float, gather_s: float) -> None:
    """Wait until woken or until `until` by the loop's clock, then gather for `gather_s` more."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await wake.wait()
        await asyncio.sleep(gather_s)
    wake.clear()
