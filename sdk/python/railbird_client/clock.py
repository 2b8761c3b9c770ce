"""The time of the server, which bounds how long a command may be on its way."""

import time
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

IN_TIME: Final = timedelta(seconds=5)
"""How far ahead of the server's time the `not_after` of a command lies."""

YEARS: Final = range(2000, 9000)


def moment(text: str) -> datetime:
    """Read a time of the server. Raises ValidationError."""
    try:
        found = datetime.fromisoformat(text)
        is_of_server = found.tzinfo is not None and found.astimezone(UTC).year in YEARS
    except (ValueError, OverflowError) as error:
        raise msgspec.ValidationError(f"no time: {text[:40]}") from error
    if not is_of_server:
        raise msgspec.ValidationError(f"no time of this server: {text[:40]}")
    return found.astimezone(UTC)


class ServerClock:
    """The server's time as its latest frame said, and the time that has passed since.

    The clock of this computer may be wrong, or be set: only how fast it runs counts.
    """

    def __init__(self) -> None:
        self._said = datetime.now(UTC)
        self._heard_at = time.monotonic()

    def set(self, now: datetime) -> None:
        """Note what time the server says it is."""
        self._said, self._heard_at = now, time.monotonic()

    def now(self) -> datetime:
        """Return the server's time."""
        return self._said + timedelta(seconds=time.monotonic() - self._heard_at)
