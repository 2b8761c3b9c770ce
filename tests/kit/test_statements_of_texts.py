"""Statements whose parameters are texts, on the connections of an event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.pq import TransactionStatus

from games.store.connections import conninfo
from kit import database
from kit.database import BoundedAsyncConnection
from kit.parameters import Rows, number_of

pytestmark = pytest.mark.usefixtures("database")

ROWS = Rows("r", id="uuid", name="text", size="int", at="timestamptz", body="bytea")
ONE = f"SELECT * FROM {ROWS.source('one')}"
MANY = f"SELECT * FROM {ROWS.source('many')}"
FIRST = (UUID(int=7), 'a "quoted" \\ name', 3, datetime(2026, 1, 2, tzinfo=UTC), b"\x00\xff")
SECOND = (None, "", None, None, b"")
NUMBER = "SELECT %(size)s::int"
SLEEP = "SELECT pg_sleep(60) WHERE %(size)s::int = 1"
PREPARED = "SELECT count(*) FROM pg_prepared_statements"

Connection = BoundedAsyncConnection


def connected(
    use: Callable[[Connection], Awaitable[Any]], prepare_threshold: int | None = 0
) -> Any:
    async def used() -> Any:
        async with await Connection.connect(
            conninfo(), autocommit=True, prepare_threshold=prepare_threshold
        ) as connection:
            return await use(connection)

    return asyncio.run(used())


@pytest.mark.parametrize(
    ("statement", "rows"),
    [(ONE, [FIRST]), (ONE, [SECOND]), (MANY, [FIRST]), (MANY, [FIRST, SECOND])],
)
def test_rows_arrive_as_they_are(statement: str, rows: list[tuple[Any, ...]]) -> None:
    parameters = ROWS.values(rows, number_of(rows, statement == ONE))
    assert connected(lambda connection: connection.send(statement, parameters)) == rows


def test_a_statement_is_prepared_once() -> None:
    parameters = ROWS.values([FIRST], "one")

    async def use(connection: Connection) -> None:
        for _ in range(3):
            assert await connection.send(ONE, parameters) == [FIRST]
        await connection.execute("")  # as a pool checks a connection
        assert await connection.send(PREPARED, {}) == [(3,)]

    connected(use)


def test_a_statement_is_prepared_again_after_a_rollback() -> None:
    async def use(connection: Connection) -> None:
        for _ in range(2):
            assert await connection.send(NUMBER, {"size": "1"}) == [(1,)]
            async with connection.transaction(force_rollback=True):
                await connection.execute("SELECT 1", prepare=True)
            await connection.execute("SELECT 1")  # psycopg forgets what it had prepared
        assert await connection.send(PREPARED, {}) == [(2,)], "itself, and that of psycopg"

    connected(use)


def test_a_prepared_statement_is_sent_before_anybody_waits_for_its_rows() -> None:
    async def use(connection: Connection) -> None:
        assert await connection.send(NUMBER, {"size": "1"}) == [(1,)]
        rows = connection.send(NUMBER, {"size": "2"})
        assert connection.info.transaction_status == TransactionStatus.ACTIVE
        assert await rows == [(2,)]

    connected(use)


def test_nothing_is_prepared_where_a_pooler_forbids_it() -> None:
    async def use(connection: Connection) -> None:
        assert await connection.send(ONE, ROWS.values([FIRST], "one")) == [FIRST]
        assert await connection.send(PREPARED, {}) == [(0,)]

    connected(use, None)


def test_a_connection_survives_a_refused_statement() -> None:
    parameters = ROWS.values([FIRST], "one")

    async def use(connection: Connection) -> None:
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            await connection.send(ONE, parameters | {"r_size": "many"})
        with pytest.raises(psycopg.errors.UndefinedTable):
            await connection.send("SELECT * FROM nothing WHERE id = %(r_size)s::int", parameters)
        assert await connection.send(ONE, parameters) == [FIRST]

    connected(use)


def test_an_error_after_the_rows_is_the_answer() -> None:
    """As when a transaction cannot be committed. If the connection ends, nobody knows."""
    parameters = ROWS.values([FIRST], "one")
    twice = "INSERT INTO own SELECT %(r_size)s::int FROM generate_series(1, 2) RETURNING n"
    end = "SELECT pg_terminate_backend(pg_backend_pid()) WHERE %(r_size)s::int = 3"

    async def use(connection: Connection) -> None:
        await connection.execute(
            "CREATE TEMP TABLE own (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)"
        )
        with pytest.raises(psycopg.errors.UniqueViolation):
            await connection.send(twice, parameters)
        assert await connection.send(ONE, parameters) == [FIRST]
        with pytest.raises(psycopg.OperationalError) as ended:
            await connection.send(end, parameters)
        assert ended.value.sqlstate is None

    connected(use)


def test_a_statement_that_the_socket_does_not_take_at_once_is_sent_in_parts() -> None:
    size = 16 << 20

    async def use(connection: Connection) -> None:
        length = "SELECT length(%(size)s::text)"
        for text in ("x", "x" * size, "x"):
            assert await connection.send(length, {"size": text}) == [(len(text),)]

    connected(use)


@pytest.mark.parametrize("sends", [True, False])
def test_a_silent_database_is_given_up(monkeypatch: pytest.MonkeyPatch, sends: bool) -> None:
    """`wait` finds it out in the generators of psycopg, which resumes them every 0.1 seconds."""

    async def use(connection: Connection) -> None:
        sleep = "SELECT pg_sleep(60)"
        with pytest.raises(psycopg.OperationalError, match="no answer in time"):
            await (connection.send(sleep, {}) if sends else connection.execute(sleep))
        assert connection.closed
        with pytest.raises(psycopg.OperationalError):
            await connection.send(NUMBER, {"size": "1"})

    monkeypatch.setattr(database._Watch, "trusted_since", {})
    monkeypatch.setattr(database, "ANSWER_WITHIN_S", 0.05)
    connected(use)


def test_a_cancelled_statement_closes_its_connection() -> None:
    async def use(connection: Connection) -> None:
        waiting = asyncio.create_task(connection.send(SLEEP, {"size": "1"}))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert connection.closed

    connected(use)
