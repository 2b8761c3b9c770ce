"""Presence: which users have a connection to a lobby or its game in any process, and last seen.

A request over REST or GraphQL counts as presence for ten seconds. Rows are leases: each process
renews the rows of connected users every 15 seconds, so that no row outlives a process that died.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid4

from games.live.room_followers import room_followers
from games.models import Lobby
from games.reads.lobbies import waits_in
from games.reads.players import DisconnectReason
from games.store.commits import store
from kit import background, event_loop
from kit.event_loop import one_per_loop
from kit.pubsub import woken
from kit.round_robin import RoundRobin

REFRESH_S: Final = 15.0
REQUEST_LASTS_S: Final = 10.0
LOOK_EVERY_S: Final = 1.0
GATHER_S: Final = 0.05

WRITE: Final = """
INSERT INTO games_presence (lobby_id, user_id, process, connected, disconnect_reason, seen_at)
SELECT p.lobby, p.person, %(process)s, p.connected, p.why, now()
FROM unnest(%(lobbies)b::uuid[], %(people)b::uuid[], %(connected)s::bool[], %(why)s::text[])
    AS p(lobby, person, connected, why)
ORDER BY 1, 2
ON CONFLICT (lobby_id, user_id, process) DO UPDATE
SET connected = excluded.connected, disconnect_reason = excluded.disconnect_reason,
    seen_at = excluded.seen_at
"""

Place = tuple[UUID, UUID]
"""A lobby and a user."""


class Requests(NamedTuple):
    """A user who sent requests: present until when, and the disconnect reason after that."""

    until: float
    disconnect_reason: DisconnectReason


class Presence:
    """The users who are connected to this process."""

    def __init__(self) -> None:
        self._process = uuid4()
        self._connections: Counter[Place] = Counter()
        self._changed: dict[Place, DisconnectReason] = {}
        """The disconnect reason of those who are gone."""
        self._requests: dict[Place, Requests] = {}
        self._renewals: RoundRobin[Place] = RoundRobin(REFRESH_S)
        self._wake = asyncio.Event()
        self._writing = False

    def connected(self, lobby: UUID, user: UUID) -> None:
        """Record a new connection of a user, and notify others soon."""
        self._connections[lobby, user] += 1
        if self._connections[lobby, user] == 1:
            self._note((lobby, user), "lost")

    def disconnected(self, lobby: UUID, user: UUID, because: DisconnectReason) -> None:
        """Record that a connection of a user ended."""
        place = (lobby, user)
        self._connections[place] -= 1
        if self._connections[place]:
            return
        del self._connections[place]
        if because == "closed":  # its process may end, and see no requests end
            self._requests.pop(place, None)
        elif place in self._requests:
            self._requests[place] = self._requests[place]._replace(disconnect_reason=because)
            because = "silent"
        self._note(place, because)

    def record_request(self, lobby: UUID, user: UUID) -> None:
        """Record a request of a user, with or without a connection."""
        was_here = self._is_here((lobby, user))
        self._requests[lobby, user] = Requests(
            asyncio.get_running_loop().time() + REQUEST_LASTS_S, "silent"
        )
        if not was_here:
            self._note((lobby, user), "silent")

    def _is_here(self, place: Place) -> bool:
        return place in self._connections or place in self._requests

    def _note(self, place: Place, because: DisconnectReason) -> None:
        if self._is_here(place):
            self._renewals.add(place)
        else:
            self._renewals.discard(place)
        self._changed[place] = because
        self._wake.set()
        if not self._writing:
            self._writing = True
            background.forever("presence", self._write)

    async def _write(self) -> None:
        clock = asyncio.get_running_loop().time
        await woken(self._wake, clock() + LOOK_EVERY_S, GATHER_S)
        self._forget_silent(clock())
        changed, self._changed = self._changed, {}
        renewed: dict[Place, DisconnectReason] = {
            place: "lost" if place in self._connections else "silent"
            for place in self._renewals.due(clock())
        }
        try:
            await self._write_down(renewed | changed)
        except BaseException:
            self._changed = renewed | changed | self._changed
            self._wake.set()
            raise
        for lobby in {lobby for lobby, _ in changed}:
            room_followers().refresh(lobby)

    def _forget_silent(self, now: float) -> None:
        for place, requests in list(self._requests.items()):
            if requests.until <= now:
                del self._requests[place]
                if place not in self._connections:
                    self._note(place, requests.disconnect_reason)

    async def _write_down(self, places: Mapping[Place, DisconnectReason]) -> None:
        if not places:
            return
        connected = [self._is_here(place) for place in places]
        lobbies, people = (list(column) for column in zip(*places, strict=True))
        why = list(places.values())
        written = {
            "process": self._process,
            "lobbies": lobbies,
            "people": people,
            "connected": connected,
            "why": why,
        }
        async with store().connections.lent() as connection:
            await connection.execute(WRITE, written, prepare=True)


presence = one_per_loop(Presence)
"""The presence of the running loop."""


def record_lobby_request(user: UUID, lobby: Lobby) -> None:
    """Record a request about a lobby; the user is present if they are seated there.

    Works from any thread. Expects the seats prefetched.
    """
    if waits_in(user, lobby):
        event_loop.store_loop().call_soon_threadsafe(
            lambda: presence().record_request(lobby.id, user)
        )
