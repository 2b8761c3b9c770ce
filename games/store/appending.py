"""Appending to the logs of games: commits of many games that wait at one moment share a statement.

The head of each game decides which commit comes next.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol
from uuid import UUID

import psycopg
import structlog
from django.db import IntegrityError, connections
from psycopg.errors import CheckViolation

from games.store.connections import Connections
from games.store.rows import NewCommit, StoredCommit
from games.store.statements import append_query
from kit import metrics, tracing
from kit.database import BoundedAsyncConnection, Rows
from kit.problems import Problem

if TYPE_CHECKING:
    from opentelemetry.trace import Span

log = structlog.get_logger(__name__)

GROUP_MAX: Final = 512
"""The most commits, or queries, in one statement."""
RUN_MAX: Final = 64
"""The most commits of one game in a statement: deciding them keeps the loop from other work."""
WAITING_MAX: Final = 20_000
"""The most runs, or queries, that may wait for a statement."""
IDLE_S: Final = 0.0005
"""The idle time after which a commit is sent at once, because the load is low."""


class Run(Protocol):
    """Commits of one game that follow each other."""

    def decide(self, most: int) -> Sequence[NewCommit]:
        """Return up to `most` commits. It is called once, soon before they are stored."""

    def end(self, appended: "Appended | BaseException") -> None:
        """Take the outcome, once it is known."""

    def callers(self) -> Iterable[Any]:
        """Return what a trace calls those who want commits."""


Appended = Sequence[StoredCommit | BaseException | None]
"""The result for each commit of a run: None if it lost the race for its version or came too late,
or follows one that is not stored."""


class _Decided(NamedTuple):
    """A run and its commits."""

    run: Run
    commits: Sequence[NewCommit]


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


async def append_in(
    connection: BoundedAsyncConnection, commits: Sequence[NewCommit]
) -> list[StoredCommit | None]:
    """Append inside the caller's transaction. Returns each stored commit, or None for one that
    lost the race for its version, came too late, or follows such a commit of its game."""
    cursor = await connection.execute(*append_query(commits), prepare=True)
    return _stored(commits, await cursor.fetchall())


def _stored(
    commits: Sequence[NewCommit], rows: Sequence[tuple[Any, ...]]
) -> list[StoredCommit | None]:
    times = {(game, version): (at, next_at) for game, version, at, next_at in rows}
    return [
        commit.stored(*found) if (found := times.get((commit.game, commit.version))) else None
        for commit in commits
    ]


class Appends:
    """Append runs of commits, one statement at a time. It runs on the store loop.

    A statement leaves at once; a task waits for its rows. Runs that arrive meanwhile are decided,
    and share the next. With several statements at once, each would have fewer commits, which costs
    more in total.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Run] = deque()
        self._decided: list[_Decided] = []
        self._size = 0
        """The number of commits that are decided."""
        self._callers: list[Any] = []
        self._next: asyncio.Handle | None = None
        self._storing: asyncio.Task[None] | None = None
        """The task that waits for a statement, and takes its outcome."""
        self._idle_since = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether a statement runs, or runs wait for one."""
        return bool(self._storing or self._waiting)

    def put(self, run: Run) -> None:
        """Append a run, and end it. It ends with Problem `busy` when `WAITING_MAX` wait already."""
        if len(self._waiting) >= WAITING_MAX:
            _end(run, Problem("busy"))
            return
        self._waiting.append(run)
        if self._next is None:
            self._next = self._loop.call_soon(self._go_on)

    def start(self) -> None:
        """Send what waits, instead of waiting for other commits in this turn of the loop.

        Does nothing while a statement runs, or within `IDLE_S` after one: then waiting makes
        fuller statements.
        """
        if self._next is None or self._storing is not None:
            return
        if time.perf_counter() - self._idle_since > IDLE_S:
            self._next.cancel()
            self._go_on()

    async def close(self) -> None:
        """Give up the statement that runs, whose outcome is then unknown."""
        if self._storing is not None:
            self._storing.cancel()
            await asyncio.wait([self._storing])

    def _go_on(self) -> None:
        self._next = None
        self._decide()
        if self._decided and self._storing is None:
            runs, self._decided, self._size = self._decided, [], 0
            callers, self._callers = self._callers, []
            commits = [commit for run in runs for commit in run.commits]
            span, began = tracing.started("append", callers), time.perf_counter()
            rows = self.send(commits)
            self._storing = self._loop.create_task(self._store(runs, commits, rows, span, began))

    def _decide(self) -> None:
        """Decide what waits, as far as a statement has room."""
        while self._waiting and self._size < GROUP_MAX:
            run = self._waiting.popleft()
            if tracing.is_on():
                self._callers += run.callers()
            try:
                commits = run.decide(min(RUN_MAX, GROUP_MAX - self._size))
            except Exception as error:  # noqa: BLE001  (its callers receive it)
                _end(run, error)
                continue
            if commits:
                self._decided.append(_Decided(run, commits))
                self._size += len(commits)
            else:
                _end(run, ())

    def send(self, commits: Sequence[NewCommit]) -> Awaitable[Rows]:
        """Send one statement, and return what waits for its rows."""
        connection = self._connections.appending
        if connection is None or connection.was_ended():
            return self._open_and_send(commits)
        try:
            return _sent(connection, commits)
        except psycopg.Error as error:
            return _raised(error)

    async def _open_and_send(self, commits: Sequence[NewCommit]) -> Rows:
        await self._connections.give_back_appending()
        return await _sent(await self._connections.open_appending(), commits)

    async def _store(
        self,
        runs: Sequence[_Decided],
        commits: Sequence[NewCommit],
        rows: Awaitable[Rows],
        span: "Span | None",
        began: float,
    ) -> None:
        """Wait for a statement, end its runs, and send the next."""
        outcome: Appended | BaseException = Problem("outcome_unknown")
        try:
            outcome = await self._outcomes(commits, rows)
        except Problem as problem:
            outcome = problem
        except Exception:
            log.exception("append_failed")
        finally:
            took_s = time.perf_counter() - began
            answers = None if isinstance(outcome, BaseException) else iter(outcome)
            for run, decided in runs:
                _end(run, outcome if answers is None else list(islice(answers, len(decided))))
            self._storing = None
            self._idle_since = time.perf_counter()
            if self._waiting or self._decided:
                if self._next is not None:
                    self._next.cancel()
                self._go_on()
        if span is not None:
            span.end()
        metrics.APPEND_COMMITS.observe(len(commits))
        metrics.APPEND_SECONDS.observe(took_s)

    async def _outcomes(self, commits: Sequence[NewCommit], rows: Awaitable[Rows]) -> Appended:
        """Return the outcome of each commit of a statement. Raises Problem."""
        try:
            return _stored(commits, await rows)
        except psycopg.Error as error:
            await self._connections.give_back_appending()
            problem = await self._connections.problem_of(error)
            if len(commits) == 1 or (problem is not None and problem.code == "outcome_unknown"):
                return [problem or error] * len(commits)
        # The whole statement was rolled back. The commits are sent one by one, so that only the
        # faulty one fails, with those of its game that follow it.
        outcomes: list[StoredCommit | BaseException | None] = []
        failed: set[UUID] = set()
        for commit in commits:
            outcome = None if commit.game in failed else await self._append_alone(commit)
            if not isinstance(outcome, StoredCommit):
                failed.add(commit.game)
            outcomes.append(outcome)
        return outcomes

    async def _append_alone(self, commit: NewCommit) -> StoredCommit | BaseException | None:
        try:
            (outcome,) = await self._outcomes([commit], self.send([commit]))
        except Problem as problem:
            return problem
        return outcome


def _sent(connection: BoundedAsyncConnection, commits: Sequence[NewCommit]) -> Awaitable[Rows]:
    """Send a statement, and return what waits for its rows. Raises psycopg.Error."""
    try:
        return connection.send(*append_query(commits))
    except psycopg.Error:
        raise
    except Exception as error:
        # Like a value that the database refuses: only its own commit fails.
        message = f"a value is not of the type of its column: {error}"
        raise psycopg.DataError(message) from error


async def _raised(error: Exception) -> Rows:
    raise error


def _end(run: Run, outcome: Appended | BaseException) -> None:
    """End a run. If that fails, the others still end, and the next statement is sent."""
    try:
        run.end(outcome)
    except Exception:
        log.exception("run_not_ended")
