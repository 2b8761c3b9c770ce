"""Generated from schema/asyncapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from railbird_client.models import GameCommand, GameEvent, GameView, Happened, Lobby


class Authenticate(Struct, kw_only=True):
    """The first frame of a client that cannot set headers."""

    type: Literal["authenticate"]
    token: str


class Error(Struct, kw_only=True, tag_field="type", tag="error"):
    """A frame that made no sense, or the reason why the server closes the connection."""

    code: str
    data: dict[str, Any]


class FeedHeartbeat(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    """The connection lives, and everything before this cursor was told."""

    cursor: int


class Heard(Struct, kw_only=True, tag_field="type", tag="heard"):
    """Something was said: it is this version of the room."""

    id: str
    version: int


class HeartbeatFrame(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    """
    The connection lives, and the game stands at this version. `ended` is empty while the game
    goes on.
    """

    version: int
    ended: str


class Look(Struct, kw_only=True):
    """Ask for all there is to see now: the view of a game, a room, the list of lobbies."""

    type: Literal["look"]


class Play(Struct, kw_only=True):
    """Ask for a command, once, however often it is sent with this id."""

    type: Literal["play"]
    id: str
    command: GameCommand


class Present(Struct, kw_only=True):
    """
    Whether a person who sits in a room is here: connected, or seen last at `gone_since`, if
    ever, and why not since then. A bot may play for them in the game.
    """

    user: str
    seat: int
    connected: bool
    gone_since: str | None
    gone_because: Literal["closed", "left", "lost", "silent"] | None
    bot_plays: bool


class Refused(Struct, kw_only=True, tag_field="type", tag="refused"):
    """
    A command was not carried out, or something not said, and nothing has changed. `version` is
    the head of the game at which a command was refused, if it got there.
    """

    id: str
    code: Annotated[
        str,
        Meta(
            description="The game's own, or one of `malformed`, `not_found`, `too_many_requests`, `too_many_commands`, `scope_missing`, `spectators_only_watch`, `seat_forfeited`, `command_id_reused`, `rules_missing`, `game_stalled`, `game_voided`, `busy`, `unavailable`, `outcome_unknown`, `lobby_not_open`, `banned`, `muted`"
        ),
    ]
    version: int | None
    data: dict[str, Any]


class RoomHeartbeat(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    """The connection lives, and the room stands at this version."""

    version: int


class Say(Struct, kw_only=True):
    """Say something in the room, once, however often it is sent with this id."""

    type: Literal["say"]
    id: str
    text: str


class View(Struct, kw_only=True, tag_field="type", tag="view"):
    """
    What this seat, or a spectator (no seat), sees at a version. `ended` is empty while the game
    goes on.
    """

    game: str
    version: int
    seat: int | None
    ended: str
    view: GameView


Event: TypeAlias = GameEvent


class Presence(Struct, kw_only=True, tag_field="type", tag="presence"):
    """Who of those who sit in a room is here; told at first, and again when it changes."""

    people: list[Present]


class Room(Struct, kw_only=True, tag_field="type", tag="room"):
    """A lobby as it stands."""

    version: int
    lobby: Lobby


class Accepted(Struct, kw_only=True, tag_field="type", tag="accepted"):
    """
    A command is committed: its version, its hash in hex, and its events as this seat may read
    them.
    """

    id: str
    version: int
    hash: str
    events: list[Event]


class ChangesFrame(Struct, kw_only=True, tag_field="type", tag="changes"):
    """
    Lobbies that have changed, as they stand, and those that one may not see any more. Some are
    told twice.
    """

    cursor: int
    lobbies: list[Lobby]
    gone: list[str]


class CommitSeen(Struct, kw_only=True):
    """
    A commit as one viewer may read it. `hash` is hex; `events` are those that the viewer may
    read.
    """

    version: int
    at: str
    hash: str
    events: list[Event]


class CommitsFrame(Struct, kw_only=True, tag_field="type", tag="commits"):
    """Commits in order, as they happen or to catch up."""

    commits: list[CommitSeen]


class HappenedFrame(Struct, kw_only=True, tag_field="type", tag="happened"):
    """
    What happened in a room, in order, and the lobby as it stands after the last of it: or
    further on, as its own version says, when there is more to tell of what was missed.
    """

    version: int
    events: list[Happened]
    lobby: Lobby


class Lobbies(Struct, kw_only=True, tag_field="type", tag="lobbies"):
    """
    The open lobbies that one may see, instead of all that was told before: newest first, in one
    or more frames of which the last is `complete`.
    """

    cursor: int
    lobbies: list[Lobby]
    complete: bool


FromGame: TypeAlias = (
    View
    | CommitsFrame
    | Error
    | Accepted
    | Refused
    | Heard
    | HeartbeatFrame
    | Room
    | HappenedFrame
    | Presence
)


FromLobby: TypeAlias = Room | HappenedFrame | Error | Heard | Refused | Presence | RoomHeartbeat


FromLobbies: TypeAlias = Lobbies | ChangesFrame | Error | FeedHeartbeat
