"""The cost of signed acknowledgements: moves per second without and with one for every move."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.players import Tally
from bench.switching import Switching


class Signing(Switching, frozen=True, kw_only=True):
    """A signature for every move."""

    @asynccontextmanager
    async def switched(self, tally: Tally, *, is_on: bool) -> AsyncIterator[None]:
        tally.wants_signatures = is_on
        yield
