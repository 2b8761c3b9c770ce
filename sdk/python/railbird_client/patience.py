"""How long to wait before another try."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import count
from typing import Final, TypeVar

from railbird_client.problems import Problem, Unreachable

T = TypeVar("T")

FIRST_S: Final = 0.25
MOST_S: Final = 15.0
GOOD_AFTER_S: Final = 5.0
ASKED_MAX_S: Final = 60.0
"""How long a server, or who answers in its place, can make a client wait that goes on by itself."""

AGAIN: Final = frozenset({"busy", "unavailable", "outcome_unknown", "too_many_commands"})
"""Codes after which the client repeats the same command under the same id."""

LATER: Final = frozenset({429, 503})
"""The statuses of requests that the server asks to send again."""

FOREIGN: Final = frozenset({"unreadable", "too_large"})
"""The codes of answers that are not the server's; asking again brings the same."""


def is_passing(problem: Problem) -> bool:
    """Whether the server was only busy, so that the same request may succeed later."""
    return problem.code in AGAIN or problem.status in LATER


async def persist(work: Callable[[], Awaitable[T]]) -> T:
    """Do this again until it succeeds, or fails in a way that stays."""
    for failures in count():
        wait_s = 0.0
        try:
            return await work()
        except Unreachable as error:
            if error.code in FOREIGN:
                raise
        except Problem as problem:
            if not is_passing(problem):
                raise
            wait_s = min(problem.retry_after_s, ASKED_MAX_S)
        await asyncio.sleep(wait_s + pause_s(failures))
    raise AssertionError("every try returns, raises or continues")


def pause_s(failures: int) -> float:
    """Return a random pause after this many failures in a row; its limit doubles each time.

    The random part keeps clients that lost the same server from returning together.
    """
    return random.uniform(0.05, min(MOST_S, FIRST_S * 2 ** min(failures, 10)))  # noqa: S311 -- jitter, not luck


class Patience:
    """The pauses between connections, which grow until one was good: it has lasted for a while, or
    brought something new."""

    def __init__(self) -> None:
        self._failures = 0

    def pause_s(self, *, was_good: bool) -> float:
        """Return the pause after a connection."""
        if was_good:
            self._failures = 0
        self._failures += 1
        return pause_s(self._failures - 1)


def retry_after_s(asked: str, date: str) -> float:
    """Return the seconds that a `Retry-After` asks for, in either of its forms; 0 for others.

    A moment is compared with the `Date` of the same response, since the own clock may be wrong.
    """
    if asked.isascii() and asked.isdigit():
        return float(asked)
    try:
        left = _moment(asked) - (_moment(date) if date else datetime.now(UTC))
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return max(0.0, left.total_seconds())


def _moment(text: str) -> datetime:
    found = parsedate_to_datetime(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
