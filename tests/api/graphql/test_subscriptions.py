"""Following a game over graphql-transport-ws: a real socket to a real web process."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from accounts import tokens
from accounts.models import User
from games import loop, services
from games.engine import Seat
from games.models import Game, Lobby
from games.models import Seat as LobbySeat

NewGame = Callable[..., Game]
NewUser = Callable[[], User]

pytestmark = pytest.mark.xdist_group("web")

FOLLOW = """subscription ($game: UUID!, $after: Integer) { gameCommits(game: $game, after: $after)
    { version hash events { ... on BetPlaced { seat spot } } } }"""


class Follower:
    """A plain client of the protocol."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def next(self, kind: str) -> dict[str, Any]:
        """The next message of this kind; others are passed over."""
        async with asyncio.timeout(20):
            while True:
                message: dict[str, Any] = json.loads(await self.connection.recv())
                if message["type"] == kind:
                    return message

    async def subscribe(self, query: str, name: str = "1", **variables: Any) -> None:
        await self.send(id=name, type="subscribe", payload={"query": query, "variables": variables})

    async def commits(self, until: int) -> list[dict[str, Any]]:
        """Commits up to a version."""
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["version"] < until:
            payload = (await self.next("next"))["payload"]
            assert "errors" not in payload, payload
            seen += payload["data"]["gameCommits"]
        return seen

    async def closed(self) -> int | None:
        async with asyncio.timeout(20):
            try:
                while True:
                    await self.connection.recv()
            except ConnectionClosed:
                return self.connection.close_code


@asynccontextmanager
async def following(address: str, token: str | None) -> AsyncIterator[Follower]:
    protocols = [Subprotocol("graphql-transport-ws")]
    async with connect(f"ws://{address}/graphql/", subprotocols=protocols, ping_interval=None) as connection:
        follower = Follower(connection)
        await follower.send(type="connection_init", payload={"token": token})
        yield follower


@sync_to_async
def seated(new_game: NewGame) -> tuple[Game, list[str]]:
    game = new_game()
    seats = LobbySeat.objects.filter(lobby=game.lobby).order_by("number").select_related("user")
    return game, [tokens.begin_session(seat.user).text for seat in seats if seat.user is not None]


@sync_to_async
def take(game: Game, seat: int, spot: int) -> None:
    command = json.dumps({"type": "take_spot", "spot": spot}).encode()
    loop.call(services.play(game.id, Seat(seat), command, uuid4()))


async def test_commits_come_from_any_version_on_without_a_gap(address: str, new_game: NewGame) -> None:
    game, held = await seated(new_game)
    for spot in range(3):
        await take(game, 0, spot)
    async with following(address, held[1]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=2)
        assert [commit["version"] for commit in await follower.commits(until=4)] == [3, 4]
        for spot in range(3, 9):
            await take(game, 0, spot)
        commits = await follower.commits(until=10)
        assert [commit["version"] for commit in commits] == list(range(5, 11))
        assert commits[-1]["events"] == [{"seat": 0, "spot": "8"}]


async def test_it_completes_when_the_game_has_ended(address: str, new_game: NewGame) -> None:
    game, held = await seated(new_game)
    async with following(address, held[1]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=1)
        await take(game, 0, 5)
        await follower.commits(until=2)
        assert await sync_to_async(loop.call)(services.void(game.id, "nobody came back"))
        await follower.commits(until=3)
        assert (await follower.next("complete"))["id"] == "1"
        await follower.subscribe(FOLLOW, "2", game=str(game.id), after=1)
        assert [commit["version"] for commit in await follower.commits(until=3)] == [2, 3]
        assert (await follower.next("complete"))["id"] == "2"


async def test_without_a_version_it_begins_at_the_head(address: str, new_game: NewGame) -> None:
    game, held = await seated(new_game)
    async with following(address, held[0]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id))
        play = """mutation ($game: UUID!, $id: UUID!) { play(game: $game, id: $id, command: {freeSpots: {takeSpot: {spot: 5}}})
            { ... on Commit { version } ... on Problem { code } } }"""
        await follower.subscribe(play, "2", game=str(game.id), id=str(uuid4()))
        found = [await follower.next("next"), await follower.next("next")]
        answers = {message["id"]: message["payload"]["data"] for message in found}
        assert answers["2"]["play"] == {"version": 2}
        assert [commit["version"] for commit in answers["1"]["gameCommits"]] == [2]
        await follower.send(id="1", type="complete")


async def test_refusals_say_what_the_socket_of_the_game_says(address: str, new_game: NewGame, new_user: NewUser) -> None:
    game, held = await seated(new_game)
    stranger = await sync_to_async(lambda: tokens.begin_session(new_user()).text)()

    async def refusal(token: str, wanted: UUID, after: int | None) -> tuple[int, str]:
        async with following(address, token) as follower:
            await follower.next("connection_ack")
            await follower.subscribe(FOLLOW, game=str(wanted), after=after)
            payload = (await follower.next("next"))["payload"]
            told = payload["errors"][0]["extensions"]
            return told["status"], told["code"]

    assert await refusal(held[0], game.id, 99) == (409, "version_ahead")
    assert await refusal(held[0], uuid4(), None) == (404, "not_found")
    await Lobby.objects.filter(id=game.lobby_id).aupdate(visibility=Lobby.Visibility.INVITE)
    assert await refusal(stranger, uuid4(), 0) == (404, "not_found")


@pytest.mark.parametrize("token", [None, "nonsense"])
async def test_who_has_no_token_that_holds_is_not_let_in(address: str, token: str | None) -> None:
    async with following(address, token) as follower:
        assert await follower.closed() == 4401


async def test_a_revoked_token_ends_the_connection(address: str, new_game: NewGame) -> None:
    game, held = await seated(new_game)
    async with following(address, held[0]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=0)
        await follower.commits(until=1)
        caller = await sync_to_async(tokens.caller_with)(held[0])
        assert caller is not None
        await sync_to_async(tokens.revoke)(caller)
        assert await follower.closed() == 4401


async def test_one_connection_follows_so_much_and_no_more(address: str, new_game: NewGame) -> None:
    game, held = await seated(new_game)
    async with following(address, held[0]) as follower:
        await follower.next("connection_ack")
        for number in range(33):
            await follower.subscribe(FOLLOW, str(number), game=str(game.id))
        error = await follower.next("error")
        assert error["id"] == "32"
        assert error["payload"][0]["extensions"]["code"] == "too_many_commands"


async def test_another_protocol_is_not_spoken(address: str) -> None:
    with pytest.raises(Exception, match="403"):
        await connect(f"ws://{address}/graphql/", subprotocols=[Subprotocol("graphql-ws")])
