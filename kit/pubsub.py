"""Hints between processes, over the channel layer. Losing, doubling or reordering one is harmless:
who hears one looks for themselves, and looks now and then even when nobody hints."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import structlog
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

TELL_TIMEOUT_S: Final = 0.5
LISTEN_AGAIN_AFTER_S: Final = 2.0


async def tell(group: str, hint: Mapping[str, Any]) -> None:
    """Tell every process that listens. Nobody there, or no line: they will look for themselves."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        async with asyncio.timeout(TELL_TIMEOUT_S):
            await layer.group_send(group, {"type": "hint", **hint})
    except (OSError, TimeoutError, RedisError) as error:
        log.warning("hint_not_sent", group=group, error=type(error).__name__)


async def listen(group: str, take: Callable[[Mapping[str, Any]], Awaitable[None]]) -> None:
    """Hand on every hint, for as long as the process lives."""
    layer = get_channel_layer()
    assert layer is not None
    while True:
        try:
            channel = await layer.new_channel()
            await layer.group_add(group, channel)
            while True:
                await take(await layer.receive(channel))
        except (OSError, RedisError) as error:
            log.warning("hints_interrupted", group=group, error=type(error).__name__)
            await asyncio.sleep(LISTEN_AGAIN_AFTER_S * (0.5 + random.random()))  # noqa: S311  (jitter, not luck)
