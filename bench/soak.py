"""A soak: tables that play one game after the other for a long time, over the public API.

What grows, in memory, open files or connections, shows in the samples.
"""

import asyncio
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Final

import msgspec
import psutil
import uvloop
from django.db import connection

from bench.ground import Experiment
from bench.load import Api, Visitor, new_guest, start_game
from bench.meter import MEGABYTE
from bench.wire import Address

SAMPLES: Final = 60
"""Samples in all, none sooner than after `SAMPLE_LEAST_S`."""
SAMPLE_LEAST_S: Final = 5.0
LOOK_EVERY_S: Final = 1.0
ANSWERED_WITHIN_S: Final = 60.0
READS: Final = ("bets/?limit=20", "games/{game}/transfers/", "games/{game}/", "games/?limit=20")
"""The requests of a person after a game."""

COUNTS: Final = """
SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
    (SELECT sum(version) FROM games_head)
"""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """The state after so many minutes: the memory of each process with its children, without what
    they share; the files and sockets that web and worker processes have open; the connections of
    the database. `lost` counts the sockets that the server dropped."""

    minute: float
    memory_mb: dict[str, float]
    files: dict[str, int]
    backends: int
    commits: int
    ended: int
    lost: int


class Soak(Experiment, frozen=True, kw_only=True):
    """This many tables of the games in turn, each with one person and `bots` bots."""

    port: int
    slugs: tuple[str, ...]
    tables: int
    bots: int
    minutes: float

    def run(self) -> list[Sample]:
        """Run in a process with Django set up, next to a web process and a worker."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_Soaking(self).run())


class _Soaking:
    def __init__(self, soak: Soak) -> None:
        self._soak = soak
        self._api = Api(f"http://127.0.0.1:{soak.port}")
        self._processes = {name: psutil.Process(pid) for name, pid in soak.processes.items()}
        self._ended = 0
        self._lost = 0

    async def run(self) -> list[Sample]:
        """Play and sample. Raises ExperimentError."""
        began = time.monotonic()
        pause_s = max(SAMPLE_LEAST_S, self._soak.minutes * 60 / SAMPLES)
        slugs = cycle(self._soak.slugs)
        samples = []
        async with asyncio.TaskGroup() as tables:
            playing = [
                tables.create_task(self._play(place, slugs)) for place in range(self._soak.tables)
            ]
            while (passed_s := time.monotonic() - began) < self._soak.minutes * 60:
                await asyncio.sleep(min(pause_s, self._soak.minutes * 60 - passed_s))
                minute = (time.monotonic() - began) / 60
                samples.append(await asyncio.to_thread(self._sample, minute))
            for each in playing:
                each.cancel()
        return samples

    async def _play(self, place: int, slugs: Iterator[str]) -> None:
        """Play one game after the other as the same guest."""
        token = await asyncio.to_thread(self._guest, place)
        while True:
            game = await asyncio.to_thread(self._start, token, next(slugs))
            while not await self._plays_to_the_end(game, token):
                self._lost += 1
            self._ended += 1
            await asyncio.to_thread(self._read, game, token)

    async def _plays_to_the_end(self, game: str, token: str) -> bool:
        """Play over one socket. Return whether the game ended, rather than the connection."""
        person = Visitor(game, token, Address.local(self._soak.port))
        await person.connect()
        playing = asyncio.create_task(person.play())
        try:
            while not (person.ended or person.wire.lost):  # noqa: ASYNC110 -- another process
                await asyncio.sleep(LOOK_EVERY_S)
            return person.ended
        finally:
            playing.cancel()
            await person.wire.close()

    def _guest(self, place: int) -> str:
        return new_guest(self._api, place, until=time.monotonic() + ANSWERED_WITHIN_S)

    def _start(self, token: str, slug: str) -> str:
        until = time.monotonic() + ANSWERED_WITHIN_S
        return start_game(self._api, token, slug, bots=self._soak.bots, until=until)

    def _read(self, game: str, token: str) -> None:
        for path in READS:
            until = time.monotonic() + ANSWERED_WITHIN_S
            self._api.get(path.format(game=game), token=token, until=until)

    def _sample(self, minute: float) -> Sample:
        with connection.cursor() as cursor:
            cursor.execute(COUNTS)
            backends, commits = cursor.fetchone()
        connection.close()
        return Sample(
            minute=round(minute, 2),
            memory_mb={name: _memory_mb(each) for name, each in self._processes.items()},
            files={
                name: each.num_fds()
                for name, each in self._processes.items()
                if name in {"web", "worker"}
            },
            backends=backends,
            commits=int(commits or 0),
            ended=self._ended,
            lost=self._lost,
        )


def _memory_mb(process: psutil.Process) -> float:
    used = 0
    for each in [process, *process.children(recursive=True)]:
        try:
            used += each.memory_full_info().uss
        except psutil.NoSuchProcess:
            continue
    return round(used / MEGABYTE, 1)
