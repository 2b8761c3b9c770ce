"""The public log as the database has it: entries, tiles, checkpoints, keys and cosignatures."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from django.conf import settings

from games.log import signing
from games.models import LogCheckpoint, LogCosignature, LogEntry, LogKey, LogTile
from games.proofs.findings import Finding, unequal
from kit import installation
from railbird_engine.audit import log_copies, merkle
from railbird_engine.audit.cosignatures import Witness
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.histories import Histories
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import (
    Checkpoint,
    NoteError,
    UntrustedError,
    Verifier,
    checkpoint_in,
    checkpoint_of,
    signatures_in,
)


def log_findings() -> Iterator[Finding]:
    """Report rows of the log that do not fit each other, and entries that contradict others."""
    log = _Log()
    yield from log.key_findings()
    columns = ("name", "place", "kind", "version")
    rows = LogEntry.objects.order_by("index").values_list("index", "entry", *columns)
    for expected, (index, body, *row) in enumerate(rows.iterator(5000)):
        yield from unequal(f"log entry {expected}: index", expected, index)
        yield from log.entry_findings(expected, bytes(body), tuple(row))
    yield from log.end_findings()
    yield from _cosignature_findings()


class _Log:
    """The tree, which grows entry by entry, and what was signed over it."""

    def __init__(self) -> None:
        self._edge, self._histories = merkle.Edge(), Histories()
        self._tiles, self._places = 0, dict[UUID, int]()
        self._keys: list[Verifier] = []
        # Read before the entries, because the sealer goes on meanwhile.
        self._note = signing.last_signed(settings.LOG_KEY_FILE)
        self._copied = log_copies.farthest([signing.copies(settings.LOG_KEY_FILE)])
        self._signed: Checkpoint | None = None
        self._signers = set[bytes]()
        notes = LogCheckpoint.objects.order_by("size").values_list("size", "note")
        self._notes = notes.iterator(2000)
        self._checkpoint = next(self._notes, None)

    def key_findings(self) -> Iterator[Finding]:
        for text in LogKey.objects.values_list("verifier", flat=True):
            try:
                self._keys.append(Verifier.parse(text))
            except NoteError as error:
                yield Finding("key of the log", "a key", error)
        try:
            self._signed = None if self._note is None else checkpoint_in(self._note)
        except NoteError as error:
            yield Finding(str(_kept()), "a checkpoint", error)

    def entry_findings(
        self, number: int, body: bytes, row: tuple[object, ...]
    ) -> Iterator[Finding]:
        """Compare an entry with the columns of its row, and with those before it."""
        what = f"log entry {number}"
        try:
            entry = Entry.decode(body)
            self._histories.take(entry)
        except ValueError as error:
            yield Finding(what, "an entry", error)
        except DivergenceError as diverged:
            yield Finding(f"{what}: {diverged.field}", diverged.expected, diverged.found)
        else:
            place = self._places.get(entry.name, -1) + 1
            self._places[entry.name] = place
            again = (entry.name, place, entry.kind.value, entry.version)
            yield from unequal(f"{what}: name, place, kind and version", again, row)
        for tile in self._edge.append(merkle.leaf_hash(body)):
            self._tiles += 1
            yield from _tile_findings(tile)
        while self._checkpoint is not None and self._checkpoint[0] <= self._edge.size:
            yield from self._checkpoint_findings(*self._checkpoint)
            self._checkpoint = next(self._notes, None)
        if (signed := self._signed) is not None and signed.size == self._edge.size:
            what = f"{_kept()}: root of {signed.size} entries"
            yield from unequal(what, signed.root.hex(), self._edge.root().hex())

    def _checkpoint_findings(self, size: int, note: str) -> Iterator[Finding]:
        what = f"checkpoint at {size}"
        try:
            checkpoint = checkpoint_of(note, self._keys)
            self._signers |= {signature[:4] for _, signature in signatures_in(note)[1]}
        except (NoteError, UntrustedError) as error:
            yield Finding(what, "a checkpoint that a key of the log signed", error)
            return
        yield from unequal(f"{what}: size", size, checkpoint.size)
        yield from unequal(f"{what}: root", self._edge.root().hex(), checkpoint.root.hex())

    def end_findings(self) -> Iterator[Finding]:
        if self._checkpoint is not None:
            yield Finding("entries of the log", self._checkpoint[0], self._edge.size)
        yield from unequal("full tiles of the log", self._tiles, LogTile.objects.count())
        for key in self._keys:
            if key.key_id not in self._signers:
                yield Finding(f"key {key.text} of the log", "a checkpoint that it signed", None)
        yield from self._signed_findings()

    def _signed_findings(self) -> Iterator[Finding]:
        """Report a log that is shorter than what was signed, as far as the key's folder tells."""
        size, advice = self._edge.size, f"run {installation.NAME} log_restore"
        if self._signed is not None and self._signed.size > size:
            known = self._signed.size
            what = f"the database has {size} entries of the log, {known} were signed: {advice}"
            yield Finding(what, known, size)
        elif self._copied is not None and self._copied.first > size:
            what = f"the database has {size} entries of the log, the copies have more: {advice}"
            yield Finding(what, self._copied.size, size)
        if self._note is None and size and settings.LOG_KEY_FILE.exists():
            yield Finding(str(_kept()), "the checkpoint that was signed last", None)


def _kept() -> Path:
    return signing.checkpoint_file(settings.LOG_KEY_FILE)


def _tile_findings(tile: merkle.Tile) -> Iterator[Finding]:
    stored = LogTile.objects.filter(level=tile.level, number=tile.number)
    root = stored.values_list("root", flat=True).first()
    what = f"tile {tile.number} of level {tile.level}"
    expected = merkle.root_of(tile.hashes).hex()
    yield from unequal(what, expected, None if root is None else bytes(root).hex())


def _cosignature_findings() -> Iterator[Finding]:
    notes = dict[int, str]()
    for row in LogCosignature.objects.order_by("size").iterator(2000):
        what = f"cosignature of {row.witness} at {row.size}"
        if row.size not in notes:
            found = LogCheckpoint.objects.filter(size=row.size).values_list("note", flat=True)
            notes = {row.size: found.first() or ""}
        try:
            valid = Witness.parse(row.witness).time_in(notes[row.size] + row.line) is not None
        except NoteError:
            valid = False
        if not valid:
            yield Finding(what, "a signature of the witness", row.line.strip())
