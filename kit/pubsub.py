"""Hints between processes by publish and subscribe of Valkey.

A lost, repeated or reordered hint is harmless: receivers also check the store periodically.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from django.conf import settings
from redis.asyncio import Connection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from kit import background
from kit.event_loop import one_per_loop

log = structlog.get_logger(__name__)

PUBLISH_TIMEOUT_S: Final = 0.5
CONNECT_TIMEOUT_S: Final = 2.0
CONNECT_AGAIN_AFTER_S: Final = 1.0

_UNAVAILABLE: Final = (OSError, TimeoutError, RedisError)


async def publish(group: str, hint: bytes) -> None:
    """Publish to all listeners. Failures are logged and ignored."""
    try:
        async with asyncio.timeout(PUBLISH_TIMEOUT_S):
            await _publisher().publish(group, hint)
    except _UNAVAILABLE as error:
        log.warning("hint_not_sent", group=group, error=type(error).__name__)


def listen(group: str, receive: Callable[[bytes], Awaitable[None]]) -> None:
    """Start to pass every hint of the group to `receive`, for as long as the event loop lives.

    A hint that `receive` fails on is lost.
    """
    background.forever(f"listening for {group}", _Listener(group, receive).step)


async def close() -> None:
    """Close the connection on which the running loop publishes."""
    await _publisher().close()


def _connection() -> Connection:
    """Return a connection that is not open yet."""
    pool = ConnectionPool.from_url(
        settings.REDIS_URL,
        protocol=2,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        socket_timeout=None,
        retry=Retry(NoBackoff(), 0),
    )
    connection: Connection = pool.make_connection()  # type: ignore[no-untyped-call]  # of redis
    return connection


def _channel(group: str) -> str:
    return f"gameserver:{group}"


class _Publisher:
    """A connection that publishes and is not answered, which halves the cost of a hint."""

    def __init__(self) -> None:
        self._connection = _connection()
        self._opening = asyncio.Lock()

    async def publish(self, group: str, hint: bytes) -> None:
        """Publish on the connection. Open it first if need be."""
        if not self._connection.is_connected:
            async with self._opening:
                if not self._connection.is_connected:
                    await self._connection.connect()  # type: ignore[no-untyped-call]
                    await self._connection.send_command("CLIENT", "REPLY", "OFF")
        await self._connection.send_command("PUBLISH", _channel(group), hint)

    async def close(self) -> None:
        """Close the connection. The next hint opens it again."""
        await self._connection.disconnect(nowait=True)


_publisher = one_per_loop(_Publisher)


class _Listener:
    """A connection that listens for the hints of one group."""

    def __init__(self, group: str, receive: Callable[[bytes], Awaitable[None]]) -> None:
        self._group = group
        self._receive = receive
        self._connection = _connection()

    async def step(self) -> None:
        """Wait for the next message, and pass it on if it is a hint."""
        try:
            kind, _, hint = await self._next_message()
            if kind == b"message":
                await self._receive(hint)
        except BaseException as error:
            # The next step subscribes again, so that it works without waiting for a hint, and a
            # loop that has failed once does not count as stuck.
            await self._connection.disconnect(nowait=True)
            if not isinstance(error, _UNAVAILABLE):
                raise
            log.warning("hints_not_received", group=self._group, error=type(error).__name__)
            await asyncio.sleep(CONNECT_AGAIN_AFTER_S)

    async def _next_message(self) -> Any:
        if not self._connection.is_connected:
            await self._connection.connect()  # type: ignore[no-untyped-call]
            await self._connection.send_command("SUBSCRIBE", _channel(self._group))
        return await self._connection.read_response(disable_decoding=True, timeout=math.inf)
