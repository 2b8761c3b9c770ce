"""From what is written about lobbies to those who follow it: one room, or all lobbies that a person
may see.

Everything is read from committed rows. Hints make it quick; a look every two seconds makes up for
those that are lost."""

import asyncio
import random
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol
from uuid import UUID

import structlog
from channels.db import database_sync_to_async
from django.db import DatabaseError

from games.reads import selectors
from games.reads.selectors import Changes, Present, RoomNews
from games.store.commits import VERSION_MAX
from kit import event_loop
from kit.event_loop import one_per_loop
from kit.notifier import HintLine, spawn, woken

log = structlog.get_logger(__name__)

HINTS: Final = "room-hints"
LOOK_EVERY_S: Final = 2.0
GATHER_S: Final = 0.01
HEARTBEAT_EVERY_S: Final = 15.0


class RoomFollower(Protocol):
    """One who follows a room; what it knows goes up to `version`."""

    version: int

    def hear(self, news: RoomNews) -> None:
        """Something happened. `news` may begin with what is known already."""

    def see(self, people: tuple[Present, ...]) -> None:
        """Who is here, when that has changed or is told for the first time."""

    def beat(self) -> None:
        """Nothing happened for a while."""


class FeedFollower(Protocol):
    """One who follows all lobbies."""

    def hear(self, changes: Changes) -> None:
        """Some lobbies have changed, perhaps only since before the last look."""

    def beat(self, cursor: int) -> None:
        """Nothing happened for a while."""


class Room:
    """The followers of one lobby at this process, and how far they know it."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.followers: dict[RoomFollower, tuple[Present, ...] | None] = {}
        """Each with the people whom it was told of."""


class Rooms:
    """What this process follows."""

    def __init__(self) -> None:
        self._rooms: dict[UUID, Room] = {}
        self._feed: set[FeedFollower] = set()
        self._cursor = 0
        self._told: dict[UUID, int] = {}
        self._stirred: set[UUID] = set()
        self._wake = asyncio.Event()
        self._line = HintLine(HINTS, self._heard)
        self._watching = False

    # Hints come in

    def tell(self, lobby: UUID, version: int) -> None:
        """This process changed a lobby."""
        self._heard(lobby, version)
        self._line.tell(lobby, version)

    def stir(self, lobby: UUID) -> None:
        """Something beside the log of a room has changed: who is here, and who plays for whom."""
        self.tell(lobby, VERSION_MAX)

    def _heard(self, lobby: UUID, version: int) -> None:
        if lobby in self._rooms and self._rooms[lobby].version < version:
            self._stirred.add(lobby)
            self._wake.set()
        if self._feed:
            self._wake.set()

    # Followers come and go

    def follow(self, lobby: UUID, follower: RoomFollower) -> bool:
        """Take a place at a room; False when the room went on meanwhile, and the follower has to
        catch up first."""
        room = self._rooms.setdefault(lobby, Room(follower.version))
        if room.version > follower.version:
            return False
        room.followers[follower] = None
        self._stirred.add(lobby)
        self._watch()
        return True

    def leave(self, lobby: UUID, follower: RoomFollower) -> bool:
        """Give the place back; False when there was none."""
        room = self._rooms.get(lobby)
        if room is None or follower not in room.followers:
            return False
        del room.followers[follower]
        if not room.followers:
            del self._rooms[lobby]
        return True

    def follow_all(self, follower: FeedFollower, cursor: int) -> bool:
        """Hear of all that changes from `cursor` on; False when this process has looked beyond it
        meanwhile."""
        if not self._feed:
            self._cursor = cursor
        if self._cursor > cursor:
            return False
        self._feed.add(follower)
        self._watch()
        return True

    def leave_all(self, follower: FeedFollower) -> None:
        """Give the place back."""
        self._feed.discard(follower)

    # Looking

    def _watch(self) -> None:
        self._wake.set()
        if not self._watching:
            self._watching = True
            self._line.listen()
            spawn(self._look())

    async def _look(self) -> None:
        clock = asyncio.get_running_loop().time
        next_round, next_beat = clock(), clock() + HEARTBEAT_EVERY_S
        while True:
            # Rooms that nobody hints at are looked at however many hints there are of others.
            await woken(self._wake, next_round, GATHER_S)
            stirred, self._stirred = self._stirred, set()
            if clock() >= next_round:
                next_round = clock() + LOOK_EVERY_S * (0.75 + random.random() / 2)  # noqa: S311  (jitter, not luck)
                stirred = set(self._rooms)
            try:
                await self._read_rooms(stirred)
                if self._feed:
                    await self._read_feed()
            except DatabaseError as error:
                log.warning("rooms_not_read", error=str(error))
            if clock() >= next_beat:
                next_beat += HEARTBEAT_EVERY_S
                self._beat()

    async def _read_rooms(self, lobbies: Iterable[UUID]) -> None:
        known = {lobby: self._rooms[lobby].version for lobby in lobbies if lobby in self._rooms}
        if not known:
            return
        for news in await in_thread(selectors.news_of_rooms, known):
            room = self._rooms.get(news.lobby.id)
            if room is not None:
                room.version = max(room.version, news.lobby.version)
                for follower in list(room.followers):
                    follower.hear(news)
        people = await in_thread(selectors.people_in, list(known))
        for lobby, present in people.items():
            self._show(lobby, present)

    def _show(self, lobby: UUID, people: tuple[Present, ...]) -> None:
        room = self._rooms.get(lobby)
        if room is not None:
            for follower, told in room.followers.items():
                if told != people:
                    room.followers[follower] = people
                    follower.see(people)

    async def _read_feed(self) -> None:
        changes = await in_thread(selectors.changes_since, self._cursor)
        fresh = [lobby for lobby in changes.lobbies if self._told.get(lobby.id) != lobby.version]
        # What may be read again because its transaction ended late: everything else lies before the
        # cursor.
        self._told = {
            lobby.id: lobby.version
            for lobby in changes.lobbies
            if lobby.changed_in >= changes.cursor
        }
        self._cursor = changes.cursor
        if fresh:
            changes = changes._replace(lobbies=fresh)
            for follower in list(self._feed):
                follower.hear(changes)

    def _beat(self) -> None:
        for room in self._rooms.values():
            for follower in room.followers:
                follower.beat()
        for everything in self._feed:
            everything.beat(self._cursor)


rooms = one_per_loop(Rooms)
"""What the running loop follows."""


def tell(lobby: UUID, version: int) -> None:
    """A lobby was changed, and the change is committed; from any thread."""
    event_loop.store_loop().call_soon_threadsafe(lambda: rooms().tell(lobby, version))


async def in_thread(read: Callable[..., Any], *arguments: object) -> Any:
    """What the database answers, asked in a thread of its own."""
    return await database_sync_to_async(read, thread_sensitive=False)(*arguments)
