"""Statements whose parameters are texts, on the connections of an event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

import psycopg
import pytest

from games.store.connections import conninfo
from kit import database
from kit.batching import resolve
from kit.database import BoundedAsyncConnection, StatementRunner
from kit.database import Rows as Found
from kit.parameters import Rows, number_of

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
    assert connected(lambda connection: connection.run(statement, parameters)) == rows


def test_a_statement_is_prepared_once_and_again_after_a_rollback() -> None:
    parameters = ROWS.values([FIRST], "one")

    async def use(connection: Connection) -> None:
        for _ in range(3):
            assert await connection.run(ONE, parameters) == [FIRST]
        assert await connection.run(PREPARED, {}) == [(2,)]
        async with connection.transaction(force_rollback=True):
            assert await connection.run(ONE, parameters) == [FIRST]
        async with connection.transaction():
            assert await connection.run(ONE, parameters) == [FIRST]
        assert await connection.run(PREPARED, {}) == [(2,)]

    connected(use)


def test_nothing_is_prepared_where_a_pooler_forbids_it() -> None:
    async def use(connection: Connection) -> None:
        assert await connection.run(ONE, ROWS.values([FIRST], "one")) == [FIRST]
        assert await connection.run(PREPARED, {}) == [(0,)]

    connected(use, None)


def test_a_connection_survives_a_refused_statement() -> None:
    parameters = ROWS.values([FIRST], "one")

    async def use(connection: Connection) -> None:
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            await connection.run(ONE, parameters | {"r_size": "many"})
        with pytest.raises(psycopg.errors.UndefinedTable):
            await connection.run("SELECT * FROM nothing WHERE id = %(r_size)s::int", parameters)
        assert await connection.run(ONE, parameters) == [FIRST]

    connected(use)


def run(runner: StatementRunner, statement: str, size: str = "1") -> asyncio.Future[Found]:
    rows: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
    runner.run(statement, {"size": size}, partial(resolve, rows))
    return rows


def test_a_runner_calls_back_with_rows_or_the_error() -> None:
    async def use(connection: Connection) -> None:
        runner = StatementRunner(connection)
        assert await run(runner, NUMBER) == [(1,)]
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            await run(runner, NUMBER, "many")
        assert await run(runner, NUMBER, "2") == [(2,)]
        assert not runner.is_running

    connected(use)


def test_who_takes_rows_may_run_the_next_statement_at_once() -> None:
    async def use(connection: Connection) -> None:
        runner, last = StatementRunner(connection), asyncio.get_running_loop().create_future()
        found: list[Any] = []

        def take(rows: Found | BaseException) -> None:
            found.append(rows)
            if len(found) < 3:
                runner.run(NUMBER, {"size": str(len(found))}, take)
            else:
                last.set_result(None)

        runner.run(NUMBER, {"size": "0"}, take)
        await last
        assert found == [[(0,)], [(1,)], [(2,)]]

    connected(use)


def test_a_statement_that_the_socket_does_not_take_at_once_is_sent_in_parts() -> None:
    size = 16 << 20

    async def use(connection: Connection) -> None:
        runner = StatementRunner(connection)
        length = "SELECT length(%(size)s::text)"
        assert await run(runner, length, "x" * size) == [(size,)]
        assert await run(runner, length, "x") == [(1,)]

    connected(use)


def test_a_runner_gives_up_a_database_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(connection: Connection) -> None:
        runner = StatementRunner(connection)
        with pytest.raises(psycopg.OperationalError, match="no answer in time"):
            await run(runner, SLEEP)
        assert connection.closed
        with pytest.raises(psycopg.OperationalError):
            await run(runner, NUMBER)

    monkeypatch.setattr(database._Watch, "trusted_since", {})
    monkeypatch.setattr(database, "ANSWER_WITHIN_S", 0.05)
    connected(use)


def test_a_runner_that_closes_ends_its_statement() -> None:
    async def use(connection: Connection) -> None:
        runner = StatementRunner(connection)
        rows = run(runner, SLEEP)
        runner.close()
        with pytest.raises(psycopg.OperationalError, match="given up"):
            await rows
        assert not runner.is_running
        assert connection.closed

    connected(use)
