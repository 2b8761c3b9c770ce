"""The sockets of the server as they are written down: who sends which frame, what answers it, why
it ends."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from games.api.sockets import frames
from games.api.sockets.feed import FeedFilter
from games.api.sockets.frames import CLOSINGS, Closing
from games.api.sockets.game import FromVersion
from games.api.sockets.lobbies import FromRoomVersion
from games.live.hubs import CommitsFrame, HeartbeatFrame
from kit.validation import Query

Frames = tuple[type, ...]


class Channel(NamedTuple):
    """One address that sockets connect to."""

    name: str
    address: str
    summary: str
    query: type[Query]
    asked: Mapping[Any, Frames]
    """What a client may send, with the frames that answer it."""
    told: Frames
    """What the server sends unasked."""
    closings: Mapping[int, Closing]


GAME: Final = Channel(
    name="game",
    address="/ws/v1/games/{game}",
    summary="One game: what one's seat sees, what happens, one's commands, and talk at the table.",
    query=FromVersion,
    asked={
        frames.Authenticate: (frames.View, CommitsFrame, frames.Error),
        frames.Play: (frames.Accepted, frames.Refused, frames.Error),
        frames.Look: (frames.View, frames.Error),
        frames.SendMessage: (frames.MessageAccepted, frames.Refused, frames.Error),
    },
    told=(
        CommitsFrame,
        HeartbeatFrame,
        frames.View,
        frames.Room,
        frames.LobbyEventsFrame,
        frames.Presence,
        frames.Error,
    ),
    closings=CLOSINGS,
)

ROOM: Final = Channel(
    name="lobby",
    address="/ws/v1/lobbies/{lobby}",
    summary="One lobby: how it stands, what happens and is said in it.",
    query=FromRoomVersion,
    asked={
        frames.Authenticate: (frames.Room, frames.LobbyEventsFrame, frames.Error),
        frames.Look: (frames.Room, frames.Error),
        frames.SendMessage: (frames.MessageAccepted, frames.Refused, frames.Error),
    },
    told=(
        frames.Room,
        frames.LobbyEventsFrame,
        frames.Presence,
        frames.RoomHeartbeat,
        frames.Error,
    ),
    closings=CLOSINGS,
)

LOBBIES: Final = Channel(
    name="lobbies",
    address="/ws/v1/lobbies",
    summary="All lobbies that one may see, and how they change.",
    query=FeedFilter,
    asked={
        frames.Authenticate: (frames.Lobbies, frames.ChangesFrame, frames.Error),
        frames.Look: (frames.Lobbies, frames.Error),
    },
    told=(frames.Lobbies, frames.ChangesFrame, frames.FeedHeartbeat, frames.Error),
    closings=CLOSINGS,
)

CHANNELS: Final = (GAME, ROOM, LOBBIES)
