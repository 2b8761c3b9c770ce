"""What can go wrong, as exceptions. Whatever this package raises on purpose is a ServerError."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID


class ServerError(Exception):
    """What was asked for did not happen, or is not known to have happened."""


class Problem(ServerError):
    """The server said no. Program against `code`; `data` is what there is to know about it.

    `version` is where the game stood when it refused. `status` is that of HTTP, and None for what
    was refused on a socket."""

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
    """The server closed a socket, and coming back would change nothing: `close_code` and `code` say
    why."""

    def __init__(self, close_code: int, code: str, data: Mapping[str, Any]) -> None:
        super().__init__(code, data)
        self.close_code = close_code


class Unreachable(ServerError):
    """No answer from the server, however often it was asked."""


class Unanswered(ServerError):
    """Whether a command was carried out is not known yet. Played again under this `id`, it counts
    once."""

    def __init__(self, id: UUID) -> None:  # noqa: A002 -- as the protocol calls it
        super().__init__(f"command {id} was not answered in time")
        self.id = id


class FellBehind(ServerError):
    """More commits wait to be read than this client keeps. Open the table again with `after` to go
    on."""
