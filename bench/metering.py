"""The cost of metrics: moves per second without them, and with a scrape every second."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from urllib.request import urlopen

from bench.players import Tally
from bench.switching import Switching

APPLICATION: Final = "bench.metered:application"
SCRAPE_EVERY_S: Final = 1.0
"""More often than any Prometheus would."""


class Metering(Switching, frozen=True, kw_only=True):
    """All metrics of the web process, and a scrape every second. `metrics` is their port."""

    metrics: int

    @asynccontextmanager
    async def switched(self, tally: Tally, *, is_on: bool) -> AsyncIterator[None]:
        os.kill(self.processes["web"], signal.SIGUSR1 if is_on else signal.SIGUSR2)
        scraping = asyncio.create_task(self._scrape()) if is_on else None
        yield
        if scraping is not None:
            scraping.cancel()

    async def _scrape(self) -> None:
        while True:
            await asyncio.to_thread(self._scrape_once)
            await asyncio.sleep(SCRAPE_EVERY_S)

    def _scrape_once(self) -> None:
        with urlopen(f"http://127.0.0.1:{self.metrics}/metrics") as answer:
            answer.read()
