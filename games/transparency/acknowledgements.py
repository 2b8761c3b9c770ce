"""Acknowledge commits of seats, signed, for clients that ask."""

from typing import Any
from uuid import UUID

import structlog
from django.conf import settings

from games.audit.acknowledgements import Acknowledgement, command_digest
from games.engine import Seat
from games.keys import acknowledging
from games.play import commit
from games.store.commits import StoredCommit
from kit import validation
from kit.problems import Problem

log = structlog.get_logger(__name__)


async def acknowledge(
    game: UUID, seat: Seat, command: Any, command_id: UUID, stored: StoredCommit
) -> str:
    """Return the signed acknowledgement of a commit that carries this command of the seat, given
    as JSON or as plain values.

    The same command under the same id has the same one. Raises Problem `unavailable` without a key.
    """
    loaded = await commit.load(game)
    if isinstance(command, bytes):
        command = validation.check(command, path="$.command")
    said = Acknowledgement(
        origin=settings.LOG_ORIGIN,
        name=loaded.log_name,
        game=game,
        version=stored.version,
        hash=stored.hash,
        seat=seat,
        id=command_id,
        command=command_digest(command),
        seed_hash=bytes.fromhex(loaded.seed_hash),
        at=stored.at,
    )
    try:
        return acknowledging.sign(settings.ACK_KEY_FILE, said.text)
    except acknowledging.Unusable as error:
        log.error("not_acknowledged", error=str(error))  # noqa: TRY400 -- one line says it
        raise Problem("unavailable") from error
