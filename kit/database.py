"""Database connections with a limit on every wait.

A peer that vanishes leaves a half-open connection without an error and without an answer. The
database's own limits end every statement sooner than `ANSWER_WITHIN_S`, so a connection that is
silent for longer is dead, and all of its kind that are already open are suspect.
"""

import asyncio
import time
from typing import Any, ClassVar, Final, TypeVar

import psycopg
from psycopg import AsyncConnection, Connection, Cursor, waiting
from psycopg.abc import PQGen, Query
from psycopg.errors import _WaitTimeout
from psycopg.pq.abc import PGconn

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
