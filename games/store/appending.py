"""Appending to the logs of games: commits of many games that wait at one moment share a statement.

The head of each game decides which commit comes next.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
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
from kit import background, metrics, tracing
from kit.batching import Take, resolve
from kit.database import BoundedAsyncConnection, Rows, StatementRunner
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
"""If no statement has run for so long, the load is low, and a commit is sent at once."""


class Run(Protocol):
    """Commits of one game that follow each other."""

    def decide(self, most: int) -> Sequence[NewCommit]:
        """Return up to `most` commits. It is called once, soon before they are stored."""

    def callers(self) -> Iterable[Any]:
        """Return what a trace calls those who want commits."""


Appended = Sequence[StoredCommit | BaseException | None]
"""The result for each commit of a run: None if it lost the race for its version or came too late,
or follows one that is not stored."""


class _Decided(NamedTuple):
    """The commits of a run, and who takes their outcome."""

    commits: Sequence[NewCommit]
    take: Take[Appended]


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
    return _stored(commits, await connection.run(*append_query(commits)))


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

    Runs that arrive while a statement runs are decided meanwhile, and share the next. With several
    statements at once, each would have fewer commits, which costs more in total.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[Run, Take[Appended]]] = deque()
        self._decided: list[_Decided] = []
        self._size = 0
        """The number of commits that are decided."""
        self._callers: list[Any] = []
        self._next: asyncio.Handle | None = None
        self._is_storing = False
        self._idle_since = 0.0

    @property
    def has_waiting(self) -> bool:
        """Whether runs wait for the next statement."""
        return bool(self._waiting or self._decided)

    def put(self, run: Run, take: Take[Appended]) -> None:
        """Append a run. `take` is called as soon as the outcome is known, and must not raise.

        The outcome is Problem `busy` when `WAITING_MAX` runs wait already.
        """
        if len(self._waiting) >= WAITING_MAX:
            take(Problem("busy"))
            return
        self._waiting.append((run, take))
        if self._next is None:
            self._next = self._loop.call_soon(self._go_on)

    def start(self) -> None:
        """Send what waits, instead of waiting for other commits in this turn of the loop.

        Does nothing while a statement runs, or within `IDLE_S` after one: then waiting makes
        fuller statements.
        """
        if self._next is None or self._is_storing:
            return
        if time.perf_counter() - self._idle_since > IDLE_S:
            self._next.cancel()
            self._go_on()

    def _go_on(self) -> None:
        self._next = None
        self._decide()
        if self._decided and not self._is_storing:
            self._store()

    def _decide(self) -> None:
        """Decide what waits, as far as a statement has room."""
        while self._waiting and self._size < GROUP_MAX:
            run, take = self._waiting.popleft()
            if tracing.is_on():
                self._callers += run.callers()
            try:
                commits = run.decide(min(RUN_MAX, GROUP_MAX - self._size))
            except Exception as error:  # noqa: BLE001  (its caller receives it)
                take(error)
                continue
            if commits:
                self._decided.append(_Decided(commits, take))
                self._size += len(commits)
            else:
                take(())

    def _store(self) -> None:
        runs, self._decided, self._size = self._decided, [], 0
        callers, self._callers = self._callers, []
        self._is_storing = True
        commits = [commit for run in runs for commit in run.commits]
        self.send(commits, partial(self._end, runs, commits, tracing.started("append", callers)))

    def send(self, commits: Sequence[NewCommit], take: Take[Rows]) -> None:
        """Send one statement. `take` gets its rows or the exception."""
        if self._connections.appending is None:
            background.spawn("append", self._open_and_run(commits, take))
        else:
            self._run(self._connections.appending, commits, take)

    def _run(self, runner: StatementRunner, commits: Sequence[NewCommit], take: Take[Rows]) -> None:
        try:
            statement, parameters = append_query(commits)
        except (TypeError, ValueError) as error:
            # Like a value that the database refuses: only its own commit fails.
            take(psycopg.DataError(f"a value is not of the type of its column: {error}"))
        else:
            took = partial(self._observe, len(commits), time.perf_counter(), take)
            runner.run(statement, parameters, took)

    async def _open_and_run(self, commits: Sequence[NewCommit], take: Take[Rows]) -> None:
        try:
            runner = await self._connections.open_appending()
        except BaseException as error:
            take(error)
            if isinstance(error, Problem):
                return
            raise
        self._run(runner, commits, take)

    def _observe(
        self, commits: int, began: float, take: Take[Rows], outcome: Rows | BaseException
    ) -> None:
        took_s = time.perf_counter() - began
        take(outcome)
        metrics.APPEND_COMMITS.observe(commits)
        metrics.APPEND_SECONDS.observe(took_s)

    def _end(
        self,
        runs: Sequence[_Decided],
        commits: Sequence[NewCommit],
        span: "Span | None",
        outcome: Rows | BaseException,
    ) -> None:
        """Take the outcome of a statement."""
        if span is not None:
            span.end()
        if isinstance(outcome, psycopg.Error):
            background.spawn("append", self._recover(runs, commits, outcome))
        elif isinstance(outcome, BaseException):
            self._answer(runs, outcome)
        else:
            self._answer(runs, _stored(commits, outcome))

    def _answer(self, runs: Sequence[_Decided], outcome: Appended | BaseException) -> None:
        """Answer all runs of a statement, and send the next."""
        answers = None if isinstance(outcome, BaseException) else iter(outcome)
        for run in runs:
            run.take(outcome if answers is None else list(islice(answers, len(run.commits))))
        self._is_storing = False
        self._idle_since = time.perf_counter()
        if self.has_waiting:
            if self._next is not None:
                self._next.cancel()
            self._go_on()

    # After an error of the database

    async def _recover(
        self, runs: Sequence[_Decided], commits: Sequence[NewCommit], error: psycopg.Error
    ) -> None:
        outcome: Appended | BaseException
        try:
            outcome = await self._outcomes_after(error, commits)
        except asyncio.CancelledError as cancelled:  # the loop ends
            for run in runs:
                run.take(cancelled)
            raise
        except Exception as failed:  # noqa: BLE001  (the callers receive it)
            outcome = failed
        self._answer(runs, outcome)

    async def _outcomes_after(self, error: psycopg.Error, commits: Sequence[NewCommit]) -> Appended:
        """Return the outcomes of commits whose statement ended with an error."""
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
        rows: asyncio.Future[Rows] = self._loop.create_future()
        self.send([commit], partial(resolve, rows))
        try:
            (outcome,) = _stored([commit], await rows)
        except Problem as problem:
            return problem
        except psycopg.Error as error:
            (failure,) = await self._outcomes_after(error, [commit])
            return failure
        return outcome
