"""The C# client, compiled and run by Mono: types, failures, and games over a lossy network."""

import asyncio
import json
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest

from games.models import Commit
from packages import build
from railbird_client import Client, ed25519
from railbird_client.entropy import Kept
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import NewLobby, Opening
from railbird_engine.kernel import chain
from railbird_engine.rules import registry
from sdk import mono
from tests.proofs.scene import python, typescript
from tests.sdk import healing, hostile, newer, signing
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
from tests.sdk.mutations import mutations
from tests.sdk.proxy import cutting_proxy
from tests.sdk.scene import enter
from tests.sdk.scripts import run
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
from tests.sdk.values import values_of
from tests.sdk.whole_games import check_whole_game
from tests.waiting import WITHIN_S
from tests.waiting import until as until_true

pytestmark = [pytest.mark.ci, pytest.mark.xdist_group("sdk")]


class Program:
    """A program with the client, compiled as C# 7.2 without a warning."""

    def __init__(self, sources: list[Path], file: Path) -> None:
        found = mono.find()
        found.compile(sources, file)
        self.command: list[str | Path] = [*found.runtime, file]
        self.environment = found.environment

    async def run(self, *arguments: str) -> Any:
        """Run the program, and return what it printed as JSON."""
        return json.loads(await self.output(*arguments))

    async def output(self, *arguments: str) -> str:
        """Run the program, and return what it printed."""
        return await run(*self.command, *arguments, env=self.environment)


@pytest.fixture(scope="module")
def program(csharp: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program of these tests."""
    source = build.ROOT / "sdk" / "csharp" / "tests" / "Program.cs"
    return Program([*csharp, source], tmp_path_factory.mktemp("program") / "program.exe")


def without_nulls(value: Any) -> Any:
    """Return a value of JSON without the fields that are null, which may also be left out."""
    match value:
        case dict():
            return {
                name: without_nulls(inner) for name, inner in value.items() if inner is not None
            }
        case list():
            return [without_nulls(inner) for inner in value]
    return value


def enlarged(value: Any) -> Any:
    """Return a value of JSON whose whole numbers are as large as JSON of everybody can be."""
    match value:
        case dict():
            return {name: enlarged(inner) for name, inner in value.items()}
        case list():
            return [enlarged(inner) for inner in value]
        case int() if not isinstance(value, bool):
            return 2**53 - 1
    return value


async def test_values_of_all_games_are_read_with_every_field(
    program: Program, tmp_path: Path
) -> None:
    values = [
        {
            "game": "".join(part.capitalize() for part in slug.split("_")),
            "kind": kind,
            "json": json.loads(msgspec.json.encode(value)),
        }
        for (slug, _), rules in registry().items()
        for kind, value in values_of(rules)
    ]
    assert len(values) > 1000
    kinds = {(each["game"], each["kind"], each["json"].get("type")): each for each in values}
    values += [{**each, "json": enlarged(each["json"])} for each in kinds.values()]
    (tmp_path / "values.json").write_text(json.dumps(values))
    found = await program.run("decode", str(tmp_path / "values.json"))
    assert without_nulls(found) == without_nulls([value["json"] for value in values])


async def test_a_table_recovers_from_network_failures(program: Program) -> None:
    async with healing.bad_server() as (url, received):
        found = await program.run("heal", url, healing.COMMAND_ID)
    assert (found, received) == (healing.FOUND, healing.RECEIVED)


@pytest.mark.slow
async def test_rooms_and_lists_recover_from_network_failures(program: Program) -> None:
    async with (
        healing.bad_server(healing.room_script()) as (url, heard),
        healing.bad_server(healing.list_script()) as (list_url, asked),
    ):
        found = await program.run("rooms", url, list_url)
    assert found == [healing.ROOM_FOUND, healing.LIST_FOUND]
    assert (heard, asked) == (healing.ROOM_RECEIVED, healing.LIST_RECEIVED)


@pytest.mark.parametrize(
    ("script", "code", "received"),
    [
        (healing.REFUSED_TWICE, "spot_taken", healing.PLAYED_AGAIN),
        (healing.IN_TIME_AFTER_ALL, None, healing.PLAYED_AGAIN),
        (healing.REFUSED_ONCE, "spot_taken", ["from the start", "play"]),
        (healing.CLOCK_WRONG, None, ["from the start", "play", "play"]),
    ],
)
@pytest.mark.slow
async def test_a_refusal_is_reported_when_it_is_final(
    program: Program, script: healing.Script, code: str | None, received: list[str]
) -> None:
    async with healing.bad_server(script) as (url, heard):
        assert (await program.run("ask", url, healing.COMMAND_ID), heard) == (code, received)


@pytest.mark.slow
async def test_csharp_makes_of_each_what_the_table_says(
    program: Program, certificate: Path
) -> None:
    await hostile.check(certificate, *program.command, "hostile", env=program.environment)


@pytest.mark.slow
async def test_a_newer_server_is_read(program: Program) -> None:
    async with newer.newer_server() as url:
        found = await program.run("newer", url, json.dumps(newer.calls()))
    assert found == newer.READ


@pytest.mark.slow
async def test_damaged_frames_are_read_or_reported(program: Program, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.write_text("\n".join(text.replace("\n", " ") for text in mutations(20_000)))
    found = await program.run("mutations", str(texts))
    assert found["foreign"] == []


@pytest.mark.slow
async def test_refusals_and_absent_servers_are_reported(program: Program, server: str) -> None:
    assert await program.run("problems", server) == [
        "unknown_game 404",
        "not_found 4404",
        "unreachable",
        *7 * ["misused"],
    ]


async def test_two_guests_play_a_whole_game_over_connections_that_are_lost(
    program: Program, server: str
) -> None:
    async with cutting_proxy(server, seed=5) as proxy:
        played = await program.run("play", server, proxy.url)
        assert proxy.cuts
    await check_whole_game(server, played, seat=1, shown=without_nulls)


@pytest.mark.slow
async def test_players_of_two_languages_add_entropy_and_sign(
    program: Program, server: str, tmp_path: Path
) -> None:
    """The key of the other player is handed to a second device, which plays with it."""
    async with Client(server, entropy=tmp_path / "kept") as client, asyncio.timeout(WITHIN_S):
        await enter(client)
        slow = rsb.Options(roll_ms=10_000, pause_ms=50, races=1)
        lobby = await client.create_lobby(NewLobby(slug="ready_set_bet", options=slow))
        (tmp_path / "tess").mkdir()
        other = asyncio.create_task(program.run("sit", server, lobby.id, str(tmp_path / "tess")))
        await until(client, lobby.id, all_ready)
        game = (await client.start_game(lobby.id)).id
        mine = kept_in(tmp_path / "kept")
        assert mine.sealed is not None
        assert mine.key is not None
        origin, name = mine.sealed.checkpoint.origin, mine.opening.name
        await program.run("signed", server, client.token, game, origin, name, "0", mine.key)
        signed = Commit.objects.filter(game=UUID(game), seat__isnull=False)
        await asyncio.to_thread(until_true, lambda: signed.count() == 2, "both commands")
        await void(game)
        assert (await other)["kept"] >= 2
        genesis = await verified(server, client.token, game, tmp_path)
        theirs = kept_in(tmp_path / "tess" / "entropy")
        assert genesis["reveals"] == [[0, mine.entropy, None], [1, theirs.entropy, None]]
        assert theirs.receipt is not None
        for notes in ("entropy", "notes"):
            given = ["--acknowledgements", f"tess/{notes}", "game.bundle"]
            for code, line in (python(tmp_path, given), typescript(tmp_path, given)):
                assert (code, "; 2 of 2 commands signed;" in line) == (0, True), line


@pytest.mark.slow
async def test_a_seat_of_another_run_is_kept(program: Program, server: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    async with Client(server, entropy=kept) as client, asyncio.timeout(WITHIN_S):
        await enter(client)
        lobby = await client.create_lobby(NewLobby(slug="ready_set_bet", options=rsb.Options()))
        await client.add_bot(lobby.id)
    game = await program.run("start", server, client.token, lobby.id, str(kept))
    async with Client(server, client.token) as client, asyncio.timeout(WITHIN_S):
        (entropy,) = {each.entropy for each in all_kept_in(kept)}
        assert (await genesis_of(client, game))["reveals"] == [[0, entropy, None]]
    assert kept_in(kept).in_vain == 0


@pytest.mark.slow
async def test_reveals_in_vain_of_another_run_count(
    program: Program, server: str, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    async with (
        Client(server, entropy=kept) as host,
        Client(server, entropy=False) as shill,
        asyncio.timeout(WITHIN_S),
    ):
        await enter(host)
        await enter(shill)
        lobby = await host.create_lobby(NewLobby(slug="ready_set_bet", options=rsb.Options()))
        for _ in range(2):
            await start_in_vain(host, shill, lobby.id)
    with pytest.raises(AssertionError, match="RevealedInVain"):
        await program.run("start", server, host.token, lobby.id, str(kept))


OPENING: Final = Opening(
    name="",
    hash=64 * "0",
    entry="",
    index=None,
    salt="",
    game="",
    rules_version=1,
    edition="",
    options_text="{}",
    table_text='{"witnesses":[]}',
    abandoned=None,
)


def files_of(folder: Path, count: int) -> list[str]:
    """Write files of entropy and of notes with so many lines; return their names."""
    kept = [
        Kept(lobby=str(n), slug="", seed_hash="", opening=OPENING, seat=0, entropy="")
        for n in range(count)
    ]
    head = f"Railbird head 1\norigin o\nname n\ngame g\nversion %d\nhash {64 * '0'}\n\n— o x\n"
    names = []
    for name, lines in (("entropy", kept), ("notes", [head % n for n in range(count)])):
        (folder / f"{name}.{count}").write_bytes(msgspec.json.Encoder().encode_lines(lines))
        names.append(str(folder / f"{name}.{count}"))
    return names


@pytest.mark.slow
async def test_files_are_opened_in_a_time_that_grows_as_they_do(
    program: Program, tmp_path: Path
) -> None:
    """Of a file whose lines are looked at again for each line, eight times as many would take 64
    times as long."""
    few, many = [await program.run("open", *files_of(tmp_path, count)) for count in (1_000, 8_000)]
    assert many < 24 * few, (few, many)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param({*OF_EACH_ANSWER, "withheld"}, id="some"),
        pytest.param({*REFUSALS, *LIES} - OF_EACH_ANSWER, id="others"),
    ],
)
@pytest.mark.slow
async def test_lies_are_found(program: Program, server: str, names: AbstractSet[str]) -> None:
    told: dict[str, Lie | Refusal] = {**LIES, **REFUSALS, "withheld": WITHHELD}
    with ExitStack() as stack:
        urls = [stack.enter_context(lying_server(server, told[name])) for name in names]
        found = await program.run("lies", *urls)
    assert dict(zip(names, found, strict=True)) == {name: told[name].found for name in names}


@pytest.mark.parametrize("lie", OF_THE_OTHER_SEAT)
@pytest.mark.slow
async def test_lies_about_what_another_seat_revealed_are_found(
    program: Program, server: str, lie: str, tmp_path: Path
) -> None:
    async def play(url: str, lobby: str) -> None:
        with pytest.raises(AssertionError, match=" reveals: expected"):
            await program.run("sit", url, lobby, str(tmp_path))

    await beside_a_host(server, OF_THE_OTHER_SEAT[lie], play)


@pytest.mark.slow
async def test_a_start_that_is_not_decided_is_awaited_no_longer(
    program: Program, server: str
) -> None:
    with lying_server(server, OVERDUE) as url:
        assert await program.run("overdue", str(OVERDUE_GRACE_S), url) == [OVERDUE.found]


@pytest.mark.slow
async def test_texts_are_signed_as_by_the_other_clients(program: Program, tmp_path: Path) -> None:
    found = [case for slug in signing.GAMES for case in signing.cases(slug)]
    (tmp_path / "cases").write_text(json.dumps([case[:3] for case in found]))
    assert await program.run("texts", str(tmp_path / "cases")) == [case.signs for case in found]


@pytest.mark.slow
async def test_signatures_are_those_of_the_other_clients(program: Program, tmp_path: Path) -> None:
    given, expected = [], []
    for number in range(12):
        secret, text = bytes([number]) * 32, f"text {number} é"
        key, right = ed25519.public_key(secret), ed25519.sign(secret, text.encode())
        larger = int.from_bytes(right[32:], "little") + ed25519.ORDER
        wrong = (bytes([right[0] ^ 1]) + right[1:], right[:32] + bytes(32))
        given += [
            [secret.hex(), text, key.hex(), signature.hex()]
            for signature in (right, *wrong, right[:32] + larger.to_bytes(32, "little"))
        ]
    for point in (*chain.SMALL, chain.FIELD + 3):
        encoded = point.to_bytes(32, "little").hex()
        given.append(["00" * 32, "", encoded, encoded + "00" * 32])
    for secret_, text, key_, signature_ in given:
        secret, key, signature = map(bytes.fromhex, (secret_, key_, signature_))
        own = [ed25519.public_key(secret).hex(), ed25519.sign(secret, text.encode()).hex()]
        expected.append((*own, ed25519.is_signed(key, text.encode(), signature)))
    assert [fits for *_, fits in expected].count(True) == 12
    (tmp_path / "given").write_text(json.dumps(given))
    assert [*map(tuple, await program.run("signatures", str(tmp_path / "given")))] == expected


@pytest.mark.slow
async def test_the_snippet_of_the_documentation_runs(
    csharp: list[Path], server: str, tmp_path: Path
) -> None:
    page = (build.ROOT / "docs" / "sdk.md").read_text()
    snippet = page.split("```csharp\n")[1].split("```")[0]
    source = tmp_path / "Snippet.cs"
    source.write_text(snippet.replace("http://127.0.0.1:8000", server))
    assert "bets" in await Program([*csharp, source], tmp_path / "snippet.exe").output()
