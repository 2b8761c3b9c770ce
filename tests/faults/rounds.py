"""A round: many games, a seeded schedule of faults, and a check of everything afterwards."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

import msgspec
import psycopg
import structlog
from django.db import OperationalError, close_old_connections

from bench.seating import seat_tables
from games.store.connections import conninfo
from tests.faults import checks
from tests.faults.cluster import Cluster
from tests.faults.correspondents import (
    ARRIVES_WITHIN_S,
    RELEASE_EVERY_S,
    Correspondents,
    left_to_deliver,
    open_among,
    release,
    untold,
)
from tests.faults.kinds import OF_CONNECTIONS, OF_PROCESSES, OF_SERVERS, WAVES_MAX, Scene
from tests.faults.players import Player

T = TypeVar("T")

log = structlog.get_logger(__name__)

RECOVERS_WITHIN_S: Final = 20.0
"""How long a game or a player may stand still while no other recovers and processes of each kind
run. How long a process takes to start depends on the machine, and has a limit of its own."""
LOOK_EVERY_S: Final = 0.02
COUNTS_MAX_S: Final = 0.1
"""How much one look counts at most: a longer one waited for PostgreSQL, or for a processor, and so
did the players, who live in the same process."""
LEFT_EVERY_S: Final = 0.5
"""How often the deliveries that wait are counted."""
CROWD: Final = 16
"""The players of one game of a round, whose commits are stored together."""
RACE: Final = {"roll_ms": 700, "pause_ms": 700, "think_ms": 0, "vip": False}

SLOW_TABLES: Final = 4

BLOCKED_WITHIN_S: Final = 4.0
LOCK: Final = "SELECT FROM games_head WHERE game_id = %s FOR NO KEY UPDATE"
BLOCKED: Final = """
SELECT pid FROM pg_stat_activity
WHERE application_name = 'gameserver-store' AND %s = ANY(pg_blocking_pids(pid))
"""
STALLED: Final = "SELECT game_id, stalled FROM games_head WHERE game_id = ANY(%s) AND stalled <> ''"
TICKS: Final = """
SELECT extract(epoch FROM due)::float8, extract(epoch FROM at)::float8 FROM (
    SELECT at, seat, lag(next_at) OVER (PARTITION BY game_id ORDER BY version) AS due
    FROM games_commit WHERE game_id = ANY(%s)
) c WHERE seat IS NULL AND at > due
"""
TOGETHER: Final = """
SELECT max(n) FROM (
    SELECT count(*) AS n FROM games_commit WHERE game_id = ANY(%s) GROUP BY game_id, at
) c
"""
STANDING: Final = """
SELECT game_id, version, due_at IS NOT NULL AND stalled = '' AND ended = '' FROM games_head
WHERE game_id = ANY(%s)
"""


class Struck(msgspec.Struct, kw_only=True):
    """A line of the results: one injection. `faults` counts the affected processes or connections;
    `first_at` is when it took effect. For `starting_ms` of the recovery, all web processes or all
    workers were starting. `lost` and `doubled` count commands that were answered before the next
    injection. `late_ms` is how long the slowest game waited for a tick until then, since
    the tick was due and the fault took effect; None if it was not measured."""

    seed: int
    kind: str
    of_connections: bool
    faults: int
    at: float
    first_at: float = 0.0
    recovery_ms: int
    starting_ms: int = 0
    lost: int = 0
    doubled: int = 0
    late_ms: int | None = None


class Round(msgspec.Struct, kw_only=True):
    """The actions of a round, and the errors found. `together` is the largest number of commits of
    a game in one statement, `notices` counts those of correspondents, and `load` is that of the
    machine at its end."""

    seed: int
    web: int
    load: float
    games: int
    accepted: int
    refused: int
    commits: int
    together: int = 0
    notices: int = 0
    findings: list[str]
    struck: list[Struck]


class Observer:
    """Queries the database directly, and retries when it was down."""

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[Any] | None = None

    async def rows(self, query: str, *parameters: object) -> list[Any]:
        """Return the rows of a query as soon as the database responds."""
        while True:
            try:
                if self._connection is None:
                    self._connection = await psycopg.AsyncConnection.connect(
                        conninfo(), autocommit=True, application_name="observer"
                    )
                cursor = await self._connection.execute(query, parameters or None)
                return await cursor.fetchall()
            except psycopg.OperationalError:
                self._connection = None
                await asyncio.sleep(LOOK_EVERY_S)

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()

    @asynccontextmanager
    async def blocking(self, game: UUID) -> AsyncIterator[int | None]:
        """Hold the head of a game, and give the backend of a writer that waits for it, if any."""
        url = os.environ["DATABASE_URL"]
        async with await psycopg.AsyncConnection[Any].connect(url) as holder:
            await holder.execute(LOCK, (game,))
            yield await self._blocked_by(holder.info.backend_pid)
            await holder.rollback()

    async def _blocked_by(self, holder: int) -> int | None:
        end = time.monotonic() + BLOCKED_WITHIN_S
        while time.monotonic() < end:
            for (backend,) in await self.rows(BLOCKED, holder):
                return int(backend)
            await asyncio.sleep(LOOK_EVERY_S)
        return None

    async def versions(self, games: Sequence[UUID], *, ticking: bool = False) -> dict[UUID, int]:
        """Return the versions of games; with `ticking`, only of those that the clock steps."""
        rows = await self.rows(STANDING, list(games))
        return {game: version for game, version, ticks in rows if ticks or not ticking}


async def play_round(
    cluster: Cluster,
    seed: int,
    kinds: Sequence[str],
    *,
    tables: int = 16,
    waves_max: int = WAVES_MAX,
) -> Round:
    """Inject these kinds of faults into a running cluster, one after the other, while players play
    `tables` games, and check all results."""
    chance = random.Random(seed)
    sizes = [4] * (tables // 2)
    seated = {
        "free_spots": await _in_thread(seat_tables, [CROWD, *sizes[1:]], "free_spots"),
        "ready_set_bet": await _in_thread(seat_tables, sizes, "ready_set_bet", RACE),
    }
    players = [
        Player(table.game, slug, seat, token, cluster.web, chance.randrange(2**32))
        for slug, of_slug in seated.items()
        for table in of_slug
        for seat, token in enumerate(table.tokens)
    ]
    games = sorted({player.game for player in players})
    correspondents = Correspondents(cluster.web, seed)
    port = await correspondents.listen()
    await _in_thread(correspondents.start, SLOW_TABLES, port)
    observer, findings = Observer(), list[str]()
    scene = Scene(cluster, players, observer.blocking, chance, waves_max)
    playing = [asyncio.create_task(player.run()) for player in players]
    try:
        await _recovery(scene, observer, games, players, time.time())
        struck = [await _strike(scene, observer, games, seed, kind, findings) for kind in kinds]
    finally:
        for player in players:
            player.stop()
    everything = [*games, *correspondents.games]
    findings += await _ended(playing, players)
    findings += await _turns_arrive(correspondents)
    findings += [
        f"{game}: stalled: {why}" for game, why in await observer.rows(STALLED, everything)
    ]
    await _in_thread(checks.void_all, everything)
    findings += await _ends_arrive(correspondents, everything)
    heads = await observer.versions(games)
    shown = await asyncio.gather(*(_catches_up(player, heads) for player in players))
    findings += filter(None, shown)
    for player in players:
        await player.leave()
    ticks = await observer.rows(TICKS, games)
    ((together,),) = await observer.rows(TOGETHER, games)
    await observer.close()
    found = await _in_thread(checks.check, everything, players)
    found.findings.extend(await _in_thread(checks.check_notices, everything, correspondents))
    for line, following in zip(struck, [*struck[1:], None], strict=True):
        until = following.at if following else float("inf")
        line.lost = sum(line.at <= sent.at < until for sent in found.lost)
        line.doubled = sum(line.at <= sent.at < until for sent in found.doubled)
        late_s = (at - max(due, line.first_at) for due, at in ticks if line.first_at <= at < until)
        line.late_ms = round(max(late_s, default=0.0) * 1000)
    sent = [sent for player in players for sent in player.sent]
    return Round(
        seed=seed,
        web=len(cluster.web),
        load=os.getloadavg()[0],
        games=len(games),
        accepted=sum(each.accepted is not None for each in sent),
        refused=sum(bool(each.refused) for each in sent),
        commits=sum(heads.values()),
        together=together,
        notices=len(correspondents.received),
        findings=findings + found.findings,
        struck=struck,
    )


async def _ended(playing: Sequence[asyncio.Task[None]], players: Sequence[Player]) -> list[str]:
    """Wait until all players have got their last response. Returns who got none."""
    await asyncio.wait(playing, timeout=RECOVERS_WITHIN_S)
    findings = []
    for task, player in zip(playing, players, strict=True):
        if task.done():
            task.result()
        else:
            task.cancel()
            findings.append(f"no last answer to {player}")
    await asyncio.wait(playing)
    return findings


async def _turns_arrive(correspondents: Correspondents) -> list[str]:
    """Wait until somebody has moved in every slow game, without a fault: no turn was lost before.
    Return the games that stand still."""
    since, still = time.time(), list(correspondents.games)
    async for _ in _waiting():
        still = await _in_thread(open_among, still)
        still = [game for game in still if correspondents.moved.get(game, 0) < since]
        if not still:
            break
    return [f"N2: nobody moves in {game}" for game in still]


async def _ends_arrive(correspondents: Correspondents, games: Sequence[UUID]) -> list[str]:
    """Wait until all games are paid out and followed, and nothing is left to deliver."""
    waiting = ends = 1
    async for waiting in _waiting():
        if not (waiting or ends):
            break
        ends = await _in_thread(untold, games)
    await correspondents.end()
    return [f"N1: {ends} ends, {waiting} deliveries wait"] if waiting or ends else []


async def _waiting() -> AsyncIterator[int]:
    """Yield how many deliveries wait, for a while. Their leases end now and then."""
    end = time.monotonic() + ARRIVES_WITHIN_S
    while time.monotonic() < end:
        yield await _in_thread(release)
        for _ in range(int(RELEASE_EVERY_S / LEFT_EVERY_S)):
            await asyncio.sleep(LEFT_EVERY_S)
            yield await _in_thread(left_to_deliver)


async def _catches_up(player: Player, heads: Mapping[UUID, int]) -> str:
    """Wait until a player has received every commit. Returns what is wrong otherwise."""
    try:
        async with asyncio.timeout(RECOVERS_WITHIN_S):
            await player.caught_up(heads[player.game])
    except TimeoutError:
        return f"I13: {player.game} shows {player.shown.last} at {heads[player.game]}"
    return ""


async def _in_thread(work: Callable[..., T], *arguments: Any) -> T:
    """Run in a thread, on a connection that is newer than the last fault.

    It is run again when the connection was not, for `RECOVERS_WITHIN_S`.
    """

    def run() -> T:
        close_old_connections()
        try:
            return work(*arguments)
        finally:
            close_old_connections()

    end = time.monotonic() + RECOVERS_WITHIN_S
    while True:
        try:
            return await asyncio.to_thread(run)
        except OperationalError as error:
            if time.monotonic() > end:
                raise
            log.warning("connection_lost", error=str(error))
            await asyncio.sleep(LOOK_EVERY_S)


async def _strike(
    scene: Scene,
    observer: Observer,
    games: Sequence[UUID],
    seed: int,
    kind: str,
    findings: list[str],
) -> Struck:
    """Inject one fault, measure its effect in time, and repair it."""
    fault = {**OF_PROCESSES, **OF_SERVERS, **OF_CONNECTIONS}[kind]
    at = time.time()
    log.info("fault", round=seed, kind=kind)
    async with fault(scene) as struck:
        hit_at = struck.at or at
        affected = struck.players or scene.players
        recovered = await _recovery(scene, observer, games, affected, hit_at)
        findings.extend(f"{kind}: {each}" for each in recovered.late)
        recovery_ms = round((time.time() - hit_at) * 1000)
    mended = await _recovery(scene, observer, games, scene.players, time.time())
    findings.extend(f"{kind}, mended: {each}" for each in mended.late)
    return Struck(
        seed=seed,
        kind=kind,
        of_connections=kind in OF_CONNECTIONS,
        faults=struck.faults,
        at=at,
        first_at=struck.first_at or at,
        recovery_ms=recovery_ms,
        starting_ms=round(recovered.starting_s * 1000),
    )


class Recovered(NamedTuple):
    """The games and players that stood still for too long, and for how long all processes of a
    kind were starting."""

    late: list[str]
    starting_s: float


async def _recovery(
    scene: Scene,
    observer: Observer,
    games: Sequence[UUID],
    players: Sequence[Player],
    since: float,
) -> Recovered:
    """Wait until every ticking game has moved, and every player got a response after `since`, or
    until nothing has moved for `RECOVERS_WITHIN_S`."""
    stood = await observer.versions(games, ticking=True)
    waiting = [player for player in players if player.answered < since]
    still_s = starting_s = 0.0
    while (stood or waiting) and still_s < RECOVERS_WITHIN_S:
        began, left = time.monotonic(), len(stood) + len(waiting)
        await asyncio.sleep(LOOK_EVERY_S)
        if stood:
            now = await observer.versions(list(stood), ticking=True)
            stood = {game: version for game, version in stood.items() if now.get(game) == version}
        waiting = [player for player in waiting if player.answered < since]
        took_s = time.monotonic() - began
        if scene.cluster.is_starting:
            starting_s += took_s
        elif len(stood) + len(waiting) < left:
            still_s = 0.0
        else:
            still_s += min(took_s, COUNTS_MAX_S)
    late = [f"game {game} stands at {version}" for game, version in stood.items()]
    late += [f"no answer to {player}" for player in waiting]
    if late:
        log.warning("not_recovered", first=late[0], others=len(late) - 1)
    return Recovered(late, starting_s)


def schedule(seed: int, *, process: int, connection: int, servers: bool) -> list[str]:
    """Return the kinds of a round: these numbers of process faults and of connection faults."""
    chance = random.Random(seed)
    of_processes = [*OF_PROCESSES, *(OF_SERVERS if servers else ())]
    kinds = chance.choices(of_processes, k=process)
    kinds += chance.choices(list(OF_CONNECTIONS), k=connection)
    chance.shuffle(kinds)
    return kinds


def read(results: Path) -> list[Round]:
    """Return the finished rounds in a file of results, one per line."""
    if not results.exists():
        return []
    decode = msgspec.json.Decoder(Round).decode
    return [decode(line) for line in results.read_bytes().splitlines()]


def append(results: Path, finished: Round) -> None:
    """Add a round to a file of results."""
    with results.open("ab") as file:
        file.write(msgspec.json.encode(finished) + b"\n")
