"""A typed, asynchronous client of the game server.

`Client` has every operation of the API as a method, `Client.table` is the socket of a game, `gameserver_client.games` has the
types of every game, and `gameserver_client.models` those of the API.
"""

from gameserver_client.client import Client
from gameserver_client.lobbies import Lobbies, Room, RoomNews
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
    "Lobbies",
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
