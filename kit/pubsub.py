"""Hints between processes over the channel layer, such as "this id is now at that version".

A lost, repeated or reordered hint is harmless: receivers also check the store periodically.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import structlog
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from kit import background

log = structlog.get_logger(__name__)

PUBLISH_TIMEOUT_S: Final = 0.5
PUBLISH_EVERY_S: Final = 0.02
"""How long hints after a publication wait for others. At 200 moves/s one publication then carries
four of them, which saves a web process a tenth of its time."""


async def publish(group: str, hint: Mapping[str, Any]) -> None:
    """Publish to all listeners. Failures are logged and ignored."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        async with asyncio.timeout(PUBLISH_TIMEOUT_S):
            await layer.group_send(group, {"type": "hint", **hint})
    except (OSError, TimeoutError, RedisError) as error:
        log.warning("hint_not_sent", group=group, error=type(error).__name__)


def listen(group: str, receive: Callable[[Mapping[str, Any]], Awaitable[None]]) -> None:
    """Start to pass every hint of the group to `receive`, for as long as the event loop lives.

    A hint that `receive` fails on is lost; the subscription stays.
    """
    channel: str | None = None
    is_subscribed = False

    async def step() -> None:
        nonlocal channel, is_subscribed
        layer = get_channel_layer()
        assert layer is not None
        if channel is None or not is_subscribed:
            # A step of its own, after each failure too: it may take long until the next hint, and
            # until a step has worked the loop counts as stuck.
            channel = channel or await layer.new_channel()
            await layer.group_add(group, channel)
            is_subscribed = True
            return
        is_subscribed = False
        await receive(await layer.receive(channel))
        is_subscribed = True

    background.forever(f"listening for {group}", step)


class Hints:
    """One kind of hints about versions.

    After `listen`, `receive` is called for hints of all processes.
    """

    def __init__(self, group: str, receive: Callable[[UUID, int], None]) -> None:
        self._group = group
        self._receive = receive
        self._versions: dict[UUID, int] = {}
        self._publishing = False
        self._listening = False

    def publish(self, id_: UUID, version: int) -> None:
        """Publish the newest version of an id, in one batch with others of this turn of the loop
        and, after a publication, of a short while."""
        self._versions[id_] = version
        if not self._publishing:
            self._publishing = True
            background.spawn("hints", self._publish())

    async def _publish(self) -> None:
        # In one task, which ends with its loop: a timer that fires while the loop closes would open
        # a connection that nobody closes.
        try:
            while self._versions:
                heads, self._versions = self._versions, {}
                await publish(
                    self._group, {"heads": {id_.hex: version for id_, version in heads.items()}}
                )
                await asyncio.sleep(PUBLISH_EVERY_S)
        finally:
            self._publishing = False

    def listen(self) -> None:
        """Receive hints for as long as the process lives."""
        if not self._listening:
            self._listening = True
            listen(self._group, self._receive_all)

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
