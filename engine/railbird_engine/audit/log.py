"""The entries of the public log: the opening of each lobby, and each new head of a game that the
sealer finds."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Self
from uuid import UUID

from railbird_engine.kernel.chain import ENTRY, GivenUp, Kind

SEED_LENGTH: Final = 32
HASH_LENGTH: Final = 32
REVEAL_LENGTH: Final = 34
"""Bytes of a reveal in an entry: the number of the seat (2), and its entropy."""
COUNT_AT: Final = SEED_LENGTH + HASH_LENGTH
"""Where an `ABANDONED` entry counts the seats that were missing."""
BUILD_MAX: Final = 2**15
"""The most bytes of a build in a `BUILD` entry."""


class Entry(NamedTuple):
    """The version and hash of a game's head. Bytes: kind (1), log name of the game (16), version
    (8, big-endian), hash (32), payload.

    Five kinds have version 0. The hash of `OPENED` is that of the terms; its payload is the hash
    of the seed, then that of the `ABANDONED` entry before it, or zeros. The hash of `COMMITTED` is
    that of its `OPENED` entry; its payload is the hash of all seats with their commitments. The
    hash of `REVEALED` is that of its `COMMITTED` entry; its payload lists all reveals. The hash of
    `ABANDONED` is that of its `OPENED` entry; its payload is the seed, then a `chain.GivenUp`. The
    hash of `STARTED` is that of the genesis.

    The payload of an end is the seed itself. `STARTED` and `ADVANCED` have no payload. `DIVERGED`
    means that the stored game differs from the signed one: `version` and `hash` repeat the entry
    that does not match, and the payload is the hash that was found instead, or zeros.

    `KEY` belongs to no game: its hash is a public key, its name the first 16 bytes of the key's
    SHA-256, its payload the times from and until which the key signs acknowledgements, in seconds
    since 1970 (8 bytes each), and its version counts the entries of this key from 0.

    `BUILD` belongs to no game either: its payload describes a build as JSON, its hash is that of
    the payload, its name is zero, and its version counts such entries from 0.

    `RESTORED` means that the server lost what is later than this version, and was sealed: its
    payload is the version (8) and the hash of the game's entry before. The hash is that of this
    version; it is zero if nothing is left of the game. Only its voiding may follow.

    `HEARTBEAT`, `ACTIONS` and `ARCHIVED` belong to no game: see `records`."""

    kind: Kind
    name: UUID
    version: int
    hash: bytes
    payload: bytes = b""

    def encode(self) -> bytes:
        """Return the bytes that the tree hashes."""
        return ENTRY.pack(self.kind, self.name.bytes, self.version, self.hash) + self.payload

    @property
    def seed(self) -> bytes:
        """The seed that the entry discloses, or nothing."""
        return self.payload[:SEED_LENGTH] if self.kind in DISCLOSES_SEED else b""

    @property
    def sealed(self) -> tuple[int, bytes]:
        """The version and the hash of the entry before this `RESTORED` one."""
        return int.from_bytes(self.payload[:8], "big"), self.payload[8:]

    @property
    def given_up(self) -> GivenUp:
        """The content of an `ABANDONED` entry beside the seed."""
        committed = self.payload[SEED_LENGTH:COUNT_AT]
        first, end = COUNT_AT + 2, _missing_until(self.payload)
        missing = [
            int.from_bytes(self.payload[start : start + 2], "big") for start in range(first, end, 2)
        ]
        return GivenUp(committed, missing, list(_reveals_in(self.payload[end:])))

    @property
    def reveals(self) -> Sequence[tuple[int, bytes]]:
        """The seats and the entropies that an `ABANDONED` or `REVEALED` entry lists."""
        if self.kind is Kind.REVEALED:
            return list(_reveals_in(self.payload))
        return self.given_up.reveals

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Decode an entry. Raises ValueError."""
        if len(data) < ENTRY.size:
            raise ValueError(f"an entry has at least {ENTRY.size} bytes")
        kind, name, version, hash_ = ENTRY.unpack_from(data)
        entry = cls(Kind(kind), UUID(bytes=name), version, hash_, data[ENTRY.size :])
        length = len(entry.payload)
        if entry.kind is Kind.ABANDONED:
            listed = length - _missing_until(entry.payload)
            fits = length >= COUNT_AT + 2 and listed >= 0 and listed % REVEAL_LENGTH == 0
        elif entry.kind is Kind.REVEALED:
            fits = length % REVEAL_LENGTH == 0
        elif entry.kind is Kind.BUILD:
            fits = length <= BUILD_MAX
        else:
            fits = length == PAYLOAD_LENGTHS[entry.kind]
        if not fits:
            raise ValueError("a payload of the wrong length for this kind of entry")
        return entry


def _missing_until(payload: bytes) -> int:
    """Return where the payload of an `ABANDONED` entry lists its reveals."""
    return COUNT_AT + 2 + 2 * int.from_bytes(payload[COUNT_AT : COUNT_AT + 2], "big")


def _reveals_in(listed: bytes) -> Iterator[tuple[int, bytes]]:
    for start in range(0, len(listed), REVEAL_LENGTH):
        reveal = listed[start : start + REVEAL_LENGTH]
        yield int.from_bytes(reveal[:2], "big"), reveal[2:]


PAYLOAD_LENGTHS: Final = {
    Kind.OPENED: 2 * HASH_LENGTH,
    Kind.COMMITTED: HASH_LENGTH,
    Kind.STARTED: 0,
    Kind.ADVANCED: 0,
    Kind.FINISHED: SEED_LENGTH,
    Kind.VOIDED: SEED_LENGTH,
    Kind.DIVERGED: HASH_LENGTH,
    Kind.KEY: 16,
    Kind.RESTORED: 8 + HASH_LENGTH,
    Kind.HEARTBEAT: 8,
    Kind.ACTIONS: 8,
    Kind.ARCHIVED: 7,
}
DISCLOSES_SEED: Final = frozenset({Kind.FINISHED, Kind.VOIDED, Kind.ABANDONED})
ENDED: Final = {"finished": Kind.FINISHED, "voided": Kind.VOIDED}
"""The kind of a game's last entry, by how the game ended."""
OF_NO_GAME: Final = frozenset({Kind.KEY, Kind.BUILD, Kind.HEARTBEAT, Kind.ACTIONS, Kind.ARCHIVED})
BEFORE_START: Final = frozenset({Kind.OPENED, Kind.COMMITTED, Kind.REVEALED, Kind.ABANDONED})
"""The kinds of entries of a lobby whose game has not started."""


def lost_in(entries: Iterable[Entry]) -> frozenset[Entry]:
    """Return the entries whose commits the server lost, of entries in their order in the log.

    They are later than the version of a `RESTORED` entry that follows them.
    """
    lost: set[Entry] = set()
    seen: dict[UUID, list[Entry]] = {}
    for entry in entries:
        before = seen.setdefault(entry.name, [])
        if entry.kind is Kind.RESTORED:
            lost.update(each for each in before if is_lost(each.version, entry))
        if entry.kind not in BEFORE_START:
            before.append(entry)
    return frozenset(lost)


def is_lost(version: int, restored: Entry) -> bool:
    """Whether a commit, or the start, of this version is gone since the game was restored."""
    return version > restored.version or not any(restored.hash)


def may_follow(before: Kind, kind: Kind) -> bool:
    """Whether an entry of a later version may follow one of this kind."""
    match before:
        case Kind.VOIDED | Kind.ABANDONED:
            return False
        case Kind.RESTORED:
            return kind is Kind.VOIDED
        case Kind.FINISHED:
            return kind is not Kind.ADVANCED
    return True
