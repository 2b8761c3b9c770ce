"""Live tables: a real game at its real pace, with one person on a socket and bots at each.

A person sends a legal command every few seconds. Tables are added in stages until a stage is too
slow for people.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any, Final
from uuid import uuid4

import msgspec
import uvloop
from django.db import connection

from bench.ground import Experiment
from bench.meter import GENERATOR, OTHERS, Meter, memory_mb, quantile_ms
from bench.players import CONNECT_WITHIN_S, CONNECTING_AT_ONCE
from bench.seating import Seated, seat_tables
from bench.wire import Wire, text_frame

PACE_S: Final = (2.0, 6.0)
"""Seconds between two commands of a person."""

PLANNED: Final = 4
"""Commands that a person chooses at once: real clients know the legal ones from the view."""

LIST_LEGAL_COMMANDS: Final = b'{"type":"list_legal_commands"}'

WARM_S: Final = 15.0
"""Long enough for the first bets: new games begin with a choice of cards."""

ACKNOWLEDGED_P99_MAX_MS: Final = 50.0
LATE_P99_MAX_MS: Final = 100.0

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
    PostgreSQL and Valkey per commit; `cores` is by process, with the generator's apart."""

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

    @property
    def is_too_slow(self) -> bool:
        """Whether people would notice."""
        return (
            self.late_p99_ms > LATE_P99_MAX_MS or self.acknowledged_p99_ms > ACKNOWLEDGED_P99_MAX_MS
        )


class Person:
    """One user with one socket, who plays at a human pace: any command that the server lists."""

    def __init__(self, seated: Seated, port: int) -> None:
        self.waited_s: list[float] = []
        self.accepted = self.refused = 0
        self._port = port
        self._sent: dict[str, float] = {}
        self._plan: list[Any] = []
        self._ready = asyncio.Event()
        self._listed = asyncio.Event()
        self.wire = Wire(f"/ws/v1/games/{seated.game}", seated.tokens[0], self._on_frame)

    async def connect(self) -> None:
        """Connect, and return when the view has arrived."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self.wire, "127.0.0.1", self._port)
        async with asyncio.timeout(CONNECT_WITHIN_S):
            await self._ready.wait()

    async def play(self) -> None:
        """Send a command every few seconds, without end."""
        while True:
            await asyncio.sleep(random.uniform(*PACE_S))  # noqa: S311 -- a load, not luck
            if not self._plan:
                self.wire.transport.write(text_frame(LIST_LEGAL_COMMANDS))
                await self._listed.wait()
                self._listed.clear()
            if self._plan:
                command_id = str(uuid4())
                frame = {"type": "play", "id": command_id, "command": self._plan.pop()}
                self._sent[command_id] = time.perf_counter()
                self.wire.transport.write(text_frame(msgspec.json.encode(frame)))

    def _on_frame(self, data: bytes, start: int, end: int) -> None:
        if data.startswith(b'{"type":"view"', start):
            self._ready.set()
        elif data.startswith(b'{"type":"legal_commands"', start):
            commands: list[Any] = msgspec.json.decode(data[start:end])["commands"]
            self._plan = random.sample(commands, min(PLANNED, len(commands)))
            self._listed.set()
        elif data.startswith((b'{"type":"accepted"', b'{"type":"refused"'), start):
            answer = msgspec.json.decode(data[start:end])
            self.waited_s.append(time.perf_counter() - self._sent.pop(answer["id"]))
            self.accepted += answer["type"] == "accepted"
            if answer["type"] == "refused":
                self.refused += 1
                self._plan = []


class Live(Experiment, frozen=True, kw_only=True):
    """Stages with these numbers of tables, each with one person and `bots` bots."""

    port: int
    slug: str
    stages: tuple[int, ...]
    bots: int
    seconds: float

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
            fresh = [Person(each, self.port) for each in seated]
            for first in range(0, len(fresh), CONNECTING_AT_ONCE):
                some = fresh[first : first + CONNECTING_AT_ONCE]
                await asyncio.gather(*(person.connect() for person in some))
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
            person.waited_s, person.accepted, person.refused = [], 0, 0
        meter = Meter(self.processes)
        await asyncio.sleep(self.seconds)
        cores = meter.cores()
        commits, (p50, p99, _) = await asyncio.to_thread(self._lateness)
        waited = sorted(seconds for person in people for seconds in person.waited_s)
        server = sum(used for name, used in cores.items() if name not in {GENERATOR, OTHERS})
        return Stage(
            tables=len(people),
            commits_per_s=round(commits / self.seconds, 1),
            accepted=sum(person.accepted for person in people),
            refused=sum(person.refused for person in people),
            late_p50_ms=round(p50, 1),
            late_p99_ms=round(p99, 1),
            acknowledged_p50_ms=quantile_ms(waited, 0.5),
            acknowledged_p99_ms=quantile_ms(waited, 0.99),
            server_cores=round(server, 2),
            cpu_ms=round(1000 * server * self.seconds / max(1, commits), 2),
            cores=cores,
            memory_mb={name: round(memory_mb(pid)) for name, pid in self.processes.items()},
        )

    def _lateness(self) -> tuple[int, list[float]]:
        with connection.cursor() as cursor:
            cursor.execute(LATENESS, {"seconds": self.seconds})
            found: tuple[int, list[float]] = cursor.fetchone()
        connection.close()
        return found
