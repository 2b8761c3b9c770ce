"""How long to wait before another try."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

FIRST_S: Final = 0.25
MOST_S: Final = 15.0
GOOD_AFTER_S: Final = 5.0

AGAIN: Final = frozenset({"busy", "unavailable", "outcome_unknown", "too_many_commands"})
"""Codes after which the client repeats the same command under the same id."""


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
