"""When the clock acts next, on every transport: clients draw a countdown to it."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import msgspec
from asgiref.sync import sync_to_async

from accounts.models import User
from games.live import hubs
from games.models import Commit, Game, Head, Seat
from games.play import corrections
from games.store.commits import store
from games.store.loaded_games import loaded_games
from kit import event_loop
from tests.api.graphql.client import Client
from tests.api.rest import Caller
from tests.api.sockets import joined, token_of
from tests.builders import NewGame
from tests.moves import forget

QUERY = """
query Countdown($game: UUID!) {
  game(id: $game) {
    view { version nextAt now }
    commits(first: 10) { edges { node { version nextAt } } }
  }
}
"""


def host_of(game: Game) -> User:
    user = Seat.objects.get(lobby=game.lobby, number=0).user
    assert user is not None
    return user


def due(game: Game) -> datetime:
    """When the head awaits its clock."""
    at = Head.objects.get(game=game).due_at
    assert at is not None
    return at


def moment(text: Any) -> datetime:
    return datetime.fromisoformat(text)


def test_views_and_commits_over_rest_have_the_next_time_of_the_clock(new_game: NewGame) -> None:
    game = new_game(2, slug="ready_set_bet")
    caller = Caller(host_of(game))
    for _ in range(2):
        view = caller.get(f"/games/{game.id}/view/").data
        assert moment(view["next_at"]) == due(game)
        assert abs(moment(view["next_at"]) - moment(view["now"])) < timedelta(minutes=10)
        listed = caller.get(f"/games/{game.id}/commits/").data
        assert moment(listed["commits"][-1]["next_at"]) == due(game)
        assert moment(listed["now"]) >= moment(listed["commits"][-1]["at"])
        forget(game)  # as another process, or this one after a restart, sees it
    event_loop.call(corrections.void(game.id, "the test is over"))
    assert caller.get(f"/games/{game.id}/view/").data["next_at"] is None
    assert Commit.objects.filter(game=game).latest("version").next_at is None


async def stall(game: Game) -> None:
    await store().stall(game.id, "the test says so")


def test_the_view_of_a_stalled_game_has_no_countdown(new_game: NewGame) -> None:
    game = new_game(2, slug="ready_set_bet")
    caller = Caller(host_of(game))
    assert caller.get(f"/games/{game.id}/view/").data["next_at"] is not None
    event_loop.call(stall(game))
    assert caller.get(f"/games/{game.id}/view/").data["next_at"] is None
    forget(game)
    assert caller.get(f"/games/{game.id}/view/").data["next_at"] is None


async def test_the_heartbeat_of_a_stalled_game_has_no_countdown(new_game: NewGame) -> None:
    game = await sync_to_async(new_game)(2, slug="ready_set_bet")

    async def beats() -> list[bytes]:
        outbox = hubs.Outbox()
        loaded = await loaded_games().get(game.id)
        subscription = hubs.switchboard().subscribe(loaded, None, outbox)
        assert subscription is not None
        subscription.hub.send_heartbeat()
        await stall(game)
        await hubs.switchboard()._check_heads([subscription.hub])
        subscription.hub.send_heartbeat()
        hubs.switchboard().unsubscribe(subscription)
        return outbox.drain()

    frames = await asyncio.to_thread(lambda: event_loop.call(beats()))
    before, after = (msgspec.json.decode(frame, type=hubs.HeartbeatFrame) for frame in frames)
    assert before.next_at is not None
    assert after.next_at is None


def test_a_game_without_an_alarm_has_no_countdown(new_game: NewGame) -> None:
    game = new_game()
    view = Caller(host_of(game)).get(f"/games/{game.id}/view/").data
    assert view["next_at"] is None


async def test_frames_have_the_next_time_of_the_clock(address: str, new_game: NewGame) -> None:
    game = await sync_to_async(new_game)(2, slug="ready_set_bet")
    expected = await sync_to_async(due)(game)
    token = await sync_to_async(lambda: token_of(host_of(game)))()
    async with joined(address, game.id, token) as client:
        view = await client.next("view")
        assert moment(view["next_at"]) == expected
        assert moment(view["now"]) < expected + timedelta(minutes=10)
    async with joined(address, game.id, token, "?after=0") as client:
        frame = await client.next("commits")
        assert moment(frame["commits"][-1]["next_at"]) == expected
        assert "now" in frame


async def test_a_heartbeat_has_the_next_time_of_the_clock(new_game: NewGame) -> None:
    game = await sync_to_async(new_game)(2, slug="ready_set_bet")
    expected = await sync_to_async(due)(game)

    async def beat() -> bytes | None:
        outbox = hubs.Outbox()
        loaded = await loaded_games().get(game.id)
        subscription = hubs.switchboard().subscribe(loaded, None, outbox)
        assert subscription is not None
        subscription.hub.send_heartbeat()
        hubs.switchboard().unsubscribe(subscription)
        return await outbox.take()

    frame = await asyncio.to_thread(lambda: event_loop.call(beat()))
    assert frame is not None
    heartbeat = msgspec.json.decode(frame, type=hubs.HeartbeatFrame)
    assert heartbeat.next_at == expected
    assert heartbeat.now.tzinfo is not None


async def test_graphql_has_the_next_time_of_the_clock(address: str, new_game: NewGame) -> None:
    def check() -> None:
        game = new_game(2, slug="ready_set_bet")
        found = Client(address, host_of(game)).ask(QUERY, game=str(game.id))["game"]
        assert moment(found["view"]["nextAt"]) == due(game)
        assert moment(found["view"]["now"]).tzinfo is not None
        newest = found["commits"]["edges"][-1]["node"]
        assert moment(newest["nextAt"]) == due(game)

    await sync_to_async(check)()
