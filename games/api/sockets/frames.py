"""The frames of the WebSockets, the problem codes in them, and the codes that close a
connection."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.types import AnyCommand, CommandSignature, Lobby, RawCommand, ViewAtVersion
from games.lobbies import TEXT_MAX
from games.reads.changes import LobbyEvent
from games.reads.lobby_events import Audience
from games.reads.players import Present
from kit.validation import Count, Moment, OneLine
from notices.api import Notices
from railbird_engine import Event
from railbird_engine.kernel.events import snake_case

PLAYS_WAITING_MAX: Final = 16

LegalCount = Annotated[int, Meta(ge=1, le=500)]
"""The most legal commands to list."""

MessageText = Annotated[OneLine, Meta(min_length=1, max_length=TEXT_MAX)]
"""The text of a chat message."""

HISTORY_PROBLEMS: Final = ("game_stalled", "history_damaged", "history_lost")
"""The problems of the history of a game that has to be loaded."""

PLAY_PROBLEMS: Final = (
    "scope_missing",
    "spectators_only_watch",
    "rules_refused",
    "seat_forfeited",
    "signature_refused",
    "command_id_reused",
    "too_late",
    "rules_missing",
    "seed_key_missing",
    *HISTORY_PROBLEMS,
    "game_voided",
    "busy",
    "unavailable",
    "outcome_unknown",
)
"""The problems of a command over any transport, in addition to `malformed`."""

MESSAGE_PROBLEMS: Final = ("spectators_only_watch", "lobby_not_open", "banned", "muted", "no_team")
"""The problems of a chat message over any transport, in addition to `malformed`."""

REFUSALS: Final = (
    *("malformed", "not_found", "too_many_requests", "too_many_commands", "internal_error"),
    *dict.fromkeys(code for code in PLAY_PROBLEMS + MESSAGE_PROBLEMS if code != "rules_refused"),
)
"""The codes of the server in a `refused` frame; games add their own."""

ERRORS: Final = (
    "malformed",
    "authenticated_already",
    "unauthenticated",
    "scope_missing",
    "not_found",
    "version_ahead",
    "text_frames_only",
    "restarting",
    "too_slow",
    "too_many_frames",
    "too_many_sockets",
    "rules_missing",
    "seed_key_missing",
    *HISTORY_PROBLEMS,
    "busy",
    "unavailable",
)
"""The codes in an `error` frame."""


def _listed(codes: Iterable[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


class ClientFrame(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag=snake_case,
    tag_field="type",
    forbid_unknown_fields=True,
):
    """A frame sent by the client."""


class Authenticate(ClientFrame, frozen=True, kw_only=True):
    """The first frame of a client that cannot set headers."""

    token: str


class Play(ClientFrame, frozen=True, kw_only=True):
    """Send a command. It is carried out once, however often it is sent with this id, and not after
    `not_after`, a time of the server's database clock: from then on the answer is final. With
    `acknowledge` the answer contains a signed acknowledgement. A player who committed with a `key`
    has `signed` it."""

    id: UUID
    command: RawCommand
    signed: CommandSignature | None = None
    not_after: Moment | None = None
    acknowledge: bool = False


class Look(ClientFrame, frozen=True, kw_only=True):
    """Request the current state: the view of a game, a lobby, or the list of lobbies. The answer
    has the same `id`."""

    id: UUID | None = None


class ListLegalCommands(ClientFrame, frozen=True, kw_only=True):
    """Request up to `limit` commands that your seat may send now. The answer has the same `id`."""

    id: UUID | None = None
    limit: LegalCount = 100


class SendMessage(ClientFrame, frozen=True, kw_only=True):
    """Send a chat message, once, however often it is sent with this id."""

    id: UUID
    text: MessageText
    audience: Audience = "everyone"


AnyClientFrame = Authenticate | Play | Look | ListLegalCommands | SendMessage
AnyRoomClientFrame = Authenticate | Look | SendMessage
AnyFeedClientFrame = Authenticate | Look


class ServerFrame(msgspec.Struct, frozen=True, kw_only=True, tag=snake_case, tag_field="type"):
    """A frame sent by the server."""


class View(ServerFrame, ViewAtVersion, frozen=True, kw_only=True):
    """The view of your seat, or of a spectator (no seat), at a version. `ended` is empty while the
    game runs. `next_at` is when the clock acts next, null if it awaits nothing; `now` is the
    server's time. `id` is that of the request, null on connect. `head` is the signed head of the
    view on connect, if the connection asked."""

    id: UUID | None = None
    head: str | None = None


class LegalCommandsFrame(ServerFrame, frozen=True, kw_only=True, tag="legal_commands"):
    """Commands that your seat may send at a version; `is_complete` if there are no others. A
    spectator may send none. `id` is that of the request."""

    id: UUID | None = None
    version: Count
    commands: list[AnyCommand]
    is_complete: bool


class Accepted(ServerFrame, frozen=True, kw_only=True):
    """A command was committed: its version, its hash in hex, and its events as this seat may read
    them. `acknowledgement` is a signed note that says so, null unless the command asked for it."""

    id: UUID
    version: Count
    hash: str
    events: tuple[Event, ...]
    acknowledgement: str | None = None


class MessageAccepted(ServerFrame, frozen=True, kw_only=True):
    """A chat message was stored as this version of the lobby."""

    id: UUID
    version: Count


class Refused(ServerFrame, frozen=True, kw_only=True):
    """A command, message or other request with this `id` was refused and nothing changed. `version`
    is the head of the game at which a command was refused, or null if the refusal did not depend on
    the game's state."""

    id: UUID
    code: Annotated[str, Meta(description=f"The game's own, or one of {_listed(REFUSALS)}")]
    version: Count | None
    data: dict[str, Any]


class Error(ServerFrame, frozen=True, kw_only=True):
    """A malformed frame without an `id`, or the reason why the server closes the connection."""

    code: Annotated[str, Meta(extra_json_schema={"enum": [*ERRORS]})]
    data: dict[str, Any]


class Room(ServerFrame, frozen=True, kw_only=True):
    """The current state of a lobby. `id` is that of the request, null on connect."""

    id: UUID | None = None
    version: Count
    lobby: Lobby


class LobbyEventsFrame(ServerFrame, frozen=True, kw_only=True, tag="lobby_events"):
    """New lobby events in order, and the lobby after the last of them. If the lobby's own version
    is higher, more events follow."""

    version: Count
    events: list[LobbyEvent]
    lobby: Lobby


class Presence(ServerFrame, frozen=True, kw_only=True):
    """The presence of the lobby's players, sent first and after each change, and the number of
    connected users without a seat. This number changes every five seconds at most."""

    people: list[Present]
    spectators: Count


class RoomHeartbeat(ServerFrame, frozen=True, kw_only=True, tag="heartbeat"):
    """The connection is alive, and the lobby is at this version."""

    version: Count


class Lobbies(ServerFrame, frozen=True, kw_only=True):
    """All open lobbies that you may see, newest first, replacing earlier ones. The last frame of
    the list is `complete`."""

    cursor: Count
    lobbies: list[Lobby]
    complete: bool


class LobbiesFrame(Lobbies, frozen=True, kw_only=True, tag="lobbies"):
    """All open lobbies that you may see, newest first, replacing earlier ones. The last frame of
    the list is `complete`. `id` is that of the request, null on connect."""

    id: UUID | None = None


class ChangesFrame(ServerFrame, frozen=True, kw_only=True, tag="changes"):
    """Lobbies that changed, in their current state, and those that you may no longer see (`gone`).
    Some are sent twice."""

    cursor: Count
    lobbies: list[
        Annotated[msgspec.Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/Lobby"})]
    ]
    gone: list[UUID]


class FeedHeartbeat(ServerFrame, frozen=True, kw_only=True, tag="heartbeat"):
    """The connection is alive, and every change before this cursor was sent."""

    cursor: Count


class NoticesFrame(ServerFrame, Notices, frozen=True, kw_only=True, tag="notices"):
    """Notices in order, sent first and whenever there are new ones. `first` is the first that the
    server keeps, `last` the newest, and `read` the last that you marked as read."""


class InboxHeartbeat(ServerFrame, frozen=True, kw_only=True, tag="heartbeat"):
    """The connection is alive, and every notice up to this number was sent."""

    last: Count


class CloseCode:
    """The codes with which the server closes a connection."""

    UNSUPPORTED: Final = 1003
    TOO_LARGE: Final = 1009
    RESTARTING: Final = 1012
    UNAVAILABLE: Final = 1013
    UNAUTHENTICATED: Final = 4401
    SCOPE_MISSING: Final = 4403
    NOT_FOUND: Final = 4404
    TOO_SLOW: Final = 4408
    HISTORY_LOST: Final = 4410
    HISTORY_DAMAGED: Final = 4423
    TOO_MANY: Final = 4429


class Closing(NamedTuple):
    """A reason why the server closes a connection, and what the client can do."""

    why: str
    then: str


CLOSINGS: Final[Mapping[int, Closing]] = {
    CloseCode.UNSUPPORTED: Closing("a binary frame", "send text"),
    CloseCode.TOO_LARGE: Closing("a frame over 64 KiB", "send less"),
    CloseCode.RESTARTING: Closing("the server restarts", "reconnect with `after`"),
    CloseCode.UNAVAILABLE: Closing(
        "the server is busy, or cannot reach its database", "wait, then reconnect with `after`"
    ),
    CloseCode.UNAUTHENTICATED: Closing("no valid access token", "sign in"),
    CloseCode.SCOPE_MISSING: Closing(
        "the token lacks a scope", "use a token with the scope that the last frame names"
    ),
    CloseCode.NOT_FOUND: Closing(
        "not found or not visible to you, or `after` is no version of it",
        "check the address and `after`",
    ),
    CloseCode.TOO_SLOW: Closing("the client reads too slowly", "reconnect with `after`"),
    CloseCode.HISTORY_LOST: Closing(
        "the database lost what the client may know: commits of this game, or notices",
        "discard them, and reconnect without `after`",
    ),
    CloseCode.HISTORY_DAMAGED: Closing(
        "the next stored commit of this game is damaged, and an operator must repair it",
        "wait, then reconnect with `after`",
    ),
    CloseCode.TOO_MANY: Closing(
        "too many connections of one user, or frames on this one", "close some, or send less"
    ),
}
