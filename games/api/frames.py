"""Every frame that travels over the WebSocket of a game, as types."""

from typing import Any, Final
from uuid import UUID

import msgspec

from games.engine import Event
from games.engine.events import snake_case
from games.push import CommitsFrame, HeartbeatFrame

PLAYS_WAITING_MAX: Final = 16


class ClientFrame(msgspec.Struct, frozen=True, kw_only=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True):
    """What a client sends."""


class Authenticate(ClientFrame, frozen=True, kw_only=True):
    """The first frame of a client that cannot set headers."""

    token: str


class Play(ClientFrame, frozen=True, kw_only=True):
    """Ask for a command, once, however often it is sent with this id."""

    id: UUID
    command: msgspec.Raw


class Look(ClientFrame, frozen=True, kw_only=True):
    """Ask for the view at the head."""


AnyClientFrame = Authenticate | Play | Look


class ServerFrame(msgspec.Struct, frozen=True, kw_only=True, tag=snake_case, tag_field="type"):
    """What the server sends."""


class View(ServerFrame, frozen=True, kw_only=True):
    """What this seat, or a spectator (no seat), sees at a version. `ended` is empty while the game goes on."""

    game: UUID
    version: int
    seat: int | None
    ended: str
    view: Any


class Accepted(ServerFrame, frozen=True, kw_only=True):
    """A command is committed: its version, its hash in hex, and its events as this seat may read them."""

    id: UUID
    version: int
    hash: str
    events: tuple[Event, ...]


class Refused(ServerFrame, frozen=True, kw_only=True):
    """A command was not carried out and changed nothing. `version` is the head at which it was refused, if it got there."""

    id: UUID
    code: str
    version: int | None
    data: dict[str, Any]


class Error(ServerFrame, frozen=True, kw_only=True):
    """A frame that made no sense, or the reason why the server closes the connection."""

    code: str
    data: dict[str, Any]


AnyServerFrame = View | Accepted | Refused | Error | CommitsFrame | HeartbeatFrame


class CloseCode:
    """Why the server closed a connection."""

    UNSUPPORTED: Final = 1003
    UNAUTHENTICATED: Final = 4401
    NOT_FOUND: Final = 4404
    TOO_SLOW: Final = 4408
    TOO_MANY: Final = 4429
    UNAVAILABLE: Final = 1013
