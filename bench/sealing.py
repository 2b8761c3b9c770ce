"""The cost of sealing: moves per second with and without the sealer, and the lag of the log."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from statistics import median
from typing import Any, Final

import msgspec
from psycopg import AsyncConnection

from bench.ground import Experiment
from bench.meter import quantile_ms
from bench.moves import WARM_S, Moves
from bench.players import Player, Tally
from games.store.commits import conninfo
from games.transparency.sealing import LOCK

LOOK_EVERY_S: Final = 0.25

BEHIND: Final = """
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - c.at)), 0)::float8 FROM games_head h
JOIN games_game g ON g.id = h.game_id
LEFT JOIN LATERAL (
    SELECT version FROM games_logentry WHERE name = g.log_name ORDER BY version DESC LIMIT 1
) e ON true
JOIN games_commit c
    ON c.game_id = h.game_id AND c.version = greatest(coalesce(e.version, 0), 0) + 1
"""
"""The age of the oldest commit that no checkpoint covers."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """Moves per second without and with something, one right after the other."""

    off: float
    on: float

    @property
    def ratio(self) -> float:
        """The rate with it relative to the rate without."""
        return self.on / self.off


class SealingMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The results of all turns. `ratio` is the median; least and most are its spread.

    `behind_*_ms`: the age of the oldest commit without checkpoint, sampled four times a second.
    """

    tables: int
    players: int
    turns: list[Turn]
    ratio: float
    ratio_least: float
    ratio_most: float
    behind_p50_ms: float
    behind_max_ms: float
    unanswered: int
    lost: int
    cores: dict[str, dict[str, float]]


class Sealing(Experiment, frozen=True, kw_only=True):
    """`turns` pairs of windows at saturation, with the worker's sealer paused and running.

    The order alternates, so that neither a drift of the machine nor growing tables favour one.
    """

    port: int
    tables: int
    seconds: float
    turns: int

    def run(self) -> SealingMeasured:
        """Run in a process with Django set up, next to a worker."""
        return self._moves().at_tables(self._measure)

    def _moves(self) -> Moves:
        return Moves(
            processes=self.processes,
            port=self.port,
            tables=self.tables,
            seconds=self.seconds,
            rates=(),
        )

    async def _measure(self, players: Sequence[Player], tally: Tally) -> SealingMeasured:
        moves, behind, windows = self._moves(), list[float](), []
        async with await AsyncConnection.connect(conninfo(), autocommit=True) as connection:
            for turn in range(self.turns):
                found = {}
                for seals in (False, True) if turn % 2 == 0 else (True, False):
                    async with (
                        _looking(connection, behind if seals else []),
                        _sealing(connection, seals=seals),
                    ):
                        found[seals] = await moves.window(None, players, tally)
                windows.append(found)
        turns = [
            Turn(off=found[False].moves_per_s, on=found[True].moves_per_s) for found in windows
        ]
        ratios, last = sorted(turn.ratio for turn in turns), windows[-1]
        return SealingMeasured(
            tables=self.tables,
            players=len(players),
            turns=turns,
            ratio=round(median(ratios), 4),
            ratio_least=round(ratios[0], 4),
            ratio_most=round(ratios[-1], 4),
            behind_p50_ms=quantile_ms(sorted(behind), 0.5),
            behind_max_ms=quantile_ms(sorted(behind), 1),
            unanswered=last[True].unanswered + last[False].unanswered,
            lost=last[True].lost + last[False].lost,
            cores={"off": last[False].cores, "on": last[True].cores},
        )


@asynccontextmanager
async def _sealing(connection: AsyncConnection[Any], *, seals: bool) -> AsyncIterator[None]:
    """Pause all sealers by holding their lock, unless `seals`."""
    if not seals:
        await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    yield
    if not seals:
        await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


@asynccontextmanager
async def _looking(connection: AsyncConnection[Any], seen: list[float]) -> AsyncIterator[None]:
    """Sample the lag in both cases, so that the sampling costs both the same."""

    async def look() -> None:
        await asyncio.sleep(WARM_S)
        while True:
            cursor = await connection.execute(BEHIND)
            seen.extend(age for (age,) in await cursor.fetchall())
            await asyncio.sleep(LOOK_EVERY_S)

    task = asyncio.create_task(look())
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
