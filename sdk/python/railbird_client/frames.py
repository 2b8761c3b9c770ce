"""Generated from schema/asyncapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from railbird_client.models import (
    CommandSignature,
    Commit,
    GameCommand,
    GameEvent,
    GameView,
    Lobby,
    LobbyEvent,
    Notice,
)


class Authenticate(Struct, kw_only=True):
    """The first frame of a client that cannot set headers."""

    type: Literal["authenticate"]
    token: str


class Error(Struct, kw_only=True, tag_field="type", tag="error"):
    """A malformed frame without an `id`, or the reason why the server closes the connection."""

    code: str
    data: dict[str, Any]


class FeedHeartbeat(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    """The connection is alive, and every change before this cursor was sent."""

    cursor: int


class HeartbeatFrame(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    """
    The connection is alive, and the game is at this version. `ended` is empty while the game
    runs. `next_at` is when the clock acts next, null if it awaits nothing; `now` is the server's
    time. `head` is the signed head of the newest commit that the client knows, if it asked and no
    frame had one.
    """

    version: int
    ended: str
    next_at: str | None
    now: str
    head: str | None = None


class InboxHeartbeat(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    """The connection is alive, and every notice up to this number was sent."""

    last: int


class LegalCommandsFrame(Struct, kw_only=True, tag_field="type", tag="legal_commands"):
    """
    Commands that your seat may send at a version; `is_complete` if there are no others. A
    spectator may send none. `id` is that of the request.
    """

    version: int
    commands: list[GameCommand]
    is_complete: bool
    id: str | None = None


class ListLegalCommands(Struct, kw_only=True):
    """Request up to `limit` commands that your seat may send now. The answer has the same `id`."""

    type: Literal["list_legal_commands"]
    id: str | None = None
    limit: int = 100


class Look(Struct, kw_only=True):
    """
    Request the current state: the view of a game, a lobby, or the list of lobbies. The answer
    has the same `id`.
    """

    type: Literal["look"]
    id: str | None = None


class MessageAccepted(Struct, kw_only=True, tag_field="type", tag="message_accepted"):
    """A chat message was stored as this version of the lobby."""

    id: str
    version: int


class NoticesFrame(Struct, kw_only=True, tag_field="type", tag="notices"):
    """
    Notices in order, sent first and whenever there are new ones. `first` is the first that the
    server keeps, `last` the newest, and `read` the last that you marked as read.
    """

    first: int
    last: int
    read: int
    notices: list[Notice]


class Play(Struct, kw_only=True):
    """
    Send a command. It is carried out once, however often it is sent with this id, and not after
    `not_after`, a time of the server's database clock: from then on the answer is final. With
    `acknowledge` the answer contains a signed acknowledgement. A player who committed with a `key`
    has `signed` it.
    """

    type: Literal["play"]
    id: str
    command: GameCommand
    signed: CommandSignature | None = None
    not_after: str | None = None
    acknowledge: bool = False


class Present(Struct, kw_only=True):
    """
    The presence of a player. If not connected, `gone_since` is when they were last seen, if
    ever, and `disconnect_reason` says why. A bot may play for them, and to the end if
    they have `forfeited` the seat. In an open lobby they keep the seat until `seat_until`.
    """

    user: str
    seat: int
    connected: bool
    gone_since: str | None
    disconnect_reason: str | None
    bot_plays: bool
    forfeited: bool
    seat_until: str | None


class Refused(Struct, kw_only=True, tag_field="type", tag="refused"):
    """
    A command, message or other request with this `id` was refused and nothing changed. `version`
    is the head of the game at which a command was refused, or null if the refusal did not depend on
    the game's state.
    """

    id: str
    code: Annotated[
        str,
        Meta(
            description="The game's own, or one of `malformed`, `not_found`, `too_many_requests`, `too_many_commands`, `internal_error`, `scope_missing`, `spectators_only_watch`, `seat_forfeited`, `signature_refused`, `command_id_reused`, `too_late`, `rules_missing`, `seed_key_missing`, `game_stalled`, `history_damaged`, `history_lost`, `game_voided`, `busy`, `unavailable`, `outcome_unknown`, `lobby_not_open`, `banned`, `muted`, `no_team`"
        ),
    ]
    version: int | None
    data: dict[str, Any]


class RoomHeartbeat(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    """The connection is alive, and the lobby is at this version."""

    version: int


class SendMessage(Struct, kw_only=True):
    """Send a chat message, once, however often it is sent with this id."""

    type: Literal["send_message"]
    id: str
    text: str
    audience: Literal["everyone", "team"] = "everyone"


class View(Struct, kw_only=True, tag_field="type", tag="view"):
    """
    The view of your seat, or of a spectator (no seat), at a version. `ended` is empty while the
    game runs. `next_at` is when the clock acts next, null if it awaits nothing; `now` is the
    server's time. `id` is that of the request, null on connect. `head` is the signed head of the
    view on connect, if the connection asked.
    """

    game: str
    version: int
    hash: str
    seat: int | None
    ended: str
    next_at: str | None
    now: str
    view: GameView
    id: str | None = None
    head: str | None = None


FromMe: TypeAlias = NoticesFrame | Error | InboxHeartbeat


class CommitsFrame(Struct, kw_only=True, tag_field="type", tag="commits"):
    """
    Commits in order, as they happen or to catch up. `previous` is the hash of the commit before
    the first of them, in hex: a client that knows another one was shown a history that was changed.
    `now` is the server's time. `head` is the signed head of the last of them, if the connection
    asked; in a busy game, a heartbeat brings it.
    """

    commits: list[Commit]
    previous: str
    now: str
    head: str | None = None


Event: TypeAlias = GameEvent


class LobbyEventsFrame(Struct, kw_only=True, tag_field="type", tag="lobby_events"):
    """
    New lobby events in order, and the lobby after the last of them. If the lobby's own version
    is higher, more events follow.
    """

    version: int
    events: list[LobbyEvent]
    lobby: Lobby


class Presence(Struct, kw_only=True, tag_field="type", tag="presence"):
    """
    The presence of the lobby's players, sent first and after each change, and the number of
    connected users without a seat. This number changes every five seconds at most.
    """

    people: list[Present]
    spectators: int


class Room(Struct, kw_only=True, tag_field="type", tag="room"):
    """The current state of a lobby. `id` is that of the request, null on connect."""

    version: int
    lobby: Lobby
    id: str | None = None


FromLobby: TypeAlias = (
    Room | LobbyEventsFrame | Error | Refused | MessageAccepted | Presence | RoomHeartbeat
)


class Accepted(Struct, kw_only=True, tag_field="type", tag="accepted"):
    """
    A command was committed: its version, its hash in hex, and its events as this seat may read
    them. `acknowledgement` is a signed note that says so, null unless the command asked for it.
    """

    id: str
    version: int
    hash: str
    events: list[Event]
    acknowledgement: str | None = None


class ChangesFrame(Struct, kw_only=True, tag_field="type", tag="changes"):
    """
    Lobbies that changed, in their current state, and those that you may no longer see (`gone`).
    Some are sent twice.
    """

    cursor: int
    lobbies: list[Lobby]
    gone: list[str]


class LobbiesFrame(Struct, kw_only=True, tag_field="type", tag="lobbies"):
    """
    All open lobbies that you may see, newest first, replacing earlier ones. The last frame of
    the list is `complete`. `id` is that of the request, null on connect.
    """

    cursor: int
    lobbies: list[Lobby]
    complete: bool
    id: str | None = None


FromGame: TypeAlias = (
    View
    | CommitsFrame
    | Error
    | Accepted
    | Refused
    | LegalCommandsFrame
    | MessageAccepted
    | HeartbeatFrame
    | Room
    | LobbyEventsFrame
    | Presence
)


FromLobbies: TypeAlias = LobbiesFrame | ChangesFrame | Error | Refused | FeedHeartbeat
