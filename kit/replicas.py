"""Reads from a standby of the database, by answers that say how old they may be.

`replicated` marks what may be read there. The age is bounded without a clock in common: now and
then a process notes the time and the place in the log of the primary; a standby that has replayed
that place knows everything that was committed before that time.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import wraps
from threading import Lock
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections

from kit import metrics

log = structlog.get_logger(__name__)

Given = ParamSpec("Given")
T = TypeVar("T")

ALIAS: Final = "replica"
MARK_EVERY_S: Final = 1.0
AGAIN_AFTER_S: Final = 5.0
"""How long a standby that failed is left alone."""

IDENTITY: Final = """
SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
    CASE WHEN NOT pg_is_in_recovery() THEN
        ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
    END AS timeline
"""
"""The system identifier and the timeline of a database; a standby has no timeline. Each failover
begins a timeline."""
PRIMARY: Final = f"""
SELECT identity.*,
    CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() - '0/0' END AS place,
    now() AS at
FROM ({IDENTITY}) identity
"""  # noqa: S608  (a constant)
STANDBY: Final = """
SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
    greatest((SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT min_recovery_end_timeline FROM pg_control_recovery())) AS timeline,
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0' END AS place
"""
"""A standby learns of a new timeline at its next checkpoint; until then it is left alone, because
it may have replayed what the new primary lacks."""


class Mark(NamedTuple):
    """A place in the log of the primary. Everything committed before `at` is before it. `seen` is
    the time of this process."""

    system: str
    timeline: int
    place: int
    at: datetime
    seen: float


class Replica:
    """The memory of a process about its primary, to judge a standby by."""

    def __init__(self, stale_s: float) -> None:
        self._stale_s = stale_s
        self._marks: deque[Mark] = deque(maxlen=round(stale_s / MARK_EVERY_S) + 2)
        self._next_mark = 0.0
        self._again_at = 0.0
        self._outcome = ""
        self._lock = Lock()

    @property
    def is_shunned(self) -> bool:
        """Whether the standby failed a moment ago."""
        return time.monotonic() < self._again_at

    def wants_mark(self) -> bool:
        """Return whether the caller is to note a mark now."""
        with self._lock:
            if time.monotonic() < self._next_mark:
                return False
            self._next_mark = time.monotonic() + MARK_EVERY_S
            return True

    def note_mark(self, seen: float, row: Any) -> None:
        """Note an answer to PRIMARY that was asked for at this time of the process."""
        system, timeline, place, at = row
        if place is None:
            return
        mark = Mark(system, timeline, int(place), at, seen)
        with self._lock:
            if self._marks and self._marks[-1][:2] != mark[:2]:
                self._marks.clear()
            self._marks.append(mark)

    def as_of(self, row: Any, least: datetime | None = None) -> datetime | None:
        """Return the time up to which a standby that gave this answer to STANDBY has everything,
        or None if it is none, or lags too much, or behind `least`."""
        system, timeline, place = row
        with self._lock:
            marks = list(self._marks)
        if place is None or not marks or marks[-1][:2] != (system, timeline):
            self.note("no_standby")
            return None
        oldest = time.monotonic() - self._stale_s
        for mark in reversed(marks):
            if mark.place <= place:
                if mark.seen < oldest or (least is not None and mark.at < least):
                    break
                self.note("ok")
                return mark.at
        self.note("stale")
        return None

    def failed(self, error: Exception) -> None:
        """Note that the standby failed, and leave it alone for a while."""
        self._again_at = time.monotonic() + AGAIN_AFTER_S
        self.note("unavailable", error=" ".join(str(error).split()))

    def note(self, outcome: str, **data: object) -> None:
        """Count an attempt to read, and log a change."""
        metrics.REPLICA_READS.labels(outcome).inc()
        if outcome != self._outcome and (self._outcome or outcome != "ok"):
            log.warning("replica_changed", before=self._outcome, now=outcome, **data)
        self._outcome = outcome


_replica: Replica | None = None


def replica() -> Replica | None:
    """Return the replica of this process, None without the setting."""
    global _replica  # noqa: PLW0603 -- made from the settings at the first use
    if _replica is None and settings.DATABASE_REPLICA_STALE_S and ALIAS in settings.DATABASES:
        _replica = Replica(settings.DATABASE_REPLICA_STALE_S)
    return _replica


_as_of: ContextVar[datetime | None] = ContextVar("as_of", default=None)


def as_of() -> datetime | None:
    """Return the time up to which the reads of this block have everything; None: all of it."""
    return _as_of.get()


class Router:
    """Send reads in a block of `reading` to the standby."""

    def db_for_read(self, _model: Any, **_hints: Any) -> str:
        """Return the database to read from."""
        return DEFAULT_DB_ALIAS if _as_of.get() is None else ALIAS

    def db_for_write(self, _model: Any, **_hints: Any) -> str:
        """Return the database to write to."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, *_: Any, **_hints: Any) -> bool:
        """Rows of both are the same."""
        return True

    def allow_migrate(self, db: str, *_: Any, **_hints: Any) -> bool:
        """Return whether to migrate this database."""
        return db == DEFAULT_DB_ALIAS


@contextmanager
def reading(least: datetime | None = None) -> Iterator[datetime | None]:
    """Let queries in this block read from the standby, if it has everything up to `least`, and give
    the time up to which it has everything: None if they read from the primary."""
    found = _choose(least)
    before = _as_of.set(found)
    try:
        yield found
    except Error as error:
        if found is not None and (known := replica()) is not None:
            known.failed(error)
            connections[ALIAS].close()
        raise
    finally:
        _as_of.reset(before)


@contextmanager
def primary() -> Iterator[None]:
    """Let queries in this block read from the primary again."""
    before = _as_of.set(None)
    try:
        yield
    finally:
        _as_of.reset(before)


def replicated(work: Callable[Given, T]) -> Callable[Given, T]:
    """Return the work, which only reads, on the standby, or on the primary where that fails."""

    @wraps(work)
    def run(*arguments: Given.args, **named: Given.kwargs) -> T:
        at = None
        try:
            with reading() as at:
                return work(*arguments, **named)
        except Error:
            if at is None:
                raise
            return work(*arguments, **named)

    return run


def _choose(least: datetime | None) -> datetime | None:
    known = replica()
    if known is None or known.is_shunned:
        return None
    if known.wants_mark():
        seen = time.monotonic()
        known.note_mark(seen, _row(DEFAULT_DB_ALIAS, PRIMARY))
    try:
        return known.as_of(_row(ALIAS, STANDBY), least)
    except Error as error:
        known.failed(error)
        connections[ALIAS].close()
        return None


def _row(alias: str, query: str) -> Any:
    with connections[alias].cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()
