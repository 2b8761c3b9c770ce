"""The clock: a loop that steps due games and wakes their bots. Every worker runs one.

The head of each game decides, so claims only save work. A claim lasts half a second: if its worker
dies, another worker steps the game before it counts as late.
"""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

import django.db
import psycopg
import structlog
from django.conf import settings

from games.play import commit, service
from games.store import heads
from games.store.heads import Claim, SlowClaim
from games.workers.bots import Bots
from games.workers.periodic import ROUNDS, Round
from kit import background, metrics
from kit.problems import Problem

log = structlog.get_logger(__name__)

QUANTUM_S: Final = 0.02
LOOK_EVERY_S: Final = 0.05
MANY: Final = 32
"""So many claims fill a statement. Then the clock looks every `QUANTUM_S`: fewer would cost more
than they are worth to players."""
FILL_EVERY_S: Final = 0.5
BACKOFF_MAX_S: Final = 0.5
CLAIM_LASTS_S: Final = 0.5
CLAIMS_MAX: Final = 1000
SLOW_EVERY_S: Final = 0.25
SLOW_CLAIMS_MAX: Final = 5
"""So many slow games are stepped each time: after an outage many are due, and most have to be
loaded, which must not delay live ones."""
LATE_MS: Final = 75.0
"""When a live game is first claimed later than this, the process or the database is busy. For a
while, one slow game is stepped at a time. On time, a claim is at most `LOOK_EVERY_S` late. A game
that cannot be stepped is claimed again and again, and says nothing about them."""
LATE_FOR_S: Final = 1.0
BATCHES: Final = 2
"""While the games of one batch are being stored, the next ones are claimed and decided."""
KEY_PAUSE_S: Final = 1.0
KEY_PAUSE_MAX_S: Final = 60.0
"""A game without its seed key is tried again after this pause at most; the first is shorter."""


class Clock:
    """The clock of one worker."""

    def __init__(self) -> None:
        self._stopping = asyncio.Event()
        self._working: set[asyncio.Task[None]] = set()
        self._bots = Bots(settings.BOT_DELAY_PERCENT)
        self._claiming = asyncio.Lock()
        self._look_at = 0.0
        """When to look for due games again."""
        self._late_until = 0.0
        """Until when live games count as late."""
        self._fill_at = 0.0
        """When to look whether the schedule is empty."""
        self._without_key: dict[UUID, tuple[float, float]] = {}
        """When to try games again whose seed key this process lacks, and the pause before that."""

    def stop(self) -> None:
        """End `run` after the games that are being stepped now. Call this on the store loop."""
        self._stopping.set()

    async def run(self) -> None:
        """Step games, wake bots and run periodic work until stopped, each in its own loop.

        `BATCHES` loops step games. They claim one after the other, and none waits for the answers
        of another.
        """
        async with asyncio.TaskGroup() as loops:
            steps = [(f"clock {number}", self._tick) for number in range(1, BATCHES + 1)]
            steps += [("slow clock", self._tick_slow), ("bots", self._wake)]
            steps += [(name, partial(self._go_round, round_)) for name, round_ in ROUNDS.items()]
            for name, step in steps:
                loops.create_task(
                    background.repeat(
                        name, step, stopping=self._stopping, backoff_max_s=BACKOFF_MAX_S
                    )
                )
        await asyncio.gather(*self._working)

    async def step(self) -> int:
        """Claim all due games and answer their alarms together. Return how many were claimed."""
        claims = await self.claim()
        await self.answer(claims)
        return len(claims)

    async def claim(self, late_s: float = 0.0) -> Sequence[Claim]:
        """Claim games that have been due for `late_s` seconds."""
        if time.monotonic() >= self._fill_at:
            self._fill_at = time.monotonic() + FILL_EVERY_S
            await heads.fill_schedule()
        return await heads.claim_due(CLAIMS_MAX, late_s, self._skipped())

    def _skipped(self) -> list[UUID]:
        now = time.monotonic()
        return [game for game, (again, _) in self._without_key.items() if again > now]

    async def _tick(self) -> None:
        """Claim due games when it is time, then answer their alarms."""
        async with self._claiming:
            await self._sleep(self._look_at - time.monotonic())
            if self._stopping.is_set():
                return
            started = time.monotonic()
            claims = await self.claim()
            if len(claims) < CLAIMS_MAX:
                self._look_at = started + (LOOK_EVERY_S if len(claims) < MANY else QUANTUM_S)
        if claims:
            await self._work(self.answer(claims))

    async def _tick_slow(self) -> None:
        """Claim some slow games that are due, and answer their alarms."""
        most, every_s = self.slow_pace()
        if claims := await self.claim_slow(most):
            await self.answer_slow(claims)
        await self._sleep(every_s)

    def slow_pace(self) -> tuple[int, float]:
        """Return how many slow games to step now, and the pause after them."""
        is_late = time.monotonic() < self._late_until
        return (1, LATE_FOR_S) if is_late else (SLOW_CLAIMS_MAX, SLOW_EVERY_S)

    async def claim_slow(self, most: int, late_s: float = 0.0) -> Sequence[SlowClaim]:
        """Claim up to `most` slow games that have been due for `late_s` seconds."""
        return await heads.claim_slow(most, late_s, self._skipped())

    async def answer_slow(self, claims: Sequence[SlowClaim]) -> None:
        """Answer the alarms of claimed slow games, as `answer` does."""
        self._note(claims, await service.advance_slow(claims))

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for work on claimed games, but no longer than a claim lasts: a process that freezes
        while it holds a head blocks that game only."""
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        await asyncio.wait({task}, timeout=CLAIM_LASTS_S)

    async def answer(self, claims: Sequence[Claim]) -> None:
        """Answer the alarms of claimed games. A failure of one game does not affect others."""
        for claim in claims:
            metrics.TICK_LATE_SECONDS.observe(claim.late_ms / 1000)
            if claim.late_ms > LATE_MS and not claim.is_again:
                self._late_until = time.monotonic() + LATE_FOR_S
        self._note(claims, await service.advance(claims))

    def _note(
        self, claims: Sequence[Claim | SlowClaim], outcomes: Sequence[bool | BaseException]
    ) -> None:
        for claim, outcome in zip(claims, outcomes, strict=True):
            if isinstance(outcome, Problem) and outcome.code == "seed_key_missing":
                self._wait_for_key(claim)
                continue
            self._without_key.pop(claim.game, None)
            if outcome is False:
                metrics.CLAIMS_LOST.inc()
            elif isinstance(outcome, Problem | psycopg.Error | django.db.Error):
                # The game is due again after its claim, unless it is stalled.
                log.warning(
                    "tick_failed", game=str(claim.game), alarm=claim.alarm, error=str(outcome)
                )
            elif isinstance(outcome, Exception):
                commit.stall(claim.game, claim.version, outcome)

    def _wait_for_key(self, claim: Claim | SlowClaim) -> None:
        """Leave a game to processes that have its seed key, and try it again later."""
        if claim.game not in self._without_key:
            log.error("tick_without_seed_key", game=str(claim.game), alarm=claim.alarm)
        _, last = self._without_key.get(claim.game, (0.0, KEY_PAUSE_S / 2))
        pause = min(2 * last, KEY_PAUSE_MAX_S)
        self._without_key[claim.game] = time.monotonic() + pause, pause

    async def _wake(self) -> None:
        woken = await self._bots.claim()
        if woken:
            await self._work(self._bots.look(woken))
        await self._sleep(self._bots.pause_s())

    async def _go_round(self, round_: Round) -> None:
        await round_.go()
        await self._sleep(round_.every_s)

    async def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            try:
                async with asyncio.timeout(seconds):
                    await self._stopping.wait()
            except TimeoutError:
                pass
