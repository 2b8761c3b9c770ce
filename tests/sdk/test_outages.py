"""The network of both clients is cut in each phase of a game, and time jumps over the pauses.

Streams go on by themselves. Whatever a call raises can be repeated by the program, so that each
game is played to its end.
"""

import asyncio
import json
import selectors
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final
from uuid import uuid4

import httpx
import pytest

from railbird_client import Client, RoomNews, StartOverdue, View
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import NewGuest, NewLobby
from railbird_client.stream import Connect, Stream
from tests.sdk.scene import again
from tests.sdk.scripts import run_script

pytestmark = pytest.mark.xdist_group("sdk")

GAPS_S: Final = (1, 5, 15, 60)
OPTIONS: Final = rsb.Options(roll_ms=20_000, pause_ms=50, races=1)
IN_A_PAUSE_S: Final = 0.02
WITH_A_SOCKET_S: Final = 0.5


class Network(selectors.DefaultSelector):
    """The network of a client, cut from one of its calls on, and the time of its event loop.

    While the client waits for no answer, the time jumps to the next timer.
    """

    def __init__(self, cut_at: int | str, gap_s: int) -> None:
        super().__init__()
        self.ahead_s = 0.0
        self.calls = 0
        self.pending = 0
        self.streams: list[Stream[Any, Any]] = []
        self.loop: asyncio.AbstractEventLoop | None = None
        self._cut_at = cut_at
        self._gap_s = gap_s
        self._ends_at: float | None = None

    @property
    def is_cut(self) -> bool:
        assert self.loop is not None
        return self._ends_at is not None and self.loop.time() < self._ends_at

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        waits = 0.0 if self.is_cut else self._patience_s()
        if timeout is None or waits is None or timeout <= waits:
            return super().select(timeout)
        if ready := super().select(waits):
            return ready
        self.ahead_s += timeout - waits
        return []

    def _patience_s(self) -> float | None:
        connected = [stream for stream in self.streams if stream._socket is not None]
        if self.pending or any(stream._asked for stream in connected):
            return None
        return WITH_A_SOCKET_S if connected else IN_A_PAUSE_S

    @contextmanager
    def call(self, address: str) -> Iterator[None]:
        """Count a call. Raises OSError while the network is cut."""
        assert self.loop is not None
        named = isinstance(self._cut_at, str) and self._cut_at in address
        if named or self.calls == self._cut_at:
            self._cut_at = -1
            self._ends_at = self.loop.time() + self._gap_s
            for stream in self.streams:
                if stream._socket is not None:
                    stream._socket.transport.abort()
        self.calls += 1
        if self.is_cut:
            raise OSError("the network is cut")
        self.pending += 1
        try:
            yield
        finally:
            self.pending -= 1


class Loop(asyncio.SelectorEventLoop):
    """An event loop with the time of a network."""

    def __init__(self, network: Network) -> None:
        self._network = network
        network.loop = self
        super().__init__(network)

    def time(self) -> float:
        return super().time() + self._network.ahead_s


async def story(client: Client) -> int:
    """Play a game up to an accepted bet, with chat; return its version."""
    client.token = (await again(lambda: client.create_guest(NewGuest(display_name="Ann")))).token
    wanted = NewLobby(slug="ready_set_bet", options=OPTIONS, capacity=2, id=str(uuid4()))
    lobby = (await again(lambda: client.create_lobby(wanted))).id

    async def fill() -> None:
        if len((await client.get_lobby(lobby)).seats) < 2:
            await client.add_bot(lobby)

    await again(fill)

    async def start() -> None:
        while (await client.get_lobby(lobby)).game is None:
            with suppress(StartOverdue):  # by the clock of this loop, which runs ahead
                await client.start_game(lobby)

    starting = asyncio.create_task(again(start))
    game = None
    async with client.room(lobby) as room:
        async for news in room:
            if isinstance(news, RoomNews) and (game := news.lobby.game) is not None:
                break
    await starting
    assert game is not None
    async with client.table(game, rsb.TYPES) as table:
        first = await anext(table)
        assert isinstance(first, View)
        await again(table.look)
        while not (await again(table.legal_commands)).commands:
            await anext(table)
        await again(lambda: table.send_message("Good luck"))
        bet = rsb.PlaceBet(spot="colour:pink", token=5)
        accepted = await again(lambda: table.play(bet))
        await again(lambda: client.resign(game))
        return accepted.version


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int | str, int], Network]:
    """Tell the story with a network that is cut."""
    send, enter, begin = (
        httpx.AsyncHTTPTransport.handle_async_request,
        Connect.__aenter__,
        Stream.__aenter__,
    )

    def tell(server: str, cut_at: int | str, gap_s: int) -> Network:
        network = Network(cut_at, gap_s)

        async def sent(transport: Any, request: Any) -> Any:
            try:
                with network.call(request.url.path):
                    return await send(transport, request)
            except OSError as error:
                raise httpx.ConnectError(str(error)) from error

        async def entered(connection: Any) -> Any:
            with network.call(connection.uri):
                return await enter(connection)

        async def begun(stream: Any) -> Any:
            network.streams.append(stream)
            return await begin(stream)

        monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", sent)
        monkeypatch.setattr(Connect, "__aenter__", entered)
        monkeypatch.setattr(Stream, "__aenter__", begun)

        async def run() -> None:
            async with Client(server) as client:
                assert await story(client) > 0

        with asyncio.Runner(loop_factory=lambda: Loop(network)) as runner:
            runner.run(run())
        return network

    return tell


Cut = Callable[[str, int | str, int], Network]


def test_a_game_of_the_python_client_survives_an_outage(server: str, cut: Cut) -> None:
    cut(server, "/genesis/", 15)


@pytest.mark.slow
def test_the_python_client_survives_outages_in_each_phase(server: str, cut: Cut) -> None:
    for phase in range(cut(server, -1, 0).calls):
        for gap_s in GAPS_S:
            cut(server, phase, gap_s)


@pytest.mark.ci
async def test_a_game_of_the_typescript_client_survives_an_outage(server: str) -> None:
    assert json.loads(await run_script("outage.ts", server, "/genesis/", "15")) == 1


@pytest.mark.slow
async def test_the_typescript_client_survives_outages_in_each_phase(server: str) -> None:
    gaps = ",".join(map(str, GAPS_S))
    assert json.loads(await run_script("outage.ts", server, "each", gaps)) > 10
