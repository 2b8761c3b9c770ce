"""Whether this process lives, and whether it can serve."""

import msgspec
import redis
from django.conf import settings
from django.db import DatabaseError, connection

from accounts.tokens import Origin
from kit.operations import operation
from kit.problems import Problem

PING_TIMEOUT_S = 1.0


class Alive(msgspec.Struct, frozen=True):
    """The process responds."""

    status: str = "ok"


@operation("live", is_open=True, is_unlimited=True)
def live(origin: Origin) -> Alive:
    """Report that this process responds and need not be restarted."""
    return Alive()


@operation("ready", "unavailable", is_open=True, is_unlimited=True)
def ready(origin: Origin) -> Alive:
    """Report that database and Valkey respond and requests may be sent here."""
    reached = {"database": _database_answers(), "valkey": _valkey_answers()}
    if not all(reached.values()):
        raise Problem("unavailable", **reached)
    return Alive()


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _valkey_answers() -> bool:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PING_TIMEOUT_S, socket_connect_timeout=PING_TIMEOUT_S
    )
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
    finally:
        client.close()
