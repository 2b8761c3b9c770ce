"""Rate limits per user, token, address, username or mailbox, shared by all processes in Valkey.

A limit that cannot be counted is not enforced: without Valkey, requests pass and the log has a
warning.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import structlog
from django.conf import settings
from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from kit.problems import Problem

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

log = structlog.get_logger(__name__)

ANSWER_WITHIN_S: Final = 0.5
TRY_AGAIN_AFTER_S: Final = 5.0
"""How long a process skips Valkey after a timeout, so that one request waits and not each."""

KNOWN_FOR: Final = timedelta(days=30)

T = TypeVar("T")


class Spent(NamedTuple):
    """One counted use: a policy of `settings.RATE_LIMITS` and the subject that it counts for."""

    policy: str
    whose: str


def spend(spent: Spent, uses: int = 1) -> None:
    """Count uses, atomically across all processes.

    Raises Problem `too_many_requests` when the limit is reached. A rejected use is not counted.
    """
    limit = _limit(spent.policy)
    if (
        limit is None
        or _counts().ask(lambda windows: windows.hit(limit, spent.policy, spent.whose, cost=uses))
        is not False
    ):
        return
    raise Problem("too_many_requests", policy=spent.policy, retry_after=max(1, _left(spent)[1]))


def check(spent: Spent) -> None:
    """Check that a use is left, and count none. Raises Problem `too_many_requests`."""
    remaining, reset = (1, 0) if _limit(spent.policy) is None else _left(spent)
    if not remaining:
        raise Problem("too_many_requests", policy=spent.policy, retry_after=max(1, reset))


def headers(spent: Sequence[Spent]) -> dict[str, str]:
    """Return response headers with the policies that apply and what is left of the last one."""
    counted = [(of, limit) for of in spent if (limit := _limit(of.policy)) is not None]
    if not counted:
        return {}
    remaining, reset = _left(counted[-1][0])
    return {
        "RateLimit-Policy": ", ".join(
            f'"{of.policy}";q={limit.amount};w={limit.multiples}' for of, limit in counted
        ),
        "RateLimit": f'"{counted[-1][0].policy}";r={remaining};t={reset}',
    }


def _limit(policy: str) -> RateLimitItemPerSecond | None:
    most, seconds = settings.RATE_LIMITS[policy]
    return RateLimitItemPerSecond(most, seconds, "") if most else None


def _left(spent: Spent) -> tuple[int, int]:
    """Return how many uses are left and in how many seconds more become available."""
    limit = _limit(spent.policy)
    assert limit is not None, "a policy without limit has no counter"
    found = _counts().ask(
        lambda windows: windows.get_window_stats(limit, spent.policy, spent.whose)
    )
    return (
        (limit.amount, 0)
        if found is None
        else (found.remaining, max(0, ceil(found.reset_time - time.time())))
    )


def address_of(request: "HttpRequest | Request") -> str:
    """Return the client address: of the connection, or as reported by a trusted proxy."""
    return str(request.META.get("REMOTE_ADDR", ""))


def source(address: str) -> str:
    """Return what an address is counted under: itself, or for IPv6 its /64 network.

    A household usually has a /64, so counting single IPv6 addresses would limit nothing.
    """
    try:
        read = ip_address(address)
    except ValueError:
        return address
    if isinstance(read, IPv6Address):
        return str(read.ipv4_mapped or IPv6Address(int(read) >> 64 << 64))
    return str(read)


# Guesses of passwords and of codes


def guess(account: str, address: str, policy: str = "account") -> None:
    """Count an attempt before the password is checked, for existing and unknown names.

    A user who signed in from this address within `KNOWN_FOR` has a separate limit there, so that
    strangers cannot lock them out. Raises Problem `too_many_requests`.
    """
    spend(_guesses(account, address, policy))


def guessed_right(account: str, address: str, policy: str = "account") -> None:
    """Reset the count after a correct password and remember the address for this user."""
    spent = _guesses(account, address, policy)
    limit = _limit(spent.policy)
    if limit is not None:
        _counts().ask(lambda windows: windows.clear(limit, spent.policy, spent.whose))
        _counts().remember(_known(account, address))


def _guesses(account: str, address: str, policy: str) -> Spent:
    known = _known(account, address)
    return Spent(policy, known if _counts().remembers(known) else digest(account))


def _known(account: str, address: str) -> str:
    return digest(f"{account} {source(address)}")


def digest(text: str) -> str:
    """Hash a name or an address, so that Valkey does not store it."""
    return hashlib.sha256(text.lower().encode()).hexdigest()[:32]


# Counters


class _Counts:
    """The counters in Valkey, with a pause after each failure."""

    def __init__(self) -> None:
        pool = ConnectionPool.from_url(
            settings.REDIS_URL,
            socket_timeout=ANSWER_WITHIN_S,
            socket_connect_timeout=ANSWER_WITHIN_S,
            retry=Retry(NoBackoff(), 0),
        )
        # Each installation has its own counters, as it has its own database.
        prefix = f"limits:{settings.DATABASES['default']['NAME']}"
        self._storage = RedisStorage("redis://", connection_pool=pool, key_prefix=prefix)
        self._windows = SlidingWindowCounterRateLimiter(self._storage)
        self._away_until: float | None = None

    def ask(self, question: Callable[[SlidingWindowCounterRateLimiter], T]) -> T | None:
        """Run a query on the counters; return None while Valkey is unavailable."""
        if self._away_until is not None:
            if time.monotonic() < self._away_until:
                return None
            # This request tries again; concurrent ones skip Valkey meanwhile.
            self._away_until = time.monotonic() + TRY_AGAIN_AFTER_S
        try:
            answer = question(self._windows)
        except (RedisError, OSError) as error:
            self._away_until = time.monotonic() + TRY_AGAIN_AFTER_S
            log.warning("limits_not_counted", error=type(error).__name__)
            return None
        self._away_until = None
        return answer

    def remember(self, what: str) -> None:
        """Remember this for `KNOWN_FOR`."""
        self.ask(lambda _: self._storage.incr(f"known:{what}", int(KNOWN_FOR.total_seconds())))

    def remembers(self, what: str) -> bool:
        """Whether this was remembered within `KNOWN_FOR`."""
        return bool(self.ask(lambda _: self._storage.get(f"known:{what}")))


@cache
def _counts() -> _Counts:
    return _Counts()
