"""Acknowledge commits of seats, signed, for clients that ask."""

from uuid import UUID

import structlog
from django.conf import settings

from games.keys import acknowledging
from games.play import commit
from games.store.rows import StoredCommit
from kit.problems import Problem
from railbird_engine import Seat
from railbird_engine.audit.acknowledgements import Acknowledgement
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)


async def acknowledge(seat: Seat, command_id: UUID, stored: StoredCommit) -> str:
    """Return the signed acknowledgement of a commit that a seat sent as a command under this id.

    A repeated command has the same one, over any transport and however it is written. Raises
    Problem `unavailable` without a key.
    """
    loaded = await commit.load(stored.game)
    said = Acknowledgement(
        origin=settings.LOG_ORIGIN,
        name=loaded.log_name,
        game=stored.game,
        version=stored.version,
        hash=stored.hash,
        seat=seat,
        id=command_id,
        command=bytes(chain.decode_body(stored.body).command).decode(),
        seed_hash=bytes.fromhex(loaded.seed_hash),
        at=stored.at,
    )
    try:
        return acknowledging.sign(settings.ACK_KEY_FILE, said.text)
    except acknowledging.UnusableKeyError as error:
        log.error("not_acknowledged", error=str(error))  # noqa: TRY400 -- one line says it
        raise Problem("unavailable") from error
