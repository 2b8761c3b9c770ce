"""Consistency of games in the entries of a log and in several files."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from games.audit.acknowledgements import Acknowledgement, LoggedKey, LoggedKeys, acknowledged
from games.audit.builds import LoggedBuilds, SealedBy
from games.audit.divergence import Diverged
from games.audit.evidence import naming, under
from games.audit.log import HASH_LENGTH, Entry, Kind
from games.audit.notes import Checkpoint, Untrusted
from games.audit.people import People
from games.engine import chain

Hashes = Mapping[UUID, Mapping[int, bytes]]
"""Hashes by log name and version."""

NO_HASHES: Final[Hashes] = {}
BEFORE_START: Final = frozenset({Kind.OPENED, Kind.ABANDONED})


class Counted(NamedTuple):
    """Numbers of lobbies and games in a log. An `abandoned` attempt to start became no game.

    `build` is the server's last one that the log names.
    """

    opened: int
    abandoned: int
    started: int
    finished: int
    voided: int
    without_end: int
    build: SealedBy | None


class Head(NamedTuple):
    """The last entry of a log name, its seed hash, and the hash of its first entry."""

    kind: Kind
    version: int
    promised: bytes
    opened: bytes


class Reached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of `Histories` up to a checkpoint, from which a later run continues."""

    checkpoint: Checkpoint
    heads: dict[UUID, Head]
    abandoned: set[bytes]
    continued: int
    keys: dict[bytes, LoggedKey]
    builds: int
    build: SealedBy | None


class Histories:
    """The games of a log, read entry by entry. Memory grows with games, not with entries.

    The entries must match the hashes in `expected`. Unless all entries of the log are read,
    abandoned attempts may be missing. `said` are acknowledgements to check in the end. With
    `reached`, the entries up to its checkpoint have been read.
    """

    def __init__(
        self,
        expected: Hashes = NO_HASHES,
        *,
        reads_all: bool = True,
        said: Sequence[Acknowledgement] = (),
        reached: Reached | None = None,
    ) -> None:
        self._keys = LoggedKeys(None if reached is None else reached.keys)
        self._builds = (
            LoggedBuilds() if reached is None else LoggedBuilds(reached.builds, reached.build)
        )
        self._compared: dict[tuple[UUID, int], bytes | None] = {
            (each.name, each.version): None for each in said
        }
        self._expected = expected
        self._reads_all = reads_all
        self._heads: dict[UUID, Head] = {} if reached is None else reached.heads
        self._promised = {head.promised for head in self._heads.values()}
        self._abandoned: set[bytes] = set() if reached is None else reached.abandoned
        self._continued = 0 if reached is None else reached.continued

    def take(self, entry: Entry) -> None:
        """Check the next entry of a game. Raises Diverged.

        The first entry of a game opens its lobby. Then the attempt is abandoned, or the game starts
        once. Its versions grow, its seed is its own and matches the published hash, and only
        corrections follow its end. An abandoned attempt has one successor at most.
        """
        if entry.kind is Kind.KEY:
            self._keys.take(entry)
            return
        if entry.kind is Kind.BUILD:
            self._builds.take(entry)
            return
        if (place := (entry.name, entry.version)) in self._compared:
            self._compared[place] = entry.hash
        with under(entry.name):
            if entry.kind is Kind.DIVERGED:
                raise Diverged(entry.version, "entry", entry.hash.hex(), entry.payload.hex())
            before = self._heads.get(entry.name)
            if before is None:
                self._heads[entry.name] = self._opened(entry)
                return
            _check_follows(before, entry)
            if entry.kind is Kind.ABANDONED:
                self._abandoned.add(chain.entry_hash(entry.encode()))
            else:
                self._check_hash(entry)
            self._heads[entry.name] = before._replace(kind=entry.kind, version=entry.version)

    def _opened(self, entry: Entry) -> Head:
        if entry.kind is not Kind.OPENED:
            found = _described(entry.kind, entry.version)
            raise Diverged(entry.version, "entry", "the opening of the lobby", found)
        promised, ended = entry.payload[:HASH_LENGTH], entry.payload[HASH_LENGTH:]
        if promised in self._promised:
            raise Diverged(0, "seed", "a hash that no other entry has", promised.hex())
        self._promised.add(promised)
        if any(ended) and self._reads_all:
            if ended not in self._abandoned:
                expected = "an abandoned attempt without a successor"
                raise Diverged(0, "abandoned", expected, ended.hex())
            self._abandoned.remove(ended)
            self._continued += 1
        return Head(entry.kind, entry.version, promised, chain.entry_hash(entry.encode()))

    def _check_hash(self, entry: Entry) -> None:
        expected = self._expected.get(entry.name, {}).get(entry.version, entry.hash)
        if expected != entry.hash:
            raise Diverged(
                entry.version, "hash", f"{expected.hex()}, as in a file", entry.hash.hex()
            )

    def fits(self, note: str) -> bool:
        """Check an acknowledgement after the last entry; return whether its commit was found.

        A key that the log names has signed it in its time, the seed is the published one, and the
        commit of its version, if the log or a file contains it, is the acknowledged one. Raises
        BadNote, Diverged.
        """
        try:
            said = acknowledged(note, self._keys.keys)
        except Untrusted as error:
            expected = "a signature by a key that the log names, in its time"
            raise Diverged(None, "acknowledgement", expected, error) from error
        with naming(said.game):
            head = self._heads.get(said.name)
            if head is None:
                raise Diverged(said.version, "name", "a game in the log", said.name)
            if head.promised != said.seed_hash:
                raise Diverged(said.version, "seed", head.promised.hex(), said.seed_hash.hex())
            if head.kind in {Kind.FINISHED, Kind.VOIDED} and said.version > head.version:
                expected = f"the acknowledged version {said.version}"
                raise Diverged(said.version, "end", expected, f"the end at {head.version}")
            found = self._compared.get((said.name, said.version))
            found = found or self._expected.get(said.name, {}).get(said.version)
            if found is not None and found != said.hash:
                raise Diverged(said.version, "acknowledgement", said.hash.hex(), found.hex())
        return found is not None

    def reached(self, checkpoint: Checkpoint) -> Reached:
        """Return the state after the last entry, which is that of the checkpoint."""
        return Reached(
            checkpoint,
            self._heads,
            self._abandoned,
            self._continued,
            self._keys.known,
            self._builds.count,
            self._builds.last,
        )

    def counted(self) -> Counted:
        """Count the lobbies and games seen so far."""
        kinds = [head.kind for head in self._heads.values()]
        abandoned, waiting = kinds.count(Kind.ABANDONED), kinds.count(Kind.OPENED)
        finished, voided = kinds.count(Kind.FINISHED), kinds.count(Kind.VOIDED)
        started = len(kinds) - abandoned - waiting
        return Counted(
            opened=len(kinds) - self._continued,
            abandoned=abandoned,
            started=started,
            finished=finished,
            voided=voided,
            without_end=started - finished - voided,
            build=self._builds.last,
        )


def _check_follows(before: Head, entry: Entry) -> None:
    """Check an entry against the one before it of the same name. Raises Diverged."""
    found, known = _described(entry.kind, entry.version), _described(before.kind, before.version)
    if before.kind is Kind.OPENED:
        if entry.kind not in {Kind.STARTED, Kind.ABANDONED} or entry.version:
            expected = "the start of the game, or an abandoned attempt"
            raise Diverged(entry.version, "entry", expected, found)
        if entry.kind is Kind.ABANDONED and entry.hash != before.opened:
            raise Diverged(0, "abandoned", before.opened.hex(), entry.hash.hex())
    elif entry.kind is Kind.STARTED or entry.kind in BEFORE_START:
        raise Diverged(entry.version, "entry", "one start of the game", "a second start")
    elif entry.version <= before.version:
        raise Diverged(entry.version, "entry", f"a later version after {known}", found)
    elif before.kind in {Kind.VOIDED, Kind.ABANDONED} or (
        before.kind is Kind.FINISHED and entry.kind is Kind.ADVANCED
    ):
        raise Diverged(entry.version, "entry", f"no such entry after {known}", found)
    if entry.seed and (opened := hashlib.sha256(entry.seed).digest()) != before.promised:
        raise Diverged(entry.version, "seed", before.promised.hex(), opened.hex())


def _described(kind: Kind, version: int) -> str:
    return f"{kind.name.lower()} at version {version}"


class Content(NamedTuple):
    """The content of a verified file: a checkpoint, entries by index, hashes by log name and
    version, the log names of games, and their commitments to people."""

    checkpoint: Checkpoint
    entries: Mapping[int, Entry]
    hashes: Hashes
    names: Mapping[UUID, UUID]
    people: Mapping[UUID, People]


class Files:
    """Verified files, checked against each other: hashes, indexes and entries must agree."""

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []
        self.hashes: dict[UUID, dict[int, bytes]] = {}
        self.people: dict[UUID, People] = {}
        self._names: dict[UUID, UUID] = {}
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
        self._add_names(content.names)
        self.people.update(content.people)
        for name, hashes in content.hashes.items():
            for version, hash_ in hashes.items():
                self._add_hash(name, version, hash_)
        places = self._logs.setdefault(new.origin, {})
        for index, entry in content.entries.items():
            if entry.kind not in BEFORE_START:
                self._add_hash(entry.name, entry.version, entry.hash)
            if (other := places.setdefault(index, entry)) != entry:
                with under(entry.name):
                    raise Diverged(
                        entry.version,
                        "place",
                        f"{_described(other.kind, other.version)} of {other.name}",
                        index,
                    )
        histories = Histories(reads_all=False)
        for index in sorted(places):
            histories.take(places[index])

    def _add_names(self, names: Mapping[UUID, UUID]) -> None:
        """Check that a game has one log name."""
        for game, name in names.items():
            if (known := self._names.setdefault(game, name)) != name:
                with naming(game):
                    raise Diverged(0, "name", f"{known}, as in another file", name)

    def _add_hash(self, name: UUID, version: int, hash_: bytes) -> None:
        known = self.hashes.setdefault(name, {}).setdefault(version, hash_)
        if known != hash_:
            with under(name):
                raise Diverged(version, "hash", f"{known.hex()}, as in another file", hash_.hex())
