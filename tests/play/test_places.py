"""Commands without a place are refused before they are decided, and promised answers are kept."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any
from uuid import uuid4

import pytest
from httpx import ASGITransport, AsyncClient, Response

from accounts import tokens
from games.models import Seat
from games.play import places
from games.play.places import PLACES, PLACES_OF_USER_MAX, RETRY_AFTER_MAX_S, Places
from games.store.commits import store
from gameserver.asgi import application
from kit import event_loop
from tests.api.rest import Caller
from tests.builders import NewGame
from tests.waiting import until

SOON_S = 0.03


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "WAIT_S", SOON_S)
    monkeypatch.setattr(places, "STANDING_WAIT_S", SOON_S / 4)


def take(spot: int) -> dict[str, Any]:
    return {"type": "take_spot", "spot": spot}


async def taken(stack: AsyncExitStack, these: Places, owner: object, number: int) -> list[bool]:
    """Take places until the stack is closed."""
    return [await stack.enter_async_context(these.one_for(owner)) for _ in range(number)]


@contextmanager
def all_taken(owner: object, number: int) -> Iterator[None]:
    """Hold places for commands on the store loop."""
    stack = AsyncExitStack()

    async def begin() -> None:
        assert all(await taken(stack, places.places_of_commands(), owner, number))

    event_loop.call(begin())
    try:
        yield
    finally:
        event_loop.call(stack.aclose())


async def test_owners_take_turns_and_none_has_all_places() -> None:
    these, order = Places(most_each=PLACES_OF_USER_MAX), list[str]()

    async def command(owner: str) -> None:
        async with these.one_for(owner) as has_place:
            order.append(f"{owner} {has_place}")

    async with AsyncExitStack() as held:
        assert await taken(held, these, "many", PLACES_OF_USER_MAX + 1) == [
            *[True] * PLACES_OF_USER_MAX,
            False,
        ]
        await taken(held, these, "other", PLACES[-1] - PLACES_OF_USER_MAX)
        waiting = [asyncio.create_task(command(each)) for each in ("a", "a", "a", "b")]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order == ["a True", "b True", "a True", "a True"]


async def test_a_queue_that_stands_shortens_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "WAIT_S", 10 * SOON_S)
    monkeypatch.setattr(places, "STANDING_WAIT_S", 0.0)
    these = Places(most_each=PLACES[-1])
    async with AsyncExitStack() as held:
        await taken(held, these, "all", PLACES[-1])
        assert these.wait_s() == 10 * SOON_S
        assert await taken(held, these, "one more", 1) == [False]
        until(lambda: these.wait_s() == 0.0, "the queue to stand")
    async with these.one_for("after the burst") as has_place:
        assert has_place
        assert these.wait_s() == 10 * SOON_S


async def test_slow_commands_leave_fewer_places(monkeypatch: pytest.MonkeyPatch) -> None:
    these = Places(most_each=PLACES[-1])

    async def free() -> int:
        async with AsyncExitStack() as held:
            return sum(await taken(held, these, "all", PLACES[-1] + 1))

    assert await free() == PLACES[-1]
    monkeypatch.setattr(places, "SLOW_S", -1.0)
    for _ in PLACES:
        async with these.one_for("one"):
            pass
    monkeypatch.setattr(places, "SLOW_S", 1.0)
    assert await free() == PLACES[0]
    assert await free() == PLACES[0] * 2


async def test_a_request_without_a_place_is_refused_unless_its_command_is_stored(
    new_game: NewGame,
) -> None:
    game = await asyncio.to_thread(new_game)
    owner = await asyncio.to_thread(lambda: game.lobby.host)
    token = (await asyncio.to_thread(tokens.begin_session, owner)).text
    known, path = uuid4(), f"/api/v1/games/{game.id}/commands/"
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    server = ASGITransport(application)

    async def play(command: object, id_: object, **more: str) -> Response:
        body = json.dumps({"id": str(id_), "command": command})
        return await client.post(path, content=body, headers=headers | more)

    async with AsyncClient(transport=server, base_url="http://localhost") as client:
        assert (await play(take(1), known)).status_code == 201
        async with AsyncExitStack() as held:
            await taken(held, places.places_of_requests(), "others", PLACES[-1])
            refused = await play(take(2), uuid4(), Origin="https://pages.example")
            assert (refused.status_code, refused.json()["code"]) == (503, "busy")
            assert 1 <= int(refused.headers["Retry-After"]) <= RETRY_AFTER_MAX_S
            assert refused.headers["X-Request-ID"] == refused.json()["request_id"]
            assert refused.headers["Access-Control-Allow-Origin"] == "*"
            assert (await play(take(1), known)).json()["version"] == 2
            nested = await client.post(path, content=b'{"command":' + b"[" * 5_000, headers=headers)
            assert (nested.status_code, nested.json()["code"]) == (503, "busy")
            assert (await play(take(3), known)).json()["code"] == "command_id_reused"
            assert (await play("no command", "no id")).json()["code"] == "busy"
            assert (await client.get("/api/v1/health/live/")).status_code == 200
            view = await client.get(f"/api/v1/games/{game.id}/view/", headers=headers)
            assert view.status_code == 200
        assert (await play(take(2), uuid4())).status_code == 201
    await store().close()


def test_a_user_has_some_of_the_places_over_all_transports(new_game: NewGame) -> None:
    game = new_game()
    seats = Seat.objects.filter(lobby=game.lobby).order_by("number").select_related("user")
    one, other = (Caller(seat.user) for seat in seats)
    known = uuid4()
    assert one.play(game.id, take(1), known).status == 201
    assert one.user is not None
    with all_taken(one.user.id, PLACES_OF_USER_MAX):
        refused = one.play(game.id, take(2))
        assert refused.problem == (503, "busy")
        assert int(refused.headers["Retry-After"]) == refused.data["data"]["retry_after"]
        assert one.play(game.id, take(1), known).data["version"] == 2
        assert one.play(game.id, take(3), known).problem == (422, "command_id_reused")
        assert other.play(game.id, take(2)).status == 201
    assert one.play(game.id, take(3)).status == 201
