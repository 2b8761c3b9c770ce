"""The TypeScript client against a real server: types, tests, and games over a lossy network."""

import asyncio
import json
import subprocess
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.play import corrections
from kit import event_loop
from sdk import node
from tests.api.sockets import token_of
from tests.builders import NewGame, NewUser
from tests.sdk import healing
from tests.sdk.proxy import cutting_proxy
from tests.sdk.scene import QUICK, TIMES, tell
from tests.sdk.scripts import run_script
from tests.sdk.whole_games import check_whole_game
from tests.waiting import WITHIN_S

pytestmark = [pytest.mark.ci, pytest.mark.xdist_group("sdk")]


@pytest.mark.xdist_group("types")
def test_the_types_are_consistent() -> None:
    node.TYPESCRIPT.run("typescript/bin/tsc")


def test_a_node_without_websockets_reports_what_is_required() -> None:
    script = (
        f'import {{ Client }} from "{node.TYPESCRIPT.folder}/src/index.ts"; new Client("http://x");'
    )
    old: list[str | Path] = [
        node.NODE,
        "--no-experimental-websocket",
        "--input-type=module",
        "--eval",
        script,
    ]
    done = subprocess.run(old, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        "use Node 22 or newer, Node 20 with --experimental-websocket, or a browser" in done.stderr
    )


async def test_a_table_recovers_from_network_failures() -> None:
    async with healing.bad_server() as (url, received):
        found = json.loads(await run_script("heal.ts", "table", url, healing.COMMAND_ID))
    assert found == healing.FOUND
    assert received == healing.RECEIVED


@pytest.mark.parametrize(
    ("script", "code", "received"),
    [
        pytest.param(
            healing.REFUSED_TWICE, "spot_taken", healing.PLAYED_AGAIN, marks=pytest.mark.slow
        ),
        pytest.param(healing.IN_TIME_AFTER_ALL, None, healing.PLAYED_AGAIN, marks=pytest.mark.slow),
        (healing.REFUSED_ONCE, "spot_taken", ["from the start", "play"]),
        (healing.CLOCK_WRONG, None, ["from the start", "play", "play"]),
    ],
)
async def test_a_refusal_is_reported_when_it_is_final(
    script: healing.Script, code: str | None, received: list[str]
) -> None:
    """The client asks again after the time of a command, which is slow here."""
    async with healing.bad_server(script) as (url, heard):
        found = json.loads(await run_script("heal.ts", "refusal", url, healing.COMMAND_ID))
    assert (found, heard) == (code, received)


async def test_a_room_recovers_from_network_failures() -> None:
    async with healing.bad_server(healing.room_script()) as (url, received):
        found = json.loads(await run_script("heal.ts", "room", url, "a"))
    assert (found, received) == (healing.ROOM_FOUND, healing.ROOM_RECEIVED)


async def test_the_list_of_lobbies_recovers_from_network_failures() -> None:
    async with healing.bad_server(healing.list_script()) as (url, received):
        found = json.loads(
            await run_script("heal.ts", "lobbies", url, str(len(healing.LIST_FOUND)))
        )
    assert (found, received) == (healing.LIST_FOUND, healing.LIST_RECEIVED)


async def test_notices_recover_from_network_failures() -> None:
    async with healing.bad_server(healing.inbox_script()) as (url, received):
        found = json.loads(await run_script("heal.ts", "inbox", url, "14"))
    assert (found, received) == (healing.INBOX_FOUND, healing.INBOX_RECEIVED)


async def test_all_notices_arrive_over_lost_connections(server: str, new_user: NewUser) -> None:
    user = await asyncio.to_thread(new_user)
    async with cutting_proxy(server, seed=5) as proxy, asyncio.timeout(WITHIN_S):
        numbers, token = f"{TIMES},0", await asyncio.to_thread(token_of, user)
        script = asyncio.create_task(
            run_script("heal.ts", "inbox", proxy.url, numbers, TOKEN=token)
        )
        await asyncio.to_thread(tell, user, TIMES)
        found = json.loads(await script)
        assert proxy.cuts
    assert [*chain.from_iterable(found)] == list(range(1, TIMES + 1))


async def test_the_tests_of_the_client_pass(server: str, new_game: NewGame) -> None:
    game = await asyncio.to_thread(new_game)
    await asyncio.to_thread(event_loop.call, corrections.void(game.id, "The test is over."))
    await run_script("client.test.ts", SERVER_URL=server, ENDED_GAME=str(game.id))


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["ready_set_bet", "set_dice"])
async def test_a_whole_game_over_connections_that_are_lost(server: str, slug: str) -> None:
    options = msgspec.json.encode(QUICK.get(slug, {})).decode()
    async with cutting_proxy(server, seed=5) as proxy, asyncio.timeout(WITHIN_S):
        played: dict[str, Any] = json.loads(
            await run_script("play.ts", server, proxy.url, slug, options)
        )
        assert proxy.cuts
    await check_whole_game(server, played, seat=0)
