"""The cost of sealing: moves per second with and without the sealer, and the lag of the log."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec
from psycopg import AsyncConnection

from bench.meter import quantile_ms
from bench.moves import WARM_S
from bench.players import Tally
from bench.switching import Switching, SwitchingMeasured
from games.log.sealing import LOCK
from games.store.connections import conninfo

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


class SealingMeasured(SwitchingMeasured, frozen=True, kw_only=True):
    """`behind_*_ms`: the age of the oldest commit without checkpoint while the sealer runs, sampled
    four times a second."""

    behind_p50_ms: float
    behind_max_ms: float


class Sealing(Switching, frozen=True, kw_only=True):
    """The sealer of a worker, which a lock pauses."""

    behind: list[float] = msgspec.field(default_factory=list)
    """The sampled ages, in seconds."""

    @asynccontextmanager
    async def switched(self, tally: Tally, *, is_on: bool) -> AsyncIterator[None]:
        async with (
            await AsyncConnection.connect(conninfo(), autocommit=True) as connection,
            _looking(connection, self.behind if is_on else []),
            _sealing(connection, seals=is_on),
        ):
            yield

    def run(self) -> SealingMeasured:
        """Run in a process with Django set up, next to a worker."""
        measured, behind = super().run(), self.behind
        return SealingMeasured(
            **msgspec.structs.asdict(measured),
            behind_p50_ms=quantile_ms(sorted(behind), 0.5),
            behind_max_ms=quantile_ms(sorted(behind), 1),
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
