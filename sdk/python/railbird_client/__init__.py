"""A typed, asynchronous client for the Railbird game server.

`Client` has a method for every operation of the API. `Client.table` opens the socket of a game,
`Client.room` the socket of a lobby, `Client.lobbies` the list of all lobbies, and `Client.inbox`
your notices.
`railbird_client.games` holds the types of every game, `railbird_client.models` the types of the
API, and `railbird_client.frames` the types of the sockets.
"""

from railbird_client.client import Client
from railbird_client.frames import Presence
from railbird_client.inbox import Inbox
from railbird_client.lobbies import Lobbies, LobbyEvent, Room, RoomNews
from railbird_client.problems import (
    Closed,
    Contradicted,
    FellBehind,
    Misused,
    NoEvidence,
    Problem,
    RevealedInVain,
    ServerError,
    StartAbandoned,
    StartOverdue,
    Unanswered,
    Unreachable,
)
from railbird_client.table import Accepted, Commit, Legal, Table, View
from railbird_client.types import GameTypes, Unknown

__all__ = [
    "Accepted",
    "Client",
    "Closed",
    "Commit",
    "Contradicted",
    "FellBehind",
    "GameTypes",
    "Inbox",
    "Legal",
    "Lobbies",
    "LobbyEvent",
    "Misused",
    "NoEvidence",
    "Presence",
    "Problem",
    "RevealedInVain",
    "Room",
    "RoomNews",
    "ServerError",
    "StartAbandoned",
    "StartOverdue",
    "Table",
    "Unanswered",
    "Unknown",
    "Unreachable",
    "View",
]
