"""Lists over REST and GraphQL: the processor time of a web process for the same games and bets."""

import http.client
import os
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
import psutil
import psycopg

from accounts.models import User
from accounts.tokens import begin_session
from bench.ground import OWNER_URL, Experiment
from bench.histories import fill
from games.reads.filters import PAGE_MAX

GAMES: Final = 50
BETS_A_GAME: Final = (5, 20, 80)
TIMES: Final = 5

BETS: Final = """edges { node {
    gameId slug number user isBot seat spot stake odds version placedAt outcome payout
    settledVersion settledAt drawnBefore drawnUntil
} }"""
PAGE_QUERY: Final = f"query ($bets: Int) {{ bets(first: $bets) {{ {BETS} }} }}"
QUERY: Final = f"""
query ($bets: Int) {{ games(first: {GAMES}) {{ edges {{ node {{
    id slug lobbyId rulesVersion startedAt version ended bets(first: $bets) {{ {BETS} }}
}} }} }} }}
"""


class ListsMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """Processor time of the web process for a list of games with their bets: over REST with a
    request for the bets of each game, and over GraphQL with one query. Without games it is a list
    of bets: one request each."""

    games: int
    bets: int
    rest_ms: float
    graphql_ms: float


class Lists(Experiment, frozen=True, kw_only=True):
    """An experiment with one web process."""

    port: int

    def run(self) -> list[ListsMeasured]:
        """Run in a process with Django set up."""
        people = User.objects.bulk_create(User(username=f"bettor-{number}") for number in range(2))
        with psycopg.connect(os.environ[OWNER_URL], autocommit=True) as owner:
            owner.execute(fill(GAMES, max(BETS_A_GAME), len(people)))
            owner.execute("ANALYZE")
        client = Client(self.port, begin_session(people[0]).text)
        web = psutil.Process(self.processes["web"])
        page = ListsMeasured(
            games=0,
            bets=PAGE_MAX,
            rest_ms=_spent_ms(web, client.page_by_rest),
            graphql_ms=_spent_ms(web, client.page_by_graphql),
        )
        return [page] + [
            ListsMeasured(
                games=GAMES,
                bets=GAMES * bets,
                rest_ms=_spent_ms(web, partial(client.by_rest, bets)),
                graphql_ms=_spent_ms(web, partial(client.by_graphql, bets)),
            )
            for bets in BETS_A_GAME
        ]


class Client:
    """A client with one connection."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
        }

    def by_rest(self, bets: int) -> int:
        """Read all games with so many bets each, and return how many bets came."""
        games = self._ask("GET", f"/api/v1/games/?limit={GAMES}")["items"]
        lists = (self._ask("GET", f"/api/v1/games/{it['id']}/bets/?limit={bets}") for it in games)
        return sum(len(found["items"]) for found in lists)

    def by_graphql(self, bets: int) -> int:
        """Read the same in one query."""
        found = self._ask("POST", "/graphql/", {"query": QUERY, "variables": {"bets": bets}})
        games = found["data"]["games"]["edges"]
        return sum(len(each["node"]["bets"]["edges"]) for each in games)

    def page_by_rest(self) -> int:
        """Read one page of bets."""
        return len(self._ask("GET", f"/api/v1/bets/?limit={PAGE_MAX}")["items"])

    def page_by_graphql(self) -> int:
        """Read the same page."""
        asked = {"query": PAGE_QUERY, "variables": {"bets": PAGE_MAX}}
        return len(self._ask("POST", "/graphql/", asked)["data"]["bets"]["edges"])

    def _ask(self, method: str, address: str, body: Any = None) -> Any:
        sent = None if body is None else msgspec.json.encode(body)
        self._connection.request(method, address, sent, self._headers)
        response = self._connection.getresponse()
        found = msgspec.json.decode(response.read())
        assert response.status == 200 and "errors" not in found, found
        return found


def _spent_ms(web: psutil.Process, look: Callable[[], int]) -> float:
    """Return the processor time of one look, after a first one that fills caches."""
    look()
    before = sum(web.cpu_times()[:2])
    for _ in range(TIMES):
        look()
    return round((sum(web.cpu_times()[:2]) - before) / TIMES * 1000, 1)
