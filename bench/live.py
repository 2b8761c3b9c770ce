"""Live tables: a real game at its real pace, with one person on a socket and bots at each.

A person sends a legal command every few seconds. Tables are added in stages until a stage is too
slow for people.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
import uvloop
from django.db import connection

from bench.ground import Experiment
from bench.growth import written
from bench.meter import Meter, memory_mb, quantile_ms, server_cores
from bench.people import (
    WARM_S,
    Person,
    connect_in_turn,
    is_too_slow,
)
from bench.seating import seat_tables
from bench.wire import Address

LATENESS: Final = """
WITH tick AS (
    SELECT at, extract(epoch FROM at - lag(next_at) OVER (
        PARTITION BY game_id ORDER BY version)) * 1000 AS late_ms, seat
    FROM games_commit WHERE at > now() - (%(seconds)s + 60) * interval '1 s'
), measured AS (
    SELECT seat, late_ms FROM tick WHERE at > now() - %(seconds)s * interval '1 s'
)
SELECT (SELECT count(*) FROM measured),
    coalesce((SELECT percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY late_ms)
        FROM measured WHERE seat IS NULL AND late_ms >= 0), '{0,0,0}')
"""
"""Counts all commits. The clock's commits are due at the `next_at` of the commit before them."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """The results at one number of tables. `cpu_ms` is the processor time of server, workers,
    PostgreSQL and Valkey per commit; `cores` is by process, with the generator's apart.
    `bytes_a_commit` is what the database and its WAL have grown by, and the frames of one person.
    With `heads`, people ask for signed heads."""

    slug: str
    heads: bool = False
    tables: int
    commits_per_s: float
    accepted: int
    refused: int
    late_p50_ms: float
    late_p99_ms: float
    acknowledged_p50_ms: float
    acknowledged_p99_ms: float
    server_cores: float
    cpu_ms: float
    cores: dict[str, float]
    memory_mb: dict[str, float]
    bytes_a_commit: dict[str, int]

    @property
    def title(self) -> str:
        """The game and the number of tables, and whether heads are signed."""
        return f"{self.slug} {self.tables:,}{' heads' if self.heads else ''}"

    @property
    def is_too_slow(self) -> bool:
        """Whether a p99 latency exceeds its limit."""
        return is_too_slow(
            late_p99_ms=self.late_p99_ms, acknowledged_p99_ms=self.acknowledged_p99_ms
        )


class Live(Experiment, frozen=True, kw_only=True):
    """Stages with these numbers of tables, each with one person and `bots` bots. The people may
    ask for signed `heads`."""

    port: int
    slug: str
    stages: tuple[int, ...]
    bots: int
    seconds: float
    heads: bool = False

    def run(self) -> list[Stage]:
        """Run in a process with Django set up, next to a web process and workers."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._run())

    async def _run(self) -> list[Stage]:
        people: list[Person] = []
        playing: list[asyncio.Task[None]] = []
        measured: list[Stage] = []
        for tables in self.stages:
            seated = await asyncio.to_thread(
                seat_tables, [1] * (tables - len(people)), self.slug, bots=self.bots
            )
            here = Address.local(self.port)
            fresh = [Person(each.game, each.tokens[0], here, heads=self.heads) for each in seated]
            await connect_in_turn(fresh)
            people += fresh
            playing += [asyncio.create_task(person.play()) for person in fresh]
            await asyncio.sleep(WARM_S)
            measured.append(await self._measure(people))
            if measured[-1].is_too_slow:
                break
        for task in playing:
            task.cancel()
        return measured

    async def _measure(self, people: Sequence[Person]) -> Stage:
        for person in people:
            person.restart()
        before = await asyncio.to_thread(written)
        meter = Meter(self.processes)
        await asyncio.sleep(self.seconds)
        cores = meter.cores()
        commits, (p50, p99, _), after = await asyncio.to_thread(self._read)
        grown = {name: after[name] - before[name] for name in before}
        grown["frames"] = sum(person.received for person in people)
        waited = sorted(seconds for person in people for seconds in person.waited_s)
        server = server_cores(cores)
        return Stage(
            slug=self.slug,
            heads=self.heads,
            tables=len(people),
            commits_per_s=round(commits / self.seconds, 1),
            accepted=sum(person.accepted for person in people),
            refused=sum(person.refusals.total() for person in people),
            late_p50_ms=round(p50, 1),
            late_p99_ms=round(p99, 1),
            acknowledged_p50_ms=quantile_ms(waited, 0.5),
            acknowledged_p99_ms=quantile_ms(waited, 0.99),
            server_cores=round(server, 2),
            cpu_ms=round(1000 * server * self.seconds / max(1, commits), 2),
            cores=cores,
            memory_mb={name: round(memory_mb(pid)) for name, pid in self.processes.items()},
            bytes_a_commit={name: round(size / max(1, commits)) for name, size in grown.items()},
        )

    def _read(self) -> tuple[int, list[float], dict[str, int]]:
        """Return the commits of the stage, how late the clock was, and what is written."""
        with connection.cursor() as cursor:
            cursor.execute(LATENESS, {"seconds": self.seconds})
            commits, late = cursor.fetchone()
        return commits, late, written()
