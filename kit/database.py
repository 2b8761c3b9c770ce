"""Database connections with a limit on every wait.

A peer that vanishes leaves a half-open connection without an error and without an answer. The
database's own limits end every statement sooner than `ANSWER_WITHIN_S`, so a connection that is
silent for longer is dead, and all of its kind that are already open are suspect.
"""

import asyncio
import select
import time
from collections import namedtuple
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Final, TypeVar

import psycopg
from psycopg import AsyncConnection, Connection, Cursor, generators, waiting
from psycopg.abc import PQGen, Query
from psycopg.adapt import Transformer
from psycopg.errors import InvalidSqlStatementName, error_from_result
from psycopg.pq import DiagnosticField, ExecStatus, Format
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Wait
from psycopg_pool import AsyncConnectionPool, ConnectionPool, PoolTimeout
from psycopg_pool.base import AttemptWithBackoff

from kit.parameters import Parameters, numbered
from kit.problems import Problem

T = TypeVar("T")

Rows = list[Any]
"""Named tuples."""

ANSWER_WITHIN_S: Final = 5.0
WEB_THREADS_ANSWER_WITHIN_S: Final = 8.0
WORKER_THREADS_ANSWER_WITHIN_S: Final = 15.0
CHECK_WITHIN_S: Final = 2.0
INTERVAL_S: Final = 0.1

ENDING: Final = (b"FATAL", b"PANIC")
"""The severities of errors with which the database ends a connection."""
RECONNECT_WITHIN_S: Final = float("inf")
"""How long a pool tries to connect: one that gave up would stay empty, because clients that waited
in vain still count as waiting, and no other may ask for a connection."""
# Otherwise each pause is twice as long as the one before: after an outage of five minutes, another
# five might pass until the pool tries again.
AttemptWithBackoff.DELAY_BACKOFF = 1.0


def _lend_last_first(kind: Any) -> None:
    """Have pools of this kind lend the connection that was given back last. The process of the
    database behind it has warm caches: with the connections in turn, a statement takes a quarter
    more."""
    lend = kind._get_ready_connection

    def lend_last(pool: Any, timeout: float | None) -> Any:
        pool._pool.rotate(1)  # the left one is lent
        return lend(pool, timeout)

    kind._get_ready_connection = lend_last


_lend_last_first(AsyncConnectionPool)
_lend_last_first(ConnectionPool)  # Django's makes its own


class _Watch:
    """The age of a connection, and since when connections of its kind are trusted."""

    trusted_since: ClassVar[dict[str, float]] = {}

    def __init__(self, kind: str, pgconn: PGconn) -> None:
        self._kind = kind
        self._pgconn = pgconn
        self._opened_at = time.monotonic()

    def bounded(self, gen: PQGen[T], within_s: float | None) -> PQGen[T]:
        """Limit the time of a generator, which psycopg resumes at least every `INTERVAL_S`.

        After that time the connection is closed, and all of its kind that are already open are
        distrusted. Raises psycopg.OperationalError then, and for a connection that is distrusted.
        """
        if self._opened_at < self.trusted_since.get(self._kind, 0.0):
            raise self._closed("another connection was found dead")
        until = float("inf") if within_s is None else time.monotonic() + within_s
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if time.monotonic() > until:
                    self.trusted_since[self._kind] = time.monotonic()
                    raise self._closed("the database gave no answer in time")
                wanted = gen.send(ready)
        except StopIteration as done:
            result: T = done.value
            return result

    def _closed(self, why: str) -> psycopg.OperationalError:
        self._pgconn.finish()
        return psycopg.OperationalError(f"connection closed: {why}")


class BoundedAsyncConnection(AsyncConnection[Any]):
    """A connection of an event loop. Each wait for the database ends within `ANSWER_WITHIN_S`.

    A cancelled statement closes it at once: to cancel it in the database would take as long again.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._watch = _Watch("async", self.pgconn)
        self._rows = Transformer(self)
        self._names: dict[str, bytes] = {}
        """The names of the statements that `send` has prepared."""
        self._made: dict[str, Callable[..., Any]] = {}
        """The makers of rows of the statements that `send` has sent."""

    def was_ended(self) -> bool:
        """Return whether the database has ended this connection while nothing ran on it.

        The database sends nothing unasked but its last words. If it has, a statement that was not
        sent yet was not carried out.
        """
        if self.closed:
            return True
        readable = select.poll()
        readable.register(self.pgconn.socket, select.POLLIN)
        return bool(readable.poll(0))

    def send(self, statement: str, parameters: Parameters) -> Coroutine[Any, Any, Rows]:
        """Send a statement now, and return what waits for its rows.

        The values are texts already, so psycopg need not find out how to send them, which takes it
        as long as the rest. Every statement is prepared, except where `prepare_threshold` forbids
        it; it leaves now if that was done before. Statements should be few: the connection
        remembers each. Rows are named tuples.
        """
        steps = self._watch.bounded(self._steps(statement, parameters), ANSWER_WITHIN_S)
        return self._wait(_resumed(next(steps), steps), INTERVAL_S)

    def _steps(self, statement: str, parameters: Parameters) -> PQGen[Rows]:
        query = numbered(statement)
        values = [
            None if (text := parameters[name]) is None else text.encode()
            for name in query.parameters
        ]
        if self.prepare_threshold is None:
            self.pgconn.send_query_params(query.query, values, result_format=Format.BINARY)
            result = yield from self._answer()
        else:
            try:
                result = yield from self._prepared_steps(statement, query.query, values)
            except InvalidSqlStatementName:
                # psycopg forgets all prepared statements after a rollback. Nothing was carried out.
                self._names.clear()
                result = yield from self._prepared_steps(statement, query.query, values)
        make = self._made.get(statement)
        if make is None:
            make = self._made[statement] = _maker(result)
        self._rows.set_pgresult(result)
        return self._rows.load_rows(0, result.ntuples, make)

    def _prepared_steps(
        self, statement: str, query: bytes, values: Sequence[bytes | None]
    ) -> PQGen[PGresult]:
        name = self._names.get(statement)
        if name is None:
            name = b"statement_%d" % len(self._names)
            self.pgconn.send_prepare(name, query)
            yield from self._answer()
            self._names[statement] = name
        self.pgconn.send_query_prepared(name, values, result_format=Format.BINARY)
        return (yield from self._answer())

    def _answer(self) -> PQGen[PGresult]:
        results: list[PGresult] = yield from generators.execute(self.pgconn)
        # Rows may come before the error that ended their transaction.
        result = results[-1]
        if result.status != ExecStatus.FATAL_ERROR:
            return result
        error = error_from_result(result, self.info.encoding)
        if result.error_field(DiagnosticField.SEVERITY_NONLOCALIZED) in ENDING:
            # Whether it was committed is unknown, so that this is no refusal and has no code.
            raise psycopg.OperationalError(str(error)) from error
        raise error

    async def wait(
        self,
        gen: PQGen[T],
        interval: float = INTERVAL_S,
        timeout: float | None = None,  # noqa: ASYNC109  (the name is psycopg's)
    ) -> T:
        return await self._wait(self._watch.bounded(gen, timeout or ANSWER_WITHIN_S), interval)

    async def _wait(self, gen: PQGen[T], interval: float) -> T:
        try:
            return await waiting.wait_async(gen, self.pgconn.socket, interval)
        except asyncio.CancelledError:
            self.pgconn.finish()
            raise


def _maker(result: PGresult) -> Callable[..., Any]:
    """Return what makes named tuples of the rows of a result."""
    names = [(result.fname(column) or b"").decode() for column in range(result.nfields)]
    row: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]  # noqa: PYI024 -- names of run time
    make: Callable[..., Any] = row._make
    return make


def _resumed(wanted: Wait, gen: PQGen[T]) -> PQGen[T]:
    """Continue a generator that wants this first."""
    try:
        while True:
            wanted = gen.send((yield wanted))
    except StopIteration as done:
        result: T = done.value
        return result


class Pool:
    """A pool of up to `most` connections in autocommit mode, which opens at its first use.

    `prepare_after` is how many uses prepare a statement; None means that it is never prepared.
    `opened` is called with each new connection.
    """

    def __init__(
        self,
        conninfo: Callable[[], str],
        prepare_after: int | None,
        *,
        most: int,
        name: str,
        opened: Callable[[BoundedAsyncConnection], Awaitable[None]] | None = None,
    ) -> None:
        self._name = name
        self._opened = opened
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
            # The pool's own check would wait a second after each connection that it drops.
            while (connection := await pool.getconn()).was_ended():
                await connection.close()
                await pool.putconn(connection)
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
            reconnect_timeout=RECONNECT_WITHIN_S,
            name=self._name,
            configure=self._opened,
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
        self._watch = _Watch("sync", self.pgconn)

    def execute(self, query: Query, *arguments: Any, **options: Any) -> Cursor[Any]:
        self._is_checked = query == ""
        try:
            return super().execute(query, *arguments, **options)
        finally:
            self._is_checked = False

    def wait(self, gen: PQGen[T], interval: float = INTERVAL_S, timeout: float | None = None) -> T:
        limit = self.answer_within_s
        if limit is not None and self._is_checked:
            limit = CHECK_WITHIN_S
        return super().wait(self._watch.bounded(gen, timeout or limit), interval)
