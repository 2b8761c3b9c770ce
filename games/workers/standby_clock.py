"""The standby clock of a web process, which steps games while no worker does.

It looks for games that are so late that no worker can be alive. After it found one, it steps all
due games for a while. It looks less often than a worker, so a worker that starts takes over.
"""

import asyncio
import time
from typing import Final

from games.workers.clock import Clock

AWAY_S: Final = 1.5
"""If a game is this late, no worker is alive."""

SLOW_AWAY_S: Final = 60.0
"""The same of slow games. A worker that catches up after an outage is later than this. So each time
one is stepped, which costs the live games little."""

LOOK_EVERY_S: Final = 0.5
STEP_EVERY_S: Final = 0.2
ACTIVE_FOR_S: Final = 10.0
"""Seconds that it steps games after the last due game that it found."""


class StandbyClock:
    """The clock of one web process."""

    def __init__(self) -> None:
        self._clock = Clock()
        self._active_until = 0.0

    async def look(self) -> None:
        """Step due games if no worker does, then pause."""
        is_active = time.monotonic() < self._active_until
        claims = await self._clock.claim(late_s=0.0 if is_active else AWAY_S)
        if claims:
            self._active_until = time.monotonic() + ACTIVE_FOR_S
            await self._clock.answer(claims)
        if slow := await self._clock.claim_slow(1, late_s=SLOW_AWAY_S):
            await self._clock.answer_slow(slow)
        await asyncio.sleep(STEP_EVERY_S if claims or is_active else LOOK_EVERY_S)
