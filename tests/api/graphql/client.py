"""GraphQL clients for tests, over HTTP and over sockets to a real web process."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any, Final, Self
from uuid import UUID

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from accounts import tokens
from accounts.models import User
from tests.waiting import WITHIN_S

PROTOCOL: Final = "graphql-transport-ws"


class Client:
    """A client with or without a token."""

    def __init__(self, address: str, user: User | None = None, *, token: str | None = None) -> None:
        self.user = user
        self.token = tokens.begin_session(user).text if user is not None else token
        self.url = f"http://{address}/graphql/"
        self.headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def post(self, query: str, variables: dict[str, Any] | None = None) -> httpx.Response:
        """Return the HTTP response."""
        return httpx.post(
            self.url,
            json={"query": query, "variables": variables or {}},
            headers=self.headers,
            timeout=60,
            verify=False,  # plain HTTP; loading certificates costs more than the request
        )

    def send(self, query: str, variables: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the whole GraphQL response."""
        answer = self.post(query, variables)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def ask(self, query: str, **variables: Any) -> Any:
        """Return the data of a response without errors."""
        answer = self.send(query, variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    def error(self, query: str, **variables: Any) -> tuple[int, str, dict[str, Any]]:
        """Return status, code and data of the first error."""
        answer = self.send(query, variables)
        received = answer["errors"][0]["extensions"]
        return received["status"], received["code"], received.get("data", {})

    def do(self, mutation: str, **variables: Any) -> dict[str, Any]:
        """Return the result of a mutation's only field: an object or a problem."""
        (found,) = self.ask(mutation, **variables).values()
        result: dict[str, Any] = found
        return result


class Calls:
    """Counts the functions that this thread calls: unlike their time, that is the same on every
    machine."""

    count = 0

    def __enter__(self) -> Self:
        sys.setprofile(self._take)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _take(self, _frame: FrameType, event: str, _argument: object) -> None:
        self.count += event == "call"


class Follower:
    """A plain client of graphql-transport-ws."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def next(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of one of these kinds, and skip others."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                message: dict[str, Any] = json.loads(await self.connection.recv())
                if message["type"] in kinds:
                    return message

    async def subscribe(self, query: str, name: str = "1", **variables: Any) -> None:
        await self.send(id=name, type="subscribe", payload={"query": query, "variables": variables})

    async def commits(self, until: int) -> list[dict[str, Any]]:
        """Return commits up to a version."""
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["version"] < until:
            payload = (await self.next("next"))["payload"]
            assert "errors" not in payload, payload
            seen += payload["data"]["gameCommits"]
        return seen

    async def news(self) -> dict[str, Any]:
        """Return the next news of the list of lobbies."""
        payload = (await self.next("next"))["payload"]
        assert "errors" not in payload, payload
        found: dict[str, Any] = payload["data"]["lobbies"]
        return found

    async def listed(self) -> tuple[int, set[str]]:
        """Return the cursor and the ids of the list that comes first."""
        found: set[str] = set()
        while True:
            received = await self.news()
            assert (received["__typename"], received["type"]) == ("Lobbies", "lobbies")
            found |= {lobby["id"] for lobby in received["lobbies"]}
            if received["complete"]:
                return received["cursor"], found

    async def news_of(self, lobby: UUID, status: str = "open") -> dict[str, Any]:
        """Return the news of a lobby with this status."""
        while True:
            news = await self.news()
            assert (news["__typename"], news["type"]) == ("LobbyChanges", "changes")
            for found in news["lobbies"]:
                if (found["id"], found["status"]) == (str(lobby), status):
                    return dict(found)

    async def closed(self) -> int | None:
        async with asyncio.timeout(WITHIN_S):
            try:
                while True:
                    await self.connection.recv()
            except ConnectionClosed:
                return self.connection.close_code


@asynccontextmanager
async def following(address: str, token: str | None, **payload: str) -> AsyncIterator[Follower]:
    protocols = [Subprotocol(PROTOCOL)]
    async with connect(
        f"ws://{address}/graphql/",
        subprotocols=protocols,
        ping_interval=None,
        open_timeout=WITHIN_S,
    ) as connection:
        follower = Follower(connection)
        await follower.send(type="connection_init", payload=payload or {"token": token})
        yield follower
