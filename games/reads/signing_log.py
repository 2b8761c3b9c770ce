"""The newest tree of the log, and the keys of acknowledgements that count under it."""

from typing import NamedTuple

from games.models import OF_KEYS, LogCheckpoint, LogEntry
from railbird_engine.audit.acknowledgements import LoggedKeys
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Checkpoint


class SigningLog(NamedTuple):
    """The newest checkpoint, and the public keys whose notes count if they name it."""

    checkpoint: Checkpoint
    keys: frozenset[bytes]


def signing_log() -> SigningLog | None:
    """Return the log as it is now; None before its first checkpoint."""
    newest = LogCheckpoint.objects.order_by("-size").first()
    if newest is None:
        return None
    checkpoint = Checkpoint.parse(newest.note.rpartition("\n\n")[0] + "\n")
    rows = LogEntry.objects.filter(OF_KEYS, index__lt=checkpoint.size).order_by("index")
    logged = LoggedKeys()
    for index, entry in rows.values_list("index", "entry"):
        logged.take(Entry.decode(bytes(entry)), index)
    counting = (key for key, place in logged.known.items() if place.counts(checkpoint.size))
    return SigningLog(checkpoint, frozenset(counting))
