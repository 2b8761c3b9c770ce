"""Queries of the events of lobbies, and of the lobbies that changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
import structlog
from django.db import connection
from django.db.models import (
    Q,
)
from django.db.models.expressions import RawSQL

from games.models import Lobby, RoomEvent
from games.reads.lobbies import in_full, undamaged
from games.reads.lobby_events import AnyLobbyFact, MessageHidden

log = structlog.get_logger(__name__)


class LobbyEvent(msgspec.Struct, frozen=True):
    """A numbered event of a lobby. `name` is the current display name of its `user`, if any."""

    version: int
    at: datetime
    event: AnyLobbyFact
    name: str | None


class ReadersEvent(NamedTuple):
    """An event of a lobby, and who may read it; without `readers`, everyone who sees the lobby."""

    event: LobbyEvent
    readers: frozenset[UUID] | None

    def seen_by(self, reader: UUID | None) -> LobbyEvent:
        """Return the event as a user, or an outsider, may read it: without its content where it is
        for others. It keeps its number, so that versions have no gaps."""
        if self.readers is None or reader in self.readers:
            return self.event
        return LobbyEvent(self.event.version, self.event.at, MessageHidden(), None)


class RoomNews(NamedTuple):
    """A lobby and the events that led to it. `encoded` caches frames by audience."""

    lobby: Lobby
    events: list[ReadersEvent]
    encoded: dict[UUID | None, bytes]


class Changes(NamedTuple):
    """Changed lobbies. Later changes have `cursor` or a higher one.

    `departed` are former players of those that are not public. `encoded` caches frames by audience.
    """

    cursor: int
    lobbies: list[Lobby]
    departed: set[tuple[UUID, UUID]]
    encoded: dict[tuple[UUID, UUID | None], bytes]


_decode_happening = msgspec.json.Decoder(AnyLobbyFact).decode


def lobby_events_in(lobby: Lobby, after: int, most: int, reader: UUID) -> list[LobbyEvent]:
    """Return the first events of a lobby after a version, in order, up to the lobby's version, as
    this user may read them."""
    known = RoomEvent.objects.filter(lobby=lobby, version__gt=after, version__lte=lobby.version)
    rows = known.select_related("user").order_by("version")
    return [_readable(row).seen_by(reader) for row in rows[:most]]


def lobby_event_of(row: RoomEvent, reader: UUID) -> LobbyEvent:
    """Decode the event of a row, as this user may read it."""
    return _decoded(row).seen_by(reader)


def _decoded(row: RoomEvent) -> ReadersEvent:
    name = None if row.user is None else row.user.display_name
    event = LobbyEvent(row.version, row.at, _decode_happening(bytes(row.body)), name)
    return ReadersEvent(event, None if row.readers is None else frozenset(row.readers))


def _readable(row: RoomEvent) -> ReadersEvent:
    """Return the event of a row. If this build cannot decode it, log that and return it without
    content: clients that miss a version would connect again and again."""
    try:
        return _decoded(row)
    except msgspec.MsgspecError:
        log.exception("lobby_event_unreadable", lobby=str(row.lobby_id), version=row.version)
        return ReadersEvent(LobbyEvent(row.version, row.at, MessageHidden(), None), None)


def news_of_rooms(known: Mapping[UUID, int]) -> list[RoomNews]:
    """Return the events of these lobbies after known versions. Unchanged lobbies are left out.

    A lobby is older than its known version if the database went back.
    """
    heads = Lobby.objects.filter(id__in=known).values_list("id", "version")
    moved = [lobby for lobby, version in heads if version != known[lobby]]
    news = {
        lobby.id: RoomNews(lobby, [], {}) for lobby in in_full(Lobby.objects.filter(id__in=moved))
    }
    wanted = Q()
    for lobby, found in news.items():
        wanted |= Q(lobby_id=lobby, version__gt=known[lobby], version__lte=found.lobby.version)
    if news:
        for row in (
            RoomEvent.objects.filter(wanted).select_related("user").order_by("lobby_id", "version")
        ):
            news[row.lobby_id].events.append(_readable(row))
    return list(news.values())


def feed_cursor() -> int:
    """Return the oldest running transaction: all later changes have this cursor or above."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        ((number,),) = cursor.fetchall()
    return int(number)


def changes_since(cursor: int) -> Changes:
    """Return the lobbies that changed at `cursor` or later, oldest change first.

    Transactions end in another order than they begin. The cursor waits for those that end late, so
    some changes are found twice and none is missed.
    """
    upcoming = feed_cursor()
    # A restored database contains transaction ids that the new server has not reached: ignore them.
    reached = Q(changed_in__gte=cursor) & Q(
        changed_in__lt=RawSQL("pg_snapshot_xmax(pg_current_snapshot())::text::bigint", ())
    )
    lobbies = undamaged(in_full(Lobby.objects.filter(reached)).order_by("changed_in", "id"))
    hidden = [lobby.id for lobby in lobbies if lobby.visibility != Lobby.Visibility.PUBLIC]
    left = RoomEvent.objects.filter(
        lobby_id__in=hidden, kind__in=("seat_left", "seat_released"), user__isnull=False
    )
    return Changes(
        upcoming, lobbies, set(left.values_list("lobby_id", "user_id")) if hidden else set(), {}
    )
