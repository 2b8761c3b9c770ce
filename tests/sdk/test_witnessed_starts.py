"""How long a start takes with witnesses, live: processes, clients and witnesses as people run
them."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles

import pytest

from games.log.sealing import Sealer
from railbird_client import Client, StartAbandoned
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import NewLobby
from tests.log.scene import DEAD, witness
from tests.processes import running, web_process, worker
from tests.sdk.scene import enter

STARTS = 100
OPTIONS = rsb.Options(roll_ms=50, pause_ms=50, races=1)
TABLE = NewLobby(slug="ready_set_bet", options=OPTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 2])
def test_starts_with_and_without_witnesses(tmp_path: Path, count: int) -> None:
    """The host adds entropy, and plays against a bot; the time is from the host's start to the game
    as the client sees it, with all that it checks."""
    Sealer().seal()
    with ExitStack() as stack:
        named = [stack.enter_context(witness(tmp_path, f"w{number}")) for number in range(count)]
        environment = settings_of([(key.text, address) for key, address in named])
        _, address = stack.enter_context(web_process(environment))
        stack.enter_context(running(worker(environment)))
        taken = asyncio.run(starts(address, tmp_path / "kept"))
    cuts = quantiles(taken, n=100)
    line = f"{count} witnesses: p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s, most {max(taken):.2f} s"
    print(line)
    assert max(taken) < 20, line


@pytest.mark.slow
def test_a_dead_witness_ends_a_start(tmp_path: Path) -> None:
    Sealer().seal()
    with witness(tmp_path, "dead") as (key, _):
        pass
    environment = settings_of([(key.text, DEAD)])
    with web_process(environment) as (_, address), running(worker(environment)):
        took = asyncio.run(abandoned(address, tmp_path / "kept"))
    print(f"a dead witness: abandoned after {took:.1f} s")
    assert took < 45


def settings_of(named: Sequence[tuple[str, str]]) -> dict[str, str]:
    return {
        "WITNESSES": " ".join(word for pair in named for word in pair),
        "START_WITNESSES": " ".join(key.split("+")[0] for key, _ in named),
    }


async def starts(address: str, kept: Path) -> list[float]:
    taken = []
    async with Client(f"http://{address}", entropy=kept) as client:
        await enter(client)
        for _ in range(STARTS):
            lobby = await client.create_lobby(TABLE)
            await client.add_bot(lobby.id)
            began = time.monotonic()
            assert (await client.start_game(lobby.id)).has_started
            taken.append(time.monotonic() - began)
    return taken


async def abandoned(address: str, kept: Path) -> float:
    async with Client(f"http://{address}", entropy=kept) as client:
        await enter(client)
        lobby = await client.create_lobby(TABLE)
        await client.add_bot(lobby.id)
        began = time.monotonic()
        with pytest.raises(StartAbandoned):
            await client.start_game(lobby.id)
    return time.monotonic() - began
