"""Delivery of lobby changes to followers: of one lobby, or of all visible ones.

Everything is read from committed rows. Hints make it fast; a check every two seconds makes up for
lost hints.
"""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol
from uuid import UUID

import structlog
from channels.db import database_sync_to_async

from games.reads.changes import Changes, RoomNews, changes_since, news_of_rooms
from games.reads.players import People, people_in
from games.store.commits import VERSION_MAX
from kit import background, event_loop
from kit.event_loop import one_per_loop
from kit.problems import Problem
from kit.pubsub import Hints, woken

log = structlog.get_logger(__name__)

HINTS: Final = "room-hints"
LOOK_EVERY_S: Final = 2.0
GATHER_S: Final = 0.01
HEARTBEAT_EVERY_S: Final = 15.0
SPECTATORS_EVERY_S: Final = 5.0
"""Between two numbers of spectators, so that a crowd that comes is no flood of frames."""
READ_WITHIN_S: Final = 5.0


class Disconnected(Protocol):
    """A follower over a connection."""

    def disconnect(self) -> None:
        """End the connection after a failed delivery, so that the client reconnects."""


class RoomFollower(Disconnected, Protocol):
    """A follower of one lobby, which knows it up to `version`."""

    version: int

    def receive(self, news: RoomNews) -> None:
        """Receive events. `news` may begin with known ones."""

    def receive_presence(self, people: People) -> None:
        """Receive the presence of the players, first and after each change."""

    def heartbeat(self) -> None:
        """Receive a heartbeat."""


class LobbyListFollower(Disconnected, Protocol):
    """A follower of all visible lobbies."""

    def receive(self, changes: Changes) -> None:
        """Receive changed lobbies, some of which may be known."""

    def heartbeat(self, cursor: int) -> None:
        """Receive a heartbeat."""


class Room:
    """The followers of one lobby in this process, and the version that they know."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.followers: dict[RoomFollower, People | None] = {}
        """Each follower with the presence that it received last."""
        self.people: People | None = None
        self.counted_at = 0.0

    def spectators(self, now: float) -> int | None:
        """Return the number of spectators; None if it may be counted again."""
        if self.people is None or now >= self.counted_at + SPECTATORS_EVERY_S:
            return None
        return self.people.spectators

    def seen(self, people: People, now: float) -> None:
        """Keep who was seen, and when the number of spectators changed."""
        if self.people is not None and self.people.spectators != people.spectators:
            self.counted_at = now
        self.people = people


class RoomFollowers:
    """The lobbies that this process follows."""

    def __init__(self) -> None:
        self._rooms: dict[UUID, Room] = {}
        self._feed: set[LobbyListFollower] = set()
        self._cursor = 0
        self._sent: dict[UUID, int] = {}
        self._changed: set[UUID] = set()
        self._wake = asyncio.Event()
        self._hints = Hints(HINTS, self._receive_hint)
        self._watching = False
        self._next_round = self._next_beat = 0.0

    # Changes arrive

    def announce(self, lobby: UUID, version: int) -> None:
        """Note that this process changed a lobby."""
        self._receive_hint(lobby, version)
        self._hints.publish(lobby, version)

    def refresh(self, lobby: UUID) -> None:
        """Note a change outside the lobby's events: presence, or bots that play for users."""
        self.announce(lobby, VERSION_MAX)

    def _receive_hint(self, lobby: UUID, version: int) -> None:
        if lobby in self._rooms and self._rooms[lobby].version < version:
            self._changed.add(lobby)
            self._wake.set()
        if self._feed:
            self._wake.set()

    # Followers

    def follow(self, lobby: UUID, follower: RoomFollower) -> bool:
        """Add a follower of a lobby.

        Returns False if the lobby changed and the follower must catch up first.
        """
        room = self._rooms.setdefault(lobby, Room(follower.version))
        if room.version > follower.version:
            return False
        room.followers[follower] = None
        self._changed.add(lobby)
        self._watch()
        return True

    def leave(self, lobby: UUID, follower: RoomFollower) -> bool:
        """Remove a follower of a lobby; False if there was none."""
        room = self._rooms.get(lobby)
        if room is None or follower not in room.followers:
            return False
        del room.followers[follower]
        if not room.followers:
            del self._rooms[lobby]
        return True

    def follow_all(self, follower: LobbyListFollower, cursor: int) -> bool:
        """Add a follower of all changes from `cursor` on; False if this process is beyond it."""
        if not self._feed:
            self._cursor = cursor
        if self._cursor > cursor:
            return False
        self._feed.add(follower)
        self._watch()
        return True

    def leave_all(self, follower: LobbyListFollower) -> None:
        """Remove a follower of all lobbies."""
        self._feed.discard(follower)

    # Reading and delivering

    def _watch(self) -> None:
        self._wake.set()
        if not self._watching:
            self._watching = True
            self._next_beat = asyncio.get_running_loop().time() + HEARTBEAT_EVERY_S
            self._hints.listen()
            background.forever("rooms", self._look)

    async def _look(self) -> None:
        # Lobbies without hints are checked however many hints there are for others.
        await woken(self._wake, self._next_round, GATHER_S)
        now = asyncio.get_running_loop().time()
        if now >= self._next_beat:
            self._next_beat = now + HEARTBEAT_EVERY_S
            self._beat()
        changed, self._changed = self._changed, set()
        if now >= self._next_round:
            self._next_round = now + LOOK_EVERY_S * (0.75 + random.random() / 2)  # noqa: S311  (jitter, not luck)
            changed = set(self._rooms)
        await self._read_rooms(changed)
        if self._feed:
            await self._read_feed()

    async def _read_rooms(self, lobbies: Iterable[UUID]) -> None:
        versions = {lobby: self._rooms[lobby].version for lobby in lobbies if lobby in self._rooms}
        if not versions:
            return
        for news in await in_thread(news_of_rooms, versions):
            room = self._rooms.get(news.lobby.id)
            if room is None:
                continue
            if news.lobby.version < versions[news.lobby.id]:  # the database went back
                del self._rooms[news.lobby.id]
                for follower in list(room.followers):
                    follower.disconnect()
                continue
            room.version = max(room.version, news.lobby.version)
            for follower in list(room.followers):
                with disconnecting(follower):
                    follower.receive(news)
        now = asyncio.get_running_loop().time()
        rooms = [(lobby, self._rooms[lobby]) for lobby in versions if lobby in self._rooms]
        counts = {lobby: room.spectators(now) for lobby, room in rooms}
        people = await in_thread(people_in, counts)
        for lobby, present in people.items():
            self._show(lobby, present)

    def _show(self, lobby: UUID, people: People) -> None:
        room = self._rooms.get(lobby)
        if room is not None:
            room.seen(people, asyncio.get_running_loop().time())
            for follower, sent in room.followers.items():
                if sent != people:
                    room.followers[follower] = people
                    with disconnecting(follower):
                        follower.receive_presence(people)

    async def _read_feed(self) -> None:
        changes = await in_thread(changes_since, self._cursor)
        if changes.cursor < self._cursor:  # the database went back
            feed, self._feed = self._feed, set()
            for follower in feed:
                follower.disconnect()
            return
        fresh = [lobby for lobby in changes.lobbies if self._sent.get(lobby.id) != lobby.version]
        # Changes that can be read again because their transaction ended late; all others are before
        # the cursor.
        self._sent = {
            lobby.id: lobby.version
            for lobby in changes.lobbies
            if lobby.changed_in >= changes.cursor
        }
        self._cursor = changes.cursor
        if fresh:
            changes = changes._replace(lobbies=fresh)
            for follower in list(self._feed):
                with disconnecting(follower):
                    follower.receive(changes)

    def _beat(self) -> None:
        for room in self._rooms.values():
            for follower in room.followers:
                follower.heartbeat()
        for everything in self._feed:
            everything.heartbeat(self._cursor)


@contextmanager
def disconnecting(follower: Disconnected) -> Iterator[None]:
    """End the follower's connection if its delivery fails here, and continue with others."""
    try:
        yield
    except Exception:
        log.exception("follower_lost")
        follower.disconnect()


room_followers = one_per_loop(RoomFollowers)
"""The followers of the running loop."""


def announce(lobby: UUID, version: int) -> None:
    """Note that a committed change of a lobby exists; works from any thread."""
    event_loop.store_loop().call_soon_threadsafe(lambda: room_followers().announce(lobby, version))


async def in_thread(read: Callable[..., Any], *arguments: object) -> Any:
    """Run a database read in a thread of its own, and return its result.

    Raises Problem `unavailable` if it takes longer than `READ_WITHIN_S`, also to get a thread.
    """
    try:
        async with asyncio.timeout(READ_WITHIN_S):
            return await database_sync_to_async(read, thread_sensitive=False)(*arguments)
    except TimeoutError as error:
        raise Problem("unavailable") from error
