"""A crowd of clients that comes back after its server was away, or only its connections."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from accounts.tokens import begin_session
from railbird_client import Client
from tests.processes import web_process
from tests.waiting import WITHIN_S

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("crowds")]

CROWD = 1_000
AWAY_S = 3.0
UNLIMITED = {"RATE_LIMITS": "address=0/60 user=0/60 token=0/60 guest=0/60"}


class Cutter:
    """A proxy that can cut all connections, and refuse new ones. `attempts` are their times."""

    def __init__(self, address: str) -> None:
        self.url = ""
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
