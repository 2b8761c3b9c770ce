"""Places for commands over REST and GraphQL: how many a process carries out at the same time.

A command without a place waits for at most a second and is then refused, so overload makes no queue
that grows. A queue that stands for longer than that is no burst: who comes then waits for a quarter
of it, because a longer wait would gain nobody a place. Whatever waits was not decided yet. Commands
of sockets need no place: each connection has a limit of its own.
"""

import asyncio
import random
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Final

import structlog

from kit.event_loop import one_per_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

PLACES: Final = range(2, 9)
"""The least and most places: fewer while commands are slow."""
PLACES_OF_USER_MAX: Final = 4
SLOW_S: Final = 0.25
"""A command that holds its place for longer was slowed by others."""
WAIT_S: Final = 1.0
STANDING_WAIT_S: Final = WAIT_S / 4
RETRY_AFTER_MAX_S: Final = 4

waits_until: ContextVar[float | None] = ContextVar("waits_until", default=None)
"""Until when the command of this request may wait, by the clock of the loop."""


def no_place() -> Problem:
    """Return the refusal of a command without a place.

    Its `retry_after` varies, so that not all clients come back at the same moment.
    """
    log.warning("overloaded")
    return Problem("busy", retry_after=random.randint(1, RETRY_AFTER_MAX_S))  # noqa: S311  (jitter, not luck)


class Places:
    """Some `places`, and up to `most_each` for one owner. Owners who wait take turns.

    Each command that holds its place for long takes a place away, down to the least, and each that
    does not gives one back: a slow process is slower still when it does more at the same time.
    """

    def __init__(self, *, most_each: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._places = self._free = PLACES[-1]
        self._most_each = most_each
        self._held: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()
        self._sufficed_at = self._loop.time()

    def wait_s(self) -> float:
        """Return how many seconds a command that comes now may wait."""
        stands = self._loop.time() - self._sufficed_at > WAIT_S
        return STANDING_WAIT_S if stands else WAIT_S

    @asynccontextmanager
    async def one_for(self, owner: Hashable) -> AsyncIterator[bool]:
        """Hold a place during the block. Yields False if there was none until `waits_until`, or for
        `wait_s()`."""
        until = waits_until.get()
        wait_s = self.wait_s() if until is None else until - self._loop.time()
        if not await self._take(owner, wait_s):
            yield False
            return
        began = self._loop.time()
        try:
            yield True
        finally:
            self._adapt(self._loop.time() - began)
            self._give_back(owner)

    def _adapt(self, took_s: float) -> None:
        places = self._places + (-1 if took_s > SLOW_S else 1)
        if places in PLACES:
            self._free += places - self._places
            self._places = places

    async def _take(self, owner: Hashable, wait_s: float) -> bool:
        place: asyncio.Future[None] = self._loop.create_future()
        self._waiting.setdefault(owner, deque()).append(place)
        self._hand_out()
        try:
            if place.done():
                self._sufficed_at = self._loop.time()
            else:
                await asyncio.wait({place}, timeout=max(0.0, wait_s))
        except asyncio.CancelledError:
            if not place.cancel():
                self._give_back(owner)
            raise
        return not place.cancel()

    def _give_back(self, owner: Hashable) -> None:
        self._free += 1
        self._held[owner] -= 1
        if not self._held[owner]:
            del self._held[owner]
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free > 0:
            owner = next((who for who in self._waiting if self._may_have_more(who)), None)
            if owner is None:
                return
            queue = self._waiting.pop(owner)
            place = queue.popleft()
            if queue:
                self._waiting[owner] = queue  # behind all others
            if not place.cancelled():
                self._free -= 1
                self._held[owner] += 1
                place.set_result(None)

    def _may_have_more(self, owner: Hashable) -> bool:
        return self._held[owner] < self._most_each


places_of_requests = one_per_loop(lambda: Places(most_each=PLACES[-1]))
"""The places of REST requests, whose users are not known yet: their owners are tokens."""

places_of_commands = one_per_loop(lambda: Places(most_each=PLACES_OF_USER_MAX))
"""The places of commands. Their owners are users; a bot user counts as its owner."""
