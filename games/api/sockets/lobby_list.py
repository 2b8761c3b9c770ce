"""The list of lobbies that a user may see, as frames: the whole list or the changes since a
cursor, then new changes."""

from itertools import islice
from typing import Final
from uuid import UUID

import msgspec

from accounts.models import User
from games.api import types
from games.api.sockets import frames
from games.api.sockets.websocket_connection import encode
from games.live import hubs
from games.live.presence import presence
from games.live.room_followers import in_thread, room_followers
from games.models import OPEN_STATUSES, Lobby
from games.reads.changes import Changes, changes_since, feed_cursor
from games.reads.filters import Slug
from games.reads.lobbies import (
    belongs_to,
    is_listed_for,
    lobbies_for,
    undamaged,
    waits_in,
    where_waits,
)
from games.reads.players import DisconnectReason
from kit.problems import Problem
from kit.validation import Count, Query

LOBBIES_PER_FRAME: Final = 50
LOBBIES_MAX: Final = 500
CHANGES_MAX: Final = 500
"""A client that missed more changes gets the whole list again."""


class LobbyListFilter(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lobbies of one game only; `after` is the cursor of the last frame that you received."""

    slug: Slug | None = None
    after: Count | None = None


class LobbyListSubscription:
    """The subscription of a user to the list of lobbies, from a cursor or from the whole list."""

    def __init__(self, user: UUID, query: LobbyListFilter, outbox: hubs.Outbox) -> None:
        self._user = user
        self._query = query
        self._outbox = outbox
        self._waits: set[UUID] = set()
        """The open lobbies in which the user sits; following the list counts as presence there."""

    async def join(self) -> None:
        """Send the list, or the changes since the cursor; then follow it without a gap.

        Raises Problem `version_ahead`.
        """
        self._wait_in(await in_thread(where_waits, self._user))
        cursor = self._query.after
        if cursor is None:
            cursor = await self.send_all()
        cursor = await self._send_since(cursor)
        while not room_followers().follow_all(self, cursor):
            cursor = await self._send_since(cursor)

    def leave(self, because: DisconnectReason) -> None:
        """Unsubscribe."""
        room_followers().leave_all(self)
        self._wait_in(set(), because)

    def _wait_in(self, lobbies: set[UUID], because: DisconnectReason = "left") -> None:
        for lobby in lobbies - self._waits:
            presence().connected(lobby, self._user)
        for lobby in self._waits - lobbies:
            presence().disconnected(lobby, self._user, because)
        self._waits = lobbies

    async def send_all(self, request: UUID | None = None) -> int:
        """Send the whole list, as the answer to a request if there is one; return its cursor."""
        cursor: int
        cursor, found = await in_thread(list_for, self._user, self._query.slug)
        seen = [types.Lobby.of(lobby, self._user) for lobby in found]
        parts = iter(seen)
        for start in range(0, max(1, len(seen)), LOBBIES_PER_FRAME):
            part = list(islice(parts, LOBBIES_PER_FRAME))
            complete = start + LOBBIES_PER_FRAME >= len(seen)
            self._put(
                frames.LobbiesFrame(id=request, cursor=cursor, lobbies=part, complete=complete)
            )
        return cursor

    async def _send_since(self, cursor: int) -> int:
        changes: Changes = await in_thread(changes_since, cursor)
        if cursor > changes.cursor:
            raise Problem("version_ahead", version=changes.cursor)
        if len(changes.lobbies) > CHANGES_MAX:
            return await self.send_all()
        self.receive(changes)
        return changes.cursor

    def receive(self, changes: Changes) -> None:
        """Send the changes of lobbies that the user may see, or could see before."""
        changed = {lobby.id for lobby in changes.lobbies}
        self._wait_in(
            self._waits - changed
            | {lobby.id for lobby in changes.lobbies if waits_in(self._user, lobby)}
        )
        lobbies: list[msgspec.Raw] = []
        gone: list[UUID] = []
        for lobby in changes.lobbies:
            if self._query.slug not in {None, lobby.slug}:
                continue
            if is_listed_for(self._user, lobby):
                lobbies.append(self._encoded(lobby, changes))
            elif lobby.hides_room or (lobby.id, self._user) in changes.departed:
                gone.append(lobby.id)
        if lobbies or gone:
            self._put(frames.ChangesFrame(cursor=changes.cursor, lobbies=lobbies, gone=gone))

    def disconnect(self) -> None:
        """End the connection, because changes cannot be read."""
        self._outbox.overflow()

    def heartbeat(self, cursor: int) -> None:
        """Send a heartbeat with the cursor of the last change."""
        self._put(frames.FeedHeartbeat(cursor=cursor))

    def _encoded(self, lobby: Lobby, changes: Changes) -> msgspec.Raw:
        audience = self._user if belongs_to(self._user, lobby) else None
        key = (lobby.id, audience)
        if key not in changes.encoded:
            changes.encoded[key] = encode(types.Lobby.of(lobby, audience))
        return msgspec.Raw(changes.encoded[key])

    def _put(self, frame: frames.ServerFrame) -> None:
        self._outbox.put(encode(frame))


def list_for(user: UUID, slug: str | None) -> tuple[int, list[Lobby]]:
    """Return a cursor, and the newest open lobbies that a user may see."""
    cursor = feed_cursor()
    found = lobbies_for(User(id=user)).filter(status__in=OPEN_STATUSES)
    if slug is not None:
        found = found.filter(slug=slug)
    return cursor, undamaged(found[:LOBBIES_MAX])
