"""The event store: appends commits, many games in one statement, with the head of each game as the
referee."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
import structlog
from django.db import connections
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.rows import namedtuple_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from accounts import ledger
from accounts.ledger import Posting
from games.engine.bets import BetRow, SettlementRow
from games.store import seeds
from kit.batching import Grouped
from kit.database import BoundedAsyncConnection
from kit.event_loop import one_per_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

GROUP_MAX: Final = 512
WAITING_MAX: Final = 20_000
RECORDS_PER_QUERY: Final = 20_000
VERSION_MAX: Final = 2**31 - 1
IDLE_IN_TRANSACTION: Final = "25P03"
"""The database ended a session that held a transaction open and was silent: its process froze."""


class Entry(NamedTuple):
    """A commit to be appended after `version - 1`.

    `answers`: the alarm that a tick or a pause answers; the entry is refused when the head awaits
    another. `alarm` and `after_ms`: what is awaited next. `drawn`: how many draws the game has made
    after it. `not_after`: by the database's
    clock, the entry is refused later. `users`: the people by seat, whose bets these are."""

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


COLUMNS: Final = Entry._fields.index("bets")
"""How many fields of an entry are columns of its own row; rows of their own follow."""


class Stored(NamedTuple):
    """When an entry was committed, and when the clock acts next after it, if nothing else
    happens."""

    at: datetime
    next_at: datetime | None


class Record(NamedTuple):
    """A stored commit. `next_at`: when the clock acts next after it. `ended`: how the game has
    ended, told with its newest commit."""

    game: UUID
    version: int
    seat: int | None
    command_id: UUID | None
    body: bytes
    hash: bytes
    at: datetime
    next_at: datetime | None
    ended: str


class HeadAsked(NamedTuple):
    """Where does this game stand, and which version has this seat's command id?"""

    game: UUID
    seat: int | None = None
    command_id: UUID | None = None


class HeadFound(NamedTuple):
    """Where a game stands now. `known`: the version that carries the command id asked for; `now`:
    the time by the database's clock, before it looked."""

    version: int
    ended: str
    stalled: str
    known: int | None
    now: datetime


class Opened(NamedTuple):
    """What a process needs to sit a game down at its table: its rows, and its newest snapshot if
    there is one."""

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


# One statement for many games. The heads that still stand before their entry are locked in the
# order of their games and moved; only those entries are written, each row joined by game and
# version. SKIP LOCKED: a head that somebody holds loses its entry, never the whole group. The due
# time: an alarm that keeps its number keeps it; one that a tick answered counts on from the old due
# time, whole periods that have passed already left out; any other counts from now. Whether an entry
# is in time is asked of the clock while its head is locked (the CASE needs a row that is): whoever
# locks the head later knows that none of the entries before it is still on its way.
APPEND: Final = f"""
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
standing AS MATERIALIZED (
    SELECT h.game_id FROM games_head h JOIN candidate c ON c.game_id = h.game_id AND c.version =
      h.version + 1
    WHERE h.ended = '' AND h.stalled = '' AND (c.answers IS NULL OR c.answers = h.alarm)
    ORDER BY h.game_id FOR NO KEY UPDATE OF h SKIP LOCKED
),
won AS MATERIALIZED (
    UPDATE games_head h SET
        version = c.version, hash = c.hash, alarm = c.alarm, claimed_until = NULL, ended =
          c.ended, sealed = false,
        ended_at = CASE WHEN c.ended <> '' THEN clock_timestamp() END,
        bots_due_at = CASE
            WHEN c.ended = '' AND h.bots > 0 THEN coalesce(h.bots_due_at, clock_timestamp() +
              interval '400 ms') END,
        due_at = CASE
            WHEN c.alarm IS NULL THEN NULL
            WHEN c.answers IS NOT NULL AND h.due_at IS NOT NULL THEN h.due_at + c.after_ms *
              interval '1 ms' * greatest(
                1, ceil(extract(epoch FROM clock_timestamp() - h.due_at)::float8 * 1000 /
                  c.after_ms))
            WHEN c.alarm = h.alarm THEN h.due_at
            ELSE clock_timestamp() + c.after_ms * interval '1 ms'
        END
    FROM candidate c, standing s
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
SELECT game_id, at, next_at FROM won
"""  # noqa: S608  (both parts are constants)

HEADS: Final = """
SELECT h.game_id, h.version, h.ended, h.stalled, c.version AS known, now() AS now
FROM unnest(%(game)b::uuid[], %(seat)s::smallint[], %(command_id)b::uuid[]) WITH ORDINALITY
    AS a(game_id, seat, command_id, place)
LEFT JOIN games_head h ON h.game_id = a.game_id
LEFT JOIN games_commit c ON c.game_id = a.game_id AND c.seat = a.seat AND c.command_id =
  a.command_id
ORDER BY a.place
"""

COMMITS: Final = """
SELECT c.game_id, c.version, c.seat, c.command_id, c.body, c.hash, c.at, c.next_at,
    CASE WHEN c.version = h.version THEN h.ended ELSE '' END AS ended
FROM unnest(%(game)b::uuid[], %(after)s::int[], %(until)s::int[]) AS a(game_id, after, until)
JOIN games_head h ON h.game_id = a.game_id
JOIN games_commit c ON c.game_id = a.game_id AND c.version > a.after AND c.version <= a.until
ORDER BY c.game_id, c.version LIMIT %(most)s
"""

OPEN: Final = """
SELECT g.slug, g.rules_version, g.genesis, l.seed, l.seed_box, l.seed_hash,
    l.visibility <> 'invite' AND l.spectators <> 'none' AS spectators,
    l.id AS lobby, h.stand_ins, h.forfeited, h.due_at, s.version, s.hash, s.drawn, s.state,
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


def append_parameters(entries: Sequence[Entry]) -> dict[str, list[Any]]:
    """The arrays of the append statement, one element per row."""
    columns = list(zip(*(entry[:COLUMNS] for entry in entries), strict=True))
    bets = [
        (
            entry.game,
            entry.version,
            row.bet,
            row.seat,
            entry.users.get(row.seat),
            row.spot,
            row.stake,
            row.odds,
        )
        for entry in entries
        for row in entry.bets
    ]
    settlements = [
        (entry.game, entry.version, row.bet, row.outcome, row.payout)
        for entry in entries
        for row in entry.settlements
    ]
    postings = [
        (entry.game, entry.version, position, *posting)
        for entry in entries
        for position, posting in enumerate(entry.postings)
    ]
    names = (
        (Entry._fields[:COLUMNS], columns),
        (
            (
                "bet_game",
                "bet_version",
                "bet_number",
                "bet_seat",
                "bet_user",
                "bet_spot",
                "bet_stake",
                "bet_odds",
            ),
            list(zip(*bets, strict=True)),
        ),
        (
            (
                "settled_game",
                "settled_version",
                "settled_number",
                "settled_outcome",
                "settled_payout",
            ),
            list(zip(*settlements, strict=True)),
        ),
        (
            (
                "transfer_cause",
                "transfer_number",
                "transfer_position",
                "transfer_debit",
                "transfer_credit",
                "transfer_amount",
                "transfer_reason",
            ),
            list(zip(*postings, strict=True)),
        ),
    )
    return {
        name: list(values[index]) if values else []
        for fields, values in names
        for index, name in enumerate(fields)
    }


def conninfo() -> str:
    """How to reach the database of Django's default connection, as libpq wants it."""
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
    # Everything here finds its rows by key. Without statistics yet (a new database, a restored one)
    # the planner would rather scan all heads once per entry, and keep that plan.
    settings = (
        "-c statement_timeout=4000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=1500"
        " -c jit=off -c enable_seqscan=off -c plan_cache_mode=force_generic_plan"
    )
    parts["options"] = f"{parts.get('options', '')} {settings}".strip()
    return make_conninfo("", **{**parts, "application_name": "gameserver-store"})


def append_here(entries: Sequence[Entry]) -> dict[UUID, Stored]:
    """Append inside the transaction of Django's connection in this thread. Returns the entries that
    were taken."""
    with connections["default"].cursor() as cursor:
        cursor.execute(APPEND, append_parameters(entries))
        return {game: Stored(*times) for game, *times in cursor.fetchall()}


class Store:
    """The store of one process, living on its store loop."""

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
        """A connection in autocommit mode. Raises Problem `unavailable` when the database cannot be
        reached."""
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
        """What a write that failed means to its caller: `outcome_unknown`, or `busy`; None when the
        database refused what was written."""
        if connection_lost(error):
            log.warning("write_without_answer", error=str(error))
            await self._drop_dead_connections()
            return Problem("outcome_unknown")
        return Problem("busy") if isinstance(error, psycopg.OperationalError) else None

    async def _drop_dead_connections(self) -> None:
        """After one connection was lost: the others may be as dead, and the next statements need
        not find out singly."""
        if self._pool is not None:
            await self._pool.check()

    async def close(self) -> None:
        """Give the connections back."""
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    # Appending

    async def append_in(
        self, connection: AsyncConnection[Any], entries: Sequence[Entry]
    ) -> dict[UUID, Stored]:
        """Append inside the caller's transaction. Returns the entries that were taken."""
        cursor = await connection.execute(APPEND, append_parameters(entries), prepare=True)
        return {game: Stored(*times) for game, *times in await cursor.fetchall()}

    async def _append_many(
        self, entries: Sequence[Entry]
    ) -> Sequence[Stored | BaseException | None]:
        try:
            async with self.connection() as connection:
                taken = await self.append_in(connection, entries)
            return [taken.get(entry.game) for entry in entries]
        except Problem as busy:
            return [busy] * len(entries)
        except psycopg.Error as error:
            problem = await self.problem_of(error)
            if len(entries) == 1 or (problem is not None and problem.code == "outcome_unknown"):
                return [problem or error] * len(entries)
        # The statement was rolled back whole: sent one by one, only the guilty entry fails.
        return [(await self._append_many([entry]))[0] for entry in entries]

    # Reading

    async def _read(self, query: str, parameters: Mapping[str, Any]) -> list[Any]:
        """Rows as named tuples; asked a second time when the connection was lost. Raises Problem
        `unavailable` or `busy`."""
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

    async def _heads(self, asked: Sequence[HeadAsked]) -> Sequence[HeadFound | BaseException]:
        games, seats, ids = (list(column) for column in zip(*asked, strict=True))
        return [
            HeadFound(row.version, row.ended, row.stalled, row.known, row.now)
            if row.version is not None
            else Problem("not_found", what="game")
            for row in await self._read(HEADS, {"game": games, "seat": seats, "command_id": ids})
        ]

    async def commits(self, game: UUID, after: int, until: int = VERSION_MAX) -> list[Record]:
        """The commits of a game with `after < version <= until`, in order."""
        records: list[Record] = []
        while True:
            page = await self._commits((game, after, until))
            records += page
            if len(page) < RECORDS_PER_QUERY:
                return records
            after = page[-1].version

    async def _commits_many(self, asked: Sequence[tuple[UUID, int, int]]) -> Sequence[list[Record]]:
        found: dict[UUID, list[Record]] = {}
        games, afters, untils = (list(column) for column in zip(*asked, strict=True))
        most = RECORDS_PER_QUERY if len(asked) == 1 else None
        for row in await self._read(
            COMMITS, {"game": games, "after": afters, "until": untils, "most": most}
        ):
            record = Record(*row)
            found.setdefault(record.game, []).append(record)
        # Two callers may ask for one game from different versions: each gets its own part.
        return [
            [
                record
                for record in _without_repeats(found.get(game, []))
                if after < record.version <= until
            ]
            for game, after, until in asked
        ]

    async def open(self, game: UUID) -> Opened:
        """What is needed to play a game here. Raises Problem `not_found`, `seed_key_missing`."""
        rows = await self._read(OPEN, {"game": game})
        if not rows:
            raise Problem("not_found", what="game")
        (row,) = rows
        seats: dict[str, str | None] = row.seats
        return Opened(
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
            next_at=row.due_at,
            snapshot=None if row.state is None else (row.version, row.hash, row.drawn, row.state),
        )

    # Beside the log

    async def keep_snapshot(
        self, game: UUID, version: int, hash_: bytes, drawn: int, state: bytes
    ) -> None:
        """Remember a state, so that the next process need not replay from the start."""
        async with self.connection() as connection:
            await connection.execute(SNAPSHOT, (game, version, hash_, drawn, state), prepare=True)

    async def stall(self, game: UUID, why: str) -> None:
        """Take a game whose rules failed off the clock; it can be voided."""
        async with self.connection() as connection:
            await connection.execute(
                "UPDATE games_head SET stalled = %s WHERE game_id = %s", (why[:200], game)
            )


def _without_repeats(records: list[Record]) -> list[Record]:
    return list({record.version: record for record in records}.values())


def connection_lost(error: psycopg.Error) -> bool:
    """Whether the statement ended without an answer: what it did is not known. A refusal by the
    database carries a code."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    return error.sqlstate.startswith(("57P", "08")) or error.sqlstate == IDLE_IN_TRANSACTION


store = one_per_loop(Store)
"""The store of the running loop."""
