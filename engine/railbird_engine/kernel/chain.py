"""The bytes of a game's history: its genesis, its key, its commits and their hash chain."""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from railbird_engine.kernel.chance import Draw
from railbird_engine.kernel.mac import mac
from railbird_engine.kernel.money import Seat, Transfer
from railbird_engine.kernel.server_commands import AnyServerCommand

BLIND_LENGTH: Final = 32
SALT_LENGTH: Final = 32
"""Bytes of each salt, which hides what is committed to."""

ENTRY: Final = struct.Struct(">B16sQ32s")
"""The first bytes of every log entry: kind, name, version, hash."""


class Kind(IntEnum):
    """The kind of an entry of the public log: the state of a game at that time, a key that signs
    acknowledgements, a build of the server, or what `audit.records` says of it."""

    STARTED = 1
    ADVANCED = 2
    FINISHED = 3
    VOIDED = 4
    DIVERGED = 5
    OPENED = 6
    ABANDONED = 7
    KEY = 8
    BUILD = 9
    RESTORED = 10
    HEARTBEAT = 13
    ACTIONS = 14
    ARCHIVED = 15


MALFORMED: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Exceptions that decoding untrusted bytes can raise."""

Count = Annotated[int, Meta(ge=0, lt=2**31)]
Slug = Annotated[str, Meta(min_length=1, max_length=40)]
Bytes32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
"""32 bytes in hex."""
SeatCount = Annotated[int, Meta(ge=1, lt=2**15)]
SeatNumber = Annotated[int, Meta(ge=0, lt=2**15)]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All about a game that is fixed when its lobby opens.

    `name` is the random name under which the log knows the game, `salt` hides the terms from those
    who may not see the lobby. `edition` identifies the cards, boards or questions; `options` are
    the accepted options. `abandoned` is the hash of the log entry that ended the previous attempt
    to start this game, if there was one.
    """

    name: UUID
    salt: Bytes32
    game: UUID
    rules: Slug
    rules_version: Count
    edition: Annotated[str, Meta(max_length=64)]
    options: msgspec.Raw
    seed_hash: Bytes32
    abandoned: Bytes32 | None


class Reveal(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The entropy of a seat. `place` is the number that the seat had in the lobby, which its
    commitment covers; without empty seats between, it is the number in the game."""

    seat: SeatNumber
    place: SeatNumber
    commitment: Bytes32
    entropy: Bytes32


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The server that started a game: its version, the commit of its source, empty if unknown, and
    the hash of the code of the game's rules."""

    version: Annotated[str, Meta(max_length=40)]
    commit: Annotated[str, Meta(pattern=r"^([0-9a-f]{40})?$(?!\n)")]
    rules: Bytes32


class Genesis(Terms, frozen=True, forbid_unknown_fields=True):
    """A game before its first commit. Its bytes give the first hash.

    `people` are commitments to the user in each seat; None for a seat that no user has.
    """

    seats: SeatCount
    reveals: tuple[Reveal, ...]
    people: tuple[Bytes32 | None, ...]
    build: Build
    format: Literal[1] = 1

    def __post_init__(self) -> None:
        if len(self.people) != self.seats:
            raise ValueError(f"{self.seats} seats, and {len(self.people)} commitments to people")
        before = (-1, -1)
        for reveal in self.reveals:
            if reveal.seat <= before[0] or reveal.place <= before[1] or reveal.seat >= self.seats:
                raise ValueError(f"{self.seats} seats, and reveals of others or in another order")
            before = (reveal.seat, reveal.place)


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a commit after its blind. Server commands have no seat."""

    version: Count
    seat: Annotated[Seat, Meta(ge=0)] | None
    command: msgspec.Raw
    draws: tuple[Draw, ...]
    events: msgspec.Raw
    transfers: tuple[Transfer, ...]


class _Content(msgspec.Struct, frozen=True, gc=False):
    """A `Body` before it is encoded."""

    version: int
    seat: int | None
    command: Any
    draws: tuple[Draw, ...]
    events: Any
    transfers: tuple[Transfer, ...]


_encode = msgspec.json.Encoder().encode
_decode_body = msgspec.json.Decoder(Body).decode
_decode_genesis = msgspec.json.Decoder(Genesis).decode
decode_terms = msgspec.json.Decoder(Terms).decode
decode_server_command = msgspec.json.Decoder(AnyServerCommand).decode


def seed_hash(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()


def terms_hash(terms: Terms) -> bytes:
    """Return the hash of the terms in the log: of the salt, the game's id, its rules, their
    version and edition, the options as stored, and the seed hash."""
    parts = (
        bytes.fromhex(terms.salt),
        terms.game.bytes,
        terms.rules.encode(),
        terms.rules_version.to_bytes(4, "big"),
        terms.edition.encode(),
        bytes(terms.options),
        bytes.fromhex(terms.seed_hash),
    )
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hashlib.sha256(b"terms\x00" + framed).digest()


def opened_entry(terms: Terms) -> bytes:
    """Return the bytes of the log entry that says that a lobby has opened.

    It holds the name, the hash of the terms, the seed hash, and the hash of the entry that ended
    the attempt before, or zeros.
    """
    ended = bytes(32) if terms.abandoned is None else bytes.fromhex(terms.abandoned)
    frame = ENTRY.pack(Kind.OPENED, terms.name.bytes, 0, terms_hash(terms))
    return frame + bytes.fromhex(terms.seed_hash) + ended


def abandoned_entry(terms: Terms, seed: bytes, reveals: Iterable[tuple[int, bytes]]) -> bytes:
    """Return the bytes of the log entry that ends an attempt to start a game.

    It names its `opened` entry, opens the seed, and lists the reveals received: the place of each
    seat in the lobby and its entropy.
    """
    frame = ENTRY.pack(Kind.ABANDONED, terms.name.bytes, 0, entry_hash(opened_entry(terms)))
    listed = b"".join(place.to_bytes(2, "big") + entropy for place, entropy in reveals)
    return frame + seed + listed


def entry_hash(entry: bytes) -> bytes:
    """Return the hash of a log entry, which is that of its leaf in the log's tree (RFC 6962)."""
    return hashlib.sha256(b"\x00" + entry).digest()


def commitment(opened: bytes, place: int, entropy: bytes) -> bytes:
    """Return a seat's commitment to its entropy, given the hash of the `opened` entry.

    So a commitment cannot be older than the entry, and fits no other seat.
    """
    return hashlib.sha256(b"entropy\x00" + opened + place.to_bytes(2, "big") + entropy).digest()


def person_commitment(opened: bytes, seat: int, salt: bytes, user: UUID) -> bytes:
    """Return the commitment to the user in a seat, given the hash of the `opened` entry.

    Nobody can find the user without the salt of 32 bytes, which is erased with the person.
    """
    place = seat.to_bytes(2, "big")
    return hashlib.sha256(b"person\x00" + opened + place + salt + user.bytes).digest()


def game_key(seed: bytes, opened: bytes, entropies: Sequence[bytes]) -> bytes:
    """Return the key of a game's draws: the seed, mixed with the hash of the `opened` entry and the
    revealed entropies in seat order. Nothing else enters it."""
    return hmac.digest(seed, b"key" + opened + b"".join(entropies), "sha256")


def key_of(seed: bytes, genesis: Genesis) -> bytes:
    """Return the key of the draws of a game with this genesis."""
    entropies = [bytes.fromhex(reveal.entropy) for reveal in genesis.reveals]
    return game_key(seed, entry_hash(opened_entry(genesis)), entropies)


def genesis_hash(genesis: bytes) -> bytes:
    """Return the hash before version 1."""
    return hashlib.sha256(b"game\x00" + genesis).digest()


def decode_genesis(genesis: bytes) -> Genesis:
    """Decode a genesis. Raises the exceptions in `MALFORMED`."""
    return _decode_genesis(genesis)


def blind_of(key: bytes, version: int) -> bytes:
    """Return the bytes that protect a commit's content from guessing until the seed is revealed."""
    return mac(key, b"blind" + version.to_bytes(8, "big"))


def encode_body(  # noqa: PLR0913, PLR0917  (the parts of one commit)
    key: bytes,
    version: int,
    seat: int | None,
    command: Any,
    draws: tuple[Draw, ...],
    events: Any,
    transfers: tuple[Transfer, ...],
) -> bytes:
    """Return the stored bytes of a commit: its blind, then its content."""
    return blind_of(key, version) + encode_content(version, seat, command, draws, events, transfers)


def encode_content(
    version: int,
    seat: int | None,
    command: Any,
    draws: tuple[Draw, ...],
    events: Any,
    transfers: tuple[Transfer, ...],
) -> bytes:
    """Return the content of a commit: JSON in the order of `Body`'s fields."""
    return _encode(_Content(version, seat, command, draws, events, transfers))


def decode_body(body: bytes) -> Body:
    """Decode the stored bytes of a commit. Raises the exceptions in `MALFORMED`."""
    # As text, because msgspec does not validate the UTF-8 of parts that it keeps raw.
    return _decode_body(str(body[BLIND_LENGTH:], "utf-8"))


def body_digest(body: bytes) -> bytes:
    """Return the digest of a commit's stored bytes, which its hash covers.

    The blind makes it safe to publish while the bytes are secret.
    """
    return hashlib.sha256(body).digest()


def commit_hash(previous: bytes, version: int, digest: bytes) -> bytes:
    """Return the hash of a commit, over the previous hash, its version and its digest."""
    return hashlib.sha256(b"commit\x00" + previous + version.to_bytes(8, "big") + digest).digest()
