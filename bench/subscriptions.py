"""The cost of delivering a commit over game sockets, and over subscriptions of GraphQL."""

import asyncio
import json
from collections.abc import Callable, Sequence
from statistics import median
from typing import Final
from uuid import UUID

import msgspec

from bench.meter import Meter
from bench.moves import REST_S, AtTables, Moves, pace
from bench.players import Player, Tally, connect_all
from bench.wire import Address, Wire

FOLLOWERS: Final = 5
"""The connections of each player that only follow."""

TURNS: Final = 3
COMMIT: Final = b'"version":'
QUERY: Final = """subscription Follow($game: UUID!) { gameCommits(game: $game) {
  version at nextAt hash events {
    ... on BetPlaced { type bet seat spot stake odds } ... on BetSettled { type bet payout }
  }
} }"""


class Delivered(msgspec.Struct, frozen=True, kw_only=True):
    """Processor time of the web process for each commit that a follower received, in microseconds:
    all of it, and beyond that of the same moves without followers."""

    protocol: str
    deliveries_per_s: float
    us: float
    more_us: float
    lost: int


class Subscriptions(AtTables, frozen=True, kw_only=True):
    """Moves at `rate`, followed over each protocol in turn."""

    port: int
    rate: float

    def run(self) -> list[Delivered]:
        """Run in a process with Django set up."""
        return Moves.at_saturation(self, self.port).at_tables(self._measure)

    async def _measure(self, players: Sequence[Player], _tally: Tally) -> list[Delivered]:
        pacing = asyncio.create_task(pace(players, self.rate))
        turns = [
            [await self._window(players, open_) for open_ in (None, game_socket, subscription)]
            for _ in range(TURNS)
        ]
        pacing.cancel()
        await asyncio.sleep(REST_S)
        alone = median(cores for (cores, _, _), _, _ in turns)
        found = []
        for place, protocol in ((1, "game socket"), (2, "GraphQL")):
            windows = [turn[place] for turn in turns]
            rates = [deliveries for _, deliveries, _ in windows]
            found.append(
                Delivered(
                    protocol=protocol,
                    deliveries_per_s=round(median(rates)),
                    us=round(median(cores / rate * 1e6 for cores, rate, _ in windows), 1),
                    more_us=round(
                        median((cores - alone) / rate * 1e6 for cores, rate, _ in windows), 1
                    ),
                    lost=sum(lost for _, _, lost in windows),
                )
            )
        return found

    async def _window(
        self, players: Sequence[Player], open_: "Callable[[Player, Follower], Wire] | None"
    ) -> tuple[float, float, int]:
        """Return the cores of the web process, the deliveries a second and the lost followers."""
        followers = [Follower(each, open_) for each in players for _ in range(FOLLOWERS) if open_]
        await connect_all(each.connect(self.port) for each in followers)
        await asyncio.sleep(REST_S)
        for each in followers:
            each.deliveries = 0
        loop = asyncio.get_running_loop()
        meter, began = Meter(self.processes), loop.time()
        await asyncio.sleep(self.seconds)
        cores, elapsed = meter.cores()["web"], loop.time() - began
        deliveries = sum(each.deliveries for each in followers)
        lost = sum(each.wire.lost for each in followers)
        await asyncio.gather(*(each.wire.close() for each in followers))
        return cores, deliveries / elapsed or 1, lost


class Follower:
    """A connection that follows the game of a player."""

    def __init__(self, player: Player, open_: "Callable[[Player, Follower], Wire]") -> None:
        self.deliveries = 0
        self.ready = asyncio.Event()
        self.game: UUID = player.game
        self.wire = open_(player, self)

    async def connect(self, port: int) -> None:
        """Connect, and return when the subscription has begun."""
        await self.wire.open(Address.local(port), self.ready)

    def on_frame(self, data: bytes, start: int, end: int) -> None:
        """Count the commits of a frame."""
        self.ready.set()
        self.deliveries += data.count(COMMIT, start, end)


def game_socket(player: Player, follower: Follower) -> Wire:
    """Return a connection to the game socket."""
    return Wire(f"/ws/v1/games/{player.game}", player.token, follower.on_frame)


def subscription(player: Player, follower: Follower) -> Wire:
    """Return a connection that subscribes to the commits."""
    asked = {"query": QUERY, "variables": {"game": str(player.game)}}

    def on_text(data: bytes, start: int, end: int) -> None:
        if b'"connection_ack"' in data[start:end]:
            subscribe = {"id": "1", "type": "subscribe", "payload": asked}
            wire.send(json.dumps(subscribe).encode())
            follower.ready.set()
        else:
            follower.on_frame(data, start, end)

    wire = Wire("/graphql/", player.token, on_text, protocol="graphql-transport-ws")
    wire.send_first(b'{"type":"connection_init"}')
    return wire
