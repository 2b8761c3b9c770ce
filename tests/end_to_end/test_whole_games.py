"""Whole games of the catalogue through the public API: a random player and bots, verified."""

import asyncio
import json
import os
import random
from contextlib import closing, suppress
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from asgiref.sync import sync_to_async
from websockets.asyncio.client import connect

from games.proofs.verification import ledger_findings, verify_game
from railbird_engine.rules import registry
from tests.api.graphql.client import Client, following
from tests.contract import Connection
from tests.waiting import WITHIN_S

QUICK: dict[str, dict[str, Any]] = {
    "ready_set_bet": {"roll_ms": 50, "pause_ms": 50, "races": 2},
    "quitte_ou_double": {"hourglass_s": 5, "level_s": 5, "reveal_s": 5},
}
"""Options that keep a game short; other games use their defaults."""

ANNOUNCED = {"standard": 1, "betting_announcer": 1, "rotating_announcer": 2}
"""The announcer settings with a human announcer, and the number of races that show each."""

LOOK_EVERY_S = 0.5
SLUGS = sorted({slug for slug, _ in registry()})

# In `pytest`, the Python client plays a whole game over a network that loses connections.
pytestmark = [pytest.mark.ci, pytest.mark.xdist_group("whole games")]


class Person:
    """A guest who hosts a lobby and plays random legal commands."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.chance = random.Random(7)
        self.http = httpx.Client(
            base_url=f"http://{address}/api/v1", timeout=WITHIN_S, verify=False
        )
        guest = self.post("/auth/guest/", {"display_name": "Random"})
        self.token = guest["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def post(self, path: str, body: object = None) -> Any:
        answer = self.http.post(path, json=body) if body is not None else self.http.post(path)
        assert answer.is_success, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.is_success, answer.text
        return answer.json()

    def start(self, slug: str, options: dict[str, Any], bots: int = 0) -> str:
        """Start a game with at least the fewest bots that it needs."""
        seats = self.get(f"/rules/{slug}/")["seats"]
        lobby = self.post(
            "/lobbies/", {"slug": slug, "options": {**QUICK.get(slug, {}), **options}}
        )["id"]
        for _ in range(max(1, seats["least"] - 1, bots)):
            self.post(f"/lobbies/{lobby}/bots/")
        game: str = self.post(f"/lobbies/{lobby}/start/")["id"]
        return game

    def act(self, game: str) -> bool:
        """Play a legal command, if there is one. Another player may be faster."""
        commands = self.get(f"/games/{game}/legal/")["commands"]
        if commands:
            body = {"id": str(uuid4()), "command": self.chance.choice(commands)}
            answer = self.http.post(f"/games/{game}/commands/", json=body)
            assert answer.status_code in {201, 409}, answer.text
        return bool(commands)

    async def play_to_the_end(self, game: str) -> list[int]:
        """Act when events arrive, and regularly. Return the versions that the stream sent."""
        headers = {"Authorization": f"Bearer {self.token}"}
        versions: list[int] = []
        news = asyncio.Event()
        url = f"ws://{self.address}/ws/v1/games/{game}?after=0"

        async def listen() -> None:
            async for text in socket:
                frame = json.loads(text)
                versions.extend(commit["version"] for commit in frame.get("commits", ()))
                news.set()

        async with (
            connect(url, additional_headers=headers, create_connection=Connection) as socket,
            asyncio.TaskGroup() as tasks,
        ):
            listening = tasks.create_task(listen())
            ended = False
            while not ended:
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), LOOK_EVERY_S)
                news.clear()
                if not await asyncio.to_thread(self.act, game):
                    ended = await asyncio.to_thread(self.has_ended, game)
            listening.cancel()
        return versions

    def has_ended(self, game: str) -> bool:
        return bool(self.get(f"/games/{game}/")["ended"])


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_whole_game_through_the_public_api(address: str, slug: str) -> None:
    """In every run, the test through GraphQL does the same."""
    person = await asyncio.to_thread(Person, address)
    with closing(person.http):
        game = await asyncio.to_thread(person.start, slug, {})
        await play_a_whole_game(person, game)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ANNOUNCED)
async def test_a_whole_game_with_a_human_announcer(address: str, mode: str) -> None:
    """The guest announces first, or a draw decides, and plays any legal command."""
    person = await asyncio.to_thread(Person, address)
    options = {"mode": mode, "races": ANNOUNCED[mode], "announcer_ms": 500, "think_ms": 2000}
    with closing(person.http):
        game = await asyncio.to_thread(person.start, "ready_set_bet", options, 2)
        await play_a_whole_game(person, game)
        commits = await asyncio.to_thread(person.get, f"/games/{game}/commits/?after=0")
    told = [event for commit in commits["commits"] for event in commit["events"]]
    assert "announcer_named" in {event["type"] for event in told}
    assert any(event["type"] == "bet_placed" and event["seat"] > 0 for event in told), "of bots"


async def play_a_whole_game(person: Person, game: str) -> None:
    async with asyncio.timeout(WITHIN_S):
        versions = await person.play_to_the_end(game)
        shown = await asyncio.to_thread(person.get, f"/games/{game}/")
        assert shown["ended"] == "finished"
        while shown["seed"] is None:  # The log discloses it at the end.
            await asyncio.sleep(0.2)
            shown = await asyncio.to_thread(person.get, f"/games/{game}/")
    assert versions == list(range(1, len(versions) + 1)), "a stream without gaps"
    verified = await sync_to_async(verify_game)(UUID(game))
    assert verified.findings == []
    assert await sync_to_async(lambda: list(ledger_findings()))() == []


# GraphQL alone

BETS = 3
OPEN = """mutation ($options: GameOptionsInput) {
    createLobby(slug: "ready_set_bet", options: $options) { ... on Lobby { id } ... on Problem {
      code data } } }"""
FOLLOW = """subscription ($game: UUID!) { gameCommits(game: $game, after: 0)
    { version hash events { __typename ... on BetPlaced { seat spot stake } } } }"""
LEGAL = """query ($game: UUID!) { game(id: $game) { legal(limit: 500) { version commands {
  __typename
    ... on ReadySetBetPlaceBet { spot token } } } } }"""
PLAY = """mutation ($game: UUID!, $id: UUID!, $spot: String!, $token: Integer!) {
    play(game: $game, id: $id, command: {readySetBet: {placeBet: {spot: $spot, token: $token}}})
        { ... on Committed { version } ... on Problem { code } } }"""
ENDED = """query ($game: UUID!) { game(id: $game) { ended seed version result { ranking }
    view { version view { ... on ReadySetBetView { phase } } }
    bets(first: 100, seat: 0) { edges { node { spot outcome version } } }
    transfers(first: 100) { edges { node { amount unit } } } } }"""


async def test_a_whole_game_through_graphql_alone(address: str) -> None:
    """All requests are queries, mutations and one subscription, from sign-in to the result."""
    client = Client(address)
    chance = random.Random(7)

    async def do(mutation: str, **variables: Any) -> dict[str, Any]:
        return await asyncio.to_thread(client.do, mutation, **variables)

    token = (
        await do('mutation { createGuest(displayName: "Ann") { ... on NewToken { token } } }')
    )["token"]
    client = Client(address, token=token)
    lobby = (await do(OPEN, options={"readySetBet": {"rollMs": 50, "pauseMs": 300, "races": 1}}))[
        "id"
    ]
    await do(
        "mutation ($lobby: UUID!) { addBot(lobby: $lobby) { ... on Lobby { id } } }", lobby=lobby
    )
    game = (
        await do(
            "mutation ($lobby: UUID!) { startGame(lobby: $lobby) { ... on Start { id } } }",
            lobby=lobby,
        )
    )["id"]

    versions: list[int] = []
    kinds: set[str] = set()
    accepted: list[int] = []
    async with asyncio.timeout(WITHIN_S), following(address, token) as follower:
        await follower.next("connection_ack")
        await follower.subscribe(FOLLOW, game=game)
        while (message := await follower.next("next", "complete"))["type"] != "complete":
            assert "errors" not in message["payload"], message
            for commit in message["payload"]["data"]["gameCommits"]:
                versions.append(commit["version"])
                kinds |= {event["__typename"] for event in commit["events"]}
            if len(accepted) < BETS:
                legal = (await asyncio.to_thread(client.ask, LEGAL, game=game))["game"]["legal"][
                    "commands"
                ]
                if bets := [
                    each for each in legal if each.pop("__typename") == "ReadySetBetPlaceBet"
                ]:
                    answer = await do(PLAY, game=game, id=str(uuid4()), **chance.choice(bets))
                    accepted += [answer["version"]] if "version" in answer else []
    assert versions == list(range(1, len(versions) + 1))
    assert {"BetPlaced", "BetSettled", "ReadySetBetRolled", "ReadySetBetGameEnded"} <= kinds
    assert set(accepted) <= set(versions)
    ended = (await asyncio.to_thread(client.ask, ENDED, game=game))["game"]
    assert (ended["ended"], ended["version"], ended["view"]["version"]) == (
        "finished",
        len(versions),
        len(versions),
    )
    assert sorted(seat for place in ended["result"]["ranking"] for seat in place) == [0, 1]
    mine = [edge["node"] for edge in ended["bets"]["edges"]]
    assert mine
    assert {bet["version"] for bet in mine} == set(accepted)
    assert "open" not in {bet["outcome"] for bet in mine}
    verified = await asyncio.to_thread(verify_game, UUID(game))
    assert verified.findings == []


def test_the_catalogue_is_served(address: str) -> None:
    person = Person(address)
    with closing(person.http):
        served = {rules["slug"] for rules in person.get("/rules/")}
    assert served >= set(SLUGS)
    assert os.environ["EXTRA_RULES"] == "bench.free_spots"
