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
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Ready, Wait
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from kit.batching import Take
from kit.parameters import Parameters, numbered
from kit.problems import Problem

T = TypeVar("T")

Rows = list[tuple[Any, ...]]

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

    async def run(self, statement: str, parameters: Parameters) -> Rows:
        """Execute a statement as `execute` does, and return its rows.

        The values are texts already, so psycopg need not find out how to send them, which takes it
        as long as the rest. Every statement is prepared, except where `prepare_threshold` forbids
        it. Statements should be few: the process remembers each.
        """
        return await self.wait(self.steps(statement, parameters))

    def steps(self, statement: str, parameters: Parameters) -> PQGen[Rows]:
        """Return the generator behind `run`, which yields when it must wait for the socket."""
        self._watch.check(self.pgconn)
        query = numbered(statement)
        values = [
            None if (text := parameters[name]) is None else text.encode()
            for name in query.parameters
        ]
        # psycopg's own record of what is prepared. It forgets everything after a rollback.
        if self._prepared._to_flush:
            yield from self._prepared.maintain_gen(self)
        preparing, name = self._prepared.get(query, prepare=True)  # type: ignore[arg-type]  # it has what is read of a query
        if preparing is Prepare.SHOULD:
            self.pgconn.send_prepare(name, query.query)
            yield from self._answer()
        if preparing is Prepare.NO:
            self.pgconn.send_query_params(query.query, values)
        else:
            self._prepared.maybe_add_to_cache(query, preparing, name)  # type: ignore[arg-type]
            self.pgconn.send_query_prepared(name, values)
        result = yield from self._answer()
        self._rows.set_pgresult(result)
        return self._rows.load_rows(0, result.ntuples, tuple)

    def _answer(self) -> PQGen[PGresult]:
        results: list[PGresult] = yield from generators.execute(self.pgconn)
        (result,) = results
        if result.status == ExecStatus.FATAL_ERROR:
            raise error_from_result(result, self.info.encoding)
        return result

    def gave_up(self) -> psycopg.OperationalError:
        """Close the connection because the database gave no answer in time."""
        return self._watch.gave_up(self.pgconn)

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


class StatementRunner:
    """Runs statements on a connection, one at a time, and calls back with their rows.

    To await `run` instead would cost a task and two more turns of the event loop. Nothing else may
    use the connection while a statement runs.
    """

    def __init__(self, connection: BoundedAsyncConnection) -> None:
        self._connection = connection
        self._socket = connection.pgconn.socket
        self._loop = asyncio.get_running_loop()
        self._steps: PQGen[Rows] | None = None
        self._take: Take[Rows] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_reading = False

    @property
    def is_running(self) -> bool:
        """Whether a statement runs."""
        return self._steps is not None

    def run(self, statement: str, parameters: Parameters, take: Take[Rows]) -> None:
        """Run a statement as the connection's `run` does. `take` gets the rows or the exception,
        perhaps before this returns, and must not raise."""
        assert self._steps is None, "one statement at a time"
        self._take = take
        self._steps = self._connection.steps(statement, parameters)
        self._step()
        if self._steps is not None and self._timer is None:
            self._timer = self._loop.call_later(ANSWER_WITHIN_S, self._give_up)

    def _step(self, ready: Ready | None = None) -> None:
        assert self._steps is not None
        try:
            wanted = next(self._steps) if ready is None else self._steps.send(ready)
        except StopIteration as done:
            self._end(done.value)
        except OSError as error:
            self._end(psycopg.OperationalError(f"connection socket closed: {error}"))
        except Exception as error:  # noqa: BLE001  (taken by the caller)
            self._end(error)
        else:
            if not self._is_reading:
                self._is_reading = True
                self._loop.add_reader(self._socket, self._step, Ready.R)
            if wanted & Wait.W:
                self._loop.add_writer(self._socket, self._write_on)

    def _write_on(self) -> None:
        self._loop.remove_writer(self._socket)
        self._step(Ready.W)

    def close(self) -> None:
        """Close the connection if a statement runs, whose outcome is then unknown."""
        if self._steps is not None:
            self._stop_waiting()  # before the socket is closed
            self._connection.pgconn.finish()
            self._end(psycopg.OperationalError("the connection is given up"))

    def _give_up(self) -> None:
        self._timer = None
        self._stop_waiting()  # before the socket is closed
        self._end(self._connection.gave_up())

    def _end(self, outcome: Rows | Exception) -> None:
        take, self._take, self._steps = self._take, None, None
        assert take is not None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if isinstance(outcome, Exception):
            self._stop_waiting()
        take(outcome)
        if self._steps is None:  # else `take` has begun the next statement
            self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._is_reading:
            self._is_reading = False
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)


class Pool:
    """A pool of up to `most` connections in autocommit mode, which opens at its first use.

    `prepare_after` is how many uses prepare a statement; None means that it is never prepared.
    """

    def __init__(
        self, conninfo: Callable[[], str], prepare_after: int | None, *, most: int
    ) -> None:
        self._conninfo = conninfo
        self._prepare_after = prepare_after
        self._most = most
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
            connection = await pool.getconn()
        except PoolTimeout as error:
            raise Problem("unavailable") from error
        try:
            yield connection
        finally:
            await pool.putconn(connection)

    async def check(self) -> None:
        """Check all connections that nobody uses."""
        if self._pool is not None:
            await self._pool.check()

    def stats(self) -> dict[str, int]:
        """Return statistics, empty before the first use."""
        return {} if self._pool is None else self._pool.get_stats()

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.close()

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
    The empty query by which a pool checks a connection before it lends it takes no time, so in
    those processes its limit is `CHECK_WITHIN_S`.
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
        limit = self.answer_within_s
        if limit is not None and self._is_checked:
            limit = CHECK_WITHIN_S
        try:
            return super().wait(gen, interval, timeout or limit)
        except _WaitTimeout:
            raise self._watch.gave_up(self.pgconn) from None
