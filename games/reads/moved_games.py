"""Queries of games that moved, and of what notices say about them."""

from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

UNTIL: Final = """
SELECT max(index), count(*) FROM (
    SELECT index FROM games_logentry WHERE index > %(position)s ORDER BY index LIMIT %(most)s
) e
"""

# `known` is the version before these entries.
MOVED: Final = """
SELECT g.id AS game, g.lobby_id AS lobby, h.version, h.alarm, h.due_at,
    CASE WHEN h.ended = '' THEN coalesce(h.awaits, '{}') ELSE '{}' END AS awaits,
    cardinality(h.stand_ins) > 0 AS has_stand_ins, is_corrected, coalesce((
        SELECT version FROM games_logentry p WHERE p.name = e.name AND p.place < e.place
        ORDER BY p.place DESC LIMIT 1
    ), 0) AS known
FROM (
    SELECT name, min(place) AS place FROM games_logentry
    WHERE index > %(position)s AND index <= %(until)s GROUP BY name
) e
JOIN games_game g ON g.log_name = e.name JOIN games_head h ON h.game_id = g.id
CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT FROM games_correction c WHERE c.game_id = g.id) AS is_corrected
) k
WHERE h.is_slow OR cardinality(h.stand_ins) > 0 OR is_corrected
"""


class MovedGame(NamedTuple):
    """A game that moved after the version `known`."""

    game: UUID
    lobby: UUID
    version: int
    alarm: int | None
    due_at: datetime | None
    awaits: list[UUID]
    has_stand_ins: bool
    is_corrected: bool
    known: int

    @property
    def ids(self) -> dict[str, Any]:
        """The ids of its subjects, as a notice has them."""
        return {"lobby": str(self.lobby), "game": str(self.game)}


def moved_since(position: int, most: int) -> tuple[int, bool, list[MovedGame]]:
    """Return the index of the last of the `most` entries after a position, whether there may be
    more, and the games among them that notices may be about."""
    with connection.cursor() as cursor:
        cursor.execute(UNTIL, {"position": position, "most": most})
        until, count = cursor.fetchone()
        if until is None:
            return position, False, []
        cursor.execute(MOVED, {"position": position, "until": until})
        return until, count == most, [MovedGame(*row) for row in cursor.fetchall()]
