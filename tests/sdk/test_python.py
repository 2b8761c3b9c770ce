"""The Python client against a real server: whole games over a lossy network, and idempotence."""

import asyncio
import inspect
import random
import re
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from games.play import corrections
from games.reads.signing_log import signing_log
from kit import event_loop
from railbird_client import (
    Client,
    Closed,
    Commit,
    Contradicted,
    GameTypes,
    LobbyEvent,
    Misused,
    NoEvidence,
    Presence,
    Problem,
    ServerError,
    Table,
    Unreachable,
    View,
)
from railbird_client import patience as patience_module
from railbird_client import stream as stream_module
from railbird_client import table as table_module
from railbird_client.acknowledgements import Acknowledgements, kept_in
from railbird_client.files import append_line
from railbird_client.games import ascot, carcassonne, quitte_ou_double, ready_set_bet, set_dice
from railbird_client.models import NewLobby, Notice
from sdk.documents import Documents
from tests.api.sockets import token_of
from tests.builders import NewGame, NewUser
from tests.moves import take
from tests.sdk import healing
from tests.sdk.lying import Refusal, lying_server
from tests.sdk.proxy import cutting_proxy
from tests.sdk.scene import (
    ANY_GAME,
    QUICK,
    TIMES,
    all_commits,
    bets_of,
    enter,
    tell,
)
from tests.waiting import WITHIN_S, until

pytestmark = pytest.mark.xdist_group("sdk")

Types = GameTypes[Any, Any, Any]
NO_ADDRESSES = (
    "railbird.example",
    "http://",
    "http://a:b",
    "http://a:99999",
    "http://[::1",
    "http://xn--",
    "http://a..b",
    "http://a/\x7f",
)


none: Any = None
"""An argument that types forbid."""


async def start(client: Client, types: Types, bots: int = 1) -> str:
    lobby = await client.create_lobby(NewLobby(slug=types.slug, options=QUICK.get(types.slug, {})))
    for _ in range(bots):
        await client.add_bot(lobby.id)
    return (await client.start_game(lobby.id)).id


class Player:
    """Plays random legal commands until the game has ended."""

    def __init__(self) -> None:
        self.chance = random.Random(11)
        self.accepted: list[int] = []
        self.is_over = False

    async def play(self, table: Table[Any, Any, Any]) -> None:
        while not self.is_over:
            try:
                legal = (await table.legal_commands()).commands
            except ServerError:
                return  # The game has ended meanwhile.
            if legal:
                try:
                    self.accepted.append((await table.play(self.chance.choice(legal))).version)
                except Problem as problem:
                    if problem.version is None:
                        raise  # Not a rejection by the rules.
            await asyncio.sleep(0.1)


@pytest.mark.parametrize(
    "types",
    [ready_set_bet.TYPES, pytest.param(set_dice.TYPES, marks=pytest.mark.slow)],
    ids=lambda types: types.slug,
)
async def test_a_whole_game_over_connections_that_are_lost(server: str, types: Types) -> None:
    async with (
        Client(server) as client,
        cutting_proxy(server, seed=5) as proxy,
        asyncio.timeout(WITHIN_S) as limit,
    ):
        await enter(client)
        game = await start(client, types)
        player = Player()
        commits: list[Commit[Any]] = []
        async with (
            Client(proxy.url, client.token) as roaming,
            roaming.table(game, types, after=0) as table,
        ):
            playing = asyncio.create_task(player.play(table))
            async for news in table:
                assert isinstance(news, Commit), "with `after` there are commits alone"
                commits.append(news)
                limit.reschedule(asyncio.get_running_loop().time() + WITHIN_S)
            player.is_over = True
            await playing
        async with client.table(game, types) as table:
            assert [type(news) for news in [news async for news in table]] == [View], (
                "who comes too late sees how it stands"
            )
        stored = await all_commits(client, game)
        assert [(commit.version, commit.hash) for commit in commits] == [
            (commit.version, commit.hash) for commit in stored
        ]
        assert [commit.events for commit in commits] == [
            types.events(commit.events) for commit in stored
        ]
        assert proxy.cuts
        assert len(player.accepted) == len(set(player.accepted)) > 0
        ended = await client.get_game(game)
        assert (ended.ended, ended.version) == ("finished", len(commits))
        mine = [bet async for bet in bets_of(client, game, seat=0)]
        assert {bet.version for bet in mine} <= set(player.accepted), (
            "no bet that was not acknowledged, none twice"
        )


async def test_a_table_recovers_from_network_failures() -> None:
    async with (
        asyncio.timeout(WITHIN_S),
        healing.bad_server() as (url, received),
        Client(url, "a token") as client,
        client.table("game", ANY_GAME) as table,
    ):
        versions = [(await anext(table)).version for _ in range(8)]
        accepted = await table.play({"type": "wave"}, id=UUID(healing.COMMAND_ID))
        versions += [news.version async for news in table]
    assert {"versions": versions, "accepted": accepted.version} == healing.FOUND
    assert received == healing.RECEIVED


async def test_a_room_recovers_from_network_failures() -> None:
    async with (
        asyncio.timeout(WITHIN_S),
        healing.bad_server(healing.room_script()) as (url, received),
        Client(url, "a token") as client,
        client.room("a") as room,
    ):
        found = [
            "presence"
            if isinstance(news, Presence)
            else [[event.version, kind_of(event)] for event in news.events]
            async for news in room
        ]
    assert (found, received) == (healing.ROOM_FOUND, healing.ROOM_RECEIVED)


def kind_of(happened: LobbyEvent) -> str:
    kind: str = msgspec.to_builtins(happened.event)["type"]
    return kind


@pytest.mark.parametrize(
    ("script", "code", "received"),
    [
        (healing.REFUSED_TWICE, "spot_taken", healing.PLAYED_AGAIN),
        (healing.IN_TIME_AFTER_ALL, None, healing.PLAYED_AGAIN),
        (healing.REFUSED_ONCE, "spot_taken", ["from the start", "play"]),
        (healing.CLOCK_WRONG, None, ["from the start", "play", "play"]),
    ],
)
async def test_a_refusal_is_reported_when_it_is_final(
    script: healing.Script, code: str | None, received: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "IN_TIME", timedelta(seconds=0.2))
    async with (
        asyncio.timeout(WITHIN_S),
        healing.bad_server(script) as (url, heard),
        Client(url, "a token") as client,
        client.table("game", ANY_GAME) as table,
    ):
        found = None
        try:
            await table.play({"type": "wave"}, id=UUID(healing.COMMAND_ID))
        except Problem as problem:
            found = problem.code
    assert (found, heard) == (code, received)


async def test_the_list_of_lobbies_recovers_from_network_failures() -> None:
    async with (
        asyncio.timeout(WITHIN_S),
        healing.bad_server(healing.list_script()) as (url, received),
        Client(url, "a token") as client,
        client.lobbies(slug="x") as lobbies,
    ):
        found = [[lobby.id for lobby in await anext(lobbies)] for _ in healing.LIST_FOUND]
    assert (found, received) == (healing.LIST_FOUND, healing.LIST_RECEIVED)


async def test_notices_recover_from_network_failures() -> None:
    async with (
        asyncio.timeout(WITHIN_S),
        healing.bad_server(healing.inbox_script()) as (url, received),
        Client(url, "a token") as client,
        client.inbox() as inbox,
    ):
        news = [await anext(inbox) for _ in healing.INBOX_FOUND]
    found = [[notice.number for notice in each.notices] for each in news]
    assert (found, received) == (healing.INBOX_FOUND, healing.INBOX_RECEIVED)


@pytest.mark.ci
async def test_all_notices_arrive_over_lost_connections(server: str, new_user: NewUser) -> None:
    user = await asyncio.to_thread(new_user)
    found: list[Notice] = []
    async with (
        cutting_proxy(server, seed=5) as proxy,
        asyncio.timeout(WITHIN_S),
        Client(proxy.url, await asyncio.to_thread(token_of, user)) as client,
        client.inbox(after=0) as inbox,
    ):
        async for news in inbox:
            found += news.notices
            if len(found) == TIMES:
                break
            await asyncio.to_thread(tell, user)
        assert proxy.cuts
        assert (inbox.number, news.last) == (TIMES, TIMES)
        assert found == (await client.list_notices(after=0)).notices


async def test_misuse_is_reported(server: str) -> None:
    async with Client(server) as client:
        await enter(client)
        game = await start(client, carcassonne.TYPES)
        table = client.table(game, carcassonne.TYPES)
        for wrong in (table.look(), anext(table), table.play(carcassonne.PassBet())):
            with pytest.raises(Misused, match="async with"):
                await wrong
        async with table:
            with pytest.raises(Problem) as refused:
                await table.legal_commands(0)
            assert (refused.value.code, refused.value.data["path"]) == ("malformed", "$.limit")
            assert (await table.look()).seat == 0, "and later answers belong to their requests"
            with pytest.raises(Misused, match="once"):
                await table.__aenter__()
            for of_this_loop in (client.me(), table.look()):
                with pytest.raises(Misused, match="event loop"):
                    await asyncio.to_thread(asyncio.run, of_this_loop)
        with pytest.raises(Misused, match="closed"):
            await table.look()
    with pytest.raises(Misused, match="closed"):
        await client.me()
    with pytest.raises(Misused, match="closed"):
        client.lobbies()
    for wrong_address in NO_ADDRESSES:
        with pytest.raises(Misused, match="no address"):
            Client(wrong_address)
    with pytest.raises(Misused, match="token"):
        await Client(server, "nobody\n").me()


async def test_a_call_is_cancelled_at_any_moment(server: str) -> None:
    async with asyncio.timeout(WITHIN_S), Client(server) as client:
        await enter(client)
        game = await start(client, carcassonne.TYPES)
        async with client.table(game, carcassonne.TYPES) as table:
            calls: list[Callable[[], Awaitable[object]]] = [
                client.me,
                table.look,
                table.legal_commands,
                lambda: table.play(carcassonne.PassBet()),
                lambda: table.send_message(""),
                lambda: anext(aiter(table)),
            ]
            for call in calls:
                for turns in (0, 1, 2, 4, 8, 16, 32, 64):
                    task = asyncio.ensure_future(call())
                    for _ in range(turns):
                        await asyncio.sleep(0)
                    task.cancel()
                    with suppress(asyncio.CancelledError, ServerError):
                        await task
            assert (await table.look()).seat == 0
            assert (await client.get_game(game)).id == game


@pytest.mark.ci
async def test_none_is_no_argument_that_breaks_a_function() -> None:
    problem = b'{"type":"about:blank","title":"","status":404,"code":"not_found"}'
    head = b"HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: %d"

    with_places = {operation.name for operation in Documents().operations if operation.places}
    requests = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        with suppress(asyncio.IncompleteReadError):
            asked = await reader.readuntil(b"\r\n\r\n")
            requests += 1
            size = re.search(rb"(?i)content-length: (\d+)", asked)
            await reader.readexactly(int(size[1]) if size else 0)
            writer.write(head % len(problem) + b"\r\nConnection: close\r\n\r\n" + problem)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with Client(url, log_keys=none) as client, asyncio.timeout(WITHIN_S):
            for name, call in inspect.getmembers(client, inspect.iscoroutinefunction):
                if not name.startswith("_"):
                    needed = inspect.signature(call).parameters.values()
                    values = [None for each in needed if each.default is each.empty]
                    asked, has_place = requests, name in with_places
                    with pytest.raises(Misused if has_place else ServerError):
                        await call(*values)
                    assert not has_place or requests == asked, f"{name} sent nothing"
        for wrong in (lambda: Client(none), lambda: client.table("x", none)):
            with pytest.raises(Misused):
                wrong()


async def test_a_head_that_cannot_be_stored_is_reported(tmp_path: Path) -> None:
    kept = Acknowledgements(tmp_path / "missing" / "file", "game", None)  # type: ignore[arg-type]
    fields = {"origin": "o", "name": "n", "game": "game", "version": 1, "hash": "07"}
    lines = "".join(f"{name} {value}\n" for name, value in fields.items())
    show = partial(kept.show, f"Railbird head 1\n{lines}\n— o x\n", 1, "07")
    show()
    assert kept._storing is not None
    async with asyncio.timeout(WITHIN_S):
        await kept._storing
        with pytest.raises(FileNotFoundError):
            show()
        with pytest.raises(FileNotFoundError):
            await kept.close()


def test_files_of_secrets_are_for_their_owner_alone(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.touch(0o644)
    for path in (old, new):
        append_line(path, b"1")
        assert path.stat().st_mode & 0o777 == 0o600


def test_lines_that_are_stored_at_the_same_time_are_all_stored(tmp_path: Path) -> None:
    lines = [b"%d" % number for number in range(200)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(partial(append_line, tmp_path / "file"), lines))
    assert sorted(lines) == sorted((tmp_path / "file").read_bytes().split())


async def test_a_server_that_opens_no_connection_gets_more_time_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value_s in {"OPEN_WITHIN_S": 0.05, "SILENT_MAX_S": 0.2, "GOOD_AFTER_S": 0.0}.items():
        monkeypatch.setattr(stream_module, name, value_s)
    monkeypatch.setattr(patience_module, "FIRST_S", 0.05)
    within_s: list[float | None] = []
    pauses: list[bool] = []
    has_tried = asyncio.Event()

    class Noted(stream_module.Connect):
        def __init__(self, *given: Any, open_timeout: float | None, **named: Any) -> None:
            super().__init__(*given, open_timeout=open_timeout, **named)
            within_s.append(open_timeout)

    class Impatient(patience_module.Patience):
        def pause_s(self, *, was_good: bool) -> float:
            pauses.append(was_good)
            if len(pauses) == 4:
                has_tried.set()
            return super().pause_s(was_good=was_good)

    monkeypatch.setattr(stream_module, "Connect", Noted)
    monkeypatch.setattr(stream_module, "Patience", Impatient)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        async with Client(url, "a token") as client, client.room("a"), asyncio.timeout(WITHIN_S):
            await has_tried.wait()
    assert (within_s[:4], pauses[:4]) == ([0.05, 0.1, 0.2, 0.2], [False] * 4)


async def test_players_talk_at_their_table(server: str) -> None:
    async with Client(server) as client:
        await enter(client)
        game = await start(client, carcassonne.TYPES)
        lobby = (await client.get_game(game)).lobby
        async with client.table(game, carcassonne.TYPES) as table:
            key = uuid4()
            version = await table.send_message("Good evening", id=key)
        async with client.room(lobby, after=version - 1) as room:
            assert await room.send_message("Good evening", id=key) == version, "it was sent once"


async def test_a_command_counts_once_under_its_id(server: str) -> None:
    async with Client(server) as client:
        await enter(client)
        game = await start(client, carcassonne.TYPES)
        async with client.table(game, carcassonne.TYPES) as table:
            view = await anext(table)
            assert isinstance(view, View)
            assert (view.seat, view.ended) == (0, "")
            while not (legal := (await table.legal_commands()).commands):
                await anext(table)  # the bot begins
            key = uuid4()
            first = await table.play(legal[0], id=key)
            assert await table.play(legal[0], id=key) == first
            with pytest.raises(Problem) as refused:
                await table.play(legal[-1], id=key)
            assert refused.value.code == "command_id_reused"


async def test_problems_have_a_code_and_a_status(server: str) -> None:
    async with Client(server) as client:
        with pytest.raises(Problem) as nobody:
            await client.list_accounts()
        assert (nobody.value.code, nobody.value.status) == ("unauthenticated", 401)
        await enter(client)
        with pytest.raises(Problem) as unknown:
            await client.create_lobby(NewLobby(slug="chess"))
        assert (unknown.value.code, unknown.value.status) == ("unknown_game", 404)
        assert "ready_set_bet" in unknown.value.data["known"]


async def test_a_rejected_client_gets_the_close_code_and_the_error_code(server: str) -> None:
    async with Client(server) as client:
        await enter(client)
        async with client.table(uuid4(), ascot.TYPES) as table:
            with pytest.raises(Closed) as closed:
                await anext(table)
            assert (closed.value.close_code, closed.value.code) == (4404, "not_found")
            with pytest.raises(Closed):
                await table.play(ascot.Ready())
        async with client.table("not-an-id", ascot.TYPES) as table:
            with pytest.raises(Closed) as closed:
                await anext(table)
            assert (closed.value.close_code, closed.value.code) == (4404, "not_found")
    async with (
        Client(server, "nobody's") as stranger,
        stranger.table(uuid4(), quitte_ou_double.TYPES) as table,
    ):
        with pytest.raises(Closed) as closed:
            await anext(table)
        assert (closed.value.close_code, closed.value.code) == (4401, "unauthenticated")


async def test_a_server_that_does_not_respond_is_unreachable() -> None:
    async with Client("http://127.0.0.1:9") as client:
        with pytest.raises(Unreachable):
            await client.create_guest()


async def test_acknowledgements_are_kept_and_compared(server: str, tmp_path: Path) -> None:
    path = tmp_path / "acknowledgements"
    async with Client(server) as client, asyncio.timeout(WITHIN_S):
        await enter(client)
        game = await start(client, carcassonne.TYPES)
        command_id = uuid4()
        async with client.table(game, carcassonne.TYPES, acknowledgements=path) as table:
            while not (legal := (await table.legal_commands()).commands):
                await anext(table)  # the bot begins
            accepted = await table.play(legal[0], id=command_id)
            assert await table.play(legal[0], id=command_id) == accepted
        lines = [line for line in path.read_text().splitlines() if "acknowledgement 2" in line]
        (line,) = lines
        (kept,) = (note for note in kept_in(path) if not note.is_head)
        assert (kept.version, kept.fields["hash"]) == (accepted.version, accepted.hash)
        assert [note.version for note in kept_in(path) if note.is_head][-1] >= 1
        assert await client.compare(path) == len([*kept_in(path)])
        forged = line.replace(accepted.hash, 64 * "0")
        path.write_text(f"{forged}\n{line[:40]}")
        with pytest.raises(NoEvidence):
            await client.compare(path)
        async with client.table(game, carcassonne.TYPES, after=0, acknowledgements=path) as table:
            for version in range(1, accepted.version):
                assert (await anext(table)).version == version
            with pytest.raises(Contradicted):
                await anext(table)
        path.write_text(f"{line[:40]}")
        said = line[: line.index(r"\nlog ")]  # the second one names a newer checkpoint
        async with client.table(game, carcassonne.TYPES, acknowledgements=path) as table:
            await table.play(legal[0], id=command_id)
        assert said in path.read_text()


async def test_a_note_is_kept_although_the_log_cannot_be_read(server: str, tmp_path: Path) -> None:
    """The author is still to check, also in the next run, which finds the note."""
    path, command_id = tmp_path / "notes", uuid4()
    silent = Refusal("GET", "/checkpoint/", is_received=False, found="not_found")
    with lying_server(server, silent) as url:
        async with Client(url, entropy=False) as client, asyncio.timeout(WITHIN_S):
            await enter(client)
            game = await start(client, carcassonne.TYPES)
            async with client.table(game, carcassonne.TYPES, acknowledgements=path) as table:
                while not (legal := (await table.legal_commands()).commands):
                    await anext(table)  # the bot begins
                with pytest.raises(Problem):
                    await table.play(legal[0], id=command_id)
            async with client.table(game, carcassonne.TYPES, acknowledgements=path) as table:
                with pytest.raises(Problem):
                    await table.play(legal[0], id=command_id)
    assert len([note for note in kept_in(path) if not note.is_head]) == 1


async def test_signed_heads_are_kept_while_the_log_cannot_be_read(
    server: str, new_game: NewGame, tmp_path: Path
) -> None:
    path, game = tmp_path / "notes", await asyncio.to_thread(new_game)
    silent = Refusal("GET", "/checkpoint/", is_received=False, found="not_found")
    await asyncio.to_thread(until, lambda: signing_log() is not None, "a log that names the key")

    def is_kept(version: int) -> bool:
        return [note.version for note in kept_in(path)][-1:] == [version]

    async with asyncio.timeout(WITHIN_S):
        with lying_server(server, silent) as url:
            async with Client(url) as client:
                await enter(client)
                async with client.table(game.id, ANY_GAME, acknowledgements=path) as table:
                    for version in (1, 2):
                        assert (await anext(table)).version == version
                        await asyncio.to_thread(until, partial(is_kept, version), "a head")
                        await asyncio.to_thread(take, game, version)
        await asyncio.to_thread(event_loop.call, corrections.void(game.id, "The test is over."))
        async with Client(server) as client:
            await enter(client)
            last = (await client.get_game(game.id)).version
            ended = client.table(game.id, ANY_GAME, after=last, acknowledgements=path)
            async with ended:
                assert [news async for news in ended] == [], "it showed nothing to sign"
