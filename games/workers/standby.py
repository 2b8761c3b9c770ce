"""A clock in a web process that steps games only while no worker does: until workers are started
again, races go on.

It looks for games that are so late that no worker can be alive. While it finds due games it goes on
stepping them, but looks less often than a worker, which therefore takes over by itself."""

import asyncio
import time
from typing import Final

from games.store import heads
from games.workers.clock import CLAIMS_MAX, Clock

AWAY_S: Final = 1.5
"""A game that is this late shows that no worker is there."""

LOOK_EVERY_S: Final = 0.5
STEP_EVERY_S: Final = 0.2
STANDS_IN_S: Final = 10.0
"""How long it goes on after the last game that it found."""


class Standby:
    """The clock of one web process."""

    def __init__(self) -> None:
        self._clock = Clock()
        self._stands_in_until = 0.0

    async def look(self) -> None:
        """Step what is due, if no worker does, and pause."""
        stands_in = time.monotonic() < self._stands_in_until
        claims = await heads.claim_due(CLAIMS_MAX, late_s=0.0 if stands_in else AWAY_S)
        if claims:
            self._stands_in_until = time.monotonic() + STANDS_IN_S
            await self._clock.answer(claims)
        await asyncio.sleep(STEP_EVERY_S if claims or stands_in else LOOK_EVERY_S)
