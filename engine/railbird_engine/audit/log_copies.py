"""Copies of the entries of a log, in a folder of bounded files beside what they copy.

A sealer writes one before it commits entries to the database, so the copies have whatever was
signed. They also have rounds that were rolled back: no later round continues those.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from railbird_engine.audit.merkle import HASH_LENGTH, Edge
from railbird_engine.audit.notes import Checkpoint

FILE_MAX: Final = 16 * 2**20
"""The size in bytes from which a file is not continued."""
DAY_S: Final = 24 * 60 * 60
ENTRIES_AT_ONCE: Final = 4096


class Round(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Adjacent entries: the index of the first, and the roots before and after them."""

    first: int
    before: bytes
    after: bytes
    entries: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """The number of entries of the log after this round."""
        return self.first + len(self.entries)


class MissingEntriesError(Exception):
    """The copies lack entries; the message is one line that says which."""


_decode: Final = msgspec.json.Decoder(Round).decode


def add(folder: Path, round_: Round, *, days: int | None = None) -> None:
    """Append a round durably. Files that are this many days older than it are deleted, if any.

    Raises OSError.
    """
    folder.mkdir(mode=0o711, parents=True, exist_ok=True)
    files = _files(folder)
    path = files[0] if files and files[0].stat().st_size < FILE_MAX else _named(folder, round_)
    is_new = not path.exists()
    # A line of its own, even after one that a crash cut short.
    with path.open("ab") as file:
        file.write(b"\n" + msgspec.json.encode(round_) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    if not is_new:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if days is None:
        return
    oldest = path.stat().st_mtime - days * DAY_S
    for each in files:
        if each.stat().st_mtime < oldest:
            each.unlink(missing_ok=True)


def between(folders: Sequence[Path], start: int, end: Checkpoint) -> list[bytes]:
    """Return the entries from this index up to a checkpoint, newest files read first.

    The caller must check that they lead to its root. Raises MissingEntriesError, OSError.
    """
    copies = _Copies(folders)
    parts: list[tuple[bytes, ...]] = []
    size, root = end.size, end.root
    while size > start:
        found = copies.leading_to(size, root)
        if found is None:
            raise MissingEntriesError(
                f"the copies lack entries {start} to {size - 1}, or their end"
            )
        parts.append(found.entries[: size - found.first])
        size, root = found.first, found.before
    entries = [entry for part in reversed(parts) for entry in part]
    return entries[start - size :]


def continuing(folders: Sequence[Path], checkpoint: Checkpoint) -> list[Checkpoint]:
    """Return the ends of the rounds that continue a checkpoint: none, or one in most cases."""
    found = {
        (each.size, each.after)
        for path in _all_files(folders)
        for each in _read(path)
        if (each.first, each.before) == (checkpoint.size, checkpoint.root) and each.entries
    }
    return [Checkpoint(checkpoint.origin, size, root) for size, root in sorted(found)]


def farthest(folders: Sequence[Path]) -> Round | None:
    """Return the round that begins last. Only the newest files are read: others end before."""
    rounds = (each for folder in folders for path in _files(folder)[:2] for each in _read(path))
    return max(rounds, key=lambda each: each.first, default=None)


class Copier:
    """Copies the entries of a log as they are read, from an edge of its tree on."""

    def __init__(self, folder: Path, edge: Edge) -> None:
        self._folder = folder
        self._edge = edge
        self._before = edge.root()
        self._entries: list[bytes] = []

    def take(self, entry: bytes) -> None:
        """Copy the next entry. Raises OSError."""
        self._edge.extend([entry])
        self._entries.append(entry)
        if len(self._entries) == ENTRIES_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what was taken. Raises OSError."""
        if not self._entries:
            return
        first, after = self._edge.size - len(self._entries), self._edge.root()
        add(self._folder, Round(first, self._before, after, tuple(self._entries)))
        self._before, self._entries = after, []


class _Copies:
    """The rounds of several folders, read as far back as they are needed."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._files = iter(_all_files(folders))
        self._known: dict[tuple[int, bytes], Round] = {}

    def leading_to(self, size: int, root: bytes) -> Round | None:
        """Return a round that ends there, else one that has the last entry before."""
        while (found := self._known.get((size, root))) is None:
            path = next(self._files, None)
            if path is None:
                break
            for each in _read(path):
                if each.entries:
                    self._known.setdefault((each.size, each.after), each)
        if found is not None:
            return found
        wider = [each for each in self._known.values() if each.first < size < each.size]
        return min(wider, key=lambda each: each.first, default=None)


def _all_files(folders: Sequence[Path]) -> list[Path]:
    found = [path for folder in folders for path in _files(folder)]
    return sorted(found, key=lambda path: path.name, reverse=True)


def _files(folder: Path) -> list[Path]:
    """Return the files of a folder, the newest first."""
    return sorted(folder.glob("*.jsonl"), reverse=True) if folder.is_dir() else []


def _named(folder: Path, round_: Round) -> Path:
    return folder / f"{round_.first:016}.jsonl"


def _read(path: Path) -> Iterator[Round]:
    """Yield the rounds of a file. A line that a crash cut short is passed over."""
    with path.open("rb") as file:
        for line in file:
            try:
                round_ = _decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if len(round_.before) == len(round_.after) == HASH_LENGTH:
                yield round_
