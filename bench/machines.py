"""Where a deployment of several machines saturates: queues with the measured times of a commit.

Run `python -m bench.machines`; it needs no server. A commit of a person passes the web process of
its table, one of the clock or of a bot passes a worker. Then it waits for a statement, which it
shares with what waits in the same process, and at last the web process delivers it. The id of a
table chooses its web process and its database, so databases do not wait for each other.
"""

import random
import sys
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, NamedTuple

COMMITS_PER_S: Final = 0.68
WEB_MS, WORKER_MS, SEALER_MS, POSTGRES_MS = 0.32, 0.22, 0.04, 0.27
"""Processor time of a commit, as `bench live` measures it, with the sealer apart."""
PEOPLE: Final = 0.1
"""The share of commits that people cause; the clock and bots cause the others."""
STATEMENT_MS: Final = 2.0
"""The network and the flush of the WAL, beside the processor time of a statement."""
GROUP_MAX: Final = 64
CORES: Final = 8  # of a machine, which runs as many processes, the sealer among them
READS_MS: Final = 240 * 3.0
"""The reads of a table-hour on a replica or the primary: an estimate."""
SHARED_MS: Final = 60 * 0.3 + 4 * 1.0
"""A table-hour of people and money: 60 checks of tokens, four transactions. An estimate."""
SECONDS: Final = 2.0


class Shape(NamedTuple):
    """A deployment: for each database, machines for processes, cores, and whether it has a replica
    that answers reads."""

    databases: int
    machines: int
    cores: int
    replica: bool

    @property
    def web(self) -> int:
        """The web processes of a database."""
        return round(self.machines * CORES * WEB_MS / (WEB_MS + WORKER_MS + SEALER_MS))

    @property
    def workers(self) -> int:
        """The workers of a database."""
        return self.machines * CORES - self.web - 1

    @property
    def postgres_ms(self) -> float:
        """The processor time of the primary for a commit, and for reads without a replica."""
        return POSTGRES_MS + (0.0 if self.replica else READS_MS / 3600 / COMMITS_PER_S)

    def full(self) -> tuple[int, str]:
        """Return how many tables of a database use all of a resource, and that resource."""
        used = {
            "web": WEB_MS / self.web,
            "workers": WORKER_MS / self.workers,
            "PostgreSQL": self.postgres_ms / self.cores,
        }
        name = max(used, key=lambda each: used[each])
        return int(1000 / used[name] / COMMITS_PER_S), name


class Servers:
    """Equal servers with one queue: the cores of PostgreSQL, or a process with its statement."""

    def __init__(self, number: int) -> None:
        self._free_at = [0.0] * number
        self.waiting: list[tuple[float, int]] = []
        self.is_writing = False

    def serve(self, at: float, ms: float) -> float:
        """Return when work that comes now is done."""
        done = max(at, heappop(self._free_at)) + ms / 1000
        heappush(self._free_at, done)
        return done


class Simulation:
    """The commits of one database. `took` has the seconds from their causes to their deliveries."""

    def __init__(self, shape: Shape, tables: int, seed: int = 1) -> None:
        self._chance = random.Random(seed)  # noqa: S311 -- a load, not luck
        self._web = [Servers(1) for _ in range(shape.web)]
        self._workers = [Servers(1) for _ in range(shape.workers)]
        self._postgres, self._postgres_ms = Servers(shape.cores), shape.postgres_ms
        self._numbers = count()
        self._events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self.took: list[float] = []
        for _ in range(round(tables * COMMITS_PER_S * SECONDS)):
            self._add(
                self._chance.uniform(0, SECONDS), self._decide, self._chance.randrange(tables)
            )
        while self._events:
            at, _, event, subjects = heappop(self._events)
            event(at, *subjects)

    def p99_ms(self) -> float:
        """Return the 99th percentile of `took`."""
        return 1000 * sorted(self.took)[int(0.99 * len(self.took))]

    def _add(self, at: float, event: Callable[..., None], *subjects: Any) -> None:
        heappush(self._events, (at, next(self._numbers), event, subjects))

    def _decide(self, at: float, table: int) -> None:
        by_person = self._chance.random() < PEOPLE
        process = self._web_of(table) if by_person else self._chance.choice(self._workers)
        own_ms = WEB_MS / 2 / PEOPLE if by_person else WORKER_MS / (1 - PEOPLE)
        self._add(process.serve(at, own_ms), self._wait, process, (at, table))

    def _wait(self, at: float, process: Servers, commit: tuple[float, int]) -> None:
        process.waiting.append(commit)
        if not process.is_writing:
            self._write(at, process)

    def _write(self, at: float, process: Servers) -> None:
        group, process.waiting = process.waiting[:GROUP_MAX], process.waiting[GROUP_MAX:]
        process.is_writing = bool(group)
        if group:
            done = self._postgres.serve(at, self._postgres_ms * len(group)) + STATEMENT_MS / 1000
            self._add(done, self._deliver, process, group)

    def _deliver(self, at: float, process: Servers, group: list[tuple[float, int]]) -> None:
        for came, table in group:
            self.took.append(self._web_of(table).serve(at, WEB_MS / 2) - came)
        self._write(at, process)

    def _web_of(self, table: int) -> Servers:
        return self._web[table % len(self._web)]


ONE: Final = [(1, 1, 4, False), (1, 2, 8, False), (1, 2, 8, True), (1, 4, 16, True)]
SHAPES: Final = [Shape(*each) for each in (*ONE, (4, 4, 16, True))]

if __name__ == "__main__":
    lines = ["databases | web + workers | cores | replica | tables | full first | p99 at 0.7, 0.95"]
    for shape in SHAPES:
        full, name = shape.full()
        waits = (f"{Simulation(shape, int(use * full)).p99_ms():.0f} ms" for use in (0.7, 0.95))
        figures = (f"{shape.web} + {shape.workers}", shape.cores, shape.replica)
        found = (f"{full * shape.databases:,}", name, ", ".join(waits))
        lines.append(" | ".join(map(str, (shape.databases, *figures, *found))))
    lines.append(f"Shared database: {3600 * 1000 / SHARED_MS:,.0f} tables a core")
    # A sealer that is behind seals the newest head of each game in turn, half of the time.
    lines.append(f"Heads of 100,000 tables of a log are sealed every {200 * SEALER_MS:.0f} s")
    sys.stdout.write("\n".join(lines) + "\n")
