"""Queries of absent players and abandoned games. At slow tables, presence decides nothing."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection

from games.reads.players import SEEN
from kit.partitions import first_id_before
from railbird_engine import Seat

ABSENT_FROM_GAMES: Final = f"""
SELECT g.id, s.number, l.absence = 'forfeit'
FROM games_head h JOIN games_game g ON g.id = h.game_id JOIN games_lobby l ON l.id = g.lobby_id
JOIN games_seat s ON s.lobby_id = l.id {SEEN}
WHERE h.ended = '' AND NOT h.is_slow AND h.stalled = '' AND l.absence <> 'wait'
AND s.user_id IS NOT NULL AND NOT s.number = ANY(h.stand_ins)
AND NOT coalesce(p.connected, false)
AND greatest(g.started_at, p.seen_at) < now() - l.absence_s * interval '1 s'
ORDER BY random() LIMIT %(most)s
"""  # noqa: S608  (constants)

ABSENT_FROM_LOBBIES: Final = f"""
SELECT s.lobby_id, s.id FROM games_lobby l JOIN games_seat s ON s.lobby_id = l.id {SEEN}
WHERE l.status IN ('open', 'starting') AND l.pace = 'live' AND s.user_id IS NOT NULL
AND NOT coalesce(p.connected, false)
AND greatest(s.taken_at, p.seen_at) < now() - %(gone_s)s * interval '1 s'
AND (%(lobby)s::uuid IS NULL OR l.id = %(lobby)s)
ORDER BY s.lobby_id, s.number LIMIT %(most)s
"""  # noqa: S608  (constants)

ABANDONED: Final = """
SELECT g.id FROM games_head h JOIN games_game g ON g.id = h.game_id
JOIN games_lobby l ON l.id = g.lobby_id
WHERE h.ended = '' AND NOT h.is_slow AND NOT (l.buy_in > 0 AND l.absence = 'forfeit')
AND g.started_at < now() - %(gone_s)s * interval '1 s' AND NOT EXISTS (
    SELECT 1 FROM games_presence p
    WHERE p.lobby_id = g.lobby_id AND p.seen_at > now() - %(gone_s)s * interval '1 s'
)
LIMIT %(most)s
"""


ENDLESS: Final = """
SELECT h.game_id FROM games_head h JOIN games_game g ON g.id = h.game_id
WHERE h.ended = '' AND h.is_slow AND h.game_id < %(opened)s
AND g.started_at < now() - %(days)s * interval '1 day'
ORDER BY h.game_id LIMIT %(most)s
"""

# A process that lives renews its rows every 15 seconds, and ends those of closed connections. One
# that is stopped in order closes its connections, and so does one that drops a client for cause:
# then other users are connected.
CUT_OFF: Final = """
SELECT user_id FROM games_presence p WHERE lobby_id = %(lobby)s AND (
    connected AND seen_at BETWEEN %(by)s - interval '40 s' AND now() - interval '20 s'
    OR NOT connected AND disconnect_reason = 'closed' AND seen_at > %(by)s - interval '60 s'
    AND NOT EXISTS (
        SELECT FROM games_presence o WHERE o.lobby_id = p.lobby_id AND o.user_id = p.user_id
        AND o.seen_at > p.seen_at
    ) AND NOT EXISTS (
        SELECT FROM games_presence WHERE connected AND seen_at > now() - interval '20 s'
    )
)
"""


def cut_off(lobby: UUID, by: datetime) -> set[UUID]:
    """Return the users of a lobby whose connection ended because its process did, before a moment
    that has just passed: it died some 20 seconds before, or it was stopped and none serves."""
    return {user for (user,) in _rows(CUT_OFF, lobby=lobby, by=by)}


def has_passed(moment: datetime, s: int) -> bool:
    """Whether more than so many seconds have passed since a moment, by the database's clock."""
    ((passed,),) = _rows("SELECT %(moment)s < now() - %(s)s * interval '1 s'", moment=moment, s=s)
    return bool(passed)


def absent_from_games(most: int) -> list[tuple[UUID, Seat, bool]]:
    """Return absent players whom a bot replaces: game, seat, and whether the player forfeits."""
    return [
        (game, Seat(seat), forfeits) for game, seat, forfeits in _rows(ABSENT_FROM_GAMES, most=most)
    ]


def lobbies_with_absent(gone_s: int, most: int) -> list[UUID]:
    """Return open lobbies with users who have been absent for `gone_s` seconds."""
    found = _rows(ABSENT_FROM_LOBBIES, lobby=None, gone_s=gone_s, most=most)
    return list(dict.fromkeys(lobby for lobby, _ in found))


def absent_from_lobby(lobby: UUID, gone_s: int) -> list[int]:
    """Return the ids of the seats of absent users in one open lobby."""
    found = _rows(ABSENT_FROM_LOBBIES, lobby=lobby, gone_s=gone_s, most=None)
    return [seat for _, seat in found]


def abandoned_games(gone_s: int, most: int) -> list[UUID]:
    """Return running games in which nobody has been present for `gone_s` seconds.

    A game for coins is played to its end by bots, because a refund would reward leaving.
    """
    return [game for (game,) in _rows(ABANDONED, gone_s=gone_s, most=most)]


def endless_games(days: int, most: int) -> list[UUID]:
    """Return slow games that started more than so many days ago and have not ended."""
    found = _rows(ENDLESS, days=days, opened=first_id_before(days), most=most)
    return [game for (game,) in found]


def _rows(query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
