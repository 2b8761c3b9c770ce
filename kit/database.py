"""Database connections with a limit on every wait.

A peer that vanishes leaves a half-open connection without an error and without an answer. The
database's own limits end every statement sooner than `ANSWER_WITHIN_S`, so a connection that is
silent for longer is dead, and all of its kind that are already open are suspect.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Final, TypeVar

import psycopg
from psycopg import AsyncConnection, Connection, Cursor, generators, waiting
from psycopg._preparing import Prepare
from psycopg.abc import PQGen, Query
from psycopg.adapt import Transformer
from psycopg.errors import _WaitTimeout, error_from_result
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from kit.parameters import Parameters, numbered
from kit.problems import Problem

T = TypeVar("T")

ANSWER_WITHIN_S: Final = 5.0
WEB_THREADS_ANSWER_WITHIN_S: Final = 8.0
WORKER_THREADS_ANSWER_WITHIN_S: Final = 15.0
CHECK_WITHIN_S: Final = 2.0
INTERVAL_S: Final = 0.1


class _Watch:
    """The age of a connection, and since when connections of its kind are trusted."""

    trusted_since: ClassVar[dict[str, float]] = {}

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._opened_at = time.monotonic()

    def check(self, pgconn: PGconn) -> None:
        """Raise psycopg.OperationalError if one of its kind was found dead after it was opened."""
        if self._opened_at < self.trusted_since.get(self._kind, 0.0):
            raise self._closed(pgconn, "another connection was found dead")

    def gave_up(self, pgconn: PGconn) -> psycopg.OperationalError:
        """Close a silent connection, and distrust all of its kind that are already open."""
        self.trusted_since[self._kind] = time.monotonic()
        return self._closed(pgconn, "the database gave no answer in time")

    @staticmethod
    def _closed(pgconn: PGconn, why: str) -> psycopg.OperationalError:
        pgconn.finish()
        return psycopg.OperationalError(f"connection closed: {why}")


class BoundedAsyncConnection(AsyncConnection[Any]):
    """A connection of an event loop. Each wait for the database ends within `ANSWER_WITHIN_S`.

    A cancelled statement closes it at once: to cancel it in the database would take as long again.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._watch = _Watch("async")
        self._rows = Transformer(self)

    async def run(self, statement: str, parameters: Parameters) -> list[tuple[Any, ...]]:
        """Execute a statement as `execute` does, and return its rows.

        The values are texts already, so psycopg need not find out how to send them, which takes it
        as long as the rest. Every statement is prepared, except where `prepare_threshold` forbids
        it. Statements should be few: the process remembers each.
        """
        query = numbered(statement)
        values = [
            None if (text := parameters[name]) is None else text.encode()
            for name in query.parameters
        ]
        # psycopg's own record of what is prepared. It forgets everything after a rollback.
        if self._prepared._to_flush:
            await self.wait(self._prepared.maintain_gen(self))
        preparing, name = self._prepared.get(query, prepare=True)  # type: ignore[arg-type]  # it has what is read of a query
        if preparing is Prepare.SHOULD:
            self.pgconn.send_prepare(name, query.query)
            await self._answer()
        if preparing is Prepare.NO:
            self.pgconn.send_query_params(query.query, values)
        else:
            self._prepared.maybe_add_to_cache(query, preparing, name)  # type: ignore[arg-type]
            self.pgconn.send_query_prepared(name, values)
        result = await self._answer()
        self._rows.set_pgresult(result)
        return self._rows.load_rows(0, result.ntuples, tuple)

    async def _answer(self) -> PGresult:
        results: list[PGresult] = await self.wait(generators.execute(self.pgconn))
        (result,) = results
        if result.status == ExecStatus.FATAL_ERROR:
            raise error_from_result(result, self.info.encoding)
        return result

    async def wait(
        self,
        gen: PQGen[T],
        interval: float = INTERVAL_S,
        timeout: float | None = None,  # noqa: ASYNC109  (the name is psycopg's)
    ) -> T:
        self._watch.check(self.pgconn)
        try:
            return await waiting.wait_async(
                gen, self.pgconn.socket, interval, timeout or ANSWER_WITHIN_S
            )
        except _WaitTimeout:
            raise self._watch.gave_up(self.pgconn) from None
        except asyncio.CancelledError:
            self.pgconn.finish()
            raise


class Pool:
    """A pool of up to `most` connections in autocommit mode, which opens at its first use.

    `prepare_after` is how many uses prepare a statement; None means that it is never prepared.
    With `keeps`, a connection that works stays lent for the next use: nobody may ever wait for one.
    """

    def __init__(
        self,
        conninfo: Callable[[], str],
        prepare_after: int | None,
        *,
        most: int,
        keeps: bool = False,
    ) -> None:
        self._conninfo = conninfo
        self._prepare_after = prepare_after
        self._most = most
        self._keeps = keeps
        self._kept: list[BoundedAsyncConnection] = []
        self._pool: AsyncConnectionPool[BoundedAsyncConnection] | None = None
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[BoundedAsyncConnection]:
        """Lend a connection. Raises Problem `unavailable` without a database."""
        if self._pool is None:
            async with self._opening:
                if self._pool is None:
                    self._pool = await self._open()
        # The pool's own context manager also commits, which costs time even in autocommit mode. A
        # transaction that is still open is rolled back by the pool.
        pool = self._pool  # `close` may forget it meanwhile
        try:
            connection = self._kept.pop() if self._kept else await pool.getconn()
        except PoolTimeout as error:
            raise Problem("unavailable") from error
        try:
            yield connection
        finally:
            is_idle = connection.pgconn.transaction_status == TransactionStatus.IDLE
            if self._keeps and is_idle and pool is self._pool:
                self._kept.append(connection)
            else:
                await pool.putconn(connection)

    async def check(self) -> None:
        """Check all connections that nobody uses."""
        if self._pool is not None:
            await self._give_back()
            await self._pool.check()

    def stats(self) -> dict[str, int]:
        """Return statistics, empty before the first use."""
        return {} if self._pool is None else self._pool.get_stats()

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._give_back()
            pool, self._pool = self._pool, None
            await pool.close()

    async def _give_back(self) -> None:
        while self._pool is not None and self._kept:
            await self._pool.putconn(self._kept.pop())

    async def _open(self) -> AsyncConnectionPool[BoundedAsyncConnection]:
        pool = AsyncConnectionPool(
            self._conninfo(),
            connection_class=BoundedAsyncConnection,
            min_size=1,
            max_size=self._most,
            timeout=3,
            max_waiting=1000,
            open=False,
            kwargs={"autocommit": True, "prepare_threshold": self._prepare_after},
        )
        await pool.open()
        return pool


class BoundedConnection(Connection[Any]):
    """A connection of a thread. Each wait for the database ends within `answer_within_s`.

    Web and worker processes set it. None means no limit, for commands with long statements.
    The empty query by which a pool checks a connection before it lends it takes no time, so its
    limit is `CHECK_WITHIN_S`.
    """

    answer_within_s: ClassVar[float | None] = None
    _is_checked = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._watch = _Watch("sync")

    def execute(self, query: Query, *arguments: Any, **options: Any) -> Cursor[Any]:
        self._is_checked = query == ""
        try:
            return super().execute(query, *arguments, **options)
        finally:
            self._is_checked = False

    def wait(self, gen: PQGen[T], interval: float = INTERVAL_S, timeout: float | None = None) -> T:
        self._watch.check(self.pgconn)
        limit = CHECK_WITHIN_S if self._is_checked else self.answer_within_s
        try:
            return super().wait(gen, interval, timeout or limit)
        except _WaitTimeout:
            raise self._watch.gave_up(self.pgconn) from None
