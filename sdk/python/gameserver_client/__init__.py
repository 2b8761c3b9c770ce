"""A typed, asynchronous client of the game server.

`Client` has every operation of the API as a method; `Client.table` is the socket of a game, `Client.room` that of a lobby,
`Client.lobbies` the list of all. `gameserver_client.games` has the types of every game, `gameserver_client.models` those of the
API, `gameserver_client.frames` those of the sockets.
"""

from gameserver_client.client import Client
from gameserver_client.frames import Presence
from gameserver_client.lobbies import Happened, Lobbies, Room, RoomNews
from gameserver_client.problems import Closed, FellBehind, Problem, ServerError, Unanswered, Unreachable
from gameserver_client.table import Accepted, Commit, Table, View
from gameserver_client.types import GameTypes, Unknown

__all__ = [
    "Accepted",
    "Client",
    "Closed",
    "Commit",
    "FellBehind",
    "GameTypes",
    "Happened",
    "Lobbies",
    "Presence",
    "Problem",
    "Room",
    "RoomNews",
    "ServerError",
    "Table",
    "Unanswered",
    "Unknown",
    "Unreachable",
    "View",
]
