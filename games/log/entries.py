"""Append entries to the public log: their rows, the roots of full tiles, copies, and a signed
checkpoint."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.conf import settings

from games.log import signing
from games.log import tiles as the_log
from games.store.heads import ABANDONED_AT, DIVERGED_AT, OPENED_AT, RESTORED_AT
from railbird_engine.audit import log_copies, merkle
from railbird_engine.audit.log import Entry, Kind
from railbird_engine.audit.merkle import Edge, Tile
from railbird_engine.audit.notes import Checkpoint, signed

ENTER: Final = "COPY games_logentry (index, name, version, entry) FROM STDIN"

TILES: Final = """
INSERT INTO games_logtile (level, number, root)
SELECT * FROM unnest(%s::smallint[], %s::bigint[], %s::bytea[])
"""


class Row(NamedTuple):
    """An entry, and the version of its row: see `row_of`."""

    entry: Entry
    version: int


def row_of(entry: Entry, before: int | None) -> int:
    """Return the version of the row of an entry, which orders the rows of a name.

    It is that of the entry, except for kinds that repeat a version, and after a game lost commits,
    whose versions begin again. `before` is the version of the row before, if there is one.
    """
    match entry.kind:
        case Kind.OPENED:
            return OPENED_AT
        case Kind.ABANDONED:
            return ABANDONED_AT
        case Kind.DIVERGED:
            return DIVERGED_AT
    if entry.kind is Kind.RESTORED or (before is not None and before >= RESTORED_AT):
        return max(before or 0, RESTORED_AT - 1) + 1
    return entry.version


def append(cursor: Any, edge: Edge, rows: Sequence[Row]) -> str:
    """Store entries as `store` does, and copy them before the caller commits. Return the note.

    Raises signing.UnsignedError.
    """
    first, before = edge.size, edge.root()
    note = store(cursor, edge, rows)
    if rows:
        entries = tuple(row.entry.encode() for row in rows)
        folder = signing.copies(settings.LOG_KEY_FILE)
        round_ = log_copies.Round(first, before, edge.root(), entries)
        try:
            log_copies.add(folder, round_, days=settings.LOG_COPY_DAYS)
        except OSError as error:
            raise signing.UnsignedError(
                f"copies of the log cannot be written to {folder}: {error.strerror}"
            ) from error
    return note


def store(cursor: Any, edge: Edge, rows: Sequence[Row]) -> str:
    """Store entries, the roots of full tiles, and the next checkpoint. Return its note.

    Moves the edge. Raises signing.UnsignedError.
    """
    signers = signing.signers(
        settings.LOG_KEY_FILE, known := the_log.verifiers(), settings.LOG_ORIGIN
    )
    for signer in signers:
        if signer.verifier.text not in known:
            cursor.execute(
                "INSERT INTO games_logkey (verifier) VALUES (%s)", [signer.verifier.text]
            )
    first, bodies = edge.size, [row.entry.encode() for row in rows]
    full: list[Tile] = [tile for body in bodies for tile in edge.append(merkle.leaf_hash(body))]
    if rows:
        # Of thousands of entries a second, arrays as parameters would cost a third of the time.
        with cursor.copy(ENTER) as copy:
            for index, (row, body) in enumerate(zip(rows, bodies, strict=True), first):
                copy.write_row((index, row.entry.name, row.version, body))
    if full:
        roots = [merkle.root_of(tile.hashes) for tile in full]
        cursor.execute(
            TILES, [[tile.level for tile in full], [tile.number for tile in full], roots]
        )
    checkpoint = Checkpoint(signers[0].name, edge.size, edge.root())
    note = signed(checkpoint.text, signers)
    cursor.execute(
        "INSERT INTO games_logcheckpoint (size, note) VALUES (%s, %s)", [checkpoint.size, note]
    )
    return note
