"""Sign notes for clients, only with a key that the log names: any other note proves nothing."""

import asyncio
from contextlib import suppress
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import Error

from games.keys import acknowledging
from games.live.room_followers import in_thread
from games.reads.signing_log import SigningLog, signing_log
from kit import background, key_files
from kit.event_loop import one_per_loop
from kit.problems import Problem
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

LOOK_EVERY_S: Final = 1.0


class Signing:
    """The log as this process knows it. Once a client has asked for notes, it is a second old, and
    a few more after a failure to read it."""

    def __init__(self) -> None:
        self._known: SigningLog | None = None
        self._reading: asyncio.Future[SigningLog | None] | None = None
        self._looks = False

    async def prepare(self) -> None:
        """Begin to follow the log. Read it now if the signing key does not count in what is known.

        During an outage, what is known stays.
        """
        if not self._looks:
            self._looks = True
            background.forever("signing", self._look)
        if not self._counts():
            with suppress(Problem, Error):
                await self._read()

    async def _look(self) -> None:
        await asyncio.sleep(LOOK_EVERY_S)
        await self._read()

    async def _read(self) -> None:
        """Read the log once for all who ask meanwhile. Raises Problem, Error."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(in_thread(signing_log))
        self._known = await asyncio.shield(self._reading)

    async def known(self) -> SigningLog:
        """Return a log under which the signing key counts. Raises Problem `unavailable`."""
        await self.prepare()
        if self._known is None or not self._counts():
            raise Problem("unavailable")
        return self._known

    def forget(self) -> None:
        """Forget the log, which a test has emptied."""
        self._known = None

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
        except key_files.UnusableKeyError as error:
            log.error("not_acknowledged", error=str(error))  # noqa: TRY400 -- one line says it
            return False
        return self._known is not None and key in self._known.keys


signing = one_per_loop(Signing)
"""The signing of the running loop."""
