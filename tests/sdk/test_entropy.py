"""Both clients add entropy by themselves: at one table, over aborts and restarts, against lies."""

import asyncio
import json
import secrets
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from channels.db import database_sync_to_async
from django.db.models.functions import Now

from games import lobbies
from games.log import tiles
from games.models import AbandonedAttempt, Commit, Game, Head, Lobby, Seat
from games.play import corrections
from games.proofs.verification import verify_game
from kit import event_loop
from railbird_client import (
    Client,
    Contradicted,
    NoEvidence,
    Problem,
    RevealedInVain,
    ServerError,
    StartOverdue,
    patience,
)
from railbird_client import entropy as entropy_module
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import (
    NewCommand,
    NewCommitment,
    NewLobby,
    NewReveal,
    Readiness,
    SitDown,
    ViewAtVersion,
    WantedTable,
)
from railbird_engine.kernel import chain
from tests.processes import web_process
from tests.proofs.scene import bundled, python, typescript
from tests.sdk.lying import (
    LIES,
    OF_EACH_ANSWER,
    OF_THE_OTHER_SEAT,
    OVERDUE,
    OVERDUE_GRACE_S,
    REFUSALS,
    WITHHELD,
    Lie,
    Refusal,
    lying_server,
)
from tests.sdk.scene import enter
from tests.sdk.scripts import run_script
from tests.sdk.starts import (
    all_kept_in,
    all_ready,
    beside_a_host,
    genesis_of,
    kept_in,
    start_in_vain,
    until,
    verified,
    void,
)
from tests.waiting import WITHIN_S
from tests.waiting import until as until_true

pytestmark = [pytest.mark.ci, pytest.mark.xdist_group("sdk")]

OPTIONS = rsb.Options(roll_ms=50, pause_ms=50, races=1)
TABLE = NewLobby(slug="ready_set_bet", options=OPTIONS)


async def play_to_the_end(client: Client, game: str) -> None:
    async with client.table(game, rsb.TYPES, after=0) as table:
        async for _ in table:
            pass


async def genesis_hash_of(game: str) -> str:
    return chain.genesis_hash(bytes((await Game.objects.aget(id=game)).genesis)).hex()


def bets_without_bonus(legal: Sequence[rsb.Command]) -> list[Any]:
    bets = [bet for bet in legal if isinstance(bet, rsb.PlaceBet) and bet.bonus is None]
    return [{"type": "place_bet", "spot": bet.spot, "token": bet.token} for bet in bets]


async def test_two_clients_at_one_table_add_entropy_and_sign(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Client(server, entropy=tmp_path / "kept") as client, asyncio.timeout(WITHIN_S):
        await enter(client)
        slow = rsb.Options(roll_ms=10_000, pause_ms=50, races=1)
        lobby = await client.create_lobby(NewLobby(slug="ready_set_bet", options=slow))
        assert lobby.seats[0].commitment is not None
        other = asyncio.create_task(run_script("sit.ts", server, lobby.id))
        await until(client, lobby.id, all_ready)
        game = await client.start_game(lobby.id)
        async with client.table(game.id, rsb.TYPES) as table:
            while not (legal := (await table.legal_commands(500)).commands):
                await anext(table)
            # The server writes `bonus` as well, and both were signed after too old a commit.
            monkeypatch.setattr(entropy_module, "VERSIONS_MAX", 1)
            view, shown = await client.get_view(game.id), table._shown
            genesis_hash = await genesis_hash_of(game.id)
            old = msgspec.structs.replace(view, version=0, hash=genesis_hash)

            async def first_shown(*, newest: bool = False) -> tuple[int, str]:
                monkeypatch.setattr(entropy_module, "VERSIONS_MAX", 100 if newest else 1)
                return await shown(newest=True) if newest else (0, genesis_hash)

            monkeypatch.setattr(table, "_shown", first_shown)
            await table.play(bets_without_bonus(legal)[0])
        views = [old]
        monkeypatch.setattr(entropy_module, "VERSIONS_MAX", 1)
        fresh = client.get_view

        async def get_view(game: str) -> ViewAtVersion:
            if views:
                return views.pop()
            monkeypatch.setattr(entropy_module, "VERSIONS_MAX", 100)
            return await fresh(game)

        monkeypatch.setattr(client, "get_view", get_view)
        left = rsb.TYPES.commands((await client.list_legal_commands(game.id, limit=500)).commands)
        command = bets_without_bonus(left)[0]
        await client.play(game.id, NewCommand(id=str(uuid4()), command=command))
        signed = Commit.objects.filter(game=UUID(game.id), seat__isnull=False)
        await asyncio.to_thread(until_true, lambda: signed.count() == 4, "the other client")
        await void(game.id)
        found = json.loads(await other)
        genesis = await verified(server, client.token, game.id, tmp_path)
        mine, theirs = kept_in(tmp_path / "kept"), found["kept"]
        assert genesis["reveals"] == [[0, mine.entropy, None], [1, theirs["entropy"], None]]
        assert [row[3] for row in genesis["rows"]] == [mine.commitment, theirs["commitment"]]
        assert theirs["receipt"].startswith("Railbird reveal 2\n")
        assert mine.sealed is not None
        assert mine.sealed.commitments.hash == theirs["sealed"]["hash"]
        given = ["game.bundle"]
        for code, line in (python(tmp_path, given), typescript(tmp_path, given)):
            assert (code, "; 4 of 4 commands signed;" in line) == (0, True), line


@pytest.mark.slow
async def test_a_table_that_starts_when_full_waits_for_both(server: str, tmp_path: Path) -> None:
    options = rsb.Options(roll_ms=51, pause_ms=50, races=1)
    async with Client(server, entropy=tmp_path / "kept") as client, asyncio.timeout(WITHIN_S):
        await enter(client)
        wanted = WantedTable(slug="ready_set_bet", options=options, capacity=2)
        lobby = await client.quick_match(wanted)
        given = json.dumps({"roll_ms": 51, "pause_ms": 50, "races": 1})
        other = asyncio.create_task(run_script("sit.ts", server, "quick", given))
        started = await until(client, lobby.id, lambda lobby: lobby.game is not None)
        assert started.game is not None
        genesis = await genesis_of(client, started.game)
        await void(started.game)
        theirs = json.loads(await other)["kept"]
        mine = kept_in(tmp_path / "kept")
        assert [reveal[1] for reveal in genesis["reveals"]] == [mine.entropy, theirs["entropy"]]


@pytest.mark.slow
async def test_after_two_reveals_in_vain_a_client_asks(server: str, tmp_path: Path) -> None:
    """Somebody who knows the dice first leaves again and again, to get others."""
    async with (
        Client(server, entropy=tmp_path / "kept") as host,
        Client(server, entropy=False) as shill,
        asyncio.timeout(WITHIN_S),
    ):
        await enter(host)
        await enter(shill)
        lobby = await host.create_lobby(TABLE)
        for _ in range(2):
            await start_in_vain(host, shill, lobby.id)
        await shill.join_lobby(lobby.id)
        ready = Readiness(ready=True)
        for asked in (
            lambda: host.start_game(lobby.id),
            lambda: host.set_ready(lobby.id, ready),
            lambda: host.create_lobby(TABLE),
        ):
            with pytest.raises(RevealedInVain):
                await asked()
        next_run = partial(Client, server, host.token, entropy=tmp_path / "kept")
        async with next_run() as client:
            with pytest.raises(RevealedInVain):
                await client.create_lobby(TABLE)
        host.go_on()
        async with next_run() as client:
            await client.leave_lobby((await client.create_lobby(TABLE)).id)
        await shill.set_ready(lobby.id, Readiness(ready=True))
        game = await host.start_game(lobby.id)
        genesis = await genesis_of(host, game.id)
        await void(game.id)
        await play_to_the_end(host, game.id)
        attempts = AbandonedAttempt.objects.filter(lobby=UUID(lobby.id))
        assert await database_sync_to_async(attempts.count)() == 2
        assert genesis["abandoned"] is not None
        kept = [each for each in all_kept_in(tmp_path / "kept") if each.lobby == lobby.id]
        assert len({each.entropy for each in kept}) == 3
        assert [each.in_vain for each in kept if each.in_vain is not None] == [1, 2, 0, 0, 1]


@pytest.mark.slow
async def test_reveals_in_vain_count_in_lobbies_that_are_closed_or_left(server: str) -> None:
    async with (
        Client(server) as host,
        Client(server, entropy=False) as shill,
        asyncio.timeout(WITHIN_S),
    ):
        await enter(host)
        await enter(shill)
        for ends in (
            lambda lobby: database_sync_to_async(lobbies.close_by_operator)(UUID(lobby)),
            host.leave_lobby,
        ):
            lobby = (await host.create_lobby(TABLE)).id
            sat = await shill.join_lobby(lobby, SitDown(commits=True))
            await shill.commit(lobby, NewCommitment(opened=sat.opening.hash, commitment=64 * "0"))
            await shill.set_ready(lobby, Readiness(ready=True))
            starting = asyncio.create_task(host.start_game(lobby))
            await until(shill, lobby, lambda it: it.seats[0].has_revealed)
            await ends(lobby)
            with pytest.raises(ServerError):
                await starting
        with pytest.raises(RevealedInVain):
            await host.create_lobby(TABLE)


@pytest.mark.slow
async def test_an_operator_with_a_seat_cannot_choose_the_dice_after_the_reveals(
    server: str, tmp_path: Path
) -> None:
    """The owner of database and keys, who knows all entropy, writes another commitment into the
    own seat and reveals what suits. SDK, both verifiers and `verify_game` find it."""
    async with (
        Client(server, entropy=tmp_path / "kept") as ann,
        Client(server, entropy=False) as operator,
        asyncio.timeout(WITHIN_S),
    ):
        await enter(ann)
        await enter(operator)
        lobby = await ann.create_lobby(TABLE)
        sat = await operator.join_lobby(lobby.id, SitDown(commits=True))
        opened = sat.opening.hash
        first, suits = secrets.token_bytes(32), secrets.token_bytes(32)
        honest, chosen = (
            chain.commitment(bytes.fromhex(opened), 1, entropy) for entropy in (first, suits)
        )
        given = NewCommitment(opened=opened, commitment=honest.hex())
        await operator.commit(lobby.id, given)
        await operator.set_ready(lobby.id, Readiness(ready=True))
        starting = asyncio.create_task(ann.start_game(lobby.id))
        at = await until(operator, lobby.id, lambda it: it.seats[0].has_revealed)
        seat = Seat.objects.filter(lobby=UUID(lobby.id), number=1)
        await database_sync_to_async(seat.update)(commitment=chosen)
        assert at.committed is not None
        await operator.reveal(lobby.id, NewReveal(committed=at.committed, entropy=suits.hex()))
        with pytest.raises(Contradicted) as found:
            await starting
        assert found.value.field == "rows"
        game = Game.objects.select_related("lobby", "head").filter(lobby=UUID(lobby.id))
        forged = await database_sync_to_async(game.get)()
        assert bytes(forged.genesis).count(suits.hex().encode()) == 1
        await asyncio.to_thread(diverged_everywhere, forged, tmp_path)


def diverged_everywhere(game: Game, folder: Path) -> None:
    until_true(lambda: Head.objects.get(game=game).stalled != "", "the sealer")
    assert any("log entry" in finding.what for finding in verify_game(game.id).findings)
    event_loop.call(corrections.void(game.id, "The test is over."))
    (folder / "file").write_bytes(bundled(game))
    given = ["--key", tiles.verifiers()[0], "file"]
    for code, line in (python(folder, given), typescript(folder, given)):
        assert (code, ": committed: expected" in line) == (1, True), line


@pytest.mark.slow
async def test_a_seat_that_does_not_commit_is_given_up(server: str) -> None:
    options = rsb.Options(roll_ms=52, pause_ms=50, races=1)
    wanted = WantedTable(slug="ready_set_bet", options=options, capacity=2)
    async with (
        Client(server) as client,
        Client(server, entropy=False) as silent,
        Client(server) as third,
        asyncio.timeout(WITHIN_S),
    ):
        for each in (client, silent, third):
            await enter(each)
        lobby = await client.quick_match(wanted)
        wanted.commits = True
        assert (await silent.quick_match(wanted)).starts_by is not None
        waiting = Lobby.objects.filter(id=UUID(lobby.id))
        await database_sync_to_async(waiting.update)(starts_by=Now())
        left = await until(client, lobby.id, lambda it: it.status == "open" and len(it.seats) == 1)
        assert [seat.number for seat in left.seats] == [0]
        await third.quick_match(wanted)
        started = await until(client, lobby.id, lambda it: it.game is not None)
        assert started.game is not None
        await void(started.game)


@pytest.mark.slow
async def test_a_restart_of_the_server_between_commitment_and_reveal(tmp_path: Path) -> None:
    with web_process() as (web, address):
        restarted = f"http://{address}"
        async with (
            Client(restarted, entropy=tmp_path / "kept") as host,
            Client(restarted) as guest,
            asyncio.timeout(WITHIN_S),
        ):
            await enter(host)
            await enter(guest)
            lobby = await host.create_lobby(TABLE)
            await guest.join_lobby(lobby.id)
            await asyncio.to_thread(web.stop)
            await asyncio.to_thread(web.start)
            await guest.set_ready(lobby.id, Readiness(ready=True))
            await until(host, lobby.id, all_ready)
            game = await host.start_game(lobby.id)
            genesis = await genesis_of(host, game.id)
            await void(game.id)
            assert genesis["abandoned"] is None
            assert genesis["reveals"][0][1] == kept_in(tmp_path / "kept").entropy
            assert len(genesis["reveals"]) == 2


@pytest.mark.slow
async def test_a_restarted_client_reveals_what_it_had_committed_to(
    server: str, tmp_path: Path
) -> None:
    path = tmp_path / "kept"
    async with Client(server, entropy=path) as before, asyncio.timeout(WITHIN_S):
        await enter(before)
        lobby = await before.create_lobby(TABLE)
        await before.add_bot(lobby.id)
    async with Client(server, before.token, entropy=path) as after, asyncio.timeout(WITHIN_S):
        game = await after.start_game(lobby.id)
        (entropy,) = {kept.entropy for kept in all_kept_in(path)}
        genesis = await genesis_of(after, game.id)
        assert [reveal[1] for reveal in genesis["reveals"]] == [entropy]
        await void(game.id)


@pytest.mark.slow
async def test_a_client_adds_no_entropy_if_told_so(server: str) -> None:
    async with Client(server, entropy=False) as client, asyncio.timeout(WITHIN_S):
        await enter(client)
        lobby = await client.create_lobby(TABLE)
        assert not lobby.seats[0].commits
        await client.add_bot(lobby.id)
        game = await client.start_game(lobby.id)
        assert (await genesis_of(client, game.id))["reveals"] == []
        await void(game.id)


@pytest.mark.parametrize(
    "lie",
    [pytest.param(lie, marks=() if lie in OF_EACH_ANSWER else pytest.mark.slow) for lie in LIES],
)
async def test_the_python_client_finds_lies(server: str, lie: str) -> None:
    with lying_server(server, LIES[lie]) as url:
        async with Client(url) as client, asyncio.timeout(WITHIN_S):
            await enter(client)
            found = "nothing"
            try:
                lobby = await client.create_lobby(TABLE)
                await client.add_bot(lobby.id)
                await client.set_ready(lobby.id, Readiness(ready=True))
                game = await client.start_game(lobby.id)
                await play_to_the_end(client, game.id)
            except Contradicted as contradicted:
                found = contradicted.field
            except NoEvidence as none:
                found = none.code
            assert found == LIES[lie].found


@pytest.mark.slow
async def test_the_typescript_client_finds_lies(server: str) -> None:
    told: dict[str, Lie | Refusal] = {**LIES, **REFUSALS, "withheld": WITHHELD}
    with ExitStack() as stack:
        urls = [stack.enter_context(lying_server(server, lie)) for lie in told.values()]
        found = json.loads(await run_script("lies.ts", *urls))
    assert dict(zip(told, found, strict=True)) == {name: lie.found for name, lie in told.items()}


@pytest.mark.parametrize(
    "lie",
    ["no entropy", pytest.param("other entropy than it committed to", marks=pytest.mark.slow)],
)
async def test_the_clients_find_lies_about_what_another_seat_revealed(
    server: str, lie: str
) -> None:
    async def play_in_python(url: str, lobby: str) -> None:
        async with Client(url) as guest:
            await enter(guest)
            await guest.join_lobby(lobby)
            await guest.set_ready(lobby, Readiness(ready=True))
            started = await until(guest, lobby, lambda it: it.game is not None)
            assert started.game is not None
            with pytest.raises(Contradicted) as found:
                await play_to_the_end(guest, started.game)
            assert found.value.field == "reveals"

    async def play_in_typescript(url: str, lobby: str) -> None:
        with pytest.raises(AssertionError, match=" reveals: expected"):
            await run_script("sit.ts", url, lobby)

    await beside_a_host(server, OF_THE_OTHER_SEAT[lie], play_in_python)
    await beside_a_host(server, OF_THE_OTHER_SEAT[lie], play_in_typescript)


async def test_the_python_client_waits_no_longer_than_the_terms_of_a_start_allow(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entropy_module, "GRACE_S", OVERDUE_GRACE_S)
    with lying_server(server, OVERDUE) as url:
        async with Client(url) as client, asyncio.timeout(WITHIN_S):
            await enter(client)
            lobby = await client.create_lobby(TABLE)
            await client.add_bot(lobby.id)
            with pytest.raises(StartOverdue, match="within 80 s"):
                await client.start_game(lobby.id)


@pytest.mark.slow
async def test_the_typescript_client_waits_no_longer_than_the_terms_of_a_start_allow(
    server: str,
) -> None:
    with lying_server(server, OVERDUE) as url:
        found = json.loads(await run_script("lies.ts", url, GRACE_S=str(OVERDUE_GRACE_S)))
    assert found == [OVERDUE.found]


@pytest.mark.slow
async def test_a_seat_is_not_lost_with_the_answer_to_its_commitment(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "FIRST_S", 0.02)
    with lying_server(server, WITHHELD) as url:
        async with Client(url) as client, asyncio.timeout(WITHIN_S):
            await enter(client)
            lobby = await client.create_lobby(TABLE)
            assert lobby.your_seat == 0
            await client.add_bot(lobby.id)
            game = await client.start_game(lobby.id)
            assert len((await genesis_of(client, game.id))["reveals"]) == 1
            await void(game.id)


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_refused_reveal_ends_the_start_and_a_receipt_is_kept_later(
    server: str, refusal: str, tmp_path: Path
) -> None:
    path = tmp_path / "kept"
    async with asyncio.timeout(WITHIN_S), Client(server, entropy=False) as plain:
        with lying_server(server, REFUSALS[refusal]) as url:
            async with Client(url, entropy=path) as client:
                await enter(client)
                plain.token = client.token
                lobby = await client.create_lobby(TABLE)
                await client.add_bot(lobby.id)
                await plain.start_game(lobby.id)
                await until(plain, lobby.id, lambda it: it.stage == "revealing")
                checked = lambda: path.exists() and bool(kept_in(path).sealed)  # noqa: E731
                await asyncio.to_thread(until_true, checked, "the check of the log")
        assert kept_in(path).receipt is None
        async with Client(server, client.token, entropy=path) as client:
            with suppress(Problem):  # It may have started by now.
                await client.start_game(lobby.id)
            await until(plain, lobby.id, lambda it: it.game is not None)
            assert len({kept.entropy for kept in all_kept_in(path)}) == 1
