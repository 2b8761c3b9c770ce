"""The newest tree of the log, and the keys of acknowledgements that count under it."""

from collections.abc import Sequence
from typing import NamedTuple

from games.models import OF_KEYS, LogCheckpoint, LogEntry
from railbird_engine.audit.acknowledgements import LoggedKeys
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Checkpoint, checkpoint_in


class SigningLog(NamedTuple):
    """The newest checkpoint, and the public keys whose notes count if they name it."""

    checkpoint: Checkpoint
    keys: frozenset[bytes]


def signers(size: int) -> Sequence[tuple[int, bytes]]:
    """Return index and bytes of all entries before this size that name keys of acknowledgements."""
    rows = LogEntry.objects.filter(OF_KEYS, index__lt=size).order_by("index")
    return [(index, bytes(entry)) for index, entry in rows.values_list("index", "entry")]


def signing_log() -> SigningLog | None:
    """Return the log as it is now; None before its first checkpoint."""
    newest = LogCheckpoint.objects.order_by("-size").first()
    if newest is None:
        return None
    checkpoint = checkpoint_in(newest.note)
    logged = LoggedKeys()
    for index, entry in signers(checkpoint.size):
        logged.take(Entry.decode(entry), index)
    counting = (key for key, place in logged.known.items() if place.counts(checkpoint.size))
    return SigningLog(checkpoint, frozenset(counting))
