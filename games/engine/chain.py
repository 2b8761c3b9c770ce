"""The bytes of a game's history: its genesis, its key, its commits and their hash chain."""

import hashlib
import hmac
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from games.engine import Draw, Seat, Transfer
from games.engine.mac import mac
from games.engine.server import AnyServerCommand

BLIND_LENGTH: Final = 32
ENTROPY_MAX: Final = 32
"""The most bytes of entropy that a seat adds."""

MALFORMED: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Exceptions that decoding untrusted bytes can raise."""

Count = Annotated[int, Meta(ge=0, lt=2**31)]
Slug = Annotated[str, Meta(min_length=1, max_length=40)]
Entropy = Annotated[str, Meta(max_length=2 * ENTROPY_MAX, pattern=r"^([0-9a-f]{2})*$(?!\n)")]
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]


class Genesis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game before its first commit. Its bytes give the first hash and, with the seed, the key.

    `edition` identifies the cards, boards or questions; `options` are the accepted options;
    `entropy` holds each seat's own random bytes, in hex.
    """

    game: UUID
    rules: Slug
    rules_version: Count
    edition: Annotated[str, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, lt=2**15)]
    options: msgspec.Raw
    entropy: tuple[Entropy, ...]
    seed_hash: Sha256
    format: Literal[1] = 1

    def __post_init__(self) -> None:
        if len(self.entropy) != self.seats:
            raise ValueError(f"{self.seats} seats and the entropy of {len(self.entropy)}")


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
decode_server_command = msgspec.json.Decoder(AnyServerCommand).decode


def seed_hash(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()


def game_key(seed: bytes, genesis: bytes) -> bytes:
    """Return the key of a game's draws: the seed mixed with the genesis, including the entropy."""
    return hmac.digest(seed, b"key" + genesis, "sha256")


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
