"""Subscriptions over graphql-transport-ws: a real socket to a real web process."""

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from accounts import tokens
from accounts.models import User
from games import lobbies
from games.api.sockets import connection_registry
from games.models import Game, Lobby, Presence
from games.models import Seat as LobbySeat
from games.play import absence, corrections
from gameserver.http import graphql
from kit import event_loop
from railbird_engine import Seat
from tests.api.graphql.client import PROTOCOL, Calls, following
from tests.api.rest import Caller
from tests.api.sockets import player
from tests.builders import NewGame, NewUser, start_game
from tests.moves import take
from tests.notices.scene import fact, tell
from tests.waiting import WITHIN_S, until

FOLLOW = """subscription ($game: UUID!, $after: Integer) { gameCommits(game: $game, after: $after)
    { version hash events { ... on BetPlaced { seat spot } } } }"""


NEWS = """subscription ($slug: String, $after: Integer) { lobbies(slug: $slug, after: $after) {
  __typename
    ... on Lobbies { type cursor complete lobbies { id yourSeat game { id } } }
    ... on LobbyChanges { type cursor gone
        lobbies { id title status inviteCode options { ... on FreeSpotsOptions { boards } } game {
          id version } } } } }"""


@sync_to_async
def seated(new_game: Callable[[], Game]) -> tuple[Game, list[str]]:
    game = new_game()
    seats = LobbySeat.objects.filter(lobby=game.lobby).order_by("number").select_related("user")
    return game, [tokens.begin_session(seat.user).text for seat in seats if seat.user is not None]


async def test_commits_arrive_from_any_version_without_a_gap(
    address: str, new_game: NewGame
) -> None:
    game, held = await seated(new_game)
    for spot in range(3):
        await sync_to_async(take)(game, spot)
    async with following(address, held[1]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=2)
        assert [commit["version"] for commit in await follower.commits(until=4)] == [3, 4]
        for spot in range(3, 9):
            await sync_to_async(take)(game, spot)
        commits = await follower.commits(until=10)
        assert [commit["version"] for commit in commits] == list(range(5, 11))
        assert commits[-1]["events"] == [{"seat": 0, "spot": "8"}]


async def test_notices_arrive_from_any_number_without_a_gap(
    address: str, new_user: NewUser
) -> None:
    user = await sync_to_async(new_user)()
    token = await sync_to_async(lambda: tokens.begin_session(user).text)()
    await sync_to_async(tell)(*(fact(user) for _ in range(3)))
    async with following(address, token) as follower:
        await follower.next("connection_ack")
        query = "subscription { notices(after: 1) { last notices { number kind } } }"
        await follower.subscribe(query)
        for numbers in ([2, 3], [4]):
            news = (await follower.next("next"))["payload"]["data"]["notices"]
            assert [each["number"] for each in news["notices"]] == numbers
            assert news["last"] == numbers[-1]
            await sync_to_async(tell)(fact(user))


async def test_results_are_shared_only_by_those_who_ask_for_the_same(
    address: str, new_game: NewGame
) -> None:
    game, held = await seated(new_game)
    query = """subscription ($game: UUID!, $after: Integer, $hashed: Boolean!) {
      gameCommits(game: $game, after: $after) { version hash @include(if: $hashed) } }"""
    asked = (False, True, False)
    async with AsyncExitStack() as stack:
        followers = [await stack.enter_async_context(following(address, held[1])) for _ in asked]
        for follower, hashed in zip(followers, asked, strict=True):
            await follower.next("connection_ack")
            await follower.subscribe(query, game=str(game.id), after=1, hashed=hashed)
        for spot in (5, 6, 7):  # the first may come with what was missed
            await sync_to_async(take)(game, spot)
            for follower, hashed in zip(followers, asked, strict=True):
                (commit,) = await follower.commits(until=spot - 3)
                assert set(commit) == ({"version", "hash"} if hashed else {"version"})


def exchange_a_card(game: Game) -> tuple[int, int]:
    """Play until a seat of L'Ascot has drawn a card that only it may see. Return the seat and the
    version."""
    seats = [(seat, Caller(player(game, seat))) for seat in range(2)]
    for seat, caller in itertools.cycle(seats):
        for command in caller.get(f"/games/{game.id}/legal/").data["commands"][:1]:
            answer = caller.play(game.id, command)
            assert answer.status == 201, answer.data
            if command["type"] == "exchange":
                return seat, answer.data["version"]
    raise AssertionError


async def test_equal_requests_of_different_viewers_share_no_secret(
    address: str, new_game: NewGame, new_user: NewUser
) -> None:
    game, held = await seated(partial(new_game, slug="ascot"))
    held.append(await sync_to_async(lambda: tokens.begin_session(new_user()).text)())
    query = """subscription ($game: UUID!) { gameCommits(game: $game, after: 1) {
      version events { __typename } } }"""
    async with AsyncExitStack() as stack:
        followers = [await stack.enter_async_context(following(address, text)) for text in held * 2]
        for follower in followers:
            await follower.next("connection_ack")
            await follower.subscribe(query, game=str(game.id))
        owners = []
        for _ in range(2):
            seat, until = await sync_to_async(exchange_a_card)(game)
            owners.append(seat)
            for place, follower in enumerate(followers):
                commits = await follower.commits(until=until)
                kinds = [event["__typename"] for event in commits[-1]["events"]]
                assert ("AscotCardTaken" in kinds) == (place % 3 == seat)
        assert {*owners} == {0, 1}


async def test_it_completes_when_the_game_has_ended(address: str, new_game: NewGame) -> None:
    game, held = await seated(new_game)
    async with following(address, held[1]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=1)
        await sync_to_async(take)(game, 5)
        await follower.commits(until=2)
        assert await sync_to_async(event_loop.call)(corrections.void(game.id, "nobody came back"))
        await follower.commits(until=3)
        assert (await follower.next("complete"))["id"] == "1"
        await follower.subscribe(FOLLOW, "2", game=str(game.id), after=1)
        assert [commit["version"] for commit in await follower.commits(until=3)] == [2, 3]
        assert (await follower.next("complete"))["id"] == "2"


async def test_following_a_game_counts_as_presence_and_returns_the_seat(
    address: str, new_game: NewGame
) -> None:
    game, held = await seated(new_game)
    assert await sync_to_async(event_loop.call)(absence.replace(game.id, Seat(1), forfeits=False))
    async with following(address, held[1]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=2)
        assert [commit["version"] for commit in await follower.commits(until=3)] == [3], (
            "the seat is handed back"
        )
        here = await present(game.lobby_id, True)
        assert here.user_id == await sync_to_async(
            LobbySeat.objects.values_list("user_id", flat=True).get
        )(lobby=game.lobby_id, number=1)
        await follower.send(id="1", type="complete")
        assert (await present(game.lobby_id, False)).disconnect_reason == "left"
        await follower.subscribe(FOLLOW, "2", game=str(game.id), after=2)
        await present(game.lobby_id, True)
        follower.connection.transport.abort()
        assert (await present(game.lobby_id, False)).disconnect_reason == "lost"
    async with following(address, held[1]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=2)
        await present(game.lobby_id, True)
        caller = await sync_to_async(tokens.caller_with)(held[1])
        assert caller is not None
        await sync_to_async(tokens.revoke)(caller)
        assert (await present(game.lobby_id, False)).disconnect_reason == "closed"


@sync_to_async
def present(lobby: UUID, connected: bool) -> Presence:
    """Return the only user of a lobby once they are connected, or disconnected."""
    rows = Presence.objects.filter(lobby_id=lobby)
    until(lambda: list(rows.values_list("connected", flat=True)) == [connected], "presence")
    return rows.get()


async def test_without_a_version_it_begins_at_the_head(address: str, new_game: NewGame) -> None:
    game, held = await seated(new_game)
    async with following(address, held[0]) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id))
        play = """mutation ($game: UUID!, $id: UUID!, $spot: Integer!) {
            play(game: $game, id: $id, command: {freeSpots: {takeSpot: {spot: $spot}}}) {
            ... on Committed { version } ... on Problem { code } } }"""
        received: list[int] = []
        for spot in range(12):  # until the subscription has begun
            answer: dict[str, Any] = {}
            await follower.subscribe(
                play, f"play {spot}", game=str(game.id), id=str(uuid4()), spot=spot
            )
            while not answer:
                message = await follower.next("next")
                data = message["payload"]["data"]
                if message["id"] == f"play {spot}":
                    answer = data["play"]
                else:
                    received += [commit["version"] for commit in data["gameCommits"]]
            assert answer == {"version": spot + 2}
            if received:
                break
        assert received == list(range(received[0], received[-1] + 1)) and received[0] >= 2
        await follower.send(id="1", type="complete")


async def test_rejections_match_those_of_the_game_socket(
    address: str, new_game: NewGame, new_user: NewUser
) -> None:
    game, held = await seated(new_game)
    stranger = await sync_to_async(lambda: tokens.begin_session(new_user()).text)()

    async def refusal(token: str, wanted: UUID, after: int | None) -> tuple[int, str]:
        async with following(address, token) as follower:
            await follower.next("connection_ack")
            await follower.subscribe(FOLLOW, game=str(wanted), after=after)
            payload = (await follower.next("next"))["payload"]
            received = payload["errors"][0]["extensions"]
            return received["status"], received["code"]

    assert await refusal(held[0], game.id, 99) == (409, "version_ahead")
    assert await refusal(held[0], uuid4(), None) == (404, "not_found")
    await Lobby.objects.filter(id=game.lobby_id).aupdate(visibility="invite")
    assert await refusal(stranger, uuid4(), 0) == (404, "not_found")


@pytest.mark.parametrize("name", ["Authorization", "authorization"])
async def test_a_token_in_the_connection_payload_is_accepted(
    address: str, new_user: NewUser, name: str
) -> None:
    """GraphiQL sends its token there, because a browser cannot set headers."""
    _, token = await person(new_user)
    async with following(address, None, **{name: f"Bearer {token}"}) as follower:
        await follower.next("connection_ack")
        await follower.subscribe("{ me { isGuest } }")
        assert (await follower.next("next"))["payload"]["data"] == {"me": {"isGuest": False}}


@pytest.mark.parametrize("token", [None, "nonsense"])
async def test_a_client_without_a_valid_token_is_rejected(address: str, token: str | None) -> None:
    async with following(address, token) as follower:
        assert await follower.closed() == 4401


async def test_a_ban_ends_the_connection_of_a_spectator(
    address: str, new_game: NewGame, new_user: NewUser
) -> None:
    game, _ = await seated(new_game)
    stranger = await sync_to_async(new_user)()
    token = await sync_to_async(lambda: tokens.begin_session(stranger).text)()
    async with following(address, token) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=str(game.id), after=0)
        await follower.commits(until=1)
        host = await sync_to_async(lambda: game.lobby.host)()
        await sync_to_async(lobbies.ban)(host, game.lobby_id, stranger.id)
        assert await follower.closed() == 4404


async def test_the_number_of_subscriptions_per_connection_is_limited(
    address: str, new_game: NewGame
) -> None:
    game, held = await seated(new_game)
    async with following(address, held[0]) as follower:
        await follower.next("connection_ack")
        for number in range(33):
            await follower.subscribe(FOLLOW, str(number), game=str(game.id))
        error = await follower.next("error")
        assert error["id"] == "32"
        assert error["payload"][0]["extensions"]["code"] == "too_many_commands"


async def test_other_subprotocols_are_rejected(address: str) -> None:
    with pytest.raises(Exception, match="403"):
        await connect(f"ws://{address}/graphql/", subprotocols=[Subprotocol("graphql-ws")])


@pytest.mark.parametrize(
    "message",
    [
        '{"type": "ping", "type": "ping"}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ me { id } }", "query": ""}}',
        '{"type": "subscribe", "id": ["1"], "payload": {"query": "{ me { id } }"}}',
        '{"type": "subscribe", "id": "1", "payload": ["{ me { id } }"]}',
        '{"type": "subscribe", "id": "1"}',
        '{"type": "subscribe", "id": "1", "payload": {"query": ""}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": ["{ me { id } }"]}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ me { id } }", "variables": 1}}',
        "[]",
        "{",
    ],
)
async def test_an_invalid_message_ends_the_connection(
    address: str, new_user: NewUser, message: str
) -> None:
    _, token = await person(new_user)
    async with following(address, token) as follower:
        await follower.next("connection_ack")
        await follower.connection.send(message)
        assert await follower.closed() == 4400


# The list of lobbies


@sync_to_async
def person(new_user: NewUser) -> tuple[User, str]:
    user = new_user()
    return user, tokens.begin_session(user).text


async def test_the_list_of_lobbies_comes_first_then_what_changes(
    address: str, new_user: NewUser
) -> None:
    (host, _), (_, token) = await person(new_user), await person(new_user)
    before = await sync_to_async(lobbies.create)(
        host, lobbies.LobbyChoices(slug="free_spots", options={"boards": 2})
    )
    other = await sync_to_async(lobbies.create)(host, lobbies.LobbyChoices(slug="set_dice"))
    async with following(address, token) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(NEWS, slug="free_spots")
        _, ids = await follower.listed()
        assert str(before.id) in ids
        assert str(other.id) not in ids
        lobby = await sync_to_async(lobbies.create)(
            host, lobbies.LobbyChoices(slug="free_spots", title="new", options={"boards": 2})
        )
        received = await follower.news_of(lobby.id)
        assert (
            received["title"],
            received["inviteCode"],
            received["options"],
            received["game"],
        ) == (
            "new",
            None,
            {"boards": 2},
            None,
        )
        game = await sync_to_async(start_game)(host, lobby.id)
        assert (await follower.news_of(lobby.id, "started"))["game"] == {
            "id": str(game.id),
            "version": 1,
        }


async def test_only_members_receive_news_of_a_hidden_lobby(address: str, new_user: NewUser) -> None:
    (host, _), (guest, inside), (_, outside) = [await person(new_user) for _ in range(3)]
    async with following(address, inside) as member, following(address, outside) as stranger:
        for follower in (member, stranger):
            await follower.next("connection_ack")
            await follower.subscribe(NEWS)
            await follower.listed()
        hidden = await sync_to_async(lobbies.create)(
            host, lobbies.LobbyChoices(slug="free_spots", visibility="invite")
        )
        await sync_to_async(lobbies.join_by_code)(guest, hidden.invite_code)
        assert (await member.news_of(hidden.id))["inviteCode"] == hidden.invite_code
        await sync_to_async(lobbies.leave)(guest, hidden.id)
        while str(hidden.id) not in (await member.news())["gone"]:
            pass
        public = await sync_to_async(lobbies.create)(host, lobbies.LobbyChoices(slug="free_spots"))
        while True:
            news = await stranger.news()
            ids = {lobby["id"] for lobby in news["lobbies"]}
            assert str(hidden.id) not in ids | set(news["gone"])
            if str(public.id) in ids:
                break


async def test_a_subscription_with_a_cursor_resumes(address: str, new_user: NewUser) -> None:
    host, token = await person(new_user)
    async with following(address, token) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(NEWS)
        cursor, _ = await follower.listed()
    missed = await sync_to_async(lobbies.create)(host, lobbies.LobbyChoices(slug="free_spots"))
    async with following(address, token) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(NEWS, after=cursor)
        assert (await follower.news_of(missed.id))["inviteCode"] == missed.invite_code
        for variables, received in (
            ({"after": 2**53 - 1}, (409, "version_ahead")),
            ({"after": -1}, (400, "malformed")),
            ({"slug": "no such game"}, (400, "malformed")),
        ):
            await follower.subscribe(NEWS, "2", **variables)
            while (message := await follower.next("next"))["id"] != "2":
                pass
            refusal = message["payload"]["errors"][0]["extensions"]
            assert (refusal["status"], refusal["code"]) == received
            await follower.next("complete")


# Clients that do not read, or send too much


async def unread(token: str, query: str, **variables: Any) -> tuple[int, str]:
    """Return code and reason of the end of a connection whose client reads no results, or 0 and the
    code of the error that it gets.

    There is no network, because its buffers would take megabytes before anything waits.
    """
    inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    closed: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()

    async def send(message: Any) -> None:
        if message["type"] == "websocket.close":
            closed.set_result((message["code"], message["reason"]))
            return
        sent = json.loads(message.get("text", "{}"))
        if sent.get("type") == "next":
            await asyncio.Event().wait()
        if sent.get("type") == "error":
            closed.set_result((0, sent["payload"][0]["extensions"]["code"]))
            inbox.put_nowait({"type": "websocket.disconnect"})

    def say(**message: Any) -> None:
        inbox.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    inbox.put_nowait({"type": "websocket.connect"})
    say(type="connection_init", payload={"token": token})
    say(type="subscribe", id="1", payload={"query": query, "variables": variables})
    scope = {
        "type": "websocket",
        "path": "/graphql/",
        "headers": [],
        "query_string": b"",
        "subprotocols": [PROTOCOL],
    }
    serving = asyncio.create_task(graphql.socket(scope, inbox.get, send))
    async with asyncio.timeout(WITHIN_S):
        await serving
    return closed.result()


async def test_a_client_that_does_not_read_is_disconnected(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Disconnect a client whose network accepts no frame for two polls, however few there are."""
    monkeypatch.setattr(connection_registry, "CHECK_EVERY_S", 0.05)
    game, held = await seated(new_game)
    assert await unread(held[0], FOLLOW, game=str(game.id), after=0) == (4408, "too_slow")


async def test_a_hostile_operation_costs_no_more_than_its_refusal(new_user: NewUser) -> None:
    _, token = await person(new_user)
    short, long = "{" + "me{id}" * 1_400 + "}", "{" + "me{id}" * 9_000 + "}"
    refused = (0, "too_many_query_tokens")
    assert await unread(token, short) == refused
    with Calls() as before:
        assert await unread(token, short) == refused
    with Calls() as after:
        assert await unread(token, long) == refused
    assert after.count < 1.1 * before.count
