"""Sign notes for clients, only with a key that the log names: any other note proves nothing."""

import asyncio
import math
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import Error

from games.keys import acknowledging
from games.live.room_followers import in_thread
from games.reads.signing_log import SigningLog, signing_log
from kit.event_loop import one_per_loop
from kit.problems import Problem
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

LOOK_EVERY_S: Final = 1.0


class Signing:
    """The log as this process knows it, at most a second old while somebody looks."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._known: SigningLog | None = None
        self._looked_at = -math.inf

    async def look(self) -> None:
        """Read the log, unless that was just done. During an outage, what is known stays."""
        if self._loop.time() - self._looked_at >= LOOK_EVERY_S:
            await self._read()

    async def _read(self) -> None:
        self._looked_at = self._loop.time()
        try:
            self._known = await in_thread(signing_log)
        except (Problem, Error) as error:
            log.warning("log_unread", error=str(error))

    async def prepare(self) -> None:
        """Read the log now if the signing key does not count in what is known."""
        await self.look()
        if not self._counts():
            await self._read()

    async def known(self) -> SigningLog:
        """Return a log under which the signing key counts. Raises Problem `unavailable`."""
        await self.prepare()
        if self._known is None or not self._counts():
            raise Problem("unavailable")
        return self._known

    def forget(self) -> None:
        """Read the log again at the next look."""
        self._looked_at = -math.inf

    def head(self, name: UUID, game: UUID, version: int, hash_: bytes) -> str | None:
        """Return the note of a commit that somebody is shown; None while the signing key does not
        count."""
        if not self._counts():
            return None
        text = chain.head_text(settings.LOG_ORIGIN, name, game, version, hash_)
        return acknowledging.sign(settings.ACK_KEY_FILE, text)

    def _counts(self) -> bool:
        try:
            key = acknowledging.signing_key(settings.ACK_KEY_FILE)
        except acknowledging.UnusableKeyError as error:
            log.error("not_acknowledged", error=str(error))  # noqa: TRY400 -- one line says it
            return False
        return self._known is not None and key in self._known.keys


signing = one_per_loop(Signing)
"""The signing of the running loop."""
