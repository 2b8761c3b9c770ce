"""The connections of a process to the database of the store: their settings, their pools, and what
their errors mean."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import partial
from typing import Final

import psycopg
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.conninfo import make_conninfo
from psycopg.pq import TransactionStatus

from kit.database import BoundedAsyncConnection, Pool
from kit.problems import Problem
from kit.replicas import ALIAS, IDENTITY

log = structlog.get_logger(__name__)

READERS_MAX: Final = 7
REPLICA_READERS_MAX: Final = 2
IDLE_IN_TRANSACTION: Final = "25P03"
"""The database ended a session that was silent in a transaction: its process froze."""
READ_ONLY: Final = "25006"
"""The database accepts no writes: it is a standby, or its provider made it read-only."""


DURABLE: Final = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
"""
"""An acknowledged commit is on the disk, and on the synchronous standby if there is one, whatever
the role has."""

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


def conninfo(alias: str = DEFAULT_DB_ALIAS) -> str:
    """Return the connection string of the store's database, or of a replica, for libpq.

    A pooler that lends connections for a transaction passes no settings on: there the role has
    them, and `check_settings` looks.
    """
    wanted = connections[alias].settings_dict
    names = {
        "dbname": "NAME",
        "user": "USER",
        "password": "PASSWORD",
        "host": "HOST",
        "port": "PORT",
    }
    parts = {name: value for name, value in wanted["OPTIONS"].items() if name != "pool"}
    parts |= {name: wanted[key] or None for name, key in names.items()}
    if alias == DEFAULT_DB_ALIAS:
        parts |= settings.STORE_DATABASE
    if settings.DATABASE_POOLING == "session":
        bounds = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        bounds += " -c idle_session_timeout=0"  # pools keep connections that nobody uses
        parts["options"] = f"{parts.get('options', '')} {bounds}".strip()
    return make_conninfo("", **{**parts, "application_name": "gameserver-store"})


def check_settings() -> None:
    """Compare the settings of the store's role with those that it needs, where a pooler passes none
    on. A database that is not there yet is not checked.

    Raises ImproperlyConfigured with the statement to execute, or for a pooler that nobody named.
    """
    if settings.DATABASE_POOLING == "session":
        _check_for_pooler()
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


def _check_for_pooler() -> None:
    """Raises ImproperlyConfigured if a pooler refuses the settings of a session."""
    try:
        psycopg.connect(conninfo()).close()
    except psycopg.OperationalError as error:
        if "unsupported startup parameter" in str(error):
            raise ImproperlyConfigured(
                "DATABASE_URL leads to a pooler such as PgBouncer, which passes no settings on: "
                "set DATABASE_POOLING to transaction, and give the role the store's settings."
            ) from error


def connection_lost(error: psycopg.Error) -> bool:
    """Return whether a statement ended without an answer, so that its effect is unknown.

    A refusal by the database has a code.
    """
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    return error.sqlstate.startswith(("57P", "08")) or error.sqlstate == IDLE_IN_TRANSACTION


def _runs(connection: BoundedAsyncConnection) -> bool:
    """Return whether a statement runs on a connection."""
    return connection.info.transaction_status == TransactionStatus.ACTIVE


class Connections:
    """The pools of one process, and the connection of its appends."""

    def __init__(self) -> None:
        # A pooler that lends connections for a transaction loses prepared statements.
        prepare_after = 0 if settings.DATABASE_POOLING == "session" else None
        # Appends have their own connection, so that the same process of the database serves all of
        # them, with warm caches.
        self._pools = {
            name: Pool(conninfo, prepare_after, most=most, name=name, opened=self._opened)
            for name, most in (("store", READERS_MAX), ("appends", 1))
        }
        if ALIAS in settings.DATABASES:
            self._pools[ALIAS] = Pool(
                partial(conninfo, ALIAS), prepare_after, most=REPLICA_READERS_MAX, name=ALIAS
            )
        self.on_change: list[Callable[[], object]] = []
        """Called when a new connection leads to another database, or to another timeline of it."""
        self._identity: tuple[str, int] | None = None
        self._kept = AsyncExitStack()
        self.appending: BoundedAsyncConnection | None = None
        """The connection of appends, once it is open. It stays out of its pool between appends."""

    async def _opened(self, connection: BoundedAsyncConnection) -> None:
        """Prepare a new connection. A pooler would give its settings to other clients too: there
        the role must have them."""
        if settings.DATABASE_POOLING == "session":
            await connection.execute(DURABLE)
        await self._identify(connection)

    async def _identify(self, connection: BoundedAsyncConnection) -> None:
        """Compare the database of a new connection with that of the connections before."""
        try:
            row = await (await connection.execute(IDENTITY)).fetchone()
        except psycopg.Error as error:  # heads that went back are noticed all the same
            log.warning("database_not_identified", error=str(error))
            return
        if row is None or row[1] is None:  # a standby
            return
        before, self._identity = self._identity, row
        if before not in {None, row}:
            log.critical("database_changed", before=before, now=row)
            for changed in self.on_change:
                changed()

    def lent(self) -> AbstractAsyncContextManager[BoundedAsyncConnection]:
        """Lend a connection in autocommit mode. Raises Problem `unavailable` without a database."""
        return self._pools["store"].connection()

    def lent_by_replica(self) -> AbstractAsyncContextManager[BoundedAsyncConnection]:
        """Lend a connection to the replica. Raises Problem `unavailable` without one."""
        return self._pools[ALIAS].connection()

    async def open_appending(self) -> BoundedAsyncConnection:
        """Open the connection of appends, in autocommit mode. Raises Problem `unavailable`."""
        self.appending = await self._kept.enter_async_context(self._pools["appends"].connection())
        return self.appending

    async def give_back_appending(self) -> None:
        """Give the connection of appends back to its pool, which closes it if it is broken."""
        self.appending = None
        await self._kept.pop_all().aclose()

    async def problem_of(self, error: psycopg.Error) -> Problem | None:
        """Return the problem that a failed write means to its caller: `outcome_unknown`, `busy`, or
        `unavailable` if the database refused the statement, as during an upgrade.

        Returns None if the database refused the rows themselves.
        """
        if connection_lost(error):
            log.warning("write_without_answer", error=str(error))
            await self.drop_dead()
            return Problem("outcome_unknown")
        if isinstance(error, psycopg.OperationalError) or error.sqlstate == READ_ONLY:
            return Problem("busy")
        if isinstance(error, psycopg.IntegrityError | psycopg.DataError):
            return None
        log.error("write_refused", exc_info=error)
        return Problem("unavailable")

    async def drop_dead(self) -> None:
        """Check all connections after one was lost, so that later statements need not."""
        if self.appending is not None and not _runs(self.appending):
            await self.give_back_appending()
        for pool in self._pools.values():
            await pool.check()

    def stats(self) -> dict[str, dict[str, int]]:
        """Return the statistics of each pool, empty before its first use."""
        return {name: pool.stats() for name, pool in self._pools.items()}

    async def close(self) -> None:
        """Close all connections."""
        await self.give_back_appending()
        for pool in self._pools.values():
            await pool.close()
