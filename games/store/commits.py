"""The store of commits: it appends commits of many games in one statement, and reads them.

The head of each game decides which commit comes next.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from itertools import islice
from typing import Any, Final, Protocol
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, connections
from psycopg.conninfo import make_conninfo
from psycopg.errors import CheckViolation
from psycopg.rows import namedtuple_row

from games.store import seeds
from games.store.rows import HeadQuery, HeadState, NewCommit, StoredCommit, StoredGame
from games.store.statements import (
    COMMITS,
    GAME,
    HEADS,
    SNAPSHOT,
    append_query,
    game_bounds,
)
from kit import metrics
from kit.batching import Grouped
from kit.database import BoundedAsyncConnection, Pool
from kit.event_loop import one_per_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

GROUP_MAX: Final = 512
LANES: Final = 1
"""The appends that run at once. More would divide the commits that wait among more statements."""
RUN_MAX: Final = 64
"""The commits of one game in a statement: deciding them keeps the loop from other work."""
WAITING_MAX: Final = 20_000
COMMITS_PER_QUERY: Final = 20_000
VERSION_MAX: Final = 2**31 - 1
_PREPARE_AFTER: Final = {"session": 0, "transaction": None, "transaction_prepared": 0}
"""How many uses prepare a statement: None means that it is never prepared."""

IDLE_IN_TRANSACTION: Final = "25P03"
"""The database ended a session that was silent in a transaction: its process froze."""
READ_ONLY: Final = "25006"
"""The database accepts no writes: it is a standby, or its provider made it read-only."""


Reader = Callable[[UUID, int, int], Awaitable[list[StoredCommit]]]
archives: Final[list[Reader]] = []
"""Readers of commits that left the database, by game, version before the first and last version.
The archive registers its own."""

SETTINGS: Final = {
    "statement_timeout": "4000",
    "lock_timeout": "2000",
    "idle_in_transaction_session_timeout": "1500",
    # Every query here finds its rows by key. Without statistics (in a new or restored database) the
    # planner would scan all heads for each commit, and keep that plan.
    "jit": "off",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "plan_cache_mode": "force_generic_plan",
}
"""The settings of PostgreSQL that the store's connections need."""


def conninfo() -> str:
    """Return the connection string of the store's database for libpq.

    A pooler that lends connections for a transaction passes no settings on: there the role has
    them, and `check_settings` looks.
    """
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
    parts |= settings.STORE_DATABASE
    if settings.DATABASE_POOLING == "session":
        bounds = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        parts["options"] = f"{parts.get('options', '')} {bounds}".strip()
    return make_conninfo("", **{**parts, "application_name": "gameserver-store"})


def check_settings() -> None:
    """Compare the settings of the store's role with those that it needs, where a pooler passes none
    on. A database that is not there yet is not checked.

    Raises ImproperlyConfigured with the statement to execute.
    """
    if settings.DATABASE_POOLING == "session":
        return
    query = """
        SELECT wanted.name FROM unnest(%s::text[], %s::text[]) AS wanted(name, value)
        JOIN pg_settings USING (name) WHERE pg_settings.setting <> wanted.value
    """
    with suppress(psycopg.OperationalError), psycopg.connect(conninfo()) as connection:
        parameters = (list(SETTINGS), list(SETTINGS.values()))
        missing = [name for (name,) in connection.execute(query, parameters)]
        if missing:
            role = connection.info.user
            raise ImproperlyConfigured(
                f"The role {role} lacks settings of the store. As a superuser, execute: "
                + " ".join(f"ALTER ROLE {role} SET {name} = {SETTINGS[name]};" for name in missing)
            )


class Run(Protocol):
    """Commits of one game that follow each other."""

    def decide(self, most: int) -> Sequence[NewCommit]:
        """Return up to `most` commits. It is called once, just before they are stored."""

    def callers(self) -> Iterable[Any]:
        """Return what a trace calls those who want commits."""


Appended = Sequence[StoredCommit | BaseException | None]
"""The result for each commit of a run: None if it lost the race for its version or came too late,
or follows one that is not stored."""


def append_here(commits: Sequence[NewCommit]) -> list[StoredCommit | None]:
    """Append inside the transaction of Django's connection in this thread. See `append_in`.

    Raises Problem `unavailable` if the month of a game has no partitions.
    """
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute(*append_query(commits))
            return _stored(commits, cursor.fetchall())
    except IntegrityError as error:
        cause = error.__cause__
        if isinstance(cause, CheckViolation) and cause.diag.constraint_name is None:
            log.exception("month_has_no_partitions")
            raise Problem("unavailable") from error
        raise


def _stored(
    commits: Sequence[NewCommit], rows: Sequence[tuple[Any, ...]]
) -> list[StoredCommit | None]:
    times = {(game, version): (at, next_at) for game, version, at, next_at in rows}
    return [
        commit.stored(*found) if (found := times.get((commit.game, commit.version))) else None
        for commit in commits
    ]


def _observe(commits: int, took_s: float) -> None:
    metrics.APPEND_COMMITS.observe(commits)
    metrics.APPEND_SECONDS.observe(took_s)


class Store:
    """The store of one process. It runs on the store loop."""

    def __init__(self) -> None:
        # A pool lends its connections in turn. Appends have their own, so that the same process of
        # the database serves all of them, with warm caches.
        self._pools = {
            "store": Pool(conninfo, _PREPARE_AFTER[settings.DATABASE_POOLING], most=7),
            "appends": Pool(
                conninfo, _PREPARE_AFTER[settings.DATABASE_POOLING], most=LANES, keeps=True
            ),
        }
        self.append: Grouped[Run, Appended] = Grouped(
            self._append_many,
            most=GROUP_MAX,
            lanes=LANES,
            waiting_max=WAITING_MAX,
            callers_of=lambda run: run.callers(),
        )
        self._heads = Grouped(self.heads, most=GROUP_MAX, lanes=2, waiting_max=WAITING_MAX)
        self._commits = Grouped(
            self._commits_many, most=GROUP_MAX, lanes=1, waiting_max=WAITING_MAX
        )

    def connection(self) -> AbstractAsyncContextManager[BoundedAsyncConnection]:
        """Lend a connection in autocommit mode. Raises Problem `unavailable` without a database."""
        return self._pools["store"].connection()

    async def problem_of(self, error: psycopg.Error) -> Problem | None:
        """Return the problem that a failed write means to its caller: `outcome_unknown`, `busy`, or
        `unavailable` if the database refused the statement, as during an upgrade.

        Returns None if the database refused the rows themselves.
        """
        if connection_lost(error):
            log.warning("write_without_answer", error=str(error))
            await self._drop_dead_connections()
            return Problem("outcome_unknown")
        if isinstance(error, psycopg.OperationalError) or error.sqlstate == READ_ONLY:
            return Problem("busy")
        if isinstance(error, psycopg.IntegrityError | psycopg.DataError):
            return None
        log.error("write_refused", exc_info=error)
        return Problem("unavailable")

    async def _drop_dead_connections(self) -> None:
        """Check all connections after one was lost, so that later statements need not."""
        for pool in self._pools.values():
            await pool.check()

    def pool_stats(self) -> dict[str, dict[str, int]]:
        """Return the statistics of each pool, empty before its first use."""
        return {name: pool.stats() for name, pool in self._pools.items()}

    async def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            await pool.close()

    # Appending

    async def append_in(
        self, connection: BoundedAsyncConnection, commits: Sequence[NewCommit]
    ) -> list[StoredCommit | None]:
        """Append inside the caller's transaction. Returns each stored commit, or None for one that
        lost the race for its version, came too late, or follows such a commit of its game."""
        return _stored(commits, await connection.run(*append_query(commits)))

    async def _append_many(self, runs: Sequence[Run]) -> Sequence[Appended]:
        most = min(RUN_MAX, GROUP_MAX // len(runs))
        decided = [run.decide(most) for run in runs]
        commits = [commit for run in decided for commit in run]
        answers = iter(await self._append_all(commits) if commits else ())
        return [list(islice(answers, len(run))) for run in decided]

    async def _append_all(self, commits: Sequence[NewCommit]) -> Appended:
        try:
            return await self._append_measured(commits)
        except Problem as busy:
            return [busy] * len(commits)
        except psycopg.Error as error:
            problem = await self.problem_of(error)
            if len(commits) == 1 or (problem is not None and problem.code == "outcome_unknown"):
                return [problem or error] * len(commits)
        # The whole statement was rolled back. Sent one by one, only the faulty commit fails, and
        # those that follow it are not stored.
        answers: list[StoredCommit | BaseException | None] = []
        failed: set[UUID] = set()
        for commit in commits:
            (answer,) = (None,) if commit.game in failed else await self._append_all([commit])
            if not isinstance(answer, StoredCommit):
                failed.add(commit.game)
            answers.append(answer)
        return answers

    async def _append_measured(self, commits: Sequence[NewCommit]) -> Appended:
        """Append on a connection of appends, and observe the metrics after the answers are sent."""
        began = time.perf_counter()
        try:
            async with self._pools["appends"].connection() as connection:
                return await self.append_in(connection, commits)
        finally:
            took_s = time.perf_counter() - began
            asyncio.get_running_loop().call_soon(_observe, len(commits), took_s)

    # Reading

    async def read(self, query: str, parameters: Mapping[str, Any]) -> list[Any]:
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
            except psycopg.Error as error:
                # The database refuses the statement, as during an upgrade.
                log.exception("read_refused")
                raise Problem("unavailable") from error
        raise AssertionError("The second try answers or raises.")

    async def head(self, query: HeadQuery) -> HeadState:
        """Read the head of a game, and look for the command in the archive as well.

        Raises Problem `not_found`, `unavailable`, `busy`, `archive_damaged`.
        """
        return await self.with_archived(query, await self._heads(query))

    async def with_archived(self, query: HeadQuery, head: HeadState) -> HeadState:
        """Return this head with the version of the command if the game is archived.

        Callers whose heads were read together each wait for their own game only. Raises Problem
        `unavailable`, `busy`, `archive_damaged`.
        """
        if head.ended and head.committed_as is None and query.command_id is not None:
            for commit in await self._archived(query.game, 0, VERSION_MAX):
                if (commit.seat, commit.command_id) == (query.seat, query.command_id):
                    return head._replace(committed_as=commit.version)
        return head

    async def heads(self, asked: Sequence[HeadQuery]) -> Sequence[HeadState | Problem]:
        """Read the heads of games, in the order of the queries; `not_found` for games without.

        The commands of archived games are not found. Raises Problem `unavailable`, `busy`.
        """
        games, seats, ids = (list(column) for column in zip(*asked, strict=True))
        wanted = {"game": games, "seat": seats, "command_id": ids, **game_bounds(games)}
        return [
            Problem("not_found", what="game")
            if row.version is None
            else HeadState(row.version, row.ended, row.stalled, row.committed_as, row.now)
            for row in await self.read(HEADS, wanted)
        ]

    async def _archived(self, game: UUID, after: int, until: int) -> list[StoredCommit]:
        """Return the commits of an archived game, none of others."""
        found: list[StoredCommit] = []
        for read in archives:
            found += await read(game, after, until)
        return found

    async def commits(self, game: UUID, after: int, until: int = VERSION_MAX) -> list[StoredCommit]:
        """Read the commits of a game with `after < version <= until`, in order.

        Raises Problem `unavailable`, `busy`, `archive_damaged`.
        """
        found: list[StoredCommit] = []
        while True:
            page = await self._commits((game, after, until))
            found += page
            if len(page) < COMMITS_PER_QUERY:
                break
            after = page[-1].version
        return found or await self._archived(game, after, until)

    async def _commits_many(
        self, asked: Sequence[tuple[UUID, int, int]]
    ) -> Sequence[list[StoredCommit]]:
        found: dict[UUID, list[StoredCommit]] = {}
        games, afters, untils = (list(column) for column in zip(*asked, strict=True))
        most = COMMITS_PER_QUERY if len(asked) == 1 else None
        wanted = {"game": games, "after": afters, "until": untils, "most": most}
        for row in await self.read(COMMITS, wanted | game_bounds(games)):
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
        rows = await self.read(GAME, {"game": game})
        if not rows:
            raise Problem("not_found", what="game")
        (row,) = rows
        seats: dict[str, str | None] = row.seats
        return StoredGame(
            slug=row.slug,
            rules_version=row.rules_version,
            genesis=row.genesis,
            seed=seeds.opened(row.seed, row.seed_box, row.seed_hash, row.lobby, row.log_name),
            has_ended=row.has_ended,
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
