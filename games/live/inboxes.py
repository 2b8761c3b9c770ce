"""Delivery of notices to the sockets of their users.

Everything is read from committed rows. Hints make it fast; a check every two seconds makes up for
lost hints.
"""

import asyncio
import random
from typing import Final, Protocol
from uuid import UUID

import structlog

from games.live.room_followers import in_thread
from kit import background
from kit.event_loop import one_per_loop
from kit.pubsub import Hints, woken
from notices import inbox

log = structlog.get_logger(__name__)

LOOK_EVERY_S: Final = 2.0
GATHER_S: Final = 0.01
HEARTBEAT_EVERY_S: Final = 15.0
NOTICES_PER_FRAME: Final = 100


class InboxFollower(Protocol):
    """A follower of the notices of one user, which knows them up to `number`."""

    user: UUID
    number: int

    def receive(self, page: inbox.Page) -> None:
        """Receive the notices after `number`, which moves."""

    def heartbeat(self) -> None:
        """Receive a heartbeat."""

    def disconnect(self) -> None:
        """End the connection after a failed delivery, so that the client reconnects."""


class Inboxes:
    """The inboxes that this process follows."""

    def __init__(self) -> None:
        self._followers: dict[UUID, set[InboxFollower]] = {}
        self._last: dict[UUID, int] = {}
        """The newest numbers that hints named."""
        self._wake = asyncio.Event()
        self._hints = Hints(inbox.HINTS, self._receive_hint)
        self._is_watching = False
        self._next_round = self._next_beat = 0.0

    def follow(self, follower: InboxFollower) -> None:
        """Deliver what comes after the follower's number."""
        self._followers.setdefault(follower.user, set()).add(follower)
        if not self._is_watching:
            self._is_watching = True
            self._hints.listen()
            background.forever("inboxes", self._look)
        self._next_round = 0.0  # what came between its last read and now
        self._wake.set()

    def leave(self, follower: InboxFollower) -> None:
        """Deliver nothing more."""
        followers = self._followers.get(follower.user, set())
        followers.discard(follower)
        if not followers:
            self._followers.pop(follower.user, None)

    def _receive_hint(self, user: UUID, number: int) -> None:
        if user in self._followers:
            self._last[user] = max(number, self._last.get(user, 0))
            self._wake.set()

    async def _look(self) -> None:
        await woken(self._wake, self._next_round, GATHER_S)
        now = asyncio.get_running_loop().time()
        last, self._last = self._last, {}
        if now >= self._next_round:
            self._next_round = now + LOOK_EVERY_S * (0.75 + random.random() / 2)  # noqa: S311  (jitter, not luck)
            last = await in_thread(inbox.last_of, list(self._followers))
        for user, number in last.items():
            for follower in list(self._followers.get(user, ())):
                await self._bring(follower, number)
        if now >= self._next_beat:
            self._next_beat = now + HEARTBEAT_EVERY_S
            for followers in self._followers.values():
                for follower in followers:
                    follower.heartbeat()

    async def _bring(self, follower: InboxFollower, last: int) -> None:
        """Deliver notices up to a number at least."""
        try:
            while follower.number < last and follower in self._followers.get(follower.user, ()):
                page = await in_thread(
                    inbox.read_after, follower.user, follower.number, NOTICES_PER_FRAME
                )
                follower.receive(page)
                if not page.notices:
                    return
        except Exception:
            log.exception("follower_lost")
            follower.disconnect()


inboxes = one_per_loop(Inboxes)
"""The inboxes of the running loop."""
