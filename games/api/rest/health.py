"""Whether this process lives, and whether it can serve."""

import msgspec
import redis
from django.conf import settings
from django.db import DatabaseError, connection
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.rest import operation
from kit.problems import Problem

PING_TIMEOUT_S = 1.0


class Alive(msgspec.Struct, frozen=True):
    """The process responds."""

    status: str = "ok"


class Probe(APIView):
    """Anybody may ask, however often."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()


class Live(Probe):
    @operation("live", scope=None)
    def get(self, request: Request) -> Alive:
        """Report that this process responds and need not be restarted."""
        return Alive()


class Ready(Probe):
    @operation("ready", "unavailable", scope=None)
    def get(self, request: Request) -> Alive:
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
