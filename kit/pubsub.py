"""Hints between processes over the channel layer.

A lost, repeated or reordered hint is harmless: receivers also check the store periodically.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import structlog
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from kit import background

log = structlog.get_logger(__name__)

PUBLISH_TIMEOUT_S: Final = 0.5


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
