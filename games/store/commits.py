"""The store of commits: it appends commits of many games in one statement, and reads them.

The head of each game decides which commit comes next.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.db import connections
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.rows import namedtuple_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from accounts import ledger
from accounts.ledger import Posting
from games.engine import Event
from games.engine.bets import BetRow, SettlementRow
from games.store import seeds
from kit import metrics
from kit.batching import Grouped
from kit.database import BoundedAsyncConnection
from kit.event_loop import one_per_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

GROUP_MAX: Final = 512
WAITING_MAX: Final = 20_000
COMMITS_PER_QUERY: Final = 20_000
VERSION_MAX: Final = 2**31 - 1
IDLE_IN_TRANSACTION: Final = "25P03"
"""The database ended a session that was silent in a transaction: its process froze."""


class StoredCommit(NamedTuple):
    """A stored commit. `next_at` is when the clock acts next, if nothing else happens before.

    `ended` is how the game has ended, given with its newest commit only. `events` is None until
    they are decoded from the body.
    """

    game: UUID
    version: int
    seat: int | None
    command_id: UUID | None
    body: bytes
    hash: bytes
    at: datetime
    next_at: datetime | None
    ended: str
    events: tuple[Event, ...] | None = None


class NewCommit(NamedTuple):
    """A decided commit that is not stored yet. It can be appended after `version - 1`.

    `answers` is the alarm that a tick or pause answers: the head must await it. `alarm` and
    `after_ms` are what the game awaits next, and `drawn` counts the draws of the game so far. After
    `not_after`, by the database's clock, the commit is refused.

    `bets`, `settlements` and `postings` are its rows; `users` are the owners of bets by seat.
    `command`, `state` and `events` are what a loaded game remembers once the commit is stored.
    """

    game: UUID
    version: int
    seat: int | None
    command_id: UUID | None
    body: bytes
    hash: bytes
    alarm: int | None
    after_ms: float | None
    answers: int | None
    ended: str
    drawn: int
    not_after: datetime | None
    bets: Sequence[BetRow]
    settlements: Sequence[SettlementRow]
    postings: Sequence[Posting]
    users: Mapping[int, UUID]
    command: Any
    state: Any
    events: tuple[Event, ...]

    def stored(self, at: datetime, next_at: datetime | None) -> StoredCommit:
        """Return the commit after it was stored at this time."""
        return StoredCommit(
            self.game,
            self.version,
            self.seat,
            self.command_id,
            self.body,
            self.hash,
            at,
            next_at,
            self.ended,
            self.events,
        )


COLUMNS: Final = NewCommit._fields.index("bets")
"""The number of fields that are columns of the commit's own row."""


class HeadQuery(NamedTuple):
    """A question for the head of a game: its state, and the version of this seat's command."""

    game: UUID
    seat: int | None = None
    command_id: UUID | None = None


class HeadState(NamedTuple):
    """The head of a game. `committed_as` is the version of the command that was asked for.

    `now` is the database's time before it read the head.
    """

    version: int
    ended: str
    stalled: str
    committed_as: int | None
    now: datetime


class StoredGame(NamedTuple):
    """The rows that a process needs to load a game, and its newest snapshot if there is one."""

    slug: str
    rules_version: int
    genesis: bytes
    seed: bytes
    users: Mapping[int, UUID]
    bots: frozenset[int]
    accounts: Mapping[str, int]
    spectators: bool
    lobby: UUID
    stand_ins: frozenset[int]
    forfeited: frozenset[int]
    next_at: datetime | None
    snapshot: tuple[int, bytes, int, bytes] | None


# One statement for many games. It locks the heads that are still at the expected version, one by
# one in the order of their ids, and moves them. Only the commits of those heads are written; each
# row is joined by game and version. SKIP LOCKED: if another writer holds a head, the group loses
# that one commit and nothing else.
#
# The due time: an alarm that keeps its number keeps its due time. An alarm after a tick is due
# whole periods after the old due time, without those that have passed. Any other counts from now.
#
# The clock is compared with `not_after` while the head is locked (the CASE needs a locked row).
# Another writer that locks the head later therefore knows that no earlier commit can arrive.
_APPEND: Final = f"""
WITH candidate AS (
    SELECT * FROM unnest(
        %(game)b::uuid[], %(version)s::int[], %(seat)s::smallint[], %(command_id)b::uuid[],
          %(body)b::bytea[],
        %(hash)b::bytea[], %(alarm)s::int[], %(after_ms)s::float8[], %(answers)s::int[],
          %(ended)s::text[],
        %(drawn)s::bigint[], %(not_after)s::timestamptz[]
    ) AS c(game_id, version, seat, command_id, body, hash, alarm, after_ms, answers, ended, drawn,
      not_after)
),
locked AS MATERIALIZED (
    SELECT l.game_id FROM (SELECT * FROM candidate ORDER BY game_id) c CROSS JOIN LATERAL (
        SELECT h.game_id FROM games_head h WHERE h.game_id = c.game_id
            AND h.version + 1 = c.version AND h.ended = '' AND h.stalled = ''
            AND (c.answers IS NULL OR c.answers = h.alarm)
        FOR NO KEY UPDATE SKIP LOCKED
    ) l
),
won AS MATERIALIZED (
    UPDATE games_head h SET
        version = c.version, hash = c.hash, alarm = c.alarm, claimed_until = NULL, ended =
          c.ended, sealed = false,
        ended_at = CASE WHEN c.ended <> '' THEN clock_timestamp() END,
        bots_due_at = CASE
            WHEN c.ended = '' AND h.bots > 0 THEN least(h.bots_due_at, clock_timestamp() +
              (%(look_least)s + random() * %(look_spread)s) / h.bots * interval '1 ms') END,
        due_at = CASE
            WHEN c.alarm IS NULL THEN NULL
            WHEN c.answers IS NOT NULL AND h.due_at IS NOT NULL THEN h.due_at + c.after_ms *
              interval '1 ms' * greatest(
                1, ceil(extract(epoch FROM clock_timestamp() - h.due_at)::float8 * 1000 /
                  c.after_ms))
            WHEN c.alarm = h.alarm THEN h.due_at
            ELSE clock_timestamp() + c.after_ms * interval '1 ms'
        END
    FROM candidate c, locked s
    WHERE s.game_id = h.game_id AND c.game_id = h.game_id AND c.version = h.version + 1
    AND CASE WHEN s.game_id IS NOT NULL THEN c.not_after IS NULL OR clock_timestamp() <=
      c.not_after END
    AND NOT EXISTS (
        SELECT 1 FROM games_commit d WHERE d.game_id = c.game_id AND d.seat = c.seat AND
          d.command_id = c.command_id
    )
    RETURNING h.game_id, h.version, c.drawn, clock_timestamp() AS at, h.due_at AS next_at
),
committed AS (
    INSERT INTO games_commit (game_id, version, seat, command_id, body, hash, at, next_at)
    SELECT c.game_id, c.version, c.seat, c.command_id, c.body, c.hash, won.at, won.next_at
    FROM candidate c JOIN won USING (game_id, version)
),
bet AS (
    INSERT INTO games_bet (game_id, version, number, seat, user_id, spot, stake, odds, drawn)
    SELECT b.*, won.drawn FROM unnest(
        %(bet_game)b::uuid[], %(bet_version)s::int[], %(bet_number)s::int[],
          %(bet_seat)s::smallint[], %(bet_user)b::uuid[],
        %(bet_spot)s::text[], %(bet_stake)s::bigint[], %(bet_odds)s::text[]
    ) AS b(game_id, version, number, seat, user_id, spot, stake, odds) JOIN won USING (game_id,
      version)
),
settlement AS (
    INSERT INTO games_settlement (game_id, version, number, outcome, payout, drawn)
    SELECT s.*, won.drawn FROM unnest(
        %(settled_game)b::uuid[], %(settled_version)s::int[], %(settled_number)s::int[],
          %(settled_outcome)s::text[],
        %(settled_payout)s::bigint[]
    ) AS s(game_id, version, number, outcome, payout) JOIN won USING (game_id, version)
),
{ledger.GROUPED_POSTING}
SELECT game_id, version, at, next_at FROM won
"""  # noqa: S608  (both parts are constants)

APPEND: Final = " ".join(_APPEND.split())
"""Without indentation, because psycopg parses a query of over 4,096 characters again each time."""

BET_ARRAYS: Final = (
    "bet_game",
    "bet_version",
    "bet_number",
    "bet_seat",
    "bet_user",
    "bet_spot",
    "bet_stake",
    "bet_odds",
)
SETTLEMENT_ARRAYS: Final = (
    "settled_game",
    "settled_version",
    "settled_number",
    "settled_outcome",
    "settled_payout",
)
TRANSFER_ARRAYS: Final = (
    "transfer_cause",
    "transfer_number",
    "transfer_position",
    "transfer_debit",
    "transfer_credit",
    "transfer_amount",
    "transfer_reason",
)

# The lateral subqueries have a LIMIT, so that the planner joins them row by row. Otherwise it
# prefers to read all heads, or all commits of a game, as long as there are few of them, and keeps
# that plan when there are many.
HEADS: Final = """
SELECT h.game_id, h.version, h.ended, h.stalled, c.version AS committed_as, now() AS now
FROM unnest(%(game)b::uuid[], %(seat)s::smallint[], %(command_id)b::uuid[]) WITH ORDINALITY
    AS a(game_id, seat, command_id, place)
LEFT JOIN LATERAL (SELECT * FROM games_head WHERE game_id = a.game_id LIMIT 1) h ON true
LEFT JOIN LATERAL (
    SELECT version FROM games_commit
    WHERE game_id = a.game_id AND seat = a.seat AND command_id = a.command_id LIMIT 1
) c ON true
ORDER BY a.place
"""

COMMITS: Final = """
SELECT a.game_id, c.version, c.seat, c.command_id, c.body, c.hash, c.at, c.next_at,
    CASE WHEN c.version = h.version THEN h.ended ELSE '' END AS ended
FROM unnest(%(game)b::uuid[], %(after)s::int[], %(until)s::int[]) AS a(game_id, after, until)
CROSS JOIN LATERAL (SELECT version, ended FROM games_head WHERE game_id = a.game_id LIMIT 1) h
CROSS JOIN LATERAL (
    SELECT * FROM games_commit
    WHERE game_id = a.game_id AND version > a.after AND version <= a.until
    ORDER BY version LIMIT %(most)s
) c
ORDER BY a.game_id, c.version
"""

GAME: Final = """
SELECT g.slug, g.rules_version, g.genesis, l.seed, l.seed_box, l.seed_hash,
    l.visibility <> 'invite' AND l.spectators <> 'none' AS spectators,
    l.id AS lobby, h.stand_ins, h.forfeited,
    CASE WHEN h.stalled = '' THEN h.due_at END AS next_at, s.version, s.hash, s.drawn, s.state,
    (SELECT jsonb_object_agg(e.number, e.user_id) FROM games_seat e WHERE e.lobby_id = l.id) AS
      seats,
    (SELECT jsonb_object_agg(a.key, a.id) FROM accounts_account a WHERE a.book = g.id) AS accounts
FROM games_game g JOIN games_lobby l ON l.id = g.lobby_id JOIN games_head h ON h.game_id = g.id
LEFT JOIN games_snapshot s ON s.game_id = g.id
WHERE g.id = %(game)s
"""

SNAPSHOT: Final = """
INSERT INTO games_snapshot (game_id, version, hash, drawn, state) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (game_id) DO UPDATE SET version = excluded.version, hash = excluded.hash, drawn =
  excluded.drawn,
    state = excluded.state WHERE games_snapshot.version < excluded.version
"""


def append_parameters(commits: Sequence[NewCommit]) -> dict[str, Any]:
    """Return the parameters of the append statement: arrays with one element per row, and how long
    bots take to look."""
    least, longest = settings.BOT_LOOK_MS
    bets = [
        (
            commit.game,
            commit.version,
            row.bet,
            row.seat,
            commit.users.get(row.seat),
            row.spot,
            row.stake,
            row.odds,
        )
        for commit in commits
        for row in commit.bets
    ]
    settlements = [
        (commit.game, commit.version, row.bet, row.outcome, row.payout)
        for commit in commits
        for row in commit.settlements
    ]
    transfers = [
        (commit.game, commit.version, position, *posting)
        for commit in commits
        for position, posting in enumerate(commit.postings)
    ]
    return {
        **_arrays(NewCommit._fields[:COLUMNS], [commit[:COLUMNS] for commit in commits]),
        **_arrays(BET_ARRAYS, bets),
        **_arrays(SETTLEMENT_ARRAYS, settlements),
        **_arrays(TRANSFER_ARRAYS, transfers),
        "look_least": least,
        "look_spread": longest - least,
    }


def _arrays(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Any]]:
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def conninfo() -> str:
    """Return the connection string of Django's default database for libpq."""
    wanted = connections["default"].settings_dict
    names = {
        "dbname": "NAME",
        "user": "USER",
        "password": "PASSWORD",
        "host": "HOST",
        "port": "PORT",
    }
    parts = {name: value for name, value in wanted["OPTIONS"].items() if name != "pool"}
    parts |= {name: wanted[key] or None for name, key in names.items()}
    # Every query here finds its rows by key. Without statistics (in a new or restored database) the
    # planner would scan all heads for each commit, and keep that plan.
    bounds = (
        "-c statement_timeout=4000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=1500"
        " -c jit=off -c enable_seqscan=off -c plan_cache_mode=force_generic_plan"
    )
    parts["options"] = f"{parts.get('options', '')} {bounds}".strip()
    return make_conninfo("", **{**parts, "application_name": "gameserver-store"})


def append_here(commits: Sequence[NewCommit]) -> list[StoredCommit | None]:
    """Append inside the transaction of Django's connection in this thread. See `append_in`."""
    with connections["default"].cursor() as cursor:
        cursor.execute(APPEND, append_parameters(commits))
        return _stored(commits, cursor.fetchall())


def _stored(
    commits: Sequence[NewCommit], rows: Sequence[tuple[UUID, int, datetime, datetime | None]]
) -> list[StoredCommit | None]:
    times = {(game, version): (at, next_at) for game, version, at, next_at in rows}
    return [
        commit.stored(*found) if (found := times.get((commit.game, commit.version))) else None
        for commit in commits
    ]


class Store:
    """The store of one process. It runs on the store loop."""

    def __init__(self) -> None:
        self._pool: AsyncConnectionPool[BoundedAsyncConnection] | None = None
        self._opening = asyncio.Lock()
        self.append = Grouped(self._append_many, most=GROUP_MAX, lanes=1, waiting_max=WAITING_MAX)
        self.head = Grouped(self._heads, most=GROUP_MAX, lanes=2, waiting_max=WAITING_MAX)
        self._commits = Grouped(
            self._commits_many, most=GROUP_MAX, lanes=1, waiting_max=WAITING_MAX
        )

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[Any]]:
        """Lend a connection in autocommit mode. Raises Problem `unavailable` without a database."""
        if self._pool is None:
            async with self._opening:
                if self._pool is None:
                    pool = AsyncConnectionPool(
                        conninfo(),
                        connection_class=BoundedAsyncConnection,
                        min_size=1,
                        max_size=8,
                        timeout=3,
                        max_waiting=1000,
                        open=False,
                        kwargs={"autocommit": True, "prepare_threshold": 0},
                    )
                    await pool.open()
                    self._pool = pool
        try:
            async with self._pool.connection() as connection:
                yield connection
        except PoolTimeout as error:
            raise Problem("unavailable") from error

    async def problem_of(self, error: psycopg.Error) -> Problem | None:
        """Return the problem that a failed write means to its caller: `outcome_unknown` or `busy`.

        Returns None if the database refused the rows themselves.
        """
        if connection_lost(error):
            log.warning("write_without_answer", error=str(error))
            await self._drop_dead_connections()
            return Problem("outcome_unknown")
        return Problem("busy") if isinstance(error, psycopg.OperationalError) else None

    async def _drop_dead_connections(self) -> None:
        """Check all connections after one was lost, so that later statements need not."""
        if self._pool is not None:
            await self._pool.check()

    def pool_stats(self) -> dict[str, int]:
        """Return the statistics of the pool, empty before its first use."""
        return {} if self._pool is None else self._pool.get_stats()

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    # Appending

    async def append_in(
        self, connection: AsyncConnection[Any], commits: Sequence[NewCommit]
    ) -> list[StoredCommit | None]:
        """Append inside the caller's transaction. Returns each stored commit, or None for one that
        lost the race for its version or came too late."""
        cursor = await connection.execute(APPEND, append_parameters(commits), prepare=True)
        return _stored(commits, await cursor.fetchall())

    async def _append_many(
        self, commits: Sequence[NewCommit]
    ) -> Sequence[StoredCommit | BaseException | None]:
        metrics.APPEND_COMMITS.observe(len(commits))
        try:
            with metrics.APPEND_SECONDS.time():
                async with self.connection() as connection:
                    return await self.append_in(connection, commits)
        except Problem as busy:
            return [busy] * len(commits)
        except psycopg.Error as error:
            problem = await self.problem_of(error)
            if len(commits) == 1 or (problem is not None and problem.code == "outcome_unknown"):
                return [problem or error] * len(commits)
        # The whole statement was rolled back. Sent one by one, only the faulty commit fails.
        return [(await self._append_many([commit]))[0] for commit in commits]

    # Reading

    async def _read(self, query: str, parameters: Mapping[str, Any]) -> list[Any]:
        """Read rows as named tuples, with one retry after a lost connection.

        Raises Problem `unavailable`, `busy`.
        """
        for last in (False, True):
            try:
                async with self.connection() as connection:
                    cursor = connection.cursor(row_factory=namedtuple_row)
                    await cursor.execute(query, parameters, prepare=True)
                    return await cursor.fetchall()
            except psycopg.OperationalError as error:
                if not connection_lost(error):
                    raise Problem("busy") from error
                if last:
                    raise Problem("unavailable") from error
                await self._drop_dead_connections()
        raise AssertionError("The second try answers or raises.")

    async def _heads(self, asked: Sequence[HeadQuery]) -> Sequence[HeadState | BaseException]:
        games, seats, ids = (list(column) for column in zip(*asked, strict=True))
        return [
            HeadState(row.version, row.ended, row.stalled, row.committed_as, row.now)
            if row.version is not None
            else Problem("not_found", what="game")
            for row in await self._read(HEADS, {"game": games, "seat": seats, "command_id": ids})
        ]

    async def commits(self, game: UUID, after: int, until: int = VERSION_MAX) -> list[StoredCommit]:
        """Read the commits of a game with `after < version <= until`, in order."""
        found: list[StoredCommit] = []
        while True:
            page = await self._commits((game, after, until))
            found += page
            if len(page) < COMMITS_PER_QUERY:
                return found
            after = page[-1].version

    async def _commits_many(
        self, asked: Sequence[tuple[UUID, int, int]]
    ) -> Sequence[list[StoredCommit]]:
        found: dict[UUID, list[StoredCommit]] = {}
        games, afters, untils = (list(column) for column in zip(*asked, strict=True))
        most = COMMITS_PER_QUERY if len(asked) == 1 else None
        for row in await self._read(
            COMMITS, {"game": games, "after": afters, "until": untils, "most": most}
        ):
            found.setdefault(row.game_id, []).append(StoredCommit(*row))
        # Two callers may ask for different versions of one game. Each receives its own part.
        return [
            [
                commit
                for commit in _without_repeats(found.get(game, []))
                if after < commit.version <= until
            ]
            for game, after, until in asked
        ]

    async def game(self, game: UUID) -> StoredGame:
        """Read the rows that load a game. Raises Problem `not_found`, `seed_key_missing`."""
        rows = await self._read(GAME, {"game": game})
        if not rows:
            raise Problem("not_found", what="game")
        (row,) = rows
        seats: dict[str, str | None] = row.seats
        return StoredGame(
            slug=row.slug,
            rules_version=row.rules_version,
            genesis=row.genesis,
            seed=seeds.opened(row.seed, row.seed_box, row.seed_hash, row.lobby),
            users={int(number): UUID(user) for number, user in seats.items() if user is not None},
            bots=frozenset(int(number) for number, user in seats.items() if user is None),
            accounts=row.accounts,
            spectators=row.spectators,
            lobby=row.lobby,
            stand_ins=frozenset(row.stand_ins),
            forfeited=frozenset(row.forfeited),
            next_at=row.next_at,
            snapshot=None if row.state is None else (row.version, row.hash, row.drawn, row.state),
        )

    # Outside the log

    async def keep_snapshot(
        self, game: UUID, version: int, hash_: bytes, drawn: int, state: bytes
    ) -> None:
        """Store a snapshot, so that the next process need not replay from the start."""
        async with self.connection() as connection:
            await connection.execute(SNAPSHOT, (game, version, hash_, drawn, state), prepare=True)

    async def stall(self, game: UUID, why: str) -> None:
        """Stall a game whose rules failed: the clock skips it, and operators can void it."""
        async with self.connection() as connection:
            await connection.execute(
                "UPDATE games_head SET stalled = %s WHERE game_id = %s", (why[:200], game)
            )


def _without_repeats(commits: list[StoredCommit]) -> list[StoredCommit]:
    return list({commit.version: commit for commit in commits}.values())


def connection_lost(error: psycopg.Error) -> bool:
    """Return whether a statement ended without an answer, so that its effect is unknown.

    A refusal by the database has a code.
    """
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    return error.sqlstate.startswith(("57P", "08")) or error.sqlstate == IDLE_IN_TRANSACTION


store = one_per_loop(Store)
"""The store of the running loop."""
