"""Live tables: real Ready Set Bet at its real pace, with a person on a socket and bots at each.

A person sends a bet every few seconds, on a spot that they believe free. Tables are added in stages
until a stage is too slow for people.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
import uvloop
from django.db import connection

from bench.ground import Experiment
from bench.meter import GENERATOR, OTHERS, Meter, memory_mb, quantile_ms
from bench.players import CONNECT_WITHIN_S, CONNECTING_AT_ONCE
from bench.seating import Seated, seat_tables
from bench.wire import Wire, text_frame

SLUG: Final = "ready_set_bet"
PACE_S: Final = (2.0, 6.0)
WARM_S: Final = 15.0
"""Long enough for the first bets: new games begin with a choice of cards."""

ACKNOWLEDGED_P99_MAX_MS: Final = 50.0
LATE_P99_MAX_MS: Final = 100.0
THINK_MS: Final = 6_000

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
    """One user with one socket, who bets at a human pace."""

    def __init__(self, seated: Seated) -> None:
        self.waited_s: list[float] = []
        self.accepted = self.refused = 0
        self._spots: list[str] = []
        self._taken: set[str] = set()
        self._tokens: list[int] = []
        self._sent: dict[str, tuple[float, int]] = {}
        self._ready = asyncio.Event()
        self.wire = Wire(f"/ws/v1/games/{seated.game}", seated.tokens[0], self._on_frame)

    async def connect(self, port: int) -> None:
        """Connect, and return when the view has arrived."""
        await asyncio.get_running_loop().create_connection(lambda: self.wire, "127.0.0.1", port)
        async with asyncio.timeout(CONNECT_WITHIN_S):
            await self._ready.wait()

    async def play(self) -> None:
        """Bet every few seconds, without end."""
        while True:
            await asyncio.sleep(random.uniform(*PACE_S))  # noqa: S311 -- a load, not luck
            free = [spot for spot in self._spots if spot not in self._taken]
            if free and self._tokens:
                self._bet(random.choice(free), random.choice(self._tokens))  # noqa: S311

    def _bet(self, spot: str, token: int) -> None:
        command_id = f"{random.getrandbits(128):032x}"
        command = {"type": "place_bet", "spot": spot, "token": token}
        frame = {"type": "play", "id": str(UUID(command_id)), "command": command}
        self._sent[command_id] = time.perf_counter(), token
        self.wire.transport.write(text_frame(msgspec.json.encode(frame)))

    def _on_frame(self, data: bytes, start: int, end: int) -> None:
        if data.startswith((b'{"type":"heartbeat"', b'{"type":"presence"'), start):
            return
        frame = msgspec.json.decode(data[start:end])
        match frame["type"]:
            case "view":
                self._start_race(frame["view"])
                self._ready.set()
            case "accepted" | "refused" as answer:
                self._answer(frame, accepted=answer == "accepted")
            case "commits":
                for commit in frame["commits"]:
                    for event in commit["events"]:
                        self._learn(event)

    def _start_race(self, view: Any) -> None:
        self._spots = [spot["spot"] for spot in view["spots"]]
        self._tokens = list(view["tokens"][view["seat"]])
        self._taken = {bet["spot"] for bet in view["bets"]}

    def _answer(self, frame: Any, *, accepted: bool) -> None:
        sent = self._sent.pop(frame["id"].replace("-", ""), None)
        if sent is None:
            return
        self.waited_s.append(time.perf_counter() - sent[0])
        self.accepted += accepted
        self.refused += not accepted
        if accepted and sent[1] in self._tokens:
            self._tokens.remove(sent[1])

    def _learn(self, event: Any) -> None:
        match event["type"]:
            case "race_prepared":
                self._taken = set()
                self._tokens = [2, 3, 3, 4, 5]
            case "bet_placed":
                self._taken.add(event["spot"])


class Live(Experiment, frozen=True, kw_only=True):
    """Stages with these numbers of tables, each with one person and `bots` bots."""

    port: int
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
            options = {"think_ms": THINK_MS}
            seated = await asyncio.to_thread(
                seat_tables, [1] * (tables - len(people)), SLUG, options, bots=self.bots
            )
            fresh = [Person(each) for each in seated]
            for first in range(0, len(fresh), CONNECTING_AT_ONCE):
                some = fresh[first : first + CONNECTING_AT_ONCE]
                await asyncio.gather(*(person.connect(self.port) for person in some))
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
