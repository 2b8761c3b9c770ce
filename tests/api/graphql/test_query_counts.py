"""The number of database queries: the same for long and short lists, whatever their rows
contain."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import psycopg
import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.test import AsyncClient

from accounts import tokens
from accounts.models import User
from games import lobbies
from games.models import Game
from gameserver.http import graphql
from kit.database import BoundedAsyncConnection
from tests.api.graphql.client import PROTOCOL
from tests.api.rest import Caller, take
from tests.builders import NewUser, start_game

FEW, MANY, LOTS = 2, 9, 20
TRIES = 3

SEATS = "seats { number name user isBot }"
LISTS = {
    "lobbies": f"""{{ lobbies(mine: true) {{ edges {{ node {{ id {SEATS}
      game {{ version {SEATS} }} }} }} }} }}""",
    "games": f"""{{ games(mine: true, first: 20) {{ edges {{ node {{ id version
      {SEATS} lobby {{ title {SEATS} }}
        bets(first: 5) {{ edges {{ node {{ number outcome payout }} }} }}
        transfers(first: 5) {{ edges {{ node {{ amount debit {{ key }} credit {{ key }} }} }} }}
          }} }} }} }}""",
    "bets": f"""{{ bets {{ edges {{ node {{ number outcome payout
      game {{ slug version {SEATS} lobby {{ title }} }} }} }} }} }}""",
    "money": """{ transfers { edges { node { amount reason debit { key } credit { key } } } }
                  accounts { edges { node { id unit balance } } } }""",
}
AT_TABLES = """{ games(mine: true) { edges { node { id
    view { version } legal(limit: 2) { version } commits(first: 5) { edges { node { version hash }
      } } } } } }"""
NEWS = f"""subscription ($after: Integer) {{ lobbies(after: $after, slug: "free_spots") {{
    ... on Lobbies {{ cursor complete lobbies {{ id {SEATS} game {{ version }} }} }}
    ... on LobbyChanges {{ cursor lobbies {{ id {SEATS} game {{ version {SEATS} lobby {{ title }}
      }} }} }} }} }}"""
COMMITS = """query ($game: UUID!) { game(id: $game) {
    commits(first: 100) { edges { node { version at hash events { __typename } } } } } }"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the queries of this process on any thread, loop and connection, except writes of
    presence, and what follows the log every second once a client has asked for notes."""
    statements: list[str] = []

    def noting(execute: Callable[..., Any]) -> Callable[..., Any]:
        def run(self: Any, query: Any, *arguments: Any, **options: Any) -> Any:
            text = str(query).lstrip()
            if text.startswith("SELECT") and '"games_log' not in text:
                statements.append(text)
            return execute(self, query, *arguments, **options)

        return run

    for kind, name in (
        (psycopg.Cursor, "execute"),
        (psycopg.AsyncCursor, "execute"),
        (BoundedAsyncConnection, "send"),
    ):
        monkeypatch.setattr(kind, name, noting(getattr(kind, name)))
    return statements


class Owner:
    """A user with a number of games, a bet in each, and its transfers."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.caller = Caller(user)
        self.games: list[Game] = []
        self.spots = count()

    def have(self, games: int) -> None:
        while len(self.games) < games:
            self.games.append(
                start_game(
                    self.user,
                    lobbies.create(self.user, lobbies.LobbyChoices(slug="free_spots", buy_in=1)).id,
                )
            )
            self.play(self.games[-1])

    def play(self, game: Game) -> None:
        assert self.caller.play(game.id, take(next(self.spots))).status == 201

    async def ask(self, query: str, **variables: Any) -> Any:
        who = {"Authorization": f"Bearer {self.caller.token}"}
        body = {"query": query, "variables": variables}
        answer = await AsyncClient().post(
            "/graphql/", body, content_type="application/json", headers=who
        )
        found = json.loads(answer.content)
        assert "errors" not in found, found
        return found["data"]


@pytest.fixture
def owner(new_user: NewUser) -> Owner:
    return Owner(new_user())


@pytest.fixture(scope="module")
def owners(new_user: NewUser) -> tuple[Owner, Owner]:
    """A user with a few games and one with many, for tests that only read them."""
    few, many = Owner(new_user()), Owner(new_user())
    few.have(FEW)
    many.have(MANY)
    return few, many


async def fewest(asked: list[str], owner: Owner, query: str, **variables: Any) -> tuple[int, Any]:
    """Ask a few times. Return how many queries that took at least, and an answer.

    Other threads of this process may query meanwhile, which only adds some.
    """
    counted = []
    for _ in range(TRIES):
        asked.clear()
        found = await owner.ask(query, **variables)
        counted.append(len(asked))
    return min(counted), found


@pytest.mark.parametrize("name", LISTS)
async def test_a_longer_list_takes_no_more_queries(
    owners: tuple[Owner, Owner], asked: list[str], name: str
) -> None:
    counted = []
    for owner in owners:
        queries, found = await fewest(asked, owner, LISTS[name])
        counted.append(queries)
        rows = next(list_["edges"] for list_ in found.values() if "edges" in list_)
        assert len(rows) >= len(owner.games)
    assert counted[0] == counted[1], "\n".join(asked)


async def test_more_commits_take_no_more_queries(owner: Owner, asked: list[str]) -> None:
    await sync_to_async(owner.have)(1)
    (game,) = owner.games
    await owner.ask(COMMITS, game=str(game.id))  # brings the table in
    counted = []
    for plays in (1, 9):
        for _ in range(plays):
            await sync_to_async(owner.play)(game)
        queries, found = await fewest(asked, owner, COMMITS, game=str(game.id))
        counted.append(queries)
    assert len(found["game"]["commits"]["edges"]) == 12
    assert counted[0] == counted[1], "\n".join(asked)


async def test_news_of_many_tables_are_queried_together(
    owners: tuple[Owner, Owner], asked: list[str]
) -> None:
    """Views that are requested together share a statement, and two or three statements run at a
    time: more than one, but not one per game."""
    counted = []
    for owner in owners:
        await owner.ask(AT_TABLES)  # brings the tables in
        asked.clear()
        found = await owner.ask(AT_TABLES)
        counted.append(len(asked))
        assert len(found["games"]["edges"]) == len(owner.games)
    assert counted[1] - counted[0] < MANY - FEW, "\n".join(asked)


async def follow(token: str, wanted: set[str], after: int | None = None) -> int:
    """Follow the list of lobbies over a socket in this process until it has sent all of these;
    return the cursor."""
    headers = [(b"authorization", f"Bearer {token}".encode())]
    scope = {
        "type": "websocket",
        "path": "/graphql/",
        "headers": headers,
        "query_string": b"",
        "subprotocols": [PROTOCOL],
    }
    socket: Any = ApplicationCommunicator(graphql.socket, scope)  # type: ignore[no-untyped-call]  # it has no types
    await socket.send_input({"type": "websocket.connect"})
    subscribe = {
        "id": "1",
        "type": "subscribe",
        "payload": {"query": NEWS, "variables": {"after": after}},
    }
    for message in ({"type": "connection_init"}, subscribe):
        await socket.send_input({"type": "websocket.receive", "text": json.dumps(message)})
    news: dict[str, Any] = {}
    while wanted:
        received = json.loads((await socket.receive_output(20)).get("text", "{}"))
        if received.get("type") == "next":
            assert "errors" not in received["payload"], received
            news = received["payload"]["data"]["lobbies"]
            wanted = wanted - {lobby["id"] for lobby in news["lobbies"]}
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait(20)
    return int(news["cursor"])


async def test_a_longer_subscribed_list_takes_no_more_queries(
    new_user: NewUser, asked: list[str], settings: Any
) -> None:
    """The process may also poll the list for itself, with a few queries whatever its length."""
    settings.LOBBIES_MAX = 100
    host = await sync_to_async(new_user)()
    token = (await sync_to_async(tokens.begin_session)(host)).text
    listed, changed = [], []
    for number in (FEW, LOTS):
        ids = [
            (await sync_to_async(lobbies.create)(host, lobbies.LobbyChoices(slug="free_spots"))).id
            for _ in range(number)
        ]
        asked.clear()
        cursor = await follow(token, {str(id_) for id_ in ids})
        listed.append(len(asked))
        for id_ in ids:
            await sync_to_async(start_game)(host, id_)
        asked.clear()
        await follow(token, {str(id_) for id_ in ids}, after=cursor)
        changed.append(len(asked))
    assert listed[1] - listed[0] < (LOTS - FEW) / 2, "\n".join(asked)
    assert changed[1] - changed[0] < (LOTS - FEW) / 2, "\n".join(asked)
