"""Memory of sockets that are connected, subscribed and silent."""

import asyncio
from typing import Final

import msgspec
import uvloop

from bench.ground import Experiment
from bench.meter import memory_mb
from bench.moves import SEATS
from bench.players import Table, Tally, connect_all
from bench.seating import seat_tables

SETTLE_S: Final = 6.0


class IdleMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """Memory growth of the web process, in total and per 1,000 sockets."""

    sockets: int
    before_mb: float
    after_mb: float
    mb_per_1000: float


class Idle(Experiment, frozen=True, kw_only=True):
    """At least `sockets` players sit at tables of four to eight and do not play."""

    port: int
    sockets: int

    def run(self) -> IdleMeasured:
        """Run in a process with Django set up."""
        sizes: list[int] = []
        while sum(sizes) < self.sockets:
            sizes.append(SEATS[len(sizes) % len(SEATS)])
        first, *others = seat_tables([SEATS[0], *sizes], "free_spots")
        tally = Tally()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(
                self._measure(Table(first, tally), [Table(each, tally) for each in others])
            )

    async def _measure(self, first: Table, others: list[Table]) -> IdleMeasured:
        # The first table loads what the process needs once, so that it does not count for the
        # others.
        await connect_all(each.connect(self.port) for each in first.players)
        await asyncio.sleep(1.0)
        before = memory_mb(self.processes["web"])
        players = [player for table in others for player in table.players]
        await connect_all(each.connect(self.port) for each in players)
        await asyncio.sleep(SETTLE_S)
        after = memory_mb(self.processes["web"])
        return IdleMeasured(
            sockets=len(players),
            before_mb=round(before, 1),
            after_mb=round(after, 1),
            mb_per_1000=round((after - before) / len(players) * 1000, 1),
        )
