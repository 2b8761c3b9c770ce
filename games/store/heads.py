"""The heads of games: create, claim, hold, seal and settle them.

Statements that lock or change heads are here, but for the append and what stalls a game, which are
in `statements` and `commits`. Functions that end in `_here` run in the transaction of Django's
connection in the calling thread.
"""

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final, LiteralString, NamedTuple, TypeVar
from uuid import UUID

import psycopg
import structlog
from django.db.models import Count, Q

from games.models import Game, Head, Schedule
from games.store.appending import append_in
from games.store.commits import VERSION_MAX, DamagedError, commits_by, store
from games.store.registry import needed_by, served
from games.store.rows import HeadQuery, HeadState, NewCommit, StoredCommit
from games.store.statements import GENESIS_HASH
from kit.database import BoundedAsyncConnection
from kit.paging import batches
from kit.parameters import Parameters, array
from kit.partitions import AHEAD
from kit.problems import Problem
from kit.replicas import IDENTITY
from railbird_engine.kernel.chain import Kind, Terms, genesis_hash

T = TypeVar("T")

log = structlog.get_logger(__name__)

NO_GAME: Final = UUID(int=0)

HOLD: Final = """
SELECT version, hash, ended, ended_at, stalled, damaged, EXISTS (
    SELECT 1 FROM games_archivedgame a WHERE a.game_id = h.game_id
)
FROM games_head h WHERE game_id = %s FOR NO KEY UPDATE
"""

# It waits for the lock, and ends with the statement. A lock changes nothing, so this transaction
# need not wait until the disk has it.
WAIT_FOR_WRITERS: Final = """
SELECT set_config('synchronous_commit', 'off', true) FROM games_head
WHERE game_id = %(game)s FOR NO KEY UPDATE
"""

# A writer that holds the head of an ended game reopens it for one commit. Afterwards the
# difference is paid out, and the head is sealed again.
REOPEN: Final = "UPDATE games_head SET ended = '', stalled = '' WHERE game_id = %s"
SETTLE_AGAIN: Final = """
UPDATE games_head SET settled = false, told = false, sealed = false,
    ended_at = coalesce(%s, ended_at)
WHERE game_id = %s AND ended <> ''
"""

CHANGE_PLAYERS: Final = """
UPDATE games_head SET stand_ins = %s::smallint[], forfeited = %s::smallint[], bots = bots + %s
WHERE game_id = %s
"""

AGREEMENTS: Final = "SELECT agreed, stand_ins, forfeited FROM games_head WHERE game_id = %s"
AGREE: Final = "UPDATE games_head SET agreed = %s::smallint[] WHERE game_id = %s"

OPEN_BETS: Final = """
SELECT b.number FROM games_bet b LEFT JOIN games_settlement s USING (game_id, number)
WHERE b.game_id = %s AND s.number IS NULL ORDER BY b.number
"""

BET: Final = """
SELECT b.seat, b.stake, s.payout,
    coalesce(s.outcome = 'void', false) OR c.version IS NOT NULL AS is_void
FROM games_bet b LEFT JOIN games_settlement s USING (game_id, number)
LEFT JOIN games_correction c USING (game_id, number)
WHERE b.game_id = %s AND b.number = %s
"""

DRAWN: Final = """
SELECT greatest(
    0, (SELECT max(drawn) FROM games_bet WHERE game_id = %s),
    (SELECT max(drawn) FROM games_settlement WHERE game_id = %s)
)
"""

CORRECT: Final = """
INSERT INTO games_correction (game_id, number, version, payout, placed_at)
SELECT game_id, number, %s, %s, at FROM games_bet WHERE game_id = %s AND number = %s
"""

# A claim that a crash of the database undoes costs work and nothing else: it need not be durable.
# Claims read heads without locking them, so a commit that is stored meanwhile may have answered the
# alarm.
_HEAD: Final = """
CROSS JOIN LATERAL (
    SELECT version, alarm, awaits FROM games_head WHERE game_id = s.game_id
        AND stalled = '' AND rules = ANY(%(served)s::text[]) LIMIT 1
) h
"""
_DUE: Final = """
    s.due_at <= now() - %(late_s)s::float8 * interval '1 s'
        AND s.game_id <> ALL(%(skipped)s::uuid[])
        AND (s.claimed_until IS NULL OR s.claimed_until < now())
    ORDER BY s.due_at LIMIT %(most)s FOR NO KEY UPDATE OF s SKIP LOCKED
"""

CLAIM: Final = f"""
WITH undurable AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
due AS (
    SELECT s.game_id, h.version, h.alarm, s.claimed_until IS NOT NULL AS is_again
    FROM games_schedule s {_HEAD} WHERE NOT s.is_slow AND {_DUE}
)
UPDATE games_schedule s SET claimed_until = now() + interval '500 ms'
FROM due CROSS JOIN undurable WHERE s.game_id = due.game_id
RETURNING s.game_id AS game, due.version, due.alarm,
    (extract(epoch FROM clock_timestamp() - s.due_at) * 1000)::float8 AS late_ms, due.is_again
"""  # noqa: S608  (of constants)

# Where a slow table allows vacations, a claim says which of the users that the game awaits are on
# vacation and, if all are, when the first returns.
CLAIM_SLOW: Final = f"""
WITH due AS (
    SELECT s.game_id, h.version, h.alarm, h.awaits FROM games_schedule s {_HEAD}
    WHERE s.is_slow AND {_DUE}
)
UPDATE games_schedule s SET claimed_until = now() + interval '5 s'
FROM due JOIN games_game g ON g.id = due.game_id JOIN games_lobby l ON l.id = g.lobby_id
LEFT JOIN LATERAL (
    SELECT coalesce(array_agg(u.id) FILTER (WHERE v.ends_at IS NOT NULL), '{{}}') AS people,
        CASE WHEN bool_and(v.ends_at IS NOT NULL) THEN min(v.ends_at) END AS until
    FROM unnest(due.awaits) u(id) LEFT JOIN LATERAL (
        SELECT max(ends_at) AS ends_at FROM accounts_vacation
        WHERE user_id = u.id AND starts_at <= now() AND ends_at > now()
    ) v ON true
) away ON l.vacations
WHERE s.game_id = due.game_id
RETURNING s.game_id AS game, due.version, due.alarm,
    (extract(epoch FROM clock_timestamp() - s.due_at) * 1000)::float8 AS late_ms, l.absence,
    coalesce(away.people, '{{}}') AS away,
    (extract(epoch FROM away.until - clock_timestamp()) * 1000)::float8 AS away_ms
"""  # noqa: S608  (of constants)

# One worker looks after the bots of a game, because it knows what they are about to do. Another one
# takes over when it is two seconds late. `acting` are games whose bots this worker wants to move.
CLAIM_BOTS: Final = f"""
WITH due AS (
    SELECT s.game_id, h.version FROM games_schedule s {_HEAD}
    WHERE s.bots_due_at <= now() AND (
        s.bots_by IS NULL OR s.bots_by = %(worker)s OR s.bots_due_at <= now() - interval '2 s'
    )
    ORDER BY s.bots_due_at LIMIT %(most)s FOR NO KEY UPDATE OF s SKIP LOCKED
), acting AS (
    SELECT s.game_id, h.version FROM games_schedule s {_HEAD}
    WHERE s.game_id = ANY(%(acting)s::uuid[]) AND s.bots_by = %(worker)s
        AND s.bots_due_at IS NOT NULL
    FOR NO KEY UPDATE OF s SKIP LOCKED
)
UPDATE games_schedule s SET bots_due_at = now() + interval '10 s', bots_by = %(worker)s
FROM (SELECT * FROM due UNION SELECT * FROM acting) w WHERE s.game_id = w.game_id
RETURNING s.game_id AS game, w.version
"""  # noqa: S608  (of constants)

# Workers fill the schedule again after PostgreSQL emptied it: some games in a statement, live ones
# first. A statement may take four seconds, and appends find the heads that it locks busy. An append
# that began before such a statement ended does not see the new row. So the row of no game is added
# by a later look that finds nothing to mend.
FILLED_AT_ONCE: Final = 5000
FILLED: Final = "SELECT EXISTS (SELECT FROM games_schedule WHERE game_id = %(nobody)s)"
_LACKING: Final = tuple(
    f"""
    FROM games_head h WHERE h.ended = '' AND {of_pace} AND h.game_id > %(after)s AND NOT EXISTS (
        SELECT FROM games_schedule s WHERE s.game_id = h.game_id AND s.game_id > %(after)s
            AND s.due_at IS NOT DISTINCT FROM h.due_at
    )
    """  # noqa: S608  (of constants)
    for of_pace in ("NOT h.is_slow", "h.is_slow")  # each has an index
)
FILL: Final = tuple(
    f"""
    INSERT INTO games_schedule (game_id, is_slow, due_at, bots_due_at)
    SELECT game_id, is_slow, due_at,
        CASE WHEN bots > 0 AND (wakes_bots OR NOT is_slow) THEN now() END
    {lacking} ORDER BY game_id LIMIT {FILLED_AT_ONCE} FOR NO KEY UPDATE OF h SKIP LOCKED
    ON CONFLICT (game_id) DO UPDATE
        SET due_at = excluded.due_at, bots_due_at = excluded.bots_due_at
    RETURNING game_id
    """  # noqa: S608  (of constants)
    for lacking in _LACKING
)
END_TO_FILL: Final = f"""
INSERT INTO games_schedule (game_id) SELECT %(after)s::uuid
WHERE {" AND ".join(f"NOT EXISTS (SELECT {lacking})" for lacking in _LACKING)}
ON CONFLICT DO NOTHING
"""

STARTS: Final = f"'{{{Kind.OPENED:d},{Kind.COMMITTED:d},{Kind.REVEALED:d}}}'::smallint[]"
"""The kinds of the entries that may be the newest one of a game that starts."""

SEALS_ON: Final = (
    f"e.kind IS DISTINCT FROM {Kind.DIVERGED:d} AND e.kind IS DISTINCT FROM {Kind.RESTORED:d}"
)
"""Whether commits are sealed after the newest entry `e` of a game."""

# The newest sealed version of each game is read from the end of an index, which takes some 10 ms
# for 3,000 running games. With a column of the head, the sealer would write to rows that the games
# write to.

MOVED: Final = f"""
SELECT g.log_name, h.game_id, h.version, h.hash, h.ended, e.place, e.entry,
    CASE WHEN e.version = 0
        THEN {GENESIS_HASH}
        ELSE (SELECT hash FROM games_commit WHERE game_id = h.game_id AND version = e.version)
    END,
    CASE WHEN e.place IS NULL OR e.kind = ANY({STARTS}) THEN g.genesis END,
    h.damaged, h.is_slow, l.id, l.seed, l.seed_box, l.seed_hash
FROM games_head h JOIN games_game g ON g.id = h.game_id
LEFT JOIN games_lobby l ON l.id = g.lobby_id AND h.ended <> ''
LEFT JOIN LATERAL (
    SELECT place, kind, version, entry
    FROM games_logentry WHERE name = g.log_name
    ORDER BY place DESC LIMIT 1
) e ON true
WHERE NOT h.sealed AND h.game_id > %s AND h.damaged IS DISTINCT FROM 0 AND (
    e.place IS NULL OR e.kind <> {Kind.DIVERGED:d} AND (
        e.version <> h.version OR substring(e.entry FROM 26 FOR 32) <> h.hash
        OR h.ended <> '' OR h.damaged IS NOT NULL OR h.is_slow
    )
)
ORDER BY h.game_id LIMIT %s
"""  # noqa: S608  (a constant)

STALL: Final = """
UPDATE games_head SET stalled = 'its history is not the one that was signed'
WHERE game_id = ANY(%s)
"""

STALL_RESTORED: Final = """
UPDATE games_head SET stalled = 'its database was restored to an earlier state' FROM games_game g
WHERE g.id = game_id AND g.log_name = ANY(%s)
"""

# The entries of games in their order, each with the stored hash of the commit, or of the start, at
# its version.
COMMITS_OF_ENTRIES: Final = f"""
SELECT e.name, e.entry,
    CASE WHEN e.version = 0 THEN {GENESIS_HASH} ELSE c.hash END
FROM (SELECT name, index, version, entry FROM games_logentry WHERE name = ANY(%s)) e
LEFT JOIN games_game g ON g.log_name = e.name
LEFT JOIN games_commit c ON c.game_id = g.id AND c.version = e.version
ORDER BY e.index
"""  # noqa: S608  (a constant)

# The sealer skips heads and lobbies that are locked, by a payout or a correction, and seals them
# in its next round. A seed is disclosed in its lobby together with the log entry. A slow game has
# none before its end: it is sealed until it moves, so that the sealer need not look at it.
SEAL: Final = """
WITH free AS (
    SELECT h.game_id, l.id AS lobby_id, d.seed FROM games_head h
    JOIN unnest(%s::uuid[], %s::int[], %s::bytea[]) AS d(game_id, version, seed)
        USING (game_id, version)
    JOIN games_game g ON g.id = h.game_id
    JOIN games_lobby l ON l.id = g.lobby_id
    FOR NO KEY UPDATE OF h, l SKIP LOCKED
),
disclosed AS (
    UPDATE games_lobby l SET seed = free.seed FROM free
    WHERE l.id = free.lobby_id AND free.seed IS NOT NULL
)
UPDATE games_head h SET sealed = true FROM free WHERE h.game_id = free.game_id
"""


TROUBLE_COUNTS_FOR_S: Final = 30
"""How long a trouble of the log counts that its process does not note again."""

LOG_TROUBLES: Final = f"""
SELECT count(*) FROM games_logtrouble
WHERE is_fork OR at > now() - {TROUBLE_COUNTS_FOR_S} * interval '1 s'
"""  # noqa: S608  (a constant)

UNSEALED_SINCE: Final = f"""
SELECT least((
    SELECT min(c.at) FROM games_head h JOIN games_game g ON g.id = h.game_id
    LEFT JOIN LATERAL (
        SELECT kind, version FROM games_logentry WHERE name = g.log_name
        ORDER BY place DESC LIMIT 1
    ) e ON true
    JOIN games_commit c ON c.game_id = h.game_id AND c.version = coalesce(e.version, 0) + 1
        AND {SEALS_ON}
    WHERE NOT h.sealed AND h.damaged IS NULL
), (SELECT min(at) FROM games_pendingentry)) AS since
"""  # noqa: S608  (a constant)
"""Since when the oldest commit, or entry about a lobby, waits for the log. Those of damaged games
wait for an operator."""

SILENT_S: Final = 60
"""How long a witness may cosign nothing: the log has a new entry every 30 seconds."""

SILENT: Final = f"""
SELECT count(*) FROM unnest(%(witnesses)s::text[]) AS named(witness) WHERE NOT coalesce((
    SELECT at > now() - {SILENT_S} * interval '1 s' FROM games_logcosignature c
    WHERE c.witness = named.witness ORDER BY size DESC LIMIT 1
), false)
"""  # noqa: S608  (a constant)

STANDBY_MISSING: Final = """
SELECT current_setting('synchronous_standby_names') <> '' AND (
    SELECT count(*) FROM pg_stat_replication
    WHERE sync_state IN ('sync', 'quorum') OR sync_state IS NULL
) < coalesce(
    substring(upper(current_setting('synchronous_standby_names'))
        FROM '^ *(?:ANY +|FIRST +)?([0-9]+) *[(]')::int,
    1
)
"""
"""Whether commits wait for more synchronous standbys than are connected. Without
pg_read_all_stats, `sync_state` is null: then any standby counts."""

# Whether a game has waited for the clock, or a commit or a lobby for the log, for more than
# `late_s`, whether the next month has no partitions, whether one of the `witnesses` of starts is
# silent, whether commits wait for a standby, how many games diverged or are damaged, and for how
# many seconds the log is behind.
LATE: Final = f"""
SELECT
    EXISTS (
        SELECT 1 FROM games_head
        WHERE ended = '' AND NOT is_slow AND stalled = ''
            AND due_at < now() - %(late_s)s * interval '1 s'
    ),
    %(sealing)s AND (
        ({LOG_TROUBLES}) > 0 OR seal.since < now() - %(late_s)s * interval '1 s'
    ),
    ({AHEAD}) = 0,
    ({SILENT}) > 0,
    ({STANDBY_MISSING}),
    (SELECT count(*) FROM games_logentry WHERE kind = {Kind.DIVERGED:d}),
    (SELECT count(*) FROM games_head WHERE damaged IS NOT NULL),
    coalesce(extract(epoch FROM now() - seal.since) * %(sealing)s::int, 0)::float,
    identity.*
FROM ({IDENTITY}) identity, ({UNSEALED_SINCE}) seal
"""  # noqa: S608  (a constant)


class Claim(NamedTuple):
    """A due game: the version of its head, the alarm to answer, how late the clock is, and whether
    this alarm was claimed before and not answered."""

    game: UUID
    version: int
    alarm: int
    late_ms: float
    is_again: bool = False


class SlowClaim(NamedTuple):
    """A due slow game. `absence` is what its table does about users who let their time pass, except
    those who are `away`; if all that it awaits are, the first returns in `away_ms`."""

    game: UUID
    version: int
    alarm: int
    late_ms: float
    absence: str
    away: list[UUID]
    away_ms: float | None


class StoredBet(NamedTuple):
    """A bet in the database. `payout` is None until it is settled."""

    seat: int
    stake: int
    payout: int | None
    is_void: bool


class HeldRow(NamedTuple):
    """The row of a locked head."""

    version: int
    hash: bytes
    ended: str
    ended_at: datetime | None
    stalled: str
    damaged: int | None


class Agreements(NamedTuple):
    """The seats that agree to void a game, and those that their users have left."""

    agreed: frozenset[int]
    left: frozenset[int]


class HeldHead:
    """The locked head of a game: until the transaction ends, no other writer appends."""

    def __init__(self, connection: BoundedAsyncConnection, game: UUID, row: HeldRow) -> None:
        self._connection = connection
        self.game = game
        self.version, self.hash, self.ended, self._ended_at, self.stalled, self.damaged = row

    async def commits(self, after: int) -> list[StoredCommit]:
        """Return the commits after a version, in order. Raises DamagedError."""
        commits, damaged = await commits_by(self._connection, self.game, after, VERSION_MAX)
        if damaged is not None:
            raise DamagedError(damaged)
        return commits

    async def draws(self) -> int:
        """Return the number of draws that bets and settlements of this game name last."""
        ((drawn,),) = await self._rows(DRAWN, (self.game, self.game))
        return int(drawn)

    async def append(self, commit: NewCommit) -> StoredCommit | None:
        """Append a commit. Returns None if it came after its `not_after`."""
        (stored,) = await append_in(self._connection, [commit])
        return stored

    async def append_after_the_end(self, commit: NewCommit) -> StoredCommit | None:
        """Append a commit even to an ended or stalled game, to be paid out and sealed again."""
        await self._connection.execute(REOPEN, (self.game,))
        stored = await self.append(commit)
        ended_at = None if commit.ended == "voided" else self._ended_at
        await self._connection.execute(SETTLE_AGAIN, (ended_at, self.game))
        return stored

    async def change_players(
        self, stand_ins: Collection[int], forfeited: Collection[int], bots: int
    ) -> None:
        """Store the seats that bots play for users and those that forfeited.

        `bots` is the change in the number of bots.
        """
        change = (sorted(stand_ins), sorted(forfeited), bots, self.game)
        await self._connection.execute(CHANGE_PLAYERS, change)

    async def agreements(self) -> Agreements:
        """Return who agrees to void this game, and who has left."""
        ((agreed, stand_ins, forfeited),) = await self._rows(AGREEMENTS, (self.game,))
        return Agreements(frozenset(agreed), frozenset((*stand_ins, *forfeited)))

    async def agree(self, seats: Collection[int]) -> None:
        """Store the seats that agree to void this game."""
        await self._connection.execute(AGREE, (sorted(seats), self.game))

    async def open_bets(self) -> list[int]:
        """Return the numbers of the bets that are not settled."""
        return [number for (number,) in await self._rows(OPEN_BETS, (self.game,))]

    async def bet(self, number: int) -> StoredBet | None:
        """Return the bet of this game with this number, or None."""
        rows = await self._rows(BET, (self.game, number))
        return StoredBet(*rows[0]) if rows else None

    async def correct(self, number: int, version: int, payout: int) -> None:
        """Store that a commit corrected a settled bet."""
        await self._connection.execute(CORRECT, (version, payout, self.game, number))

    async def _rows(self, query: str, parameters: Any) -> list[Any]:
        cursor = await self._connection.execute(query, parameters, prepare=True)
        return await cursor.fetchall()


@asynccontextmanager
async def holding(game: UUID) -> AsyncIterator[HeldHead]:
    """Lock the head of a game for one transaction.

    Raises Problem `not_found`, `game_archived`, `busy`, `unavailable`, or `outcome_unknown` after a
    lost connection; psycopg.Error if the database refuses the rows.
    """
    try:
        async with store().connections.lent() as connection, connection.transaction():
            row = await (await connection.execute(HOLD, (game,), prepare=True)).fetchone()
            if row is None:
                raise Problem("not_found", what="game")
            *head, is_archived = row
            if is_archived:
                raise Problem("game_archived")
            yield HeldHead(connection, game, HeldRow(*head))
    except psycopg.Error as error:
        problem = await store().connections.problem_of(error)
        if problem is None:
            raise
        raise problem from error


async def settled(queries: Sequence[HeadQuery]) -> Sequence[HeadState | Problem]:
    """Wait for the writers that hold the head of a game now, then read it for all these queries.

    A writer compares `not_after` with the clock while it holds the head. So if the `not_after` of a
    command passed before this call, its commit is found now, or it has none and never will.

    Raises Problem `unavailable`, `busy`.
    """
    await store().read(WAIT_FOR_WRITERS, {"game": queries[0].game.hex})
    return await store().heads(queries)


async def claim_due(
    most: int, late_s: float = 0.0, skipped: Sequence[UUID] = ()
) -> Sequence[Claim]:
    """Claim up to `most` games that have been due for `late_s` seconds, for half a second.

    Only games that this build can continue are claimed, except the `skipped` ones. Claims only save
    work: a second answer to the same alarm does nothing.
    """
    return await _claimed(CLAIM, Claim, most, late_s, skipped)


async def claim_slow(
    most: int, late_s: float = 0.0, skipped: Sequence[UUID] = ()
) -> Sequence[SlowClaim]:
    """Claim up to `most` slow games that have been due for `late_s` seconds, for five seconds. See
    `claim_due`."""
    return await _claimed(CLAIM_SLOW, SlowClaim, most, late_s, skipped)


async def _claimed(
    statement: LiteralString, row: type[T], most: int, late_s: float, skipped: Sequence[UUID]
) -> Sequence[T]:
    wanted: Parameters = {
        "most": str(most),
        "late_s": str(late_s),
        "served": array("text", served()),
        "skipped": array("uuid", skipped),
    }
    return [row(*each) for each in await store().read(statement, wanted)]


async def fill_schedule() -> None:
    """Schedule all running games if PostgreSQL has emptied the table."""
    ((is_filled,),) = await store().read(FILLED, {"nobody": NO_GAME.hex})
    if is_filled:
        return
    filled = 0
    async with store().connections.lent() as connection:
        for statement in FILL:
            last = NO_GAME
            while games := await (await connection.execute(statement, {"after": last})).fetchall():
                filled += len(games)
                (last,) = max(games)
        if not filled:
            await connection.execute(END_TO_FILL, {"after": NO_GAME})
    if filled:
        log.info("schedule_filled", games=filled)


class Woken(NamedTuple):
    """A game whose bots should look."""

    game: UUID
    version: int


async def claim_bots(worker: int, acting: Sequence[UUID], most: int) -> list[Woken]:
    """Return the `acting` games of a worker, and up to `most` games whose bots should look now, of
    those that this build can continue. The bots look again after a commit, or after ten seconds."""
    wanted: Parameters = {
        "worker": str(worker),
        "acting": array("uuid", acting),
        "most": str(most),
        "served": array("text", served()),
    }
    return [Woken(*each) for each in await store().read(CLAIM_BOTS, wanted)]


RUNNING: Final = Q(ended=Head.Ended.NO, is_slow=False) | Q(ended=Head.Ended.NO, is_slow=True)
"""The heads of games that have not ended, as two indexes find them."""


def open_games() -> dict[str, int]:
    """Return how many games have not ended, by what a process needs to continue them."""
    running = Head.objects.filter(RUNNING).order_by("rules")
    return dict(running.values_list("rules").annotate(games=Count("game")))


def open_games_that_need(rules: Collection[str]) -> Iterator[tuple[str, UUID]]:
    """Yield the games that have not ended and need one of these, each after what it needs."""
    running = Head.objects.filter(RUNNING, rules__in=rules).order_by("rules", "game")
    yield from running.values_list("rules", "game").iterator()


# In Django's transaction


def create_here(game: Game, terms: Terms, bots: int, *, is_slow: bool) -> None:
    """Create the head of a game that has no commits yet."""
    first = genesis_hash(bytes(game.genesis))
    Head.objects.create(game=game, hash=first, bots=bots, rules=needed_by(terms), is_slow=is_slow)
    Schedule.objects.create(game=game, is_slow=is_slow)


def ended_and_unsettled(size: int) -> Iterator[Head]:
    """Yield the heads of ended games whose payout or refund is due, oldest first, with game and
    lobby. Reads `size` at a time."""
    ended = Head.objects.filter(settled=False).exclude(ended=Head.Ended.NO)
    oldest_first = ended.order_by("ended_at", "game_id").select_related("game__lobby")
    for heads in batches(oldest_first, size):
        yield from heads


def ended_and_untold(most: int) -> list[Head]:
    """Return paid out games whose players were not notified of the end, oldest first, with game and
    lobby."""
    ended = Head.objects.filter(settled=True, told=False).exclude(ended=Head.Ended.NO)
    return list(ended.order_by("ended_at").select_related("game__lobby")[:most])


def mark_told_here(heads: Sequence[Head]) -> None:
    """Note that the players of these games were notified, unless a game moved meanwhile."""
    for head in heads:
        Head.objects.filter(game_id=head.game_id, version=head.version).update(told=True)


def settle_here(head: Head) -> bool:
    """Mark a head as settled, and hold it until the transaction ends.

    Returns False if another process settled it, or if it moved: the new version is settled later.
    """
    same = Head.objects.filter(game_id=head.game_id, version=head.version, settled=False)
    if same.update(settled=True) == 0:
        return False
    Schedule.objects.filter(game_id=head.game_id).delete()
    return True


def hold_here(game: UUID) -> Head | None:
    """Return the head of a game, locked until the transaction ends, with its game."""
    heads = Head.objects.select_for_update(of=("self",)).select_related("game")
    return heads.filter(game_id=game).first()


def repaired_here(head: Head, hash_: bytes) -> None:
    """Let a held game continue from this hash at its head, and be sealed again."""
    Head.objects.filter(game_id=head.game_id).update(
        hash=hash_, damaged=None, stalled="", sealed=False
    )
