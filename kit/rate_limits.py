"""How much one person, token, address, account or mailbox may ask for: budgets that all processes
share, through Valkey.

A budget that cannot be counted is not enforced: without Valkey everything goes on, and the log says
so."""

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
"""How long a process does without Valkey when it did not answer: requests wait for it once, not
each."""

KNOWN_FOR: Final = timedelta(days=30)

T = TypeVar("T")


class Spent(NamedTuple):
    """A budget of which something was taken: which of `settings.RATE_LIMITS`, and whose."""

    policy: str
    whose: str


def spend(spent: Spent) -> None:
    """Take one from a budget, at once and for all processes.

    Raises Problem `too_many_requests` when nothing is left; a refused one costs nothing.
    """
    limit = _limit(spent.policy)
    if (
        limit is None
        or _counts().ask(lambda windows: windows.hit(limit, spent.policy, spent.whose)) is not False
    ):
        return
    raise Problem("too_many_requests", policy=spent.policy, retry_after=max(1, _left(spent)[1]))


def headers(spent: Sequence[Spent]) -> dict[str, str]:
    """What tells a client which budgets it draws on, and how much is left of the last one."""
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
    """How much of a budget is left, and in how many seconds there is more."""
    limit = _limit(spent.policy)
    assert limit is not None, "what is not limited is not counted"
    found = _counts().ask(
        lambda windows: windows.get_window_stats(limit, spent.policy, spent.whose)
    )
    return (
        (limit.amount, 0)
        if found is None
        else (found.remaining, max(0, ceil(found.reset_time - time.time())))
    )


def address_of(request: "HttpRequest | Request") -> str:
    """Where a request comes from: the address of the connection, or what a proxy says whom the
    server believes."""
    return str(request.META.get("REMOTE_ADDR", ""))


def source(address: str) -> str:
    """Who answers for an address: itself, or of IPv6 the network of 64 bits that one household
    has."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return (
        str(IPv6Address(int(read) >> 64 << 64))
        if isinstance(read, IPv6Address) and not read.ipv4_mapped
        else str(read)
    )


# Guessing


def guess(account: str, address: str) -> None:
    """Before a password is looked at: so many wrong ones in a row for one account, whether there is
    such an account or not.

    Who has signed in from an address of late has a budget of their own there: no stranger can use
    it up, and lock them out. Raises Problem `too_many_requests`."""
    spend(_guesses(account, address))


def guessed_right(account: str, address: str) -> None:
    """After the password was right: what was wrong before is forgotten, and the address is
    known."""
    spent = _guesses(account, address)
    limit = _limit(spent.policy)
    if limit is not None:
        _counts().ask(lambda windows: windows.clear(limit, spent.policy, spent.whose))
        _counts().remember(_known(account, address))


def _guesses(account: str, address: str) -> Spent:
    known = _known(account, address)
    return Spent("account", known if _counts().remembers(known) else digest(account))


def _known(account: str, address: str) -> str:
    return digest(f"{account} {source(address)}")


def digest(text: str) -> str:
    """What stands for a name or an address in Valkey, which need not know them."""
    return hashlib.sha256(text.lower().encode()).hexdigest()[:32]


# Counting


class _Counts:
    """The counters in Valkey, which may be away."""

    def __init__(self) -> None:
        pool = ConnectionPool.from_url(
            settings.REDIS_URL,
            socket_timeout=ANSWER_WITHIN_S,
            socket_connect_timeout=ANSWER_WITHIN_S,
            retry=Retry(NoBackoff(), 0),
        )
        # The budgets belong to an installation, as its database does.
        prefix = f"limits:{settings.DATABASES['default']['NAME']}"
        self._storage = RedisStorage("redis://", connection_pool=pool, key_prefix=prefix)
        self._windows = SlidingWindowCounterRateLimiter(self._storage)
        self._away_until: float | None = None

    def ask(self, question: Callable[[SlidingWindowCounterRateLimiter], T]) -> T | None:
        """What Valkey says, or None when it is away."""
        if self._away_until is not None:
            if time.monotonic() < self._away_until:
                return None
            # One asks whether it is back, the others go on.
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
        """For a month."""
        self.ask(lambda _: self._storage.incr(f"known:{what}", int(KNOWN_FOR.total_seconds())))

    def remembers(self, what: str) -> bool:
        """Whether this was remembered of late."""
        return bool(self.ask(lambda _: self._storage.get(f"known:{what}")))


@cache
def _counts() -> _Counts:
    return _Counts()
