"""Acknowledge commits of seats, signed, for clients that ask."""

from uuid import UUID

from django.conf import settings

from games.keys import acknowledging
from games.live.signed_notes import signing
from games.play import commit
from games.store.rows import StoredCommit
from railbird_engine import Seat
from railbird_engine.audit.acknowledgements import Acknowledgement
from railbird_engine.kernel import chain


async def acknowledge(seat: Seat, command_id: UUID, stored: StoredCommit) -> str:
    """Return the signed acknowledgement of a commit that a seat sent as a command under this id.

    A repeated command has the same one, over any transport and however it is written, but for the
    state of the log. Raises Problem `unavailable` without a key that the log names.
    """
    loaded = await commit.load(stored.game)
    checkpoint = (await signing().known()).checkpoint
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
        size=checkpoint.size,
        root=checkpoint.root,
    )
    return acknowledging.sign(settings.ACK_KEY_FILE, said.text)
