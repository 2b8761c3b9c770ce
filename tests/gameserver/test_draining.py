"""SIGTERM drains a web process: it says so, answers what has begun, and closes its sockets."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest
from asgiref.sync import sync_to_async
from websockets.exceptions import ConnectionClosed

from games.api.sockets.frames import CloseCode
from gameserver.processes.children import Child
from tests.api.sockets import Client, joined, seated
from tests.builders import NewGame
from tests.gameserver.scene import web
from tests.waiting import WITHIN_S, somebody_waits, until


def end(child: Child) -> None:
    assert child.pid is not None
    os.kill(child.pid, signal.SIGTERM)


@pytest.mark.slow
async def test_a_process_serves_during_its_notice_and_closes_its_sockets_afterwards(
    new_game: NewGame, tmp_path: Path
) -> None:
    game, tokens = await seated(new_game)
    async with web(tmp_path / "log", DRAIN_NOTICE_S="2") as (child, address):
        async with joined(address, game.id, tokens[0]) as client:
            await client.next("view")
            assert ready(address) == (200, None)
            end(child)
            await asyncio.to_thread(until, lambda: ready(address) == (503, True), "the notice")
            await client.play(1)
            await client.next("accepted")
            async with joined(address, game.id, tokens[1]) as late:
                await late.next("view")
                assert (await late.closed())[0] == CloseCode.RESTARTING
            assert (await client.closed())[0] == CloseCode.RESTARTING
        assert await asyncio.to_thread(child.wait, 10) == -signal.SIGTERM
    logged = (tmp_path / "log").read_text().splitlines()
    told = [line for line in logged if "operation=ready" in line]
    assert told, "that it answers 503 is logged"
    assert all("[info " in line for line in told), told


def ready(address: str) -> tuple[int, bool | None]:
    answer = httpx.get(f"http://{address}/api/v1/health/ready/", timeout=60)
    return answer.status_code, answer.json().get("data", {}).get("draining")


async def test_sockets_are_closed_one_after_the_other_and_commands_under_way_are_answered(
    new_game: NewGame,
) -> None:
    game, tokens = await seated(new_game, 30)
    busy, (token, _) = await seated(new_game)
    hold = "SELECT 1 FROM games_head WHERE game_id = %s FOR NO KEY UPDATE"
    async with web() as (child, address), AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(joined(address, game.id, token)) for token in tokens
        ]
        for client in clients:
            await client.next("view")
        player = await stack.enter_async_context(joined(address, busy.id, token))
        holder = stack.enter_context(psycopg.connect(os.environ["DATABASE_URL"]))
        holder.execute(hold, (busy.id,))
        command = await player.play(1)
        waits = partial(somebody_waits, holder.info.backend_pid)
        await sync_to_async(until)(waits, "the command to wait for its game")
        end(child)
        closing = [asyncio.create_task(client.connection.wait_closed()) for client in clients]
        await asyncio.wait(closing, timeout=WITHIN_S, return_when=asyncio.FIRST_COMPLETED)
        served = await asyncio.gather(*(is_served(client, n) for n, client in enumerate(clients)))
        assert True in served, "the process still serves those that are not closed yet"
        assert False in served
        closed = await asyncio.gather(*(client.closed() for client in clients))
        assert {code for code, _ in closed} == {CloseCode.RESTARTING}
        await asyncio.wait(closing)
        holder.rollback()
        assert (await player.next("accepted"))["id"] == command
        assert (await player.closed())[0] == CloseCode.RESTARTING
        assert await asyncio.to_thread(child.wait, 10) == -signal.SIGTERM


async def is_served(client: Client, spot: int) -> bool:
    try:
        await client.play(spot)
        await client.next("accepted")
    except ConnectionClosed:
        return False
    return True
