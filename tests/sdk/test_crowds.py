"""Many clients at once: tables behind a proxy that cuts all connections every few seconds, and a
crowd that comes back after its server was away. `SOAK_MINUTES` shortens the first.
"""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from statistics import quantiles
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from accounts.tokens import begin_session
from railbird_client import Client, Commit, Problem, Table
from railbird_client.models import NewLobby
from tests.processes import web_process
from tests.sdk.scene import ANY_GAME, again, all_commits
from tests.waiting import WITHIN_S

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("crowds")]

MINUTES = float(os.environ.get("SOAK_MINUTES", "10"))
TABLES = 200
CUT_EVERY_S = 5.0
PACE_S = (1.0, 3.0)
OPEN_EVERY_S = 0.1
"""The time between two tables that open."""
SPOTS = 68
CROWD = 1_000
AWAY_S = 3.0
UNLIMITED = {"RATE_LIMITS": "address=0/60 user=0/60 token=0/60 guest=0/60"}


class Cutter:
    """A proxy that can cut all connections, and refuse new ones. `attempts` are their times."""

    def __init__(self, address: str) -> None:
        self.url = ""
        self.cuts = 0
        self.is_away = False
        self.attempts: list[float] = []
        self._host, self._port = address.split(":")
        self._open: set[asyncio.StreamWriter] = set()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one connection until either side ends it, or it is cut."""
        self.attempts.append(time.monotonic())
        if self.is_away:
            writer.transport.abort()
            return
        there_reader, there = await asyncio.open_connection(self._host, int(self._port))
        ends = {writer, there}
        self._open |= ends
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(_copy(reader, there))
                both.create_task(_copy(there_reader, writer))
        finally:
            self._open -= ends
            for end in ends:
                end.transport.abort()

    def cut(self) -> None:
        """Cut every connection."""
        self.cuts += len(self._open) // 2
        for end in list(self._open):
            end.transport.abort()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


@asynccontextmanager
async def cutter(address: str) -> AsyncIterator[Cutter]:
    proxy = Cutter(address)
    async with await asyncio.start_server(proxy.pass_on, "127.0.0.1", 0, backlog=4096) as server:
        proxy.url = "http://{}:{}".format(*server.sockets[0].getsockname())
        yield proxy
        proxy.cut()


@sync_to_async
def sessions(count: int) -> Sequence[str]:
    """Return the tokens of new guests."""
    users = [User(username=os.urandom(12).hex(), is_guest=True) for _ in range(count)]
    return [begin_session(user).text for user in User.objects.bulk_create(users)]


class Visitor:
    """A client of one table that plays now and then, and compares everything in the end."""

    def __init__(self, url: str, token: str) -> None:
        self.client = Client(url, token, entropy=False)
        self.commits: list[Commit[Any]] = []
        self.accepted: list[int] = []
        self.refused: Counter[str] = Counter()
        self.waited_s: list[float] = []

    async def visit(self, seconds: float) -> None:
        """Play for this time, then wait for all commits, and compare them with the server's."""
        async with self.client as client:
            game = await self._start()
            async with client.table(game, ANY_GAME, after=0) as table:
                listening = asyncio.create_task(self._listen(table))
                await self._play(table, time.monotonic() + seconds)
                stored = await again(lambda: all_commits(client, game))
                while len(self.commits) < len(stored):  # noqa: ASYNC110 -- another task
                    await asyncio.sleep(0.1)
                listening.cancel()
            assert [each.version for each in self.commits] == list(range(1, len(stored) + 1))
            assert [each.hash for each in self.commits] == [each.hash for each in stored]
            assert len(self.accepted) == len({*self.accepted})

    async def _start(self) -> str:
        client = self.client
        wanted = NewLobby(slug="free_spots", visibility="unlisted", id=str(uuid4()))
        lobby = (await again(lambda: client.create_lobby(wanted))).id

        async def start() -> str:
            found = await client.get_lobby(lobby)
            if found.game is not None:
                return found.game
            if len(found.seats) < 2:
                await client.add_bot(lobby)
            return (await client.start_game(lobby)).id

        return await again(start)

    async def _listen(self, table: Table[Any, Any, Any]) -> None:
        async for news in table:
            assert isinstance(news, Commit)
            self.commits.append(news)

    async def _play(self, table: Table[Any, Any, Any], until: float) -> None:
        while time.monotonic() < until:
            await asyncio.sleep(random.uniform(*PACE_S))
            began = time.monotonic()
            try:
                spot = random.randrange(SPOTS)
                answer = await table.play({"type": "take_spot", "spot": spot}, within_s=WITHIN_S)
                self.accepted.append(answer.version)
            except Problem as problem:
                self.refused[problem.code] += 1
            self.waited_s.append(time.monotonic() - began)


async def _cut_now_and_then(proxy: Cutter) -> None:
    while True:
        await asyncio.sleep(CUT_EVERY_S)
        proxy.cut()


async def test_tables_behind_a_network_that_cuts_every_few_seconds() -> None:
    with web_process(UNLIMITED) as (_, address):
        async with cutter(address) as proxy:
            visitors = [Visitor(proxy.url, token) for token in await sessions(TABLES)]
            cutting = asyncio.create_task(_cut_now_and_then(proxy))
            async with (
                asyncio.timeout(MINUTES * 60 + TABLES * OPEN_EVERY_S + WITHIN_S),
                asyncio.TaskGroup() as visits,
            ):
                for each in visitors:
                    visits.create_task(each.visit(MINUTES * 60))
                    await asyncio.sleep(OPEN_EVERY_S)
            cutting.cancel()
    waited = [each for visitor in visitors for each in visitor.waited_s]
    refused = sum((each.refused for each in visitors), Counter[str]())
    cents = quantiles(waited, n=100)
    print(
        f"{TABLES} tables, {proxy.cuts} cuts, {len(proxy.attempts)} connections, "
        f"{sum(len(each.accepted) for each in visitors)} accepted, {dict(refused)} refused, "
        f"{sum(len(each.commits) for each in visitors)} commits; "
        f"answers p50 {cents[49]:.2f} s, p99 {cents[98]:.2f} s, most {max(waited):.1f} s"
    )
    assert proxy.cuts > TABLES
    assert {*refused} <= {"spot_taken", "too_late"}


@pytest.mark.parametrize("away_s", [0.0, AWAY_S])
async def test_a_crowd_that_comes_back_shares_the_load(away_s: float) -> None:
    with web_process(UNLIMITED) as (_, address):
        async with cutter(address) as proxy, AsyncExitStack() as stack:
            tokens = await sessions(CROWD)
            followed = []
            for token in tokens:
                client = await stack.enter_async_context(Client(proxy.url, token, entropy=False))
                followed.append(await stack.enter_async_context(client.lobbies()))
            async with asyncio.timeout(WITHIN_S):
                await asyncio.gather(*(anext(each) for each in followed))
            proxy.attempts.clear()
            began = time.monotonic()
            proxy.is_away = away_s > 0
            proxy.cut()
            await asyncio.sleep(away_s)
            proxy.is_away = False
            proxy_back = time.monotonic()
            async with asyncio.timeout(WITHIN_S):
                while len(proxy.attempts) < CROWD or any(each.trouble for each in followed):  # noqa: ASYNC110 -- other tasks
                    await asyncio.sleep(0.05)
            back_s = time.monotonic() - proxy_back
    per_second = Counter(int(at - began) for at in proxy.attempts)
    print(
        f"{CROWD} clients, away for {away_s} s, {len(proxy.attempts)} attempts, all back after "
        f"{back_s:.1f} s; attempts by second {dict(sorted(per_second.items()))}"
    )
    assert len(proxy.attempts) <= CROWD * (2 + 2 * away_s), "nobody tries all the time"
    arrived = Counter(int(at - began) for at in proxy.attempts if at >= proxy_back)
    if away_s:
        assert max(arrived.values()) < 0.7 * CROWD, "they do not return together"
