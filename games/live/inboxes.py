"""Delivery of notices to the sockets of their users.

Everything is read from committed rows. Hints make it fast; a check every two seconds makes up for
lost hints.
"""

import asyncio
import random
from collections.abc import Collection
from typing import Final, Protocol
from uuid import UUID

from games.live.room_followers import (
    GATHER_S,
    HEARTBEAT_EVERY_S,
    LOOK_EVERY_S,
    Disconnected,
    disconnecting,
    in_thread,
)
from kit import background
from kit.event_loop import one_per_loop
from kit.problems import Problem
from kit.pubsub import Hints, woken
from notices import inbox

NOTICES_PER_FRAME: Final = 100


class InboxFollower(Disconnected, Protocol):
    """A follower of the notices of one user, which knows them up to `number`."""

    user: UUID
    number: int

    def receive(self, page: inbox.Page) -> None:
        """Receive the notices after `number`, which moves."""

    def lose(self, last: int) -> None:
        """End the connection, because the database lost the notices after `last`."""

    def heartbeat(self) -> None:
        """Receive a heartbeat."""


class Inboxes:
    """The inboxes that this process follows."""

    def __init__(self) -> None:
        self._followers: dict[UUID, set[InboxFollower]] = {}
        self._last: dict[UUID, int] = {}
        """The newest numbers that hints named."""
        self._fresh: set[UUID] = set()
        """Users with a new follower: it does not know what came since its last read."""
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
        self._fresh.add(follower.user)
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
        if now >= self._next_beat:
            self._next_beat = now + HEARTBEAT_EVERY_S
            for followers in self._followers.values():
                for follower in followers:
                    follower.heartbeat()
        last, self._last = self._last, {}
        fresh, self._fresh = self._fresh, set()
        if now >= self._next_round:
            self._next_round = now + LOOK_EVERY_S * (0.75 + random.random() / 2)  # noqa: S311  (jitter, not luck)
            fresh = set(self._followers)
        if fresh:
            last |= await self._last_of(fresh)
        for user, number in last.items():
            for follower in list(self._followers.get(user, ())):
                await self._bring(follower, number)

    async def _last_of(self, users: Collection[UUID]) -> dict[UUID, int]:
        """Read the newest numbers of users. Followers that know later ones lose them."""
        known = [
            (follower, follower.number)
            for user in users
            for follower in self._followers.get(user, ())
        ]
        found: dict[UUID, int] = await in_thread(inbox.last_of, list(users))
        for follower, number in known:
            if number > (last := found.get(follower.user, 0)):
                self.leave(follower)
                follower.lose(last)
        return found

    async def _bring(self, follower: InboxFollower, last: int) -> None:
        """Deliver notices up to a number at least."""
        while follower.number < last and follower in self._followers.get(follower.user, ()):
            known = follower.number
            try:
                page = await in_thread(inbox.read_after, follower.user, known, NOTICES_PER_FRAME)
            except Problem as problem:
                if problem.code != "version_ahead":
                    raise
                self._fresh.add(follower.user)  # a hint of what the database lost since
                return
            with disconnecting(follower):
                follower.receive(page)
            if follower.number == known:
                return


inboxes = one_per_loop(Inboxes)
"""The inboxes of the running loop."""
