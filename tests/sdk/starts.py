"""Steps of starts to which clients add entropy, and what the clients kept."""

import asyncio
import base64
import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest

from games.play import corrections
from kit import event_loop
from railbird_client import Client, RevealedInVain, RoomNews, StartAbandoned
from railbird_client.entropy import Kept
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import Lobby as SeenLobby
from railbird_client.models import NewCommitment, NewLobby, Readiness, SitDown
from tests.sdk.lying import Lie, lying_server
from tests.sdk.scene import enter
from tests.sdk.scripts import run
from tests.waiting import WITHIN_S


async def until(client: Client, lobby: str, holds: Any) -> SeenLobby:
    """Follow a lobby until a condition holds."""
    async with client.room(lobby) as room:
        async for news in room:
            if isinstance(news, RoomNews) and holds(news.lobby):
                return news.lobby
    raise AssertionError("the lobby has closed")


def all_ready(lobby: SeenLobby) -> bool:
    others = [seat for seat in lobby.seats if seat.user != lobby.host]
    return bool(others) and all(
        seat.is_ready and (seat.commitment or seat.is_bot) for seat in others
    )


async def start_in_vain(host: Client, shill: Client, lobby: str) -> None:
    """Start a game that another player, who has seen the host's entropy, leaves."""
    sat = await shill.join_lobby(lobby, SitDown(commits=True))
    await shill.commit(lobby, NewCommitment(opened=sat.opening.hash, commitment=64 * "0"))
    await shill.set_ready(lobby, Readiness(ready=True))
    starting = asyncio.create_task(host.start_game(lobby))
    await until(shill, lobby, lambda it: it.seats[0].has_revealed)
    await shill.leave_lobby(lobby)
    with pytest.raises((StartAbandoned, RevealedInVain)):
        await starting


async def beside_a_host(
    server: str, lie: Lie, play: Callable[[str, str], Coroutine[Any, Any, None]]
) -> None:
    """Host a game for a player of this lobby, to whose client the server at this address lies."""
    slow = rsb.Options(roll_ms=10_000, pause_ms=50, races=1)
    with lying_server(server, lie) as url:
        async with Client(server) as host, asyncio.timeout(WITHIN_S):
            await enter(host)
            lobby = await host.create_lobby(NewLobby(slug="ready_set_bet", options=slow))
            playing = asyncio.create_task(play(url, lobby.id))
            await until(host, lobby.id, all_ready)
            game = await host.start_game(lobby.id)
            await playing
            await void(game.id)


async def genesis_of(client: Client, game: str) -> dict[str, Any]:
    genesis: dict[str, Any] = json.loads((await client.get_genesis(game)).text)
    return genesis


async def void(game: str) -> None:
    """End a game, which bots would play on."""
    await asyncio.to_thread(event_loop.call, corrections.void(UUID(game), "The test is over."))


async def verified(server: str, token: str, game: str, folder: Path) -> dict[str, Any]:
    """Verify a game's bundle offline; return its genesis."""
    address = f"{server}/api/v1/audit/games/{game}/bundle/"
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(timeout=60) as http:
        while (found := await http.get(address, headers=headers)).status_code != 200:
            assert found.json()["code"] == "not_sealed"
            await asyncio.sleep(0.2)
    path = folder / "game.bundle"
    path.write_bytes(found.content)
    await run(sys.executable, "-m", "railbird_engine.audit", "verify", path)
    line = json.loads(found.content.splitlines()[1])
    genesis: dict[str, Any] = json.loads(base64.b64decode(line["genesis"]))
    return genesis


def kept_in(path: Path) -> Kept:
    """Return what a client kept last."""
    return all_kept_in(path)[-1]


def all_kept_in(path: Path) -> list[Kept]:
    return [msgspec.json.decode(line, type=Kept) for line in path.read_text().splitlines()]
