"""Consistency of games in the entries of a log and in several files."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from railbird_engine.audit.acknowledgements import (
    WORDS,
    Acknowledgement,
    LoggedKey,
    LoggedKeys,
    Reveal,
    Said,
    SignedHead,
    check_signed,
)
from railbird_engine.audit.builds import LoggedBuilds, SealedBy
from railbird_engine.audit.divergence import DivergenceError, UnprovenError
from railbird_engine.audit.evidence import Began, naming
from railbird_engine.audit.log import (
    BEFORE_START,
    ENDED,
    HASH_LENGTH,
    Entry,
    is_lost,
    lost_in,
    may_follow,
)
from railbird_engine.audit.notes import Checkpoint, UntrustedError
from railbird_engine.audit.records import NAMES, Recorded
from railbird_engine.audit.seat_proofs import SeatCommitments
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind

WAIT_MAX_S: Final = 180
"""The most seconds by heartbeats that reveals wait for their game, and acknowledged commits for an
entry. A start takes 30, and by heartbeats 60 more."""
SLOW_REVEAL_S: Final = 48 * 3600
"""The seconds in which players of slow tables reveal: the log does not know the pace of a table."""
UNENDED: Final = frozenset({Kind.COMMITTED, Kind.REVEALED, Kind.STARTED, Kind.ADVANCED})
"""The last entries of games to which more are added."""

Hashes = Mapping[UUID, Mapping[int, bytes]]
"""Hashes by log name and version."""

NO_HASHES: Final[Hashes] = {}


class Restored(NamedTuple):
    """A game of which the server lost commits: the version that is left, None if nothing is, and
    the last one that was sealed before. `started` is whether the log has its start."""

    version: int | None
    sealed: int
    started: bool


class Counted(NamedTuple):
    """Numbers of lobbies and games in a log. An `abandoned` attempt to start became no game.

    `build` is the server's last one that the log names. `restored` are the games that lost
    commits, by log name.
    """

    opened: int
    abandoned: int
    started: int
    finished: int
    voided: int
    without_end: int
    build: SealedBy | None
    restored: Mapping[UUID, Restored]
    heartbeat: int | None
    cuts: Sequence[tuple[int, int]]


class Waiting(NamedTuple):
    """An attempt whose seats or reveals are in the log, but neither its game nor its end.

    `waited_s` are the seconds since, by heartbeats of the log: at most `GAP_MAX_S` too many."""

    name: UUID
    kind: Kind
    waited_s: int


class Head(NamedTuple):
    """The last entry of a log name, its seed hash, and the hashes of its entries before the start:
    `opened`, and `committed` and `revealed` once they are there. `since_s` is the time of the last
    one of these, as `Recorded.sealed_s`."""

    kind: Kind
    version: int
    hash: bytes
    promised: bytes
    opened: bytes
    committed: bytes = b""
    revealed: bytes = b""
    since_s: int = 0


class Reached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of `Histories` up to a checkpoint, from which a later run continues."""

    checkpoint: Checkpoint
    heads: dict[UUID, Head]
    abandoned: set[bytes]
    continued: int
    keys: dict[bytes, LoggedKey]
    builds: int
    build: SealedBy | None
    restored: dict[UUID, Restored]
    recorded: Recorded
    diverged: dict[UUID, str]


class Histories:
    """The games of a log, read entry by entry. Memory grows with games, not with entries.

    The entries must match the hashes in `expected`, except those that are known to be `lost`.
    Unless all entries of the log are read, abandoned attempts may be missing. `said` is what the
    notes say that `fits` checks in the end: the log confirms no others. An acknowledged commit must
    be in the log within `wait_max_s`. With `reached`, the entries up to its checkpoint have been
    read.
    """

    def __init__(
        self,
        expected: Hashes = NO_HASHES,
        *,
        lost: Collection[Entry] = (),
        reads_all: bool = True,
        said: Collection[Said] = (),
        wait_max_s: int = WAIT_MAX_S,
        reached: Reached | None = None,
    ) -> None:
        self._wait_max_s = wait_max_s
        self._sizes = {each.size for each in said if isinstance(each, Acknowledgement)}
        self._sealed_s_at: dict[int, int] = {}
        self._keys = LoggedKeys(None if reached is None else reached.keys)
        self._builds = (
            LoggedBuilds() if reached is None else LoggedBuilds(reached.builds, reached.build)
        )
        names = {*expected, *(each.name for each in said)}
        self._sealed: dict[UUID, dict[int, bytes]] = {name: {} for name in names}
        self._lost: dict[UUID, dict[int, bytes]] = {name: {} for name in names}
        self._attempts: dict[UUID, list[Entry]] = {
            each.name: [] for each in said if isinstance(each, Reveal)
        }
        self._count = 0 if reached is None else reached.checkpoint.size
        self._expected = expected
        self._known_lost = lost
        self._reads_all = reads_all
        self._heads: dict[UUID, Head] = {} if reached is None else reached.heads
        self._promised = {head.promised for head in self._heads.values()}
        self._abandoned: set[bytes] = set() if reached is None else reached.abandoned
        self._continued = 0 if reached is None else reached.continued
        self._restored: dict[UUID, Restored] = {} if reached is None else reached.restored
        self._recorded = Recorded() if reached is None else reached.recorded
        self.diverged: dict[UUID, str] = {} if reached is None else reached.diverged
        """The first divergence of each game that has one, of those that `note` has read."""

    def note(self, entry: Entry) -> None:
        """Check the next entry, and note a divergence of a game: it does not hide other games.

        Raises DivergenceError for an entry that belongs to no game.
        """
        if entry.name in self.diverged:
            self._advance()
            return
        try:
            self.take(entry)
        except DivergenceError as diverged:
            if diverged.name is None:
                raise
            self.diverged[diverged.name] = str(diverged)

    def _advance(self) -> None:
        """Count the next entry, and note the time at a size that an acknowledgement names."""
        if self._count in self._sizes:
            self._sealed_s_at[self._count] = self._recorded.sealed_s
        self._count += 1

    def waiting(self) -> list[Waiting]:
        """Return the attempts after their freeze that have neither a game nor an end."""
        return [
            Waiting(name, head.kind, self._recorded.sealed_s - head.since_s)
            for name, head in self._heads.items()
            if head.kind in {Kind.COMMITTED, Kind.REVEALED} and name not in self.diverged
        ]

    def unnamed(self, games: Iterable[Began]) -> int:
        """Return how many of these games were played by a build that no entry names."""
        return sum(not self._builds.has(game.rules, game.build) for game in games)

    def missing_from(self, names: Collection[UUID]) -> list[UUID]:
        """Return the games that have ended and are not among these."""
        ended = (name for name, head in self._heads.items() if head.kind in ENDED.values())
        return sorted(set(ended) - set(names))

    def superseded(self) -> dict[UUID, int]:
        """Return the games of the files that the log has corrected or voided since, each with the
        later version."""
        return {
            name: self._heads[name].version
            for name, hashes in self._expected.items()
            if name in self._heads
            and self._heads[name].kind in ENDED.values()
            and self._heads[name].version > max(hashes, default=0)
        }

    def take(self, entry: Entry) -> None:
        """Check the next entry of a game. Raises DivergenceError.

        The first entry of a game opens its lobby. Then the attempt is abandoned, or the game starts
        once. Its versions grow, its seed is its own and matches the published hash, and only
        corrections follow its end. An abandoned attempt has one successor at most. A game that lost
        commits is voided at most.
        """
        self._advance()
        if entry.kind is Kind.KEY:
            self._keys.take(entry, self._count - 1)
            return
        if entry.kind is Kind.BUILD:
            self._builds.take(entry)
            return
        if entry.kind in NAMES:
            self._recorded.take(entry)
            return
        if entry.kind in BEFORE_START and entry.name in self._attempts:
            self._attempts[entry.name].append(entry)
        with naming(name=entry.name):
            if entry.kind is Kind.DIVERGED:
                raise DivergenceError(entry.version, "entry", entry.hash.hex(), entry.payload.hex())
            before = self._heads.get(entry.name)
            if before is None:
                self._heads[entry.name] = self._opened(entry)
                return
            if entry.kind is Kind.RESTORED:
                self._restore(before, entry)
            else:
                _check_follows(before, entry, reads_all=self._reads_all)
            self._heads[entry.name] = self._after(before, entry)

    def _after(self, before: Head, entry: Entry) -> Head:
        """Return the head after an entry that may follow. Raises DivergenceError."""
        after = before._replace(kind=entry.kind, version=entry.version, hash=entry.hash)
        match entry.kind:
            case Kind.ABANDONED:
                self._abandoned.add(chain.entry_hash(entry.encode()))
            case Kind.COMMITTED:
                after = after._replace(committed=chain.entry_hash(entry.encode()))
                return after._replace(since_s=self._recorded.sealed_s)
            case Kind.REVEALED:
                after = after._replace(revealed=chain.entry_hash(entry.encode()))
                return after._replace(since_s=self._recorded.sealed_s)
            case _:
                self._compare(entry)
        return after

    def _opened(self, entry: Entry) -> Head:
        if entry.kind is not Kind.OPENED:
            found = _described(entry.kind, entry.version)
            raise DivergenceError(entry.version, "entry", "the opening of the lobby", found)
        promised, ended = entry.payload[:HASH_LENGTH], entry.payload[HASH_LENGTH:]
        if promised in self._promised:
            raise DivergenceError(0, "seed", "a hash that no other entry has", promised.hex())
        self._promised.add(promised)
        if any(ended) and self._reads_all:
            if ended not in self._abandoned:
                expected = "an abandoned attempt without a successor"
                raise DivergenceError(0, "abandoned", expected, ended.hex())
            self._abandoned.remove(ended)
            self._continued += 1
        opened = chain.entry_hash(entry.encode())
        return Head(entry.kind, entry.version, entry.hash, promised, opened)

    def _restore(self, before: Head, entry: Entry) -> None:
        """Note that a game lost commits, which none of the files has. Raises DivergenceError."""
        if before.kind in {Kind.ABANDONED, Kind.DIVERGED}:
            known = _described(before.kind, before.version)
            raise DivergenceError(
                entry.version, "entry", f"no such entry after {known}", "restored"
            )
        if self._reads_all and entry.sealed != (before.version, before.hash):
            version, hash_ = entry.sealed
            expected = f"{before.hash.hex()} at {before.version}, as sealed before"
            raise DivergenceError(entry.version, "entry", expected, f"{hash_.hex()} at {version}")
        sealed = self._sealed.get(entry.name, {})
        lost = {version: hash_ for version, hash_ in sealed.items() if is_lost(version, entry)}
        for version, hash_ in lost.items():
            if self._expected.get(entry.name, {}).get(version) == hash_:
                raise DivergenceError(
                    version, "restored", f"{hash_.hex()}, as in a file", _left(entry)
                )
            del sealed[version]
        if lost:
            self._lost[entry.name].update(lost)
        known_before = self._restored.get(entry.name)
        started = before.kind not in BEFORE_START
        self._restored[entry.name] = Restored(
            entry.version if any(entry.hash) else None,
            max(before.version, known_before.sealed if known_before is not None else 0),
            started or (known_before is not None and known_before.started),
        )

    def _compare(self, entry: Entry) -> None:
        """Compare an entry with the files. Raises DivergenceError."""
        if any(entry.hash) and entry.name in self._sealed:
            self._sealed[entry.name][entry.version] = entry.hash
        if entry in self._known_lost:
            return
        expected = self._expected.get(entry.name, {}).get(entry.version, entry.hash)
        if expected != entry.hash:
            raise DivergenceError(
                entry.version, "hash", f"{expected.hex()}, as in a file", entry.hash.hex()
            )

    def fits(self, note: str, said: Said) -> bool:
        """Check a note that says this after the last entry; return whether the log or a file
        confirms it.

        Raises NoteError, DivergenceError.
        """
        try:
            check_signed(note, said, self._keys.known)
        except UntrustedError as error:
            expected = "a signature by a key that the log names, before it ends the key"
            raise UnprovenError(None, WORDS[type(said)], expected, error) from error
        with naming(said.game):
            if isinstance(said, Reveal):
                return self._fits_reveal(said)
            return self._fits_command(said)

    def _fits_command(self, said: Acknowledgement | SignedHead) -> bool:
        """Check an acknowledgement or a head; return whether its commit was found.

        The seed is the published one, and the commit of its version, if the log or a file contains
        it, is the acknowledged one. Raises DivergenceError. Of a game that lost commits, the log
        does not tell whether another commit than the sealed one was lost, or came after the loss:
        a file does.
        """
        head = self._heads.get(said.name)
        if head is None:
            if isinstance(said, Acknowledgement) and said.size == self._count:
                return False  # the log has not grown since it was signed
            raise DivergenceError(said.version, "name", "a game in the log", said.name)
        if isinstance(said, Acknowledgement) and head.promised != said.seed_hash:
            raise DivergenceError(said.version, "seed", head.promised.hex(), said.seed_hash.hex())
        known = self._expected.get(said.name, {}).get(said.version)
        if (restored := self._restored.get(said.name)) is not None and known != said.hash:
            lost = self._lost.get(said.name, {}).get(said.version)
            is_lost = known is not None or lost == said.hash
            if restored.version is None or (said.version > restored.version and is_lost):
                found_ = "gone" if restored.version is None else str(restored.version)
                expected = f"{said.hash.hex()}, as signed"
                raise DivergenceError(said.version, "restored", expected, f"restored to {found_}")
        if head.kind in {Kind.FINISHED, Kind.VOIDED, Kind.ABANDONED} and (
            said.version > head.version
        ):
            expected = f"version {said.version}, as signed"
            raise DivergenceError(said.version, "end", expected, f"the end at {head.version}")
        found = self._sealed.get(said.name, {}).get(said.version) or known
        if found is not None and found != said.hash:
            raise DivergenceError(said.version, WORDS[type(said)], said.hash.hex(), found.hex())
        if isinstance(said, Acknowledgement) and head.kind in UNENDED:
            now_s = self._recorded.sealed_s
            waited_s = now_s - self._sealed_s_at.get(said.size, now_s)
            if said.version > head.version and waited_s > self._wait_max_s:
                expected = f"an entry at most {self._wait_max_s} s after it was signed"
                found_ = f"version {head.version} after {waited_s} s"
                raise DivergenceError(said.version, "sealed", expected, found_)
        return found is not None

    def _fits_reveal(self, said: Reveal) -> bool:
        """Check a receipt of entropy; return whether an abandoned attempt contains the entropy.

        The attempt that it names opened and, if it was abandoned, lists the entropy. Raises
        DivergenceError.
        """
        if (entries := self._attempts.get(said.name)) is None:
            return False  # nobody noted its entries
        found = {entry.kind: chain.entry_hash(entry.encode()).hex() for entry in entries}
        for kind, expected in ((Kind.OPENED, said.opened), (Kind.COMMITTED, said.committed)):
            if found.get(kind) != expected:
                raise DivergenceError(0, kind.name.lower(), expected, found.get(kind))
        lists = [entry for entry in entries if entry.kind in {Kind.REVEALED, Kind.ABANDONED}]
        revealed = (said.seat, bytes.fromhex(said.entropy))
        if any(revealed not in entry.reveals for entry in lists):
            raise DivergenceError(0, "reveal", f"{said.entropy} of seat {said.seat}", "none")
        return bool(lists)

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
            self._restored,
            self._recorded,
            self.diverged,
        )

    def counted(self) -> Counted:
        """Count the lobbies and games seen so far."""
        kinds = [head.kind for head in self._heads.values()]
        # Lobbies whose openings were lost, and games that wait to be voided.
        unopened = sum(
            not restored.started and self._heads[name].kind is Kind.RESTORED
            for name, restored in self._restored.items()
        )
        abandoned = kinds.count(Kind.ABANDONED)
        waiting = sum(kind in BEFORE_START for kind in kinds) - abandoned
        finished, voided = kinds.count(Kind.FINISHED), kinds.count(Kind.VOIDED)
        started = len(kinds) - abandoned - waiting - unopened
        return Counted(
            opened=len(kinds) - self._continued,
            abandoned=abandoned,
            started=started,
            finished=finished,
            voided=voided,
            without_end=started - finished - voided,
            build=self._builds.last,
            restored=self._restored,
            heartbeat=self._recorded.heartbeat,
            cuts=self._recorded.cuts,
        )


def _check_follows(before: Head, entry: Entry, *, reads_all: bool) -> None:
    """Check an entry against the one before it of the same name. Raises DivergenceError."""
    found, known = _described(entry.kind, entry.version), _described(before.kind, before.version)
    is_gone = before.kind is Kind.RESTORED and not any(before.hash)
    if entry.kind is Kind.ABANDONED and (is_gone or before.kind in STARTING):
        _check_abandoned(before, entry, reads_all=reads_all)
    elif before.kind in STARTING:
        _check_begins(before, entry, found)
    elif entry.kind is Kind.STARTED or entry.kind in BEFORE_START:
        raise DivergenceError(entry.version, "entry", "one start of the game", "a second start")
    elif entry.version <= before.version:
        raise DivergenceError(entry.version, "entry", f"a later version after {known}", found)
    elif not may_follow(before.kind, entry.kind):
        raise DivergenceError(entry.version, "entry", f"no such entry after {known}", found)
    if entry.seed and (opened := hashlib.sha256(entry.seed).digest()) != before.promised:
        raise DivergenceError(entry.version, "seed", before.promised.hex(), opened.hex())


STARTING: Final = {
    Kind.OPENED: {Kind.COMMITTED, Kind.STARTED},
    Kind.COMMITTED: {Kind.REVEALED},
    Kind.REVEALED: {Kind.STARTED},
}
"""The kinds that may follow each entry before the start, unless the attempt is abandoned. So all
commitments are fixed once, before all reveals are, and nothing else is in between."""


def _check_begins(before: Head, entry: Entry, found: str) -> None:
    """Check an entry of a game that has not started. Raises DivergenceError."""
    if entry.kind not in STARTING[before.kind] or entry.version:
        expected = " or ".join(sorted(kind.name.lower() for kind in STARTING[before.kind]))
        raise DivergenceError(entry.version, "entry", f"{expected}, or an abandoned attempt", found)
    named = {Kind.COMMITTED: before.opened, Kind.REVEALED: before.committed}.get(entry.kind)
    if named is not None and entry.hash != named:
        raise DivergenceError(0, entry.kind.name.lower(), named.hex(), entry.hash.hex())


def _check_abandoned(before: Head, entry: Entry, *, reads_all: bool) -> None:
    """Check that the end of an attempt names what the log has of it. A bundle leaves out the
    entries in between. Raises DivergenceError."""
    said = entry.given_up
    committed = before.committed or (bytes(32) if reads_all else said.committed)
    for field, expected, found in (
        ("abandoned", before.opened, entry.hash),
        ("committed", committed, said.committed),
    ):
        if entry.version or found != expected:
            raise DivergenceError(0, field, expected.hex(), found.hex())
    if before.revealed:
        again = chain.entry_hash(chain.revealed_entry(entry.name, before.committed, said.reveals))
        if again != before.revealed:
            raise DivergenceError(0, "revealed", before.revealed.hex(), again.hex())


def _described(kind: Kind, version: int) -> str:
    return f"{kind.name.lower()} at version {version}"


def _left(restored: Entry) -> str:
    """Describe what is left of a game that lost commits."""
    if not any(restored.hash):
        return "nothing is left of the game"
    return f"the game was restored to version {restored.version}"


class Content(NamedTuple):
    """The content of a verified file: a checkpoint, entries by index, hashes by log name and
    version, the log names of games, their commitments to people, and how they began."""

    checkpoint: Checkpoint
    entries: Mapping[int, Entry]
    hashes: Hashes
    names: Mapping[UUID, UUID]
    people: Mapping[UUID, SeatCommitments]
    began: Mapping[UUID, Began]


class Files:
    """Verified files, checked against each other: hashes, indexes and entries must agree."""

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []
        self.hashes: dict[UUID, dict[int, bytes]] = {}
        self.people: dict[UUID, SeatCommitments] = {}
        self.seated: dict[tuple[UUID, int], UUID] = {}
        self.began: dict[UUID, Began] = {}
        self.lost: set[Entry] = set()
        self.names: dict[UUID, UUID] = {}
        self._logs: dict[str, dict[int, Entry]] = {}

    def add(self, content: Content) -> None:
        """Add a file. Raises DivergenceError if it contradicts another one."""
        new = content.checkpoint
        for known in self.checkpoints:
            if (known.origin, known.size) == (new.origin, new.size) and known.root != new.root:
                raise DivergenceError(
                    None,
                    "root",
                    f"{known.root.hex()}, as in another file for {known.size} entries",
                    new.root.hex(),
                )
        self.checkpoints.append(new)
        self._add_names(content.names)
        self._add_people(content.people)
        self.began.update(content.began)
        for name, hashes in content.hashes.items():
            for version, hash_ in hashes.items():
                self._add_hash(name, version, hash_)
        places = self._logs.setdefault(new.origin, {})
        self.lost |= lost_in(entry for _, entry in sorted(content.entries.items()))
        for index, entry in content.entries.items():
            if entry.kind not in BEFORE_START and entry not in self.lost:
                self._add_hash(entry.name, entry.version, entry.hash)
            if (other := places.setdefault(index, entry)) != entry:
                with naming(name=entry.name):
                    raise DivergenceError(
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
            if (known := self.names.setdefault(game, name)) != name:
                with naming(game):
                    raise DivergenceError(0, "name", f"{known}, as in another file", name)

    def _add_people(self, people: Mapping[UUID, SeatCommitments]) -> None:
        """Add the seats of games, but not of a receipt in place of those of a bundle."""
        for game, found in people.items():
            if found.abandoned is not None or game not in self.people:
                self.people[game] = found

    def _add_hash(self, name: UUID, version: int, hash_: bytes) -> None:
        known = self.hashes.setdefault(name, {}).setdefault(version, hash_)
        if known != hash_:
            with naming(name=name):
                raise DivergenceError(
                    version, "hash", f"{known.hex()}, as in another file", hash_.hex()
                )
