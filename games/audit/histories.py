"""Consistency of games in the entries of a log and in several files."""

import hashlib
from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

from games.audit.divergence import Diverged
from games.audit.evidence import naming
from games.audit.log import Entry, Kind
from games.audit.notes import Checkpoint

Hashes = Mapping[UUID, Mapping[int, bytes]]
"""Hashes by game and version."""

NO_HASHES: Final[Hashes] = {}


class Counted(NamedTuple):
    """Numbers of games in a log, by their last entry."""

    started: int
    finished: int
    voided: int
    without_end: int


class _Head(NamedTuple):
    kind: Kind
    version: int
    promised: bytes


class Histories:
    """The games of a log, read entry by entry. Memory grows with games, not with entries.

    The entries must match the hashes in `expected`.
    """

    def __init__(self, expected: Hashes = NO_HASHES) -> None:
        self._expected = expected
        self._heads: dict[UUID, _Head] = {}

    def take(self, entry: Entry) -> None:
        """Check the next entry of a game. Raises Diverged.

        The first entry of a game is its only start. Its versions grow, its seed matches the
        published hash, and only corrections follow its end.
        """
        with naming(entry.game):
            if entry.kind is Kind.DIVERGED:
                raise Diverged(entry.version, "entry", entry.hash.hex(), entry.payload.hex())
            before = self._heads.get(entry.game)
            promised = entry.payload if before is None else _promised(before, entry)
            if before is None and (entry.kind, entry.version) != (Kind.STARTED, 0):
                raise Diverged(
                    entry.version,
                    "entry",
                    "the start of the game",
                    _described(entry.kind, entry.version),
                )
            expected = self._expected.get(entry.game, {}).get(entry.version, entry.hash)
            if expected != entry.hash:
                raise Diverged(
                    entry.version, "hash", f"{expected.hex()}, as in a file", entry.hash.hex()
                )
            self._heads[entry.game] = _Head(entry.kind, entry.version, promised)

    def counted(self) -> Counted:
        """Count the games seen so far."""
        kinds = [head.kind for head in self._heads.values()]
        finished, voided = kinds.count(Kind.FINISHED), kinds.count(Kind.VOIDED)
        return Counted(len(kinds), finished, voided, len(kinds) - finished - voided)


def _promised(before: _Head, entry: Entry) -> bytes:
    """Return the seed hash of the game of a later entry. Raises Diverged."""
    found, known = _described(entry.kind, entry.version), _described(before.kind, before.version)
    if entry.kind is Kind.STARTED:
        raise Diverged(entry.version, "entry", "one start of the game", "a second start")
    if entry.version <= before.version:
        raise Diverged(entry.version, "entry", f"a later version after {known}", found)
    if before.kind is Kind.VOIDED or (before.kind is Kind.FINISHED and entry.kind is Kind.ADVANCED):
        raise Diverged(entry.version, "entry", f"no such entry after {known}", found)
    if entry.payload and (opened := hashlib.sha256(entry.payload).digest()) != before.promised:
        raise Diverged(entry.version, "seed", before.promised.hex(), opened.hex())
    return before.promised


def _described(kind: Kind, version: int) -> str:
    return f"{kind.name.lower()} at version {version}"


class Content(NamedTuple):
    """The content of a verified file: a checkpoint, entries by index, hashes by version."""

    checkpoint: Checkpoint
    entries: Mapping[int, Entry]
    hashes: Hashes


class Files:
    """Verified files, compared with each other: hashes, indexes and entries must agree."""

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []
        self.hashes: dict[UUID, dict[int, bytes]] = {}
        self._logs: dict[str, dict[int, Entry]] = {}

    def add(self, content: Content) -> None:
        """Add a file. Raises Diverged if it contradicts another one."""
        new = content.checkpoint
        for known in self.checkpoints:
            if (known.origin, known.size) == (new.origin, new.size) and known.root != new.root:
                raise Diverged(
                    None,
                    "root",
                    f"{known.root.hex()}, as in another file for {known.size} entries",
                    new.root.hex(),
                )
        self.checkpoints.append(new)
        for game, hashes in content.hashes.items():
            for version, hash_ in hashes.items():
                self._add_hash(game, version, hash_)
        places = self._logs.setdefault(new.origin, {})
        for index, entry in content.entries.items():
            self._add_hash(entry.game, entry.version, entry.hash)
            if (other := places.setdefault(index, entry)) != entry:
                with naming(entry.game):
                    raise Diverged(
                        entry.version,
                        "place",
                        f"{_described(other.kind, other.version)} of {other.game}",
                        index,
                    )
        histories = Histories()
        for index in sorted(places):
            histories.take(places[index])

    def _add_hash(self, game: UUID, version: int, hash_: bytes) -> None:
        known = self.hashes.setdefault(game, {}).setdefault(version, hash_)
        if known != hash_:
            with naming(game):
                raise Diverged(version, "hash", f"{known.hex()}, as in another file", hash_.hex())
