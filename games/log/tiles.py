"""Read the transparency log: its checkpoints, its tiles, and proofs over them. All are public."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Now

from games.models import LogCheckpoint, LogCosignature, LogEntry, LogKey, LogTile
from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Witness
from railbird_engine.audit.merkle import WIDTH
from railbird_engine.audit.notes import Checkpoint, checkpoint_in

COSIGNED_WITHIN_S: Final = 60
"""How old a cosigned checkpoint may be to be shown instead of a newer one."""


class Sealed(NamedTuple):
    """A signed checkpoint of the log: the note as signed, and its parsed content."""

    note: str
    checkpoint: Checkpoint


def newest() -> Sealed | None:
    """Return the newest checkpoint; None before the first."""
    row = LogCheckpoint.objects.order_by("-size").first()
    return None if row is None else Sealed(row.note, checkpoint_in(row.note))


def published() -> Sealed | None:
    """Return the checkpoint to show, with all its cosignatures. None before the first.

    With witnesses it is the newest one with enough cosignatures, if it is recent, else the newest
    that is not recent. So it never goes back, however late a cosignature arrives.
    """
    sealed = newest()
    if sealed is None or not settings.WITNESSES:
        return sealed
    recently = Now() - timedelta(seconds=COSIGNED_WITHIN_S)
    recent = LogCheckpoint.objects.filter(at__gt=recently)
    counted = recent.annotate(
        witnesses=Subquery(
            LogCosignature.objects.filter(size=OuterRef("size"))
            .values("size")
            .annotate(count=Count("*"))
            .values("count")
        )
    )
    cosigned = counted.filter(witnesses__gte=settings.WITNESS_QUORUM).order_by("-size").first()
    older = LogCheckpoint.objects.filter(at__lte=recently).order_by("-size")
    row = cosigned or older.first() or LogCheckpoint.objects.earliest("size")
    sealed = Sealed(row.note, checkpoint_in(row.note))
    lines = LogCosignature.objects.filter(size=sealed.checkpoint.size).order_by("witness")
    return sealed._replace(note=sealed.note + "".join(lines.values_list("line", flat=True)))


class Witnessed(NamedTuple):
    """A configured witness, and the last checkpoint that it cosigned, with its cosignature."""

    witness: Witness
    last: Sealed | None
    cosigned_at: datetime | None


def witnessed() -> list[Witnessed]:
    """Return the configured witnesses, in their order."""
    found = []
    for witness, _ in settings.WITNESSES:
        row = LogCosignature.objects.filter(witness=witness.text).order_by("-size").first()
        if row is None:
            found.append(Witnessed(witness, None, None))
            continue
        note = LogCheckpoint.objects.get(size=row.size).note + row.line
        time_s = witness.time_in(note)
        assert time_s is not None, "the cosigner stores valid cosignatures"
        at = datetime.fromtimestamp(time_s, UTC)
        found.append(Witnessed(witness, Sealed(note, checkpoint_in(note)), at))
    return found


def verifiers() -> list[str]:
    """Return the public keys that have signed this log, oldest first."""
    return list(LogKey.objects.order_by("at", "verifier").values_list("verifier", flat=True))


def entries(number: int, width: int) -> list[bytes]:
    """Return the first `width` entries below a tile of level 0."""
    first = number * WIDTH
    rows = LogEntry.objects.filter(index__gte=first, index__lt=first + width).order_by("index")
    return [bytes(entry) for entry in rows.values_list("entry", flat=True)]


def hashes(level: int, number: int, width: int) -> Sequence[bytes]:
    """Return the first `width` hashes of a tile."""
    if level == 0:
        return [merkle.leaf_hash(entry) for entry in entries(number, width)]
    first = number * WIDTH
    rows = LogTile.objects.filter(
        level=level - 1, number__gte=first, number__lt=first + width
    ).order_by("number")
    return [bytes(root) for root in rows.values_list("root", flat=True)]


def node_at(size: int) -> merkle.Node:
    """Return a reader of subtree hashes of the log at `size` entries. It reads each tile once."""

    @cache
    def tile(level: int, number: int) -> Sequence[bytes]:
        return hashes(level, number, merkle.width_of(level, number, size))

    return merkle.node_in(tile)


def root_at(size: int, of: int) -> bytes:
    """Return the root that the log had at a size, by its tiles at `of` entries."""
    return merkle.range_hash(node_at(of), 0, size) if size else merkle.EMPTY_ROOT
