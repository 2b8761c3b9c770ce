"""The clock inside a Celery worker: a step of the worker itself, which outlives every loss of the broker."""

import asyncio
import os
from concurrent.futures import Future
from typing import Any

import structlog
from celery import bootsteps

from games import loop
from games.clock import Clock
from games.tasks import wake_bots

log = structlog.get_logger(__name__)

STOP_WITHIN_S = 10.0
EX_SOFTWARE = 70


class ClockStep(bootsteps.StartStopStep):
    """Runs a clock on the worker's store loop for as long as the worker lives."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._clock: Clock | None = None
        self._running: Future[None] | None = None

    def start(self, parent: Any) -> None:
        self._running = asyncio.run_coroutine_threadsafe(self._run(), loop.store_loop())
        self._running.add_done_callback(_die_with_the_clock)

    async def _run(self) -> None:
        self._clock = Clock(wake_bots)
        await self._clock.run()

    def stop(self, parent: Any) -> None:
        if self._clock is not None and self._running is not None:
            loop.store_loop().call_soon_threadsafe(self._clock.stop)
            self._running.result(STOP_WITHIN_S)

    terminate = stop


def _die_with_the_clock(running: Future[None]) -> None:
    """A worker without its clock would look alive and do nothing: it ends, and is started again."""
    if not running.cancelled() and (error := running.exception()) is not None:
        log.critical("clock_died", exc_info=error)
        os._exit(EX_SOFTWARE)
