"""Accepted moves: throughput with one move in flight per player, and latency at steady rates."""

import asyncio
import gc
import os
import random
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Literal, Self, TypeVar

import msgspec
import psutil
import uvloop

from bench.ground import Experiment
from bench.meter import Meter, quantile_ms
from bench.players import Player, Table, Tally, connect_all
from bench.seating import seat_tables

SEATS: Final = (4, 5, 6, 7, 8)
"""The table sizes in turn: six players on average."""

Measured = TypeVar("Measured")

WARM_S: Final = 2.0
REST_S: Final = 1.0
FIRST_WITHIN_S: Final = 60.0
PINNED: Final = 0
"""The processor on which the server runs if it is pinned. Players, and checks of signatures, run on
the next one."""
SIGNED_AHEAD: Final = 6
"""The bets that players sign ahead on each spot. Those who need more sign while they play."""


class MovesMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one load. A move counts when its player receives the confirmation.

    `deliveries_per_s` counts a commit once for every player who received it. `unanswered` moves and
    `lost` connections should be zero.
    """

    load: str
    tables: int
    players: int
    seconds: float
    moves_per_s: float
    deliveries_per_s: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    refused: int
    unanswered: int
    lost: int
    cores: dict[str, float]


class AtTables(Experiment, frozen=True, kw_only=True):
    """An experiment at `tables` tables, whose windows last `seconds`."""

    tables: int
    seconds: float


class Moves(AtTables, frozen=True, kw_only=True):
    """`tables` tables of four to eight players, first at saturation, then at each of `rates`.

    Rates are moves per second of all players together. The players may be `signing`, or ask for
    signed `heads`. With `pins`, the server runs on one processor, but its checks of signatures and
    the players on another one, and players who sign have signed ahead.
    """

    port: int
    rates: tuple[float, ...]
    players: Literal["", "signing", "heads"] = ""
    pins: bool = False

    @classmethod
    def at_saturation(cls, experiment: AtTables, port: int) -> Self:
        """Return this load, without steady rates, for another experiment."""
        return cls(
            processes=experiment.processes,
            port=port,
            tables=experiment.tables,
            seconds=experiment.seconds,
            rates=(),
        )

    def run(self) -> list[MovesMeasured]:
        """Run in a process with Django set up."""
        return self.at_tables(self._measure)

    def at_tables(
        self,
        measure: Callable[[Sequence[Player], Tally], Coroutine[Any, Any, Measured]],
        port_of: Callable[[Player], int] | None = None,
    ) -> Measured:
        """Seat and connect the players, each to `port` or to its own, and measure."""
        seated = seat_tables(
            [SEATS[number % len(SEATS)] for number in range(self.tables)],
            "free_spots",
            signing=self.players == "signing",
        )
        if self.pins:
            os.sched_setaffinity(0, {PINNED + 1})
        tally = Tally()
        gc.freeze()
        gc.disable()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            tables = [Table(each, tally, heads=self.players == "heads") for each in seated]
            players = [player for table in tables for player in table.players]
            if self.pins and self.players == "signing":
                for player in players:
                    player.sign_ahead(SIGNED_AHEAD)
            ports = map(port_of or (lambda _: self.port), players)
            runner.run(connect_all(map(Player.connect, players, ports)))
            return runner.run(measure(players, tally))

    async def _measure(self, players: Sequence[Player], tally: Tally) -> list[MovesMeasured]:
        return [await self.window(rate, players, tally) for rate in (None, *self.rates)]

    async def window(
        self, rate: float | None, players: Sequence[Player], tally: Tally
    ) -> MovesMeasured:
        """Measure one load: at this rate, or at saturation for None."""
        loop = asyncio.get_running_loop()
        pacing = None if rate is None else asyncio.create_task(pace(players, rate))
        if rate is None:
            tally.keeps_playing = True
            for player in players:
                player.play()
        await asyncio.sleep(min(WARM_S, self.seconds))
        async with asyncio.timeout(FIRST_WITHIN_S):
            # The process that checks signatures starts with the first move.
            while not tally.accepted:  # noqa: ASYNC110 -- an event would cost each move
                await asyncio.sleep(0.1)
        if self.pins:
            _free_checkers()
        tally.restart()
        meter, began = Meter(self.processes), loop.time()
        await asyncio.sleep(self.seconds)
        elapsed, cores = loop.time() - began, meter.cores()
        waited = sorted(tally.waited_s)
        accepted, deliveries, refused = tally.accepted, tally.deliveries, tally.refused
        tally.keeps_playing = False
        if pacing is not None:
            pacing.cancel()
        await asyncio.sleep(REST_S)
        return MovesMeasured(
            load="saturation" if rate is None else f"{rate:g}/s",
            tables=self.tables,
            players=len(players),
            seconds=round(elapsed, 2),
            moves_per_s=round(accepted / elapsed, 1),
            deliveries_per_s=round(deliveries / elapsed),
            p50_ms=quantile_ms(waited, 0.5),
            p99_ms=quantile_ms(waited, 0.99),
            max_ms=quantile_ms(waited, 1),
            refused=refused,
            unanswered=sum(len(player.waiting) for player in players),
            lost=sum(player.wire.lost for player in players),
            cores=cores,
        )


def _free_checkers() -> None:
    """Move the processes that check signatures from the processor of all others to the next one."""
    for process in psutil.process_iter(["cmdline", "cpu_affinity"]):
        affinity = process.info["cpu_affinity"]
        if "kit.signature_checker" in (process.info["cmdline"] or ()) and affinity == [PINNED]:
            process.cpu_affinity([PINNED + 1])


async def pace(players: Sequence[Player], rate: float) -> None:
    """Send moves at a steady rate, whatever the server does, each from a random player."""
    loop = asyncio.get_running_loop()
    began, sent = loop.time(), 0
    while True:
        while sent < (loop.time() - began) * rate:
            random.choice(players).play()  # noqa: S311 -- a load, not luck
            sent += 1
        await asyncio.sleep(0.001)
