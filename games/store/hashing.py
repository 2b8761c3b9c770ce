"""A slow pass over all stored commits that hashes each again, and never replays.

Every read checks what it reads. The pass finds damage in what nobody reads: the early commits of
games that are loaded from snapshots, and games that have ended.
"""

import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from django.db import connection

from games.store.commits import DamagedError, store
from games.store.statements import GENESIS_HASH
from kit import event_loop

log = structlog.get_logger(__name__)

ROWS_AT_ONCE: Final = 1000
"""With one part a second, this is several times the rate at which a busy server commits, and costs
under 1 % of a processor."""

PASS_EVERY_S: Final = 600.0
"""A pass begins so long after the one before it began: of few commits, each would be hashed again
and again, for as much of the processor as many."""

# Each part begins with the last row of the part before, which is only compared with the next one.
# `until` is its last row. A game is suspect if a row does not fit the one before it, or if rows are
# missing up to the head.
PART: Final = f"""
WITH part AS MATERIALIZED (
    SELECT game_id, version, hash, body FROM games_commit
    WHERE (game_id, version) >= (%(game)s, %(version)s)
    ORDER BY game_id, version LIMIT %(most)s
),
linked AS (
    SELECT *, lag(version) OVER w AS before, lag(hash) OVER w AS previous,
        lead(version) OVER w IS NULL AS is_last
    FROM part WINDOW w AS (PARTITION BY game_id ORDER BY version)
),
until AS (SELECT game_id, version FROM part ORDER BY game_id DESC, version DESC LIMIT 1),
suspect AS (
    SELECT DISTINCT l.game_id FROM linked l CROSS JOIN until u
    JOIN games_head h ON h.game_id = l.game_id
    JOIN games_game g ON g.id = l.game_id
    WHERE h.damaged IS NULL AND (
        (l.game_id, l.version) <> (%(game)s, %(version)s) AND (
            l.version <> coalesce(l.before, 0) + 1
            OR l.hash <> sha256(
                'commit\\000'::bytea || coalesce(l.previous, {GENESIS_HASH})
                || int8send(l.version) || sha256(l.body)
            )
        )
        OR l.is_last AND (
            l.version > h.version OR l.version = h.version AND l.hash <> h.hash
            OR l.version < h.version AND l.game_id <> u.game_id
        )
    )
)
SELECT (SELECT count(*) FROM part) AS rows,
    u.game_id, u.version, ARRAY(SELECT game_id FROM suspect) AS suspect
FROM until u
"""  # noqa: S608  (a constant)

_START: Final = (UUID(int=0), 0)


class Part(NamedTuple):
    """Rows that were hashed, their number, and the games that are suspect."""

    rows: int
    suspect: Sequence[UUID]


class Pass:
    """The pass of one worker; each makes its own. It starts again at the beginning when it has
    reached the end, but not within `PASS_EVERY_S` of the last beginning."""

    def __init__(self) -> None:
        self._from = _START
        self._begin_at = 0.0
        """When the next pass may begin."""

    def hash_next(self) -> Part:
        """Hash the next rows, and stall the games of which one is damaged."""
        if self._from == _START:
            if time.monotonic() < self._begin_at:
                return Part(0, ())
            self._begin_at = time.monotonic() + PASS_EVERY_S
        with connection.cursor() as cursor:
            game, version = self._from
            asked: dict[str, Any] = {"game": game, "version": version, "most": ROWS_AT_ONCE}
            cursor.execute(PART, asked)
            row = cursor.fetchone()
        if row is None:
            self._from = _START
            return Part(0, ())
        rows, *until, suspect = row
        self._from = (until[0], until[1]) if rows == ROWS_AT_ONCE else _START
        for each in suspect:
            event_loop.call(_read_all(each))
        return Part(rows, suspect)


async def _read_all(game: UUID) -> None:
    """Read a game as everybody does, which notes its damage."""
    after = 0
    try:
        while commits := await store().commits(game, after):
            after = commits[-1].version
    except DamagedError:
        return
    log.info("damage_not_confirmed", game=str(game))
