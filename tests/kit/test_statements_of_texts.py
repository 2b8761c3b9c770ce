"""Statements whose parameters are texts, on the connections of an event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from games.store.commits import conninfo
from kit.database import BoundedAsyncConnection
from kit.parameters import Rows, number_of

ROWS = Rows("r", id="uuid", name="text", size="int", at="timestamptz", body="bytea")
ONE = f"SELECT * FROM {ROWS.source('one')}"
MANY = f"SELECT * FROM {ROWS.source('many')}"
FIRST = (UUID(int=7), 'a "quoted" \\ name', 3, datetime(2026, 1, 2, tzinfo=UTC), b"\x00\xff")
SECOND = (None, "", None, None, b"")
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
