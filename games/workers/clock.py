"""The loop that steps due games and wakes their bots. Any number of workers run it: the head of
each game decides.

A claim only saves work. It lasts half a second, so what a dead worker had claimed is taken up by
another before it counts as late."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from psycopg.rows import class_row

from accounts import tokens
from games import lobbies
from games.play import service
from games.store.commits import store
from kit.problems import Problem

log = structlog.get_logger(__name__)

QUANTUM_S: Final = 0.02
LOOK_EVERY_S: Final = 0.05
BOTS_EVERY_S: Final = 0.05
AGAIN_AFTER_S: Final = 0.5
CLAIMS_MAX: Final = 1000
BOTS_MAX: Final = 50

CLAIM: Final = """
WITH due AS (
    SELECT game_id FROM games_head
    WHERE due_at <= now() AND stalled = '' AND (claimed_until IS NULL OR claimed_until < now())
    ORDER BY due_at LIMIT %(most)s FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE games_head h SET claimed_until = now() + interval '500 ms' FROM due WHERE h.game_id = due.game_id
RETURNING h.game_id AS game, h.version, h.alarm, (extract(epoch FROM clock_timestamp() - h.due_at) * 1000)::float8 AS late_ms
"""

WAKE_BOTS: Final = """
WITH due AS (
    SELECT game_id FROM games_head WHERE bots_due_at <= now() AND stalled = ''
    ORDER BY bots_due_at LIMIT %(most)s FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE games_head h SET bots_due_at = now() + (%(least)s + random() * %(spread)s) / h.bots * interval '1 ms'
FROM due WHERE h.game_id = due.game_id RETURNING h.game_id
"""


class Round(NamedTuple):
    """What is looked after now and then, by any worker: each part may be done twice, and does
    nothing where nothing is due."""

    every_s: float
    work: Sequence[Callable[[], object]]


ROUNDS: Final = {
    "sweeping": Round(
        1.0,
        (
            lobbies.settle_ended,
            lobbies.release_due_seats,
            lobbies.seat_due_bots,
            lobbies.replace_absent,
        ),
    ),
    "tidying": Round(
        30.0, (lobbies.time_out_absent, lobbies.void_abandoned, lobbies.forget_presence)
    ),
    "forgetting": Round(3600.0, (tokens.sweep, lobbies.erase_old_messages)),
}


class Claim(NamedTuple):
    """A due game: where its head stood, the alarm to answer, and how late the clock is."""

    game: UUID
    version: int
    alarm: int
    late_ms: float


class Clock:
    """One worker's clock. `wake_bots` is given the games whose bots should look; `stop` ends `run`
    soon."""

    def __init__(self, wake_bots: Callable[[Sequence[UUID]], None]) -> None:
        self._wake_bots = wake_bots
        self._stopping = asyncio.Event()
        self._beside: dict[str, asyncio.Task[None]] = {}

    def stop(self) -> None:
        """End the loop after the games it is stepping now; call it on the store loop."""
        self._stopping.set()

    async def run(self) -> None:
        """Step games until stopped. What fails is logged and tried again: the clock does not die of
        a lost database."""
        next_bots = 0.0
        next_round = dict.fromkeys(ROUNDS, 0.0)
        while not self._stopping.is_set():
            started = time.monotonic()
            pause = LOOK_EVERY_S
            try:
                claimed = await self.step()
                if claimed:
                    pause = (
                        QUANTUM_S - (time.monotonic() - started) if claimed < CLAIMS_MAX else 0.0
                    )
                if started >= next_bots:
                    next_bots = started + BOTS_EVERY_S
                    self._start_beside("bots", self._wake)
                for name, due in next_round.items():
                    if started >= due:
                        next_round[name] = started + ROUNDS[name].every_s
                        self._start_beside(name, partial(self._go_round, name))
            except (Problem, psycopg.Error) as error:
                log.warning("clock_interrupted", error=str(error))
                pause = AGAIN_AFTER_S
            if pause > 0:
                await self._sleep(pause)
        await asyncio.gather(*self._beside.values(), return_exceptions=True)

    async def _sleep(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            pass

    async def step(self) -> int:
        """Claim the games that are due and answer their alarms, together; answers how many were
        claimed."""
        async with store().connection() as connection:
            cursor = connection.cursor(row_factory=class_row(Claim))
            await cursor.execute(CLAIM, {"most": CLAIMS_MAX}, prepare=True)
            claims = await cursor.fetchall()
        outcomes = await asyncio.gather(
            *(service.advance(*claim) for claim in claims), return_exceptions=True
        )
        for claim, outcome in zip(claims, outcomes, strict=True):
            if isinstance(outcome, Problem | psycopg.Error):
                # Due again when the claim runs out; a stalled game is not.
                log.warning(
                    "tick_failed", game=str(claim.game), alarm=claim.alarm, error=str(outcome)
                )
            elif isinstance(outcome, Exception):
                service.stall(claim.game, claim.version, outcome)
        return len(claims)

    def _start_beside(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Work beside the ticks, one at a time of each kind: a broker that hangs holds up no
        race."""
        running = self._beside.get(name)
        if running is None or running.done():
            self._beside[name] = asyncio.create_task(work())

    async def _wake(self) -> None:
        try:
            async with store().connection() as connection:
                least, most = settings.BOT_LOOK_MS
                look = {"most": BOTS_MAX, "least": least, "spread": most - least}
                cursor = await connection.execute(WAKE_BOTS, look, prepare=True)
                games = [game for (game,) in await cursor.fetchall()]
            if games:
                await asyncio.to_thread(self._wake_bots, games)
        except (Problem, psycopg.Error) as error:
            log.warning("bots_not_woken", error=str(error))

    async def _go_round(self, name: str) -> None:
        try:
            await asyncio.to_thread(_do_all, ROUNDS[name].work)
        except (Problem, DatabaseError) as error:
            log.warning("round_broken_off", round=name, error=str(error))


def _do_all(work: Sequence[Callable[[], object]]) -> None:
    close_old_connections()
    try:
        for part in work:
            part()
    finally:
        close_old_connections()
