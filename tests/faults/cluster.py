"""Web and worker processes, each behind its own proxies to PostgreSQL, Valkey and its clients."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit, urlunsplit

from gameserver.processes.children import Child
from tests.faults.network import Line, Link
from tests.processes import READY_WITHIN_S, ROOT, environment_with

ENDS_WITHIN_S: Final = 60.0
CLOCK_SOURCE: Final = Path(__file__).with_name("clock.c")


class Program:
    """A process of the server with its proxies. `front` is the proxy of its clients."""

    def __init__(self, name: str, arguments: Sequence[str], folder: Path, **variables: str) -> None:
        self.name = name
        self.database, self.cache = lines(name)
        self.front: Line | None = None
        self._arguments = arguments
        self._variables = variables
        self._clock = folder / f"{name} clock"
        self._log = folder / f"{name}.log"
        self._listening: socket.socket | None = None
        self.child: Child
        self.is_starting = False

    @property
    def lines(self) -> list[Line]:
        return [self.database, self.cache, *([self.front] if self.front else [])]

    async def start(self, clock: Path | None, *, listens: bool) -> None:
        """Open the proxies and start the process, without waiting until it is ready."""
        await self.database.open()
        await self.cache.open()
        inherited: list[int] = []
        arguments = [sys.executable, "-m", *self._arguments]
        if listens:
            self._listening = socket.create_server(("127.0.0.1", 0), backlog=512)
            self.front = Line(f"clients to {self.name}", self._listening.getsockname()[:2])
            await self.front.open()
            inherited = [self._listening.fileno()]
            arguments += ["--fd", str(inherited[0])]
        self.step_clock(0)
        self.child = Child(
            self.name,
            arguments,
            environment=environment_with(
                {
                    **addresses(self.database, self.cache),
                    "STANDBY_CLOCK": "1",
                    "WEBHOOK_NETWORKS": "127.0.0.0/8",
                    "RATE_LIMITS": "address=0/60 user=0/60 token=0/60",
                    **self._variables,
                    **({} if clock is None else self._wrong_clock(clock)),
                }
            ),
            folder=ROOT,
            log=self._log,
            announces=True,
            inherited=inherited,
        )
        self.child.start()

    async def ready(self) -> None:
        """Wait until the process announces itself."""
        self.is_starting = True
        is_ready = await asyncio.to_thread(self.child.is_ready, within_s=READY_WITHIN_S)
        assert is_ready, f"{self.name} did not become ready: see {self._log}"
        self.is_starting = False

    async def restart(self) -> None:
        """Start the process again after its end. Raises TimeoutError if it does not end."""
        async with asyncio.timeout(ENDS_WITHIN_S):
            while self.child.exit_code is None:  # noqa: ASYNC110 -- another process
                await asyncio.sleep(0.01)
        self.child.start()
        await self.ready()

    async def stop(self) -> None:
        await asyncio.to_thread(self.child.stop)
        for line in self.lines:
            await line.close()
        if self._listening is not None:
            self._listening.close()

    def _wrong_clock(self, clock: Path) -> Mapping[str, str]:
        return {"LD_PRELOAD": str(clock), "CLOCK_OFFSET_FILE": str(self._clock)}

    def step_clock(self, seconds: int) -> None:
        """Set the error of the wall clock of the process."""
        with self._clock.open("r+b" if self._clock.exists() else "w+b") as file:
            file.write(seconds.to_bytes(8, sys.byteorder, signed=True))


class Cluster:
    """All processes of one server. `servers` are PostgreSQL and Valkey, if they may be killed."""

    def __init__(self, folder: Path, *, web: int, workers: int, servers: Sequence[Child]) -> None:
        self.web = [
            Program(f"web {number}", ["gameserver.processes.web"], folder) for number in range(web)
        ]
        self.workers = [
            Program(f"worker {number}", ["gameserver.processes.worker", f"worker{number}"], folder)
            for number in range(workers)
        ]
        self.servers = {child.name: child for child in servers}
        self.clock = compile_clock(folder)

    @property
    def programs(self) -> list[Program]:
        return [*self.web, *self.workers]

    @property
    def is_starting(self) -> bool:
        """Whether all web processes or all workers have yet to announce themselves: before that,
        the others do their work."""
        return any(
            all(program.is_starting for program in programs)
            for programs in (self.web, self.workers)
        )

    async def start(self) -> None:
        for program in self.programs:
            await program.start(self.clock, listens=program in self.web)
        for program in self.programs:
            await program.ready()

    async def stop(self) -> None:
        for program in self.programs:
            await program.stop()

    def link_of(self, backend: int) -> tuple[Program, Link] | None:
        """Return the process whose connection this backend of PostgreSQL serves."""
        for program in self.programs:
            for link in program.database.links:
                if link.backend == backend:
                    return program, link
        return None


def compile_clock(folder: Path) -> Path | None:
    """Build the library that shifts clocks; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    library = folder / "clock.so"
    subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-o", library, CLOCK_SOURCE, "-ldl"], check=True
    )
    return library


def lines(name: str) -> tuple[Line, Line]:
    """Return proxies of a process to PostgreSQL and to Valkey, which are yet to open."""
    return Line(f"{name} to PostgreSQL", _database()), Line(f"{name} to Valkey", _cache())


def addresses(database: Line, cache: Line) -> dict[str, str]:
    """Return the addresses of the servers behind open proxies."""
    return {
        "DATABASE_URL": _through(os.environ["DATABASE_URL"], database.port),
        "REDIS_URL": f"redis://127.0.0.1:{cache.port}/{_cache_number()}",
    }


def _database() -> tuple[str, int] | Path:
    parts = urlsplit(os.environ["DATABASE_URL"])
    folder = parse_qs(parts.query).get("host")
    return (
        Path(folder[0], ".s.PGSQL.5432") if folder else (parts.hostname or "", parts.port or 5432)
    )


def _cache() -> tuple[str, int] | Path:
    parts = urlsplit(os.environ["REDIS_URL"])
    return (
        Path(parts.path) if parts.scheme == "unix" else (parts.hostname or "", parts.port or 6379)
    )


def _cache_number() -> str:
    parts = urlsplit(os.environ["REDIS_URL"])
    return parse_qs(parts.query).get("db", [parts.path.strip("/")])[0] or "0"


def _through(url: str, port: int) -> str:
    parts = urlsplit(url)
    who = f"{parts.username}:{parts.password or ''}@" if parts.username else ""
    return urlunsplit(parts._replace(netloc=f"{who}127.0.0.1:{port}", query=""))
