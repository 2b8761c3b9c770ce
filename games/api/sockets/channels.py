"""The WebSockets as data for AsyncAPI: the frames of each side, their responses, and closing
codes."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from games.api.sockets import frames
from games.api.sockets.frames import CLOSINGS, Closing
from games.api.sockets.game import FromVersion
from games.api.sockets.inbox import FromNumber
from games.api.sockets.lobbies import FromRoomVersion
from games.api.sockets.lobby_list import LobbyListFilter
from games.live.hubs import CommitsFrame, HeartbeatFrame
from kit.validation import Query

Frames = tuple[type, ...]


class Channel(NamedTuple):
    """One address that sockets connect to."""

    name: str
    address: str
    summary: str
    query: type[Query]
    requests: Mapping[Any, Frames]
    """The frames that a client may send, with the frames that answer them."""
    sent: Frames
    """The frames that the server sends by itself."""
    closings: Mapping[int, Closing]


GAME: Final = Channel(
    name="game_socket",
    address="/ws/v1/games/{game}",
    summary="One game: the view of your seat, commits, your commands, and chat.",
    query=FromVersion,
    requests={
        frames.Authenticate: (frames.View, CommitsFrame, frames.Error),
        frames.Play: (frames.Accepted, frames.Refused, frames.Error),
        frames.Look: (frames.View, frames.Refused, frames.Error),
        frames.ListLegalCommands: (frames.LegalCommandsFrame, frames.Refused, frames.Error),
        frames.SendMessage: (frames.MessageAccepted, frames.Refused, frames.Error),
    },
    sent=(
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
    name="lobby_socket",
    address="/ws/v1/lobbies/{lobby}",
    summary="One lobby: its state, events and chat messages.",
    query=FromRoomVersion,
    requests={
        frames.Authenticate: (frames.Room, frames.LobbyEventsFrame, frames.Error),
        frames.Look: (frames.Room, frames.Refused, frames.Error),
        frames.SendMessage: (frames.MessageAccepted, frames.Refused, frames.Error),
    },
    sent=(
        frames.Room,
        frames.LobbyEventsFrame,
        frames.Presence,
        frames.RoomHeartbeat,
        frames.Error,
    ),
    closings=CLOSINGS,
)

LOBBIES: Final = Channel(
    name="lobbies_socket",
    address="/ws/v1/lobbies",
    summary="The lobbies that you may see, and their changes.",
    query=LobbyListFilter,
    requests={
        frames.Authenticate: (frames.LobbiesFrame, frames.ChangesFrame, frames.Error),
        frames.Look: (frames.LobbiesFrame, frames.Refused, frames.Error),
    },
    sent=(frames.LobbiesFrame, frames.ChangesFrame, frames.FeedHeartbeat, frames.Error),
    closings=CLOSINGS,
)

INBOX: Final = Channel(
    name="me_socket",
    address="/ws/v1/me",
    summary="Your notices.",
    query=FromNumber,
    requests={frames.Authenticate: (frames.NoticesFrame, frames.Error)},
    sent=(frames.NoticesFrame, frames.InboxHeartbeat, frames.Error),
    closings=CLOSINGS,
)

CHANNELS: Final = (GAME, ROOM, LOBBIES, INBOX)
