"""The game socket over a real web process: stream, commands, resume, limits and access."""

import asyncio
import json
from typing import Any
from unittest.mock import ANY
from uuid import UUID, uuid4

import httpx
import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from websockets.asyncio.client import connect

from accounts.models import Token
from accounts.tokens import REVOKED, Scope, digest_of, revoke_all
from bench.free_spots import SPOTS
from games import lobbies
from games.api.sockets import connection_registry, frame_socket, websocket_connection
from games.api.sockets import game as game_sockets
from games.api.sockets.frames import Accepted
from games.play import corrections
from kit import event_loop, pubsub
from tests.api.sockets import (
    Client,
    close_store,
    joined,
    limited_token,
    opened,
    player,
    seated,
    token_of,
)
from tests.builders import NewGame, NewUser, start_game
from tests.moves import take
from tests.waiting import WITHIN_S


def ending(version: int, ended: str) -> dict[str, Any]:
    """The heartbeat of a game that has ended."""
    times = {"next_at": None, "now": ANY, "head": None}
    return {"type": "heartbeat", "version": version, "ended": ended, **times}


async def test_a_view_comes_first_then_commits_as_they_happen(
    address: str, new_game: NewGame
) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0]) as client:
        view = await client.next("view")
        assert (view["version"], view["seat"], view["ended"]) == (1, 0, "")
        command_id = await client.play(7)
        accepted = await client.next("accepted")
        assert (accepted["id"], accepted["version"]) == (command_id, 2)
        await sync_to_async(take)(game, 8, 1)
        commits = await client.commits(until=3)
        assert [commit["version"] for commit in commits] == [2, 3]
        assert commits[-1]["events"] == [
            {"type": "bet_placed", "bet": 2, "seat": 1, "spot": "8", "stake": 1, "odds": "1x"}
        ]


async def test_legal_commands_are_listed_at_the_head_and_accepted(
    address: str, new_game: NewGame, new_user: NewUser
) -> None:
    game, tokens = await seated(new_game)
    stranger = await sync_to_async(lambda: token_of(new_user()))()
    ask = json.dumps({"type": "list_legal_commands", "limit": 2})
    async with (
        joined(address, game.id, tokens[0]) as client,
        joined(address, game.id, stranger) as spectator,
    ):
        await sync_to_async(take)(game, 0, 1)
        await client.connection.send(ask)
        legal = await client.next("legal_commands")
        commands = [{"type": "take_spot", "spot": spot} for spot in (1, 2)]
        assert (legal["version"], legal["commands"], legal["is_complete"]) == (2, commands, False)
        await client.play(legal["commands"][0]["spot"])
        assert (await client.next("accepted"))["version"] == 3
        await spectator.connection.send(ask)
        seen = await spectator.next("legal_commands")
        assert (seen["version"], seen["commands"], seen["is_complete"]) == (3, [], True)


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type":"dance"}',
        '{"type":"play"}',
        '{"type":"look","extra":1}',
        '{"type":"play","id":3}',
        '{"type":"dance","type":"look"}',
        '{"type":"look","ty\\u0070e":"look"}',
        '{"type":"dance","extra":1e999}',
    ],
)
async def test_a_malformed_frame_gets_an_error_and_the_connection_stays_open(
    address: str, new_game: NewGame, frame: str
) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0]) as client:
        await client.connection.send(frame)
        assert (await client.next("error"))["code"] == "malformed"
        await client.play(1)
        assert (await client.next("accepted"))["version"] == 2


@pytest.mark.parametrize(
    "request_",
    [
        {"type": "look"},
        {"type": "list_legal_commands", "limit": 2},
        {"type": "list_legal_commands", "limit": 0},
        {"type": "look", "extra": 1},
        {"type": "dance"},
        {"type": "play"},
        {"type": "play", "command": {"type": "take_spot", "spot": 1}, "not_after": "never"},
        {"type": "send_message", "text": ""},
    ],
    ids=json.dumps,
)
async def test_an_answer_has_the_id_of_its_request(
    address: str, new_game: NewGame, request_: dict[str, object]
) -> None:
    game, tokens = await seated(new_game)
    kinds = {"look": "view", "list_legal_commands": "legal_commands"}
    is_valid = request_.keys() <= {"type", "limit"} and request_.get("limit") != 0
    expected = kinds.get(str(request_["type"])) if is_valid else None
    async with joined(address, game.id, tokens[0]) as client:
        await client.next("view")
        first, second = str(uuid4()), str(uuid4())
        await client.connection.send(json.dumps({**request_, "id": first}))
        await client.connection.send(json.dumps({"type": "look", "id": second}))
        # A heartbeat may come between.
        answers = [await client.next(kind) for kind in (expected or "refused", "view")]
    assert [each["id"] for each in answers] == [first, second]
    assert expected or answers[0]["code"] == "malformed"


@pytest.mark.parametrize("path", ["graphql/", "ws/v1/lobbies", f"ws/v1/games/{UUID(int=1)}"])
def test_handshakes_name_an_allowed_host(address: str, path: str) -> None:
    upgrade = {
        "Host": "elsewhere.example",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    answer = httpx.get(f"http://{address}/{path}", headers=upgrade, timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


async def test_the_keys_of_a_command_are_not_those_of_its_frame(
    address: str, new_game: NewGame
) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0]) as client:
        for command, path in (
            ('{"type":"take_spot","spot":1,"spot":2}', "$.command"),
            ('{"type":"take_spot","spot":1}', None),
        ):
            frame = f'{{ "type": "play", "id": "{uuid4()}", "command": {command} }}'
            await client.connection.send(frame)
            answer = await client.frame()
            while answer["type"] not in {"refused", "accepted"}:
                answer = await client.frame()
            assert answer.get("data", {}).get("path") == path


async def test_resuming_sends_exactly_the_missed_commits(address: str, new_game: NewGame) -> None:
    game, tokens = await seated(new_game)
    for spot in range(30):
        await sync_to_async(take)(game, spot, spot % 2)
    for known in (0, 1, 7, 30, 31):
        async with joined(address, game.id, tokens[0], f"?after={known}") as client:
            if known < 31:
                commits = await client.commits(until=31)
                assert [commit["version"] for commit in commits] == list(range(known + 1, 32))
            else:
                beat = await client.next("heartbeat")
                assert (beat["version"], beat["ended"]) == (known, ""), "with the server's time"
                await client.play(40)
                assert [commit["version"] for commit in await client.commits(until=32)] == [32]


@pytest.mark.parametrize(
    ("query", "code"),
    [("?after=99", "version_ahead"), ("?after=-1", "malformed"), ("?after=x", "malformed")],
)
async def test_resuming_from_a_future_version_is_rejected(
    address: str, new_game: NewGame, query: str, code: str
) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0], query) as client:
        closed, last = await client.closed()
        assert (closed, last["code"]) == (4404, code)


@pytest.mark.parametrize("where", ["here", "elsewhere"])
async def test_the_end_is_reported_right_after_the_last_commit(
    address: str, new_game: NewGame, where: str
) -> None:
    game = await sync_to_async(new_game)(1, boards=1)
    token = await sync_to_async(lambda: token_of(player(game, 0)))()
    for spot in range(SPOTS - 1):
        await sync_to_async(take)(game, spot, 0)
    last = SPOTS + 1
    async with joined(address, game.id, token, f"?after={last - 1}") as client:
        if where == "here":
            await client.play(SPOTS - 1)
        else:
            await sync_to_async(take)(game, SPOTS - 1, 0)
        await client.commits(until=last)
        assert await client.frame() == ending(last, "finished")
        assert await sync_to_async(event_loop.call)(
            corrections.void(game.id, "the board was loaded")
        )
        await client.commits(until=last + 1)
        assert await client.frame() == ending(last + 1, "voided")
    for known in (1, last + 1):
        async with joined(address, game.id, token, f"?after={known}") as client:
            if known <= last:
                await client.commits(until=last + 1)
            assert await client.frame() == ending(last + 1, "voided")


async def test_joining_a_running_game_neither_misses_nor_repeats_a_commit(
    address: str, new_game: NewGame
) -> None:
    game, tokens = await seated(new_game)

    async def play_all() -> None:
        async with joined(address, game.id, tokens[0]) as client:
            for spot in range(60):
                await client.play(spot)
                await client.next("accepted")

    async def watch(known: int) -> list[int]:
        async with joined(address, game.id, tokens[1], f"?after={known}") as client:
            return [commit["version"] for commit in await client.commits(until=61)]

    watched = await asyncio.gather(play_all(), *(watch(1) for _ in range(10)))
    assert watched[1:] == [list(range(2, 62))] * 10


async def test_the_first_frame_can_contain_the_token(address: str, new_game: NewGame) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, None) as client:
        await client.connection.send(json.dumps({"type": "authenticate", "token": tokens[1]}))
        assert (await client.next("view"))["seat"] == 1


@pytest.mark.parametrize(
    "first", ['{"type":"authenticate","token":"nobody"}', '{"type":"look"}', "{"]
)
async def test_an_unauthenticated_client_is_disconnected(
    address: str, new_game: NewGame, first: str
) -> None:
    game, _ = await seated(new_game)
    async with joined(address, game.id, None) as client:
        await client.connection.send(first)
        assert (await client.closed())[0] == 4401


async def test_revoking_a_token_closes_its_sockets(address: str, new_game: NewGame) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0]) as client:
        await client.next("view")
        # No hint is sent: the periodic check finds that the row is gone.
        await Token.objects.filter(digest=digest_of(tokens[0])).adelete()
        assert (await client.closed())[0] == 4401


@pytest.mark.parametrize(
    "path", ["ws/v1/games/not-an-id", "ws/v1/lobbies/1", "ws/v1/nope", "foo", ""]
)
async def test_an_unknown_path_is_reported_without_authentication(address: str, path: str) -> None:
    async with connect(f"ws://{address}/{path}") as connection:
        code, last = await Client(connection).closed()
    assert (code, last) == (4404, {"type": "error", "code": "not_found", "data": {}})


async def test_an_answer_that_cannot_be_encoded_is_unknown_to_its_player_alone(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tokens = await seated(new_game)
    encode = websocket_connection.encode

    def fails(frame: Any) -> bytes:
        assert not isinstance(frame, Accepted) or frame.version != 2
        return encode(frame)

    monkeypatch.setattr(frame_socket, "encode", fails)

    async def plays(*moves: tuple[Any, int]) -> list[tuple[str, Any]]:
        for socket, spot in moves:
            command = {"type": "take_spot", "spot": spot}
            text = json.dumps({"type": "play", "id": str(uuid4()), "command": command})
            await socket.send_input({"type": "websocket.receive", "text": text})
        answers = []
        for socket, _ in moves:
            answer = {"type": "commits"}
            while answer["type"] == "commits":
                answer = json.loads((await socket.receive_output(30))["text"])
            answers.append((answer["type"], answer.get("code", answer.get("version"))))
        return answers

    try:
        first, second = [await opened(game, token) for token in tokens]
        found = await plays((first, 0), (second, 1))
        assert found == [("refused", "outcome_unknown"), ("accepted", 3)]
        assert await plays((first, 2)) == [("accepted", 4)]
        for socket in (first, second):
            await socket.send_input({"type": "websocket.disconnect", "code": 1000})
            await socket.wait(30)
    finally:
        await close_store()


async def test_revoking_closes_sockets_at_once(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The periodic check is off in this test, which needs the hint."""
    monkeypatch.setattr(connection_registry, "CHECK_EVERY_S", 3600.0)
    game, (first, second) = await seated(new_game)
    user = await sync_to_async(player)(game, 1)

    async def closed(socket: Any) -> int:
        while (message := await socket.receive_output(30))["type"] != "websocket.close":
            pass
        await socket.wait(30)
        return int(message["code"])

    try:
        socket = await opened(game, first)
        await Token.objects.filter(digest=digest_of(first)).adelete()
        while socket.output_queue.empty():  # until this process listens
            await pubsub.publish(REVOKED, {})
        assert await closed(socket) == 4401
        socket = await opened(game, second)
        await sync_to_async(revoke_all)(user)
        assert await closed(socket) == 4401
    finally:
        await close_store()


@pytest.mark.parametrize("query", [b"", b"after=0"])
async def test_a_client_that_does_not_read_while_it_joins_is_counted_and_disconnected(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch, query: bytes
) -> None:
    """There is no network, because its buffers would take megabytes before anything waits."""
    monkeypatch.setattr(connection_registry, "CHECK_EVERY_S", 0.05)
    game, (token, _) = await seated(new_game)
    received, open_ones = list[Any](), list[int]()

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        received.append(message)
        if [one["type"] for one in received] == ["websocket.accept", "websocket.send"]:
            open_ones.append(len(connection_registry.connection_registry().outboxes()))
            await asyncio.Event().wait()

    scope = {
        "type": "websocket",
        "path": f"/ws/v1/games/{game.id}",
        "headers": [(b"authorization", f"Bearer {token}".encode())],
        "query_string": query,
    }
    try:
        async with asyncio.timeout(WITHIN_S):
            await URLRouter(game_sockets.websocket_urlpatterns)(scope, receive, send)
    finally:
        await close_store()
    assert open_ones == [1]
    assert [one["type"] for one in received[2:]] == ["websocket.send", "websocket.close"]
    assert received[-1]["code"] == 4408


async def test_a_token_without_the_scope_neither_watches_nor_plays(
    address: str, new_game: NewGame
) -> None:
    game, _ = await seated(new_game)
    user = await sync_to_async(player)(game, 0)
    async with joined(
        address, game.id, await sync_to_async(limited_token)(user, Scope.PLAY)
    ) as client:
        code, last = await client.closed()
        assert (code, last["code"], last["data"]) == (4403, "scope_missing", {"scope": "read"})
    async with joined(
        address, game.id, await sync_to_async(limited_token)(user, Scope.READ)
    ) as client:
        assert (await client.next("view"))["seat"] == 0
        await client.play(1)
        refused = await client.next("refused")
        assert (refused["code"], refused["data"], refused["version"]) == (
            "scope_missing",
            {"scope": "play"},
            None,
        )


async def test_the_game_of_an_invite_only_lobby_does_not_exist_for_strangers(
    address: str, new_user: NewUser
) -> None:
    def hidden_game() -> tuple[UUID, str]:
        host = new_user()
        lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", visibility="invite"))
        return start_game(host, lobby.id).id, token_of(new_user())

    game, token = await sync_to_async(hidden_game)()
    async with joined(address, game, token) as client:
        hidden = await client.closed()
    async with joined(address, uuid4(), token) as client:
        assert await client.closed() == hidden
    assert hidden[0] == 4404


async def test_a_binary_frame_closes_the_connection(address: str, new_game: NewGame) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0]) as client:
        await client.next("view")
        await client.connection.send(b"\x00\x01")
        assert (await client.closed())[0] == 1003


async def test_a_frame_that_is_too_large_closes_the_connection(
    address: str, new_game: NewGame
) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0]) as client:
        await client.next("view")
        await client.connection.send("x" * 70_000)
        assert (await client.closed())[0] == 1009


async def test_too_many_concurrent_commands_are_rejected_and_not_queued(
    address: str, new_game: NewGame
) -> None:
    game, tokens = await seated(new_game)
    async with joined(address, game.id, tokens[0]) as client:
        ids = {await client.play(spot) for spot in range(60)}
        answers: dict[str, str] = {}
        while answers.keys() != ids:
            frame = json.loads(await client.connection.recv())
            if frame["type"] in {"accepted", "refused"}:
                answers[frame["id"]] = frame.get("code", "accepted")
        assert set(answers.values()) <= {"accepted", "too_many_commands"}
