"""A line between the processes of this server that carries hints only: "this stands at that version".

Losing, doubling or reordering them is harmless: who hears them reads the store, and looks there now and then anyway.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any, Final
from uuid import UUID

import structlog
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

TELL_AFTER_S: Final = 0.005
TELL_TIMEOUT_S: Final = 0.5
AGAIN_AFTER_S: Final = 2.0


class HintLine:
    """One kind of hints. `hear` is called for what other processes, and this one, tell, once `listen` was called."""

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
            asyncio.get_running_loop().call_later(TELL_AFTER_S, lambda: spawn(self._publish()))

    async def _publish(self) -> None:
        """Nobody there, or no line: the others look for themselves."""
        heads, self._hints = self._hints, {}
        message = {"type": "hint", "heads": {what.hex: version for what, version in heads.items()}}
        layer = get_channel_layer()
        try:
            if layer is not None:
                async with asyncio.timeout(TELL_TIMEOUT_S):
                    await layer.group_send(self._group, message)
        except (OSError, TimeoutError, RedisError) as error:
            log.warning("hint_not_sent", group=self._group, hints=len(heads), error=type(error).__name__)
        finally:
            if self._hints:
                asyncio.get_running_loop().call_later(TELL_AFTER_S, lambda: spawn(self._publish()))
            else:
                self._telling = False

    def listen(self) -> None:
        """Take hints for as long as the process lives."""
        if not self._listening:
            self._listening = True
            spawn(self._listen())

    async def _listen(self) -> None:
        layer = get_channel_layer()
        while layer is not None:
            try:
                channel = await layer.new_channel()
                await layer.group_add(self._group, channel)
                while True:
                    message = await layer.receive(channel)
                    for what, version in message["heads"].items():
                        self._hear(UUID(what), version)
            except (OSError, RedisError) as error:
                log.warning("hints_interrupted", group=self._group, error=type(error).__name__)
                await asyncio.sleep(AGAIN_AFTER_S * (0.5 + random.random()))  # noqa: S311  (jitter, not luck)


_tasks: set[asyncio.Task[None]] = set()


def spawn(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run this beside what runs now; nobody waits for it."""
    task = asyncio.get_running_loop().create_task(coroutine)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
