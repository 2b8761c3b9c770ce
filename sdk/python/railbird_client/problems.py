"""The exceptions of this package. All are subclasses of ServerError."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID


class ServerError(Exception):
    """A request failed, or its outcome is unknown."""


class Problem(ServerError):
    """An error response. Test `code`, which is stable; `data` has the details.

    `version` is the version of the game that rejected a command. `status` is the HTTP status; None
    on a socket.
    """

    def __init__(
        self,
        code: str,
        data: Mapping[str, Any],
        *,
        version: int | None = None,
        status: int | None = None,
        title: str = "",
    ) -> None:
        super().__init__(f"{code} {dict(data)}" if data else code)
        self.code = code
        self.data = data
        self.version = version
        self.status = status
        self.title = title


class Closed(Problem):
    """The server closed a socket, and reconnecting is pointless. See `close_code` and `code`."""

    def __init__(self, close_code: int, code: str, data: Mapping[str, Any]) -> None:
        super().__init__(code, data)
        self.close_code = close_code


class Unreachable(ServerError):
    """The server did not respond, despite retries."""


class Unanswered(ServerError):
    """The outcome of a command is unknown. Repeat it with this `id`; it counts once."""

    def __init__(self, id: UUID) -> None:  # noqa: A002 -- as the protocol calls it
        super().__init__(f"command {id} was not answered in time")
        self.id = id


class Contradicted(ServerError):
    """The server contradicts what it has acknowledged.

    Keep `note` if it is not empty: it is signed.
    """

    def __init__(self, note: str, field: str, expected: str, found: str) -> None:
        super().__init__(f"{field}: expected {expected}, found {found}")
        self.note = note
        self.field = field


class FellBehind(ServerError):
    """More news wait than this client stores. To continue, reopen the table with `after`."""
