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

NONE_TOLD: Final[Hashes] = {}


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

    `told` are hashes that the entries have to match.
    """

    def __init__(self, told: Hashes = NONE_TOLD) -> None:
        self._told = told
        self._heads: dict[UUID, _Head] = {}

    def take(self, entry: Entry) -> None:
        """Check the next entry of a game. Raises Diverged.

        A game starts once, and first; its versions grow; its seed matches the published hash; after
        its end there are only corrections.
        """
        with naming(entry.game):
            if entry.kind is Kind.DIVERGED:
                raise Diverged(entry.version, "entry", entry.hash.hex(), entry.luck.hex())
            before = self._heads.get(entry.game)
            promised = entry.luck if before is None else _promised(before, entry)
            if before is None and (entry.kind, entry.version) != (Kind.STARTED, 0):
                raise Diverged(
                    entry.version,
                    "entry",
                    "that the game started, first",
                    _told_of(entry.kind, entry.version),
                )
            told = self._told.get(entry.game, {}).get(entry.version, entry.hash)
            if told != entry.hash:
                raise Diverged(
                    entry.version, "hash", f"{told.hex()}, which a file tells", entry.hash.hex()
                )
            self._heads[entry.game] = _Head(entry.kind, entry.version, promised)

    def counted(self) -> Counted:
        """Count the games seen so far."""
        kinds = [head.kind for head in self._heads.values()]
        finished, voided = kinds.count(Kind.FINISHED), kinds.count(Kind.VOIDED)
        return Counted(len(kinds), finished, voided, len(kinds) - finished - voided)


def _promised(before: _Head, entry: Entry) -> bytes:
    """Return the seed hash of the game of a later entry. Raises Diverged."""
    found, known = _told_of(entry.kind, entry.version), _told_of(before.kind, before.version)
    if entry.kind is Kind.STARTED:
        raise Diverged(
            entry.version, "entry", "that the game started, once", "that it started again"
        )
    if entry.version <= before.version:
        raise Diverged(entry.version, "entry", f"a later version after {known}", found)
    if before.kind is Kind.VOIDED or (before.kind is Kind.FINISHED and entry.kind is Kind.STANDS):
        raise Diverged(entry.version, "entry", f"no such entry after {known}", found)
    if entry.luck and (opened := hashlib.sha256(entry.luck).digest()) != before.promised:
        raise Diverged(entry.version, "seed", before.promised.hex(), opened.hex())
    return before.promised


def _told_of(kind: Kind, version: int) -> str:
    return f"{kind.name.lower()} at version {version}"


class Told(NamedTuple):
    """The content of a verified file: a checkpoint, entries by index, hashes by version."""

    checkpoint: Checkpoint
    entries: Mapping[int, Entry]
    hashes: Hashes


class Files:
    """Verified files, checked against each other: hashes, indexes and entries have to agree."""

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []
        self.hashes: dict[UUID, dict[int, bytes]] = {}
        self._logs: dict[str, dict[int, Entry]] = {}

    def add(self, told: Told) -> None:
        """Add a file. Raises Diverged if it contradicts another one."""
        new = told.checkpoint
        for known in self.checkpoints:
            if (known.origin, known.size) == (new.origin, new.size) and known.root != new.root:
                raise Diverged(
                    None,
                    "root",
                    f"{known.root.hex()}, which another file has for {known.size} entries",
                    new.root.hex(),
                )
        self.checkpoints.append(new)
        for game, hashes in told.hashes.items():
            for version, hash_ in hashes.items():
                self._add_hash(game, version, hash_)
        places = self._logs.setdefault(new.origin, {})
        for index, entry in told.entries.items():
            self._add_hash(entry.game, entry.version, entry.hash)
            if (other := places.setdefault(index, entry)) != entry:
                with naming(entry.game):
                    raise Diverged(
                        entry.version,
                        "place",
                        f"{_told_of(other.kind, other.version)} of {other.game}",
                        index,
                    )
        histories = Histories()
        for index in sorted(places):
            histories.take(places[index])

    def _add_hash(self, game: UUID, version: int, hash_: bytes) -> None:
        known = self.hashes.setdefault(game, {}).setdefault(version, hash_)
        if known != hash_:
            with naming(game):
                raise Diverged(
                    version, "hash", f"{known.hex()}, which another file tells", hash_.hex()
                )
