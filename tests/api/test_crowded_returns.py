"""Many connections of one user return at once, on a busy machine: both faces serve all of them."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from games.api.sockets.connection_registry import SOCKETS_PER_USER
from tests.api.graphql.client import following
from tests.api.sockets import joined, seated
from tests.builders import NewGame
from tests.waiting import WITHIN_S

pytestmark = pytest.mark.slow

RETURNING = 80
FREE_WITHIN_S = 5.0
FOLLOW = """subscription ($game: UUID!) { gameCommits(game: $game, after: 0) { version hash
    events { __typename } } }"""

Returned = tuple[ClientConnection, int]
"""A connection, and the version of the first commit that it received."""
Face = Callable[[str, str, Any], AbstractAsyncContextManager[Returned]]


@asynccontextmanager
async def over_the_game_socket(address: str, token: str, game: Any) -> AsyncIterator[Returned]:
    async with joined(address, game.id, token, "?after=0") as client:
        yield client.connection, (await client.commits(until=1))[0]["version"]


@asynccontextmanager
async def over_graphql(address: str, token: str, game: Any) -> AsyncIterator[Returned]:
    async with following(address, token) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id))
        yield follower.connection, (await follower.commits(until=1))[0]["version"]


both_faces = pytest.mark.parametrize("face", [over_the_game_socket, over_graphql])


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """Two programs for each core that only calculate."""
    burning = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(burning) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


@both_faces
@pytest.mark.usefixtures("busy_machine")
async def test_all_who_return_at_once_are_served(
    address: str, new_game: NewGame, face: Face
) -> None:
    game, (token, _) = await seated(new_game)

    async def resume() -> int:
        async with face(address, token, game) as (_, version):
            return version

    async with asyncio.timeout(WITHIN_S):
        assert set(await asyncio.gather(*(resume() for _ in range(RETURNING)))) == {1}


@both_faces
async def test_places_of_dead_connections_are_soon_free(
    address: str, new_game: NewGame, face: Face
) -> None:
    game, (token, _) = await seated(new_game)

    async def opened(stack: AsyncExitStack) -> ClientConnection:
        while True:
            with suppress(ConnectionClosed):
                connection, _ = await stack.enter_async_context(face(address, token, game))
                return connection

    async with AsyncExitStack() as stack:
        began = time.monotonic()
        dead = [await opened(stack) for _ in range(SOCKETS_PER_USER)]
        took_s = time.monotonic() - began
        for each in dead:
            each.transport.abort()
        began = time.monotonic()
        for _ in range(SOCKETS_PER_USER):
            await opened(stack)
        assert time.monotonic() - began < took_s + FREE_WITHIN_S
