"""Background tasks: endless loops, and work that nobody awaits.

A loop survives whatever its step raises: the exception is logged and counted, and the loop
continues after a pause. `stuck` names the loops that do not recover.
"""

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, NamedTuple

import psycopg
import structlog
from django.db import DatabaseError, InterfaceError, OperationalError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from kit.problems import Problem

log = structlog.get_logger(__name__)

BACKOFF_MIN_S: Final = 0.25
BACKOFF_MAX_S: Final = 5.0
STUCK_AFTER_S: Final = 10.0
END_WITHIN_S: Final = 5.0
LOG_EVERY: Final = 12
"""A repeated failure that is no outage is logged once in this many times."""


class OperatorError(Exception):
    """A failure that an operator ends. The message is one line that says what to do."""


PASSING: Final = (OperatorError, Problem, OSError, psycopg.Error, DatabaseError, RedisError)
"""Exceptions of an unavailable server or for an operator, which are logged without a traceback."""
OUTAGES: Final = (
    *(OSError, psycopg.OperationalError, OperationalError, InterfaceError),
    *(RedisConnectionError, RedisTimeoutError),
)
"""Exceptions of a server that is away: what they say changes while it is, and that is no news."""

failures: Counter[str] = Counter()
"""The number of failures of each loop of this process and of its child, by name."""

_loops: dict[str, "Loop"] = {}
_reported: Counter[str] = Counter()
_stuck_in_child: list[str] = []
_tasks: set[asyncio.Task[Any]] = set()


class Loop:
    """The state of an endless loop. `backoff_max_s` limits the pause after a failure."""

    def __init__(self, name: str, backoff_max_s: float = BACKOFF_MAX_S) -> None:
        self.name = name
        self._backoff_max_s = backoff_max_s
        self._in_a_row = 0
        self._logged = ""
        self._failing_since: float | None = None
        _loops[name] = self

    def worked(self) -> None:
        """Record a successful step."""
        if self._in_a_row:
            log.info("loop_recovered", loop=self.name, failures=self._in_a_row)
            self._in_a_row, self._failing_since, self._logged = 0, None, ""

    def failed(self, error: Exception) -> float:
        """Log and count a failure. Return how many seconds to pause."""
        failures[self.name] += 1
        if self._failing_since is None:
            self._failing_since = time.monotonic()
        pause_s: float = min(BACKOFF_MIN_S * 2 ** min(self._in_a_row, 8), self._backoff_max_s)
        what = "outage" if _is_of_outage(error) else str(error)
        if what != self._logged or (what != "outage" and self._in_a_row % LOG_EVERY == 0):
            self._logged = what
            trace = None if isinstance(error, PASSING) else error
            write = log.warning if trace is None else log.error
            write("loop_failed", loop=self.name, error=str(error), exc_info=trace)
        self._in_a_row += 1
        return pause_s * (0.75 + random.random() / 2)  # noqa: S311  (jitter, not luck)

    def ended(self) -> None:
        """Forget a loop that was stopped: it need not recover any more."""
        if _loops.get(self.name) is self:
            del _loops[self.name]

    @property
    def is_stuck(self) -> bool:
        """Whether every step has failed for more than `STUCK_AFTER_S`."""
        since = self._failing_since
        return since is not None and time.monotonic() - since > STUCK_AFTER_S


def _is_of_outage(error: Exception) -> bool:
    if isinstance(error, Problem):
        return error.code in {"unavailable", "outcome_unknown", "busy"}
    return isinstance(error, OUTAGES)


def stuck() -> list[str]:
    """Return the names of the loops of this process and its child that do not recover."""
    return sorted([*_stuck_in_child, *(name for name, loop in _loops.items() if loop.is_stuck)])


class Report(NamedTuple):
    """The failures of each loop of a process since its last report, and its stuck loops."""

    failures: dict[str, int]
    stuck: list[str]


def report() -> Report:
    """Return what the parent of this process does not know yet about its loops."""
    new = failures.copy() - _reported
    _reported.update(new)
    return Report(new, stuck())


def take_in(child: Report) -> None:
    """Count the loops of the child of this process like its own."""
    failures.update(child.failures)
    _stuck_in_child[:] = child.stuck


def forever(name: str, step: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
    """Start a task that repeats `step` for as long as the event loop lives."""
    return _kept(repeat(name, step))


async def repeat(
    name: str,
    step: Callable[[], Awaitable[None]],
    *,
    stopping: asyncio.Event | None = None,
    backoff_max_s: float = BACKOFF_MAX_S,
) -> None:
    """Repeat `step` until `stopping` is set."""
    loop, task = Loop(name, backoff_max_s), asyncio.current_task()
    assert task is not None
    try:
        while stopping is None or not stopping.is_set():
            pause_s = 0.0
            try:
                await step()
            except Exception as error:  # noqa: BLE001  (logged and counted)
                pause_s = loop.failed(error)
            else:
                loop.worked()
            # A step may hide that it was cancelled, behind an error or a result.
            if task.cancelling():
                raise asyncio.CancelledError
            if pause_s:
                await asyncio.sleep(pause_s)
    finally:
        loop.ended()


def until(stopping: threading.Event, name: str, step: Callable[[], None]) -> None:
    """Repeat `step` in this thread until `stopping` is set."""
    loop = Loop(name)
    try:
        while not stopping.is_set():
            try:
                step()
            except Exception as error:  # noqa: BLE001  (logged and counted)
                stopping.wait(loop.failed(error))
            else:
                loop.worked()
    finally:
        loop.ended()


def spawn(name: str, work: Coroutine[Any, Any, None]) -> None:
    """Start a task that nobody awaits. A failure is only logged."""
    _kept(_guarded(name, work))


async def end() -> None:
    """Cancel the background tasks of this event loop, and wait until they have ended.

    A task that goes on after its resources were closed would open them again.
    """
    loop = asyncio.get_running_loop()
    own = [task for task in _tasks if task.get_loop() is loop]
    for task in own:
        task.cancel()
    if own:
        await asyncio.wait(own, timeout=END_WITHIN_S)


async def _guarded(name: str, work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except PASSING as error:
        log.warning("background_work_failed", work=name, error=str(error))
    except Exception:
        log.exception("background_work_failed", work=name)


def _kept(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    task = asyncio.get_running_loop().create_task(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return task
