"""Health checks: whether this process responds, and whether it can serve requests."""

from itertools import compress
from typing import Literal

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

PING_TIMEOUT_S = 1.0
LATE_S = 30


class Alive(msgspec.Struct, frozen=True):
    """The process responds."""

    status: str = "ok"


@operation("live", is_open=True, is_unlimited=True)
def live(origin: Origin) -> Alive:
    """Report that this process responds and need not be restarted."""
    return Alive()


class Health(msgspec.Struct, frozen=True):
    """The state of the server. `late` names work that no worker has done in time: `clock` steps
    games, `sealer` writes the public log, `months` are the partitions of the next month. Late games
    continue when a worker is back. `diverged` counts games whose stored history is not the one that
    was signed: they stay stalled. Without `valkey` games continue, clients learn of commits later,
    and rate limits are off."""

    status: Literal["ok", "degraded"]
    late: list[str]
    diverged: int
    valkey: bool


@operation("ready", "unavailable", is_open=True, is_unlimited=True)
def ready(origin: Origin) -> Health:
    """Report that the database responds, that no loop of this process is stuck, and that requests
    may be sent here: the process is not about to end."""
    stuck, trouble, ends = background.stuck(), _trouble(), draining.is_set()
    if trouble is None or stuck or ends:
        raise Problem("unavailable", database=trouble is not None, stuck=stuck, draining=ends)
    late, diverged = trouble
    valkey = valkey_answers()
    status: Literal["ok", "degraded"] = "degraded" if late or diverged or not valkey else "ok"
    return Health(status, late, diverged, valkey)


def _trouble() -> tuple[list[str], int] | None:
    """Return late work and the number of diverged games; None if the database does not respond."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(LATE, {"late_s": LATE_S, "sealing": settings.SEALING})
            *late, diverged = cursor.fetchone()
    except DatabaseError:
        return None
    return list(compress(("clock", "sealer", "months"), late)), diverged


def valkey_answers() -> bool:
    """Whether Valkey responds within a second."""
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PING_TIMEOUT_S, socket_connect_timeout=PING_TIMEOUT_S
    )
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
    finally:
        client.close()
