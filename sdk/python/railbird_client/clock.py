"""The time of the server, which bounds how long a command may be on its way."""

from datetime import UTC, datetime, timedelta
from typing import Final

IN_TIME: Final = timedelta(seconds=5)
"""How far ahead of the server's time the `not_after` of a command lies."""


class ServerClock:
    """An estimate of the server's time from its frames; before the first one, the client's time."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        """Return the server's time."""
        return datetime.now(UTC) + self._ahead

    def heard(self, at: datetime) -> None:
        """Note a time that the server has passed already."""
        self._ahead = max(self._ahead, at - datetime.now(UTC))

    def set(self, now: datetime) -> None:
        """Note what time the server says it is."""
        self._ahead = now - datetime.now(UTC)
