"""The clock and the sealer inside a Celery worker: worker steps that survive loss of the broker."""

import asyncio
from concurrent.futures import Future
from threading import Event, Thread
from typing import Any

from celery import bootsteps
from django.conf import settings

from games.transparency import cosigning, sealing
from games.workers.clock import Clock
from kit import event_loop

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
        if self._clock is not None and self._running is not None:
            event_loop.store_loop().call_soon_threadsafe(self._clock.stop)
            self._running.result(STOP_WITHIN_S)

    terminate = stop


class SealerStep(bootsteps.StartStopStep):
    """Runs a sealer, and what collects cosignatures, in threads of their own for as long as the
    worker lives, unless SEALING is off."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._stopping = Event()
        self._threads = [
            Thread(target=run, args=[self._stopping], name=name, daemon=True)
            for name, run in (("sealer", sealing.run), ("cosigner", cosigning.run))
        ]

    def include_if(self, parent: Any) -> bool:
        return settings.SEALING

    def start(self, parent: Any) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self, parent: Any) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(STOP_WITHIN_S)

    terminate = stop
