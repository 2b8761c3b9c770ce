"""The exceptions of this package. All are subclasses of ServerError, and all have a `code`."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID


class ServerError(Exception):
    """A request failed, or its outcome is unknown. `code` is stable."""

    code = "failed"


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
        self.retry_after_s = 0.0
        """How long the server asks to wait before another try."""


class Closed(Problem):
    """The server closed a socket, and reconnecting is pointless. See `close_code` and `code`."""

    def __init__(self, close_code: int, code: str, data: Mapping[str, Any]) -> None:
        super().__init__(code, data)
        self.close_code = close_code


class Unreachable(ServerError):
    """No answer of the server arrived, also to repetitions where they are safe. `code` says why.

    - `unreachable`: no connection, or it was lost
    - `timed_out`: no answer in time
    - `tls_failed`: the certificate or the encryption is wrong
    - `redirected`: something referred the client to another address, which it never follows
    - `unreadable`: what arrived is not of the server's form, such as the page of a proxy
    - `too_large`: what arrived exceeds the limit of this client
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Unanswered(ServerError):
    """The outcome of a request on a socket is unknown: there was no answer in time.

    Repeat a command or message with this `id`: it counts once.
    """

    code = "unanswered"

    def __init__(self, id: UUID, trouble: str = "") -> None:  # noqa: A002 -- as the protocol calls it
        why = f" ({trouble})" if trouble else ""
        super().__init__(f"request {id} was not answered in time{why}")
        self.id = id


class Contradicted(ServerError):
    """The server contradicts what it has acknowledged.

    Keep `note` if it is not empty: it is signed.
    """

    code = "contradicted"

    def __init__(self, note: str, field: str, expected: str, found: str) -> None:
        super().__init__(f"{field}: expected {expected}, found {found}")
        self.note = note
        self.field = field


class NoEvidence(ServerError):
    """No key that the public log names signed this note, so it proves nothing, also not that the
    server lied. An empty note: the server did not sign what it showed."""

    code = "no_evidence"

    def __init__(self, note: str) -> None:
        what = "this note" if note else "what the server showed"
        super().__init__(f"no key of the log signed {what}")
        self.note = note


class FellBehind(ServerError):
    """More news wait than this client stores. To continue, reopen the table with `after`."""

    code = "fell_behind"


class Misused(ServerError):
    """The program uses this package in a way that cannot work; the message says how to use it."""

    code = "misused"


class StartAbandoned(ServerError):
    """The start of this lobby's game was given up, for instance because a player left; the lobby is
    open again, or closed."""

    code = "start_abandoned"


class StartOverdue(ServerError):
    """By its terms, the start of this lobby's game was to be decided by now: the server has neither
    started the game nor given up. It may be looking at the dice."""

    code = "start_overdue"

    def __init__(self, lobby: str, within_s: int) -> None:
        super().__init__(
            f"lobby {lobby}: the start was to be decided within {within_s} s; the server has "
            "neither started the game nor given up"
        )


class RevealedInVain(ServerError):
    """The client revealed its entropy this many times without a game. Somebody may try for other
    dice; `Client.go_on` continues."""

    code = "revealed_in_vain"
