"""Queries of who is present in a lobby."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection

DisconnectReason = Literal["left", "lost", "closed", "silent"]
"""Why a user is gone.

They closed their last connection (`left`); it broke, or its process died (`lost`); the server
closed it (`closed`); or they had none and stopped sending requests (`silent`).
"""


class Present(msgspec.Struct, frozen=True):
    """The presence of a player. If not connected, `gone_since` is when they were last seen, if
    ever, and `disconnect_reason` says why. A bot may play for them, and to the end if
    they have `forfeited` the seat. In an open lobby they keep the seat until `seat_until`."""

    user: UUID
    seat: int
    connected: bool
    gone_since: datetime | None
    disconnect_reason: DisconnectReason | None
    bot_plays: bool
    forfeited: bool
    seat_until: datetime | None


LEASE_S: Final = 45
"""A connection renews its row every 15 s; after this many seconds without renewal it is gone."""

SEEN: Final = f"""
LEFT JOIN LATERAL (
    SELECT bool_or(connected AND seen_at > now() - {LEASE_S} * interval '1 s') AS connected,
        max(seen_at) AS seen_at,
        (array_agg(disconnect_reason ORDER BY seen_at DESC))[1] AS disconnect_reason
    FROM games_presence WHERE lobby_id = s.lobby_id AND user_id = s.user_id
) p ON true
"""  # noqa: S608  (a number)
"""Joins `p`: whether the user in seat `s` is connected, when last seen, and the reason."""

PEOPLE: Final = f"""
SELECT s.lobby_id, s.user_id, s.number, coalesce(p.connected, false), p.seen_at,
    p.disconnect_reason, coalesce(s.number = ANY(h.stand_ins), false),
    coalesce(s.number = ANY(h.forfeited), false),
    CASE WHEN l.status IN ('open', 'starting') AND l.pace = 'live'
        THEN greatest(s.taken_at, p.seen_at) + %(absent_s)s * interval '1 s' END
FROM games_seat s JOIN games_lobby l ON l.id = s.lobby_id
LEFT JOIN games_game g ON g.lobby_id = s.lobby_id
LEFT JOIN games_head h ON h.game_id = g.id {SEEN}
WHERE s.lobby_id = ANY(%(lobbies)s) AND s.user_id IS NOT NULL ORDER BY s.lobby_id, s.number
"""  # noqa: S608  (constants)


class People(NamedTuple):
    """The presence of the players of a lobby, by seat, and the number of users who only watch."""

    players: tuple[Present, ...]
    spectators: int


SPECTATORS: Final = f"""
SELECT lobby_id, count(DISTINCT user_id) FROM games_presence p
WHERE lobby_id = ANY(%s) AND connected AND seen_at > now() - {LEASE_S} * interval '1 s'
    AND NOT EXISTS (SELECT FROM games_seat s
        WHERE s.lobby_id = p.lobby_id AND s.user_id = p.user_id)
GROUP BY lobby_id
"""  # noqa: S608  (a number)


def people_in(lobbies: Mapping[UUID, int | None]) -> dict[UUID, People]:
    """Return who is in these lobbies. Spectators are counted where their number is not given. A
    lobby without players is left out."""
    found: dict[UUID, tuple[Present, ...]] = {}
    with connection.cursor() as cursor:
        cursor.execute(PEOPLE, {"lobbies": list(lobbies), "absent_s": settings.LOBBY_ABSENT_S})
        for lobby, user, seat, connected, seen_at, why, plays, lost, until in cursor.fetchall():
            since, because, end = (None, None, None) if connected else (seen_at, why, until)
            present = Present(user, seat, connected, since, because, plays, lost, end)
            found[lobby] = (*found.get(lobby, ()), present)
        cursor.execute(SPECTATORS, [[lobby for lobby in lobbies if lobbies[lobby] is None]])
        spectators = {**lobbies, **dict(cursor.fetchall())}
    return {lobby: People(players, spectators[lobby] or 0) for lobby, players in found.items()}
