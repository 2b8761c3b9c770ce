"""Health checks: whether this process responds, and whether it can serve requests."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import compress
from threading import Lock
from typing import Final, Generic, Literal, NamedTuple, TypeVar

import msgspec
import redis
from django.conf import settings
from django.db import DatabaseError, connection

from accounts.tokens import Origin
from games.store.heads import LATE
from kit import background
from kit.draining import draining
from kit.operations import operation
from kit.problems import Problem

T = TypeVar("T")

ANSWER_WITHIN_S: Final = 0.8
"""A service that takes longer counts as away."""
LATE_S: Final = 30


class Alive(msgspec.Struct, frozen=True):
    """The process responds."""

    status: str = "ok"


@operation("live", is_open=True, is_unlimited=True)
def live(origin: Origin) -> Alive:
    """Report that this process responds and need not be restarted."""
    return Alive()


class DatabaseIdentity(msgspec.Struct, frozen=True):
    """The PostgreSQL server that this process uses: its system identifier and its timeline. Each
    failover begins a timeline."""

    system: str
    timeline: int


class Health(msgspec.Struct, frozen=True):
    """The state of the server. `late` names work that no worker has done in time: `clock` steps
    games, `sealer` writes the public log, `months` are the partitions of the next month, no game
    starts without all `witnesses`, and no commit is acknowledged without the synchronous `standby`,
    while none is connected. Late games continue when a worker is back. `diverged`
    counts games whose stored history is not the one that was signed, and `damaged` those of which a
    stored commit is damaged: they stay stalled. The oldest commit or start that is not in the log
    has waited for `seal_lag_s`. Without `valkey` games continue, clients learn of
    commits later, and rate limits are off."""

    status: Literal["ok", "degraded"]
    late: list[str]
    diverged: int
    damaged: int
    seal_lag_s: float
    valkey: bool
    database: DatabaseIdentity


@operation("ready", "unavailable", is_open=True, is_unlimited=True)
def ready(origin: Origin) -> Health:
    """Report that the database responds and accepts writes, that no loop of this process is stuck,
    and that requests may be sent here: the process is not about to end."""
    until = time.monotonic() + ANSWER_WITHIN_S
    stuck, ends = background.stuck(), draining.is_set()
    database, valkey = _database.begin(), _valkey.begin()
    found = _answer_of(database, until)
    if found is None or found.timeline is None or stuck or ends:
        raise Problem(
            "unavailable",
            database=found is not None,
            standby=found is not None and found.timeline is None,
            late=[] if found is None else found.late,
            stuck=stuck,
            draining=ends,
        )
    valkey_is_there = _answer_of(valkey, until) or False
    is_well = valkey_is_there and not (found.late or found.diverged or found.damaged)
    return Health(
        status="ok" if is_well else "degraded",
        late=found.late,
        diverged=found.diverged,
        damaged=found.damaged,
        seal_lag_s=found.seal_lag_s,
        valkey=valkey_is_there,
        database=DatabaseIdentity(found.system, found.timeline),
    )


LATE_WORK: Final = ("clock", "sealer", "months", "witnesses", "standby")


class _Found(NamedTuple):
    """The answer of the database. A standby has no timeline."""

    late: list[str]
    diverged: int
    damaged: int
    seal_lag_s: float
    system: str
    timeline: int | None


def _ask_database() -> _Found | None:
    """Return what the database says; None if it does not respond."""
    try:
        with connection.cursor() as cursor:
            named = [witness.text for witness in settings.START_WITNESSES]
            asked = {"late_s": LATE_S, "sealing": settings.SEALING}
            cursor.execute(LATE, {**asked, "witnesses": named})
            found = cursor.fetchone()
    except DatabaseError:
        return None
    finally:
        connection.close()
    late = list(compress(LATE_WORK, found))
    return _Found(late, *found[len(LATE_WORK) :])


class _OneAtATime(Generic[T]):
    """A question to a service, in a thread of its own. Callers that ask meanwhile share the answer,
    so a service that is silent holds one thread."""

    def __init__(self, ask: Callable[[], T]) -> None:
        self._ask = ask
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._asked: Future[T] | None = None

    def begin(self) -> "Future[T]":
        """Ask, unless somebody waits for an answer already."""
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = self._threads.submit(self._ask)
            return self._asked


def _answer_of(asked: "Future[T]", until: float) -> T | None:
    """Return the answer, or None if there is none by this time."""
    try:
        return asked.result(max(0.0, until - time.monotonic()))
    except TimeoutError:
        return None


def valkey_answers() -> bool:
    """Whether Valkey responds in time."""
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=ANSWER_WITHIN_S, socket_connect_timeout=ANSWER_WITHIN_S
    )
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
    finally:
        client.close()


_database: Final = _OneAtATime(_ask_database)
_valkey: Final = _OneAtATime(valkey_answers)
