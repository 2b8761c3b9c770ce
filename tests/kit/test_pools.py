"""Pools of connections, also while the database is away."""

import asyncio
import os
from pathlib import Path
from urllib.parse import parse_qs, urlsplit, urlunsplit

import pytest
from psycopg_pool import ConnectionPool, PoolTimeout, TooManyRequests
from psycopg_pool.base import AttemptWithBackoff

from gameserver.settings import environment
from kit import database, event_loop
from tests.waiting import WITHIN_S, until

pytestmark = pytest.mark.usefixtures("database")

ATTEMPTS = 12
"""With pauses that double, the next attempt after so many would come minutes later."""


class Away:
    """An address of the database at which there is nothing yet."""

    def __init__(self, folder: Path) -> None:
        parts = urlsplit(os.environ["DATABASE_URL"])
        self._sockets = Path(parse_qs(parts.query)["host"][0])
        self._folder = folder
        self.url = urlunsplit(parts._replace(query=f"host={folder}"))

    def back(self) -> None:
        for socket in self._sockets.glob(".s.PGSQL.*"):
            (self._folder / socket.name).symlink_to(socket)


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Away:
    monkeypatch.setattr(AttemptWithBackoff, "INITIAL_DELAY", 0.02)
    return Away(tmp_path)


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The attempts to connect that have failed and will be repeated."""
    made: list[int] = []
    update = AttemptWithBackoff.update_delay

    def counted(attempt: AttemptWithBackoff, now: float) -> None:
        made.append(1)
        update(attempt, now)

    monkeypatch.setattr(AttemptWithBackoff, "update_delay", counted)
    return made


def test_threads_have_connections_soon_after_any_outage(
    away: Away, attempts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", away.url)
    monkeypatch.setenv("DATABASE_POOL_MAX", "1")
    monkeypatch.setenv("DATABASE_POOL_MIN", "0")
    options = environment.database()["OPTIONS"]["pool"] | {"timeout": 0.02}
    with ConnectionPool(away.url, open=False, **options) as pool:
        for _ in range(options["max_waiting"]):
            with pytest.raises(PoolTimeout):
                pool.getconn()
        with pytest.raises(TooManyRequests):
            pool.getconn()
        until(lambda: len(attempts) > ATTEMPTS, "attempts")
        away.back()
        until(lambda: pool.get_stats().get("pool_available", 0) == 1, "a connection")
        with pool.connection(timeout=5) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_event_loops_have_connections_soon_after_any_outage(
    away: Away, attempts: list[int]
) -> None:
    pool = database.Pool(lambda: away.url, None, most=1, name="test")

    async def ask() -> None:
        async with pool.connection() as connection:
            await connection.execute("SELECT 1")

    asked = asyncio.run_coroutine_threadsafe(ask(), event_loop.store_loop())
    until(lambda: len(attempts) > ATTEMPTS, "attempts")
    away.back()
    asked.result(WITHIN_S)
    event_loop.call(pool.close())


def test_the_connection_that_was_given_back_last_is_lent_first() -> None:
    pool = database.Pool(lambda: os.environ["DATABASE_URL"], None, most=3, name="test")

    async def lend() -> None:
        async with pool.connection() as last, pool.connection(), pool.connection():
            pass
        for _ in range(3):
            async with pool.connection() as lent:
                assert lent is last
        await pool.close()

    event_loop.call(lend())


def test_threads_too_are_lent_the_connection_that_was_given_back_last() -> None:
    with ConnectionPool(os.environ["DATABASE_URL"], min_size=3, open=True) as pool:
        with pool.connection() as last, pool.connection(), pool.connection():
            pass
        for _ in range(3):
            with pool.connection() as lent:
                assert lent is last
