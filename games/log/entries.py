"""Append entries to the public log: their rows, the roots of full tiles, copies, and a signed
checkpoint."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from games.log import signing
from games.log import tiles as the_log
from railbird_engine.audit import log_copies, merkle
from railbird_engine.audit.log import Entry
from railbird_engine.audit.merkle import Edge, Tile
from railbird_engine.audit.notes import Checkpoint, signed

ENTER: Final = "COPY games_logentry (index, name, place, kind, version, entry) FROM STDIN"

PLACES: Final = """
SELECT n.name, e.place FROM unnest(%s::uuid[]) n(name)
CROSS JOIN LATERAL (
    SELECT place FROM games_logentry WHERE name = n.name ORDER BY place DESC LIMIT 1
) e
"""

TILES: Final = """
INSERT INTO games_logtile (level, number, root)
SELECT * FROM unnest(%s::smallint[], %s::bigint[], %s::bytea[])
"""

NO_PLACES: Final[Mapping[UUID, int]] = {}


def append(
    cursor: Any, edge: Edge, entries: Sequence[Entry], places: Mapping[UUID, int] = NO_PLACES
) -> str:
    """Store entries as `store` does, and copy them before the caller commits. Return the note.

    Raises signing.UnsignedError.
    """
    first, before = edge.size, edge.root()
    note = store(cursor, edge, entries, places)
    if entries:
        bodies = tuple(entry.encode() for entry in entries)
        folder = signing.copies(settings.LOG_KEY_FILE)
        round_ = log_copies.Round(first, before, edge.root(), bodies)
        try:
            log_copies.add(folder, round_, days=settings.LOG_COPY_DAYS)
        except OSError as error:
            raise signing.UnsignedError(
                f"copies of the log cannot be written to {folder}: {error.strerror}"
            ) from error
    return note


def store(
    cursor: Any, edge: Edge, entries: Sequence[Entry], places: Mapping[UUID, int] = NO_PLACES
) -> str:
    """Store entries, the roots of full tiles, and the next checkpoint. Return its note.

    `places` are the last places of names as far as the caller has read them. Moves the edge. Raises
    signing.UnsignedError.
    """
    signers = signing.signers(
        settings.LOG_KEY_FILE, known := the_log.verifiers(), settings.LOG_ORIGIN
    )
    for signer in signers:
        if signer.verifier.text not in known:
            cursor.execute(
                "INSERT INTO games_logkey (verifier) VALUES (%s)", [signer.verifier.text]
            )
    first, bodies = edge.size, [entry.encode() for entry in entries]
    full: list[Tile] = [tile for body in bodies for tile in edge.append(merkle.leaf_hash(body))]
    if entries:
        placed = _placed(cursor, entries, places)
        # Of thousands of entries a second, arrays as parameters would cost a third of the time.
        with cursor.copy(ENTER) as copy:
            for index, (entry, place, body) in enumerate(
                zip(entries, placed, bodies, strict=True), first
            ):
                copy.write_row((index, entry.name, place, entry.kind, entry.version, body))
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


def _placed(cursor: Any, entries: Iterable[Entry], places: Mapping[UUID, int]) -> Iterator[int]:
    """Return the place of each entry: the next one of its name."""
    last = dict(places)
    if unread := list({entry.name for entry in entries} - last.keys()):
        cursor.execute(PLACES, [unread])
        last.update(cursor.fetchall())

    def next_of(entry: Entry) -> int:
        last[entry.name] = place = last.get(entry.name, -1) + 1
        return place

    return map(next_of, entries)
