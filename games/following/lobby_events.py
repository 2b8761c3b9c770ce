"""Notices of lobbies: a full table, the start of a game, a reserved seat.

The position is a transaction: transactions end in another order than they begin, so that some
changes are read twice, and none is missed.
"""

from typing import Any, Final

from django.db import connection

from games.reads.changes import feed_cursor
from notices.kinds import Fact

# Changes of a database that was restored have transactions that the new one has not reached.
FULL: Final = """
SELECT s.user_id, l.id, (
    SELECT max(e.version) FROM games_roomevent e
    WHERE e.lobby_id = l.id AND e.kind = 'seat_taken'
)
FROM games_lobby l JOIN games_seat s ON s.lobby_id = l.id
WHERE l.changed_in >= %(position)s
    AND l.changed_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    AND l.status IN ('open', 'starting') AND s.user_id IS NOT NULL
    AND l.capacity = (SELECT count(*) FROM games_seat WHERE lobby_id = l.id)
"""

STARTED: Final = """
SELECT s.user_id, l.id, g.id, s.number
FROM games_lobby l JOIN games_game g ON g.lobby_id = l.id JOIN games_seat s ON s.lobby_id = l.id
WHERE l.changed_in >= %(position)s
    AND l.changed_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    AND l.status = 'started' AND s.user_id IS NOT NULL
"""

RESERVED: Final = """
SELECT h.holder, l.id, h.place - 1
FROM games_lobby l CROSS JOIN unnest(l.held_for) WITH ORDINALITY AS h(holder, place)
WHERE l.changed_in >= %(position)s
    AND l.changed_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    AND l.held_until > now() AND h.holder IS NOT NULL
"""


def start() -> int:
    """Return the position of what happens from now on."""
    return feed_cursor()


def read(position: int) -> tuple[int, list[Fact], bool]:
    """Return what lobbies that changed since a position tell, and the next position."""
    upcoming = feed_cursor()
    facts = [
        Fact(user, "table_full", lobby, version, {"lobby": str(lobby)})
        for user, lobby, version in _rows(FULL, position)
    ]
    for user, lobby, game, seat in _rows(STARTED, position):
        data = {"lobby": str(lobby), "game": str(game), "seat": seat}
        facts.append(Fact(user, "game_starts", game, 0, data))
    for user, lobby, seat in _rows(RESERVED, position):
        facts.append(Fact(user, "seat_reserved", lobby, 0, {"lobby": str(lobby), "seat": seat}))
    return upcoming, facts, False


def _rows(query: str, position: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, {"position": position})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
