"""The kinds of faults. Each is a context manager: entering injects the fault, leaving repairs
it."""

import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    suppress,
)
from typing import Any, Final, NamedTuple
from uuid import UUID

import psutil

from bench.free_spots import SPOTS
from gameserver.processes.children import Child
from tests.faults.cluster import Cluster, Program
from tests.faults.network import Line, Link
from tests.faults.players import Player, take_spot

CLOCK_STEPS_S: Final = (-86_400, -3_600, -10, 10, 3_600, 86_400)
DELAYS_S: Final = (0.2, 1.5, 3.0, 6.0)
WAVES_MAX: Final = 40
HOLD_DELAY_S: Final = 0.15
"""A delay of a connection to the database, so that its process holds a head for longer."""

LIMIT_FILES: Final = """
most=$1; shift
for pid; do [ ! -e "/proc/$pid" ] || prlimit --pid="$pid" --fsize="$most:"; done
"""


class Scene(NamedTuple):
    """The targets of faults, and how many waves of faults of connections there are at most.

    `blocking` holds the head of a game until a writer waits for it, and gives the backend of that
    writer, which holds the head next.
    """

    cluster: Cluster
    players: Sequence[Player]
    blocking: Callable[[UUID], AbstractAsyncContextManager[int | None]]
    chance: random.Random
    waves_max: int = WAVES_MAX


class Struck(NamedTuple):
    """The effect of a fault: how many processes or connections it hit, the only players that it
    affects, and when it hit the first and the last of them, unless it did so at once."""

    faults: int = 1
    players: Sequence[Player] | None = None
    first_at: float | None = None
    at: float | None = None


Fault = Callable[[Scene], AbstractAsyncContextManager[Struck]]


# Processes


def kill(
    choose: Callable[[Scene], Sequence[Program]], number: signal.Signals = signal.SIGKILL
) -> Fault:
    """End processes with a signal, and restart them at once."""

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        programs = choose(scene)
        for program in programs:
            _signal(program.child, number)
        restarting = [asyncio.create_task(program.restart()) for program in programs]
        yield Struck(len(programs))
        await asyncio.gather(*restarting)

    return strike


def stop(choose: Callable[[Scene], Sequence[Program]]) -> Fault:
    """Freeze processes until everything else has recovered, or for a while if nothing can."""

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        programs = choose(scene)
        for program in programs:
            _signal(program.child, signal.SIGSTOP)
        try:
            if set(scene.cluster.web) - set(programs):
                yield Struck(len(programs))
            await asyncio.sleep(scene.chance.uniform(0.0, 6.0))
        finally:
            for program in programs:
                _signal(program.child, signal.SIGCONT)
        if not set(scene.cluster.web) - set(programs):
            yield Struck(len(programs))

    return strike


def while_writing(fault: Callable[[Callable[[Scene], Sequence[Program]]], Fault]) -> Fault:
    """Apply a fault to a web process, or to its database, while its statements are on their way.

    They arrive even if it has ended.
    """

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        program = scene.chance.choice(scene.cluster.web)
        links = [link for link in program.database.links if link.is_sound]
        for link in links:
            link.delay(scene.chance.uniform(0.05, 0.5))
        await asyncio.sleep(scene.chance.uniform(0.1, 1.0))
        at = time.time()
        async with fault(lambda _: [program])(scene) as struck:
            for link in links:
                link.delay(0.0)
            yield struck._replace(first_at=at)

    return strike


@asynccontextmanager
async def stop_holder(scene: Scene) -> AsyncIterator[Struck]:
    """Freeze a process while it holds the head of a game, or else any process."""
    found = await _holder(scene)
    program = found[0] if found else scene.chance.choice(scene.cluster.programs)
    at = time.time()
    async with stop(lambda _: [program])(scene) as struck:
        yield struck._replace(first_at=at, at=at)
    if found:
        found[1].delay(0.0)


def step_clock(choose: Callable[[Scene], Sequence[Program]]) -> Fault:
    """Shift the wall clock of processes."""

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        programs = choose(scene)
        for program in programs:
            program.step_clock(scene.chance.choice(CLOCK_STEPS_S))
        yield Struck(len(programs))
        await asyncio.sleep(1.0)
        for program in programs:
            program.step_clock(0)

    return strike


def fill_disk(choose: Callable[[Scene], Sequence[Program]]) -> Fault:
    """Prevent processes from writing files for a while."""

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        pids = [program.child.pid for program in choose(scene)]
        _limit_files(pids, "0")
        yield Struck(len(pids))
        await asyncio.sleep(scene.chance.uniform(0.5, 3.0))
        _limit_files(pids, "unlimited")

    return strike


# PostgreSQL and Valkey


def kill_server(name: str) -> Fault:
    """Kill PostgreSQL or Valkey, and restart it at once."""

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        server = scene.cluster.servers[name]
        _signal(server, signal.SIGKILL)
        yield await _again(server)

    return strike


async def _again(server: Child) -> Struck:
    """Restart a server as soon as all its processes have ended."""
    while server.exit_code is None or _running(server):  # noqa: ASYNC110 -- another process
        await asyncio.sleep(0.02)
    server.start()
    return Struck()


def _running(server: Child) -> bool:
    """Whether a process of its session outlives the server."""
    return any(
        _session(process.pid) == server.pid
        for process in psutil.process_iter(["name"])
        if process.info["name"] == "postgres"
    )


def _session(pid: int) -> int | None:
    with suppress(ProcessLookupError):
        return os.getsid(pid)
    return None


@asynccontextmanager
async def crash_backend(scene: Scene) -> AsyncIterator[Struck]:
    """Kill one backend of PostgreSQL, which makes it restart all of them and recover."""
    backends = [
        process
        for process in _family(scene.cluster.servers["PostgreSQL"])[1:]
        if "postgres: gameserver_app" in " ".join(process.cmdline())
    ]
    with suppress(psutil.NoSuchProcess):
        scene.chance.choice(backends).kill()
    yield Struck()


def stop_server(name: str) -> Fault:
    """Freeze PostgreSQL or Valkey for a while."""

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        processes = _family(scene.cluster.servers[name])
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        await asyncio.sleep(scene.chance.uniform(0.2, 3.0))
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.resume()
        yield Struck()

    return strike


@asynccontextmanager
async def fill_disk_of_postgres(scene: Scene) -> AsyncIterator[Struck]:
    """Prevent PostgreSQL from writing files for a while. It reports a full disk, and may exit."""
    server = scene.cluster.servers["PostgreSQL"]
    _limit_files([process.pid for process in _family(server)], "0")
    await asyncio.sleep(scene.chance.uniform(0.2, 2.0))
    _limit_files([process.pid for process in _family(server)], "unlimited")
    yield await _again(server) if server.exit_code is not None else Struck()


def _family(server: Child) -> list[psutil.Process]:
    try:
        parent = psutil.Process(server.pid)
        return [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _limit_files(pids: Sequence[int | None], most: str) -> None:
    """Limit the size of files that these processes of one user may write, as that user.

    One shell does it for all of them, because the network of the round stands still meanwhile.
    """
    running = [str(pid) for pid in pids if pid is not None and psutil.pid_exists(pid)]
    with suppress(IndexError, psutil.NoSuchProcess):
        process = psutil.Process(int(running[0]))
        owner: dict[str, Any] = {"user": process.uids().real, "group": process.gids().real}
        if os.geteuid() == 0:
            owner["extra_groups"] = []
        limit = ["sh", "-c", LIMIT_FILES, "sh", most, *running]
        subprocess.run(limit, check=False, **owner)


def _signal(child: Child, number: signal.Signals) -> None:
    assert child.pid is not None
    with suppress(ProcessLookupError):
        os.kill(child.pid, number)


# Connections


def strike_links(
    choose: Callable[[Scene], Sequence[Link]],
    act: Callable[[Link, random.Random], None],
    *,
    mends: bool,
) -> Fault:
    """Apply an action to many links at once, in waves. Each affected link counts as a fault.

    A later wave hits new links too. A delay that `mends` ends after a few seconds.
    """

    @asynccontextmanager
    async def strike(scene: Scene) -> AsyncIterator[Struck]:
        links: list[Link] = []
        at = time.time()
        for wave in range(scene.chance.randint(1, scene.waves_max)):
            if wave:
                await asyncio.sleep(scene.chance.uniform(0.05, 0.25))
            at, hit = time.time(), choose(scene)
            for link in hit:
                act(link, scene.chance)
            links += hit
        if mends and any(link.delay_s for link in links):
            await asyncio.sleep(scene.chance.uniform(0.5, 4.0))
            for link in links:
                link.delay(0.0)
        players = [player for player in scene.players if player.link in links]
        yield Struck(len(links), players or None, at=at)

    return strike


@asynccontextmanager
async def cut_holder(scene: Scene) -> AsyncIterator[Struck]:
    """Cut the connection of a process that holds the head of a game, if there is one."""
    found = await _holder(scene)
    at = time.time()
    if found:
        found[1].cut()
    yield Struck(int(found is not None), first_at=at, at=at)


async def _holder(scene: Scene) -> tuple[Program, Link] | None:
    """Return a process that holds a head for a moment, and its connection that does."""
    async with scene.blocking(scene.chance.choice(scene.players).game) as backend:
        found = None if backend is None else scene.cluster.link_of(backend)
        if found is not None:
            found[1].delay(HOLD_DELAY_S)
    return found


@asynccontextmanager
async def late_copy(scene: Scene) -> AsyncIterator[Struck]:
    """Delay a copy of a command until its sender has a final refusal, and the rules would accept
    the command.

    All players of the game pause meanwhile, so that no one else changes what the rules accept.
    """
    of_game = [player for player in scene.players if player.slug == "free_spots"]
    game = scene.chance.choice(of_game).game
    sender, other, *_ = seated = [player for player in of_game if player.game == game]
    async with AsyncExitStack() as pausing:
        for player in seated:
            await pausing.enter_async_context(player.turn)
        for _ in range(2):  # because the first may fill the board, which clears it
            await other.play(take_spot(0))
        await sender.play(take_spot(0))
        assert sender.link is not None, "a command was answered"
        link = sender.link
        link.hold()
        sent = await sender.play(take_spot(0))
        for spot in range(1, SPOTS):
            await other.play(take_spot(spot))
        at = time.time()
        is_late = await link.deliver(str(sent.id).encode())
    yield Struck(int(is_late), [sender], first_at=at, at=at)


def _cut(link: Link, _: random.Random) -> None:
    link.cut()


def _delay(link: Link, chance: random.Random) -> None:
    link.delay(chance.choice(DELAYS_S))


def _silence(link: Link, _: random.Random) -> None:
    link.silence()


def _links(lines_of: Callable[[Program], Line | None]) -> Callable[[Scene], Sequence[Link]]:
    """Choose some or all links of every program's proxies."""

    def choose(scene: Scene) -> Sequence[Link]:
        lines = [line for program in scene.cluster.programs if (line := lines_of(program))]
        found = (link for line in lines for link in line.links if link.is_sound)
        links = sorted(found, key=lambda link: link.peer)
        return scene.chance.sample(links, scene.chance.randint(min(1, len(links)), len(links)))

    return choose


def _one_web(scene: Scene) -> Sequence[Program]:
    return [scene.chance.choice(scene.cluster.web)]


def _one_worker(scene: Scene) -> Sequence[Program]:
    return [scene.chance.choice(scene.cluster.workers)]


def _workers(scene: Scene) -> Sequence[Program]:
    return scene.cluster.workers


def _some(scene: Scene) -> Sequence[Program]:
    programs = scene.cluster.programs
    return scene.chance.sample(programs, scene.chance.randint(1, len(programs)))


OF_PROCESSES: Final[dict[str, Fault]] = {
    "kill web": kill(_one_web),
    "kill worker": kill(_one_worker),
    "kill all workers": kill(_workers),
    "kill some": kill(_some),
    "end web": kill(_one_web, signal.SIGTERM),
    "end worker": kill(_one_worker, signal.SIGTERM),
    "stop web": stop(_one_web),
    "stop worker": stop(_one_worker),
    "kill writing web": while_writing(kill),
    "stop writing web": while_writing(stop),
    "stop holder of a head": stop_holder,
    "full disk of worker": fill_disk(_one_worker),
    "clock step": step_clock(_some),
}
OF_SERVERS: Final[dict[str, Fault]] = {
    "kill PostgreSQL": kill_server("PostgreSQL"),
    "kill written PostgreSQL": while_writing(lambda _: kill_server("PostgreSQL")),
    "kill backend of PostgreSQL": crash_backend,
    "kill Valkey": kill_server("Valkey"),
    "stop PostgreSQL": stop_server("PostgreSQL"),
    "stop Valkey": stop_server("Valkey"),
    "full disk of PostgreSQL": fill_disk_of_postgres,
}
OF_CONNECTIONS: Final[dict[str, Fault]] = {
    **{
        f"{verb} {what}": strike_links(_links(lines_of), act, mends=what != "client")
        for what, lines_of in {
            "client": lambda program: program.front,
            "PostgreSQL": lambda program: program.database,
            "Valkey": lambda program: program.cache,
        }.items()
        for verb, act in {"cut": _cut, "delay": _delay, "half-open": _silence}.items()
    },
    "cut holder of a head": cut_holder,
    "late copy of a command": late_copy,
}
