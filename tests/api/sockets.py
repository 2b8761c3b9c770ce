"""A plain WebSocket client."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from uuid import UUID, uuid4

from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from accounts.tokens import Scope, begin_session, caller_with, issue_personal
from games.api.sockets.game import websocket_urlpatterns
from games.models import Game
from games.models import Seat as LobbySeat
from games.store.commits import store
from kit import background
from tests.builders import NewGame
from tests.contract import Connection
from tests.waiting import WITHIN_S


def token_of(user: User) -> str:
    return begin_session(user).text


def limited_token(user: User, *scopes: Scope) -> str:
    caller = caller_with(token_of(user))
    assert caller is not None
    return issue_personal(caller, "a program", scopes, days=1).text


async def close_store() -> None:
    """Close the store that a test used in its own event loop, as a web process does."""
    await background.end()
    await store().close()


class Client:
    """A plain client that stores the frames it receives."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def next(self, kind: str) -> dict[str, Any]:
        """Return the next frame of this kind, and skip others."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                frame: dict[str, Any] = json.loads(await self.connection.recv())
                if frame["type"] == kind:
                    return frame

    async def frame(self) -> dict[str, Any]:
        """Return the next frame of any kind."""
        async with asyncio.timeout(WITHIN_S):
            frame: dict[str, Any] = json.loads(await self.connection.recv())
        return frame

    async def commits(self, until: int) -> list[dict[str, Any]]:
        """Return the commits up to a version."""
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["version"] < until:
            seen += (await self.next("commits"))["commits"]
        return seen

    async def play(self, spot: object, command_id: str | None = None) -> str:
        command_id = command_id or str(uuid4())
        command = {"type": "take_spot", "spot": spot}
        await self.connection.send(
            json.dumps({"type": "play", "id": command_id, "command": command})
        )
        return command_id

    async def closed(self) -> tuple[int, dict[str, Any]]:
        """Return the close code and the last frame before it."""
        last: dict[str, Any] = {}
        async with asyncio.timeout(WITHIN_S):
            with suppress(ConnectionClosed):
                while True:
                    last = json.loads(await self.connection.recv())
        assert self.connection.close_code is not None
        return self.connection.close_code, last


@asynccontextmanager
async def connected(address: str, path: str, token: str | None) -> AsyncIterator[Client]:
    """Connect to a path under /ws/v1/."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with connect(
        f"ws://{address}/ws/v1/{path}",
        additional_headers=headers,
        ping_interval=None,
        create_connection=Connection,
    ) as connection:
        yield Client(connection)


@asynccontextmanager
async def joined(
    address: str, game: UUID, token: str | None, query: str = ""
) -> AsyncIterator[Client]:
    """Connect to a game."""
    async with connected(address, f"games/{game}{query}", token) as client:
        yield client


def player(game: Game, number: int) -> User:
    seat = LobbySeat.objects.select_related("user").get(lobby=game.lobby, number=number)
    assert seat.user is not None
    return seat.user


@sync_to_async
def seated(new_game: NewGame, seats: int = 2) -> tuple[Game, list[str]]:
    """A new game, and the token of each player."""
    game = new_game(seats)
    return game, [token_of(player(game, number)) for number in range(seats)]


async def opened(game: Game, token: str) -> Any:
    """A socket of this process, after its view."""
    headers = [(b"authorization", f"Bearer {token}".encode())]
    path = f"/ws/v1/games/{game.id}"
    connection = {"type": "websocket", "path": path, "headers": headers, "query_string": b""}
    application = URLRouter(websocket_urlpatterns)
    socket: Any = ApplicationCommunicator(application, connection)  # type: ignore[no-untyped-call]
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(30))["type"] == "websocket.accept"
    assert json.loads((await socket.receive_output(30))["text"])["type"] == "view"
    return socket
