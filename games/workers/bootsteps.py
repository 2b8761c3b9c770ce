"""The clock inside a Celery worker: a worker step that survives loss of the broker."""

import asyncio
from concurrent.futures import Future
from typing import Any

import structlog
from celery import bootsteps

from games.workers.clock import Clock
from kit import event_loop
from notices import delivering

log = structlog.get_logger(__name__)

STOP_WITHIN_S = 10.0


class ClockStep(bootsteps.StartStopStep):
    """Runs a clock on the worker's store loop for as long as the worker lives."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._clock: Clock | None = None
        self._running: Future[None] | None = None

    def start(self, parent: Any) -> None:
        self._running = asyncio.run_coroutine_threadsafe(self._run(), event_loop.store_loop())

    async def _run(self) -> None:
        self._clock = Clock()
        await self._clock.run()

    def stop(self, parent: Any) -> None:
        delivering.stop()
        if self._clock is not None and self._running is not None:
            event_loop.store_loop().call_soon_threadsafe(self._clock.stop)
            try:
                self._running.result(STOP_WITHIN_S)
            except TimeoutError:  # a server is away; another worker steps its games
                self._running.cancel()
                log.warning("clock_cancelled", waited_s=STOP_WITHIN_S)

    terminate = stop
