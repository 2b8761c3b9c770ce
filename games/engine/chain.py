"""The bytes of a game's history: its genesis, its key, its commits and the hashes that chain
them."""

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
"""The most bytes that a seat adds to the luck."""

MALFORMED: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding may raise about bytes that anybody wrote."""

Count = Annotated[int, Meta(ge=0, lt=2**31)]
Slug = Annotated[str, Meta(min_length=1, max_length=40)]
Entropy = Annotated[str, Meta(max_length=2 * ENTROPY_MAX, pattern=r"^([0-9a-f]{2})*$(?!\n)")]
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]


class Genesis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game was before its first commit; its stored bytes give the first hash and, with the
    seed, the key.

    `edition` names the cards, boards or questions that were played with; `options` are the options
    as they were accepted; `entropy` holds each seat's own part of the luck, in hex."""

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
    """What a commit says, after its blind. No seat: a command of the server."""

    version: Count
    seat: Annotated[Seat, Meta(ge=0)] | None
    command: msgspec.Raw
    draws: tuple[Draw, ...]
    events: msgspec.Raw
    transfers: tuple[Transfer, ...]


class _Content(msgspec.Struct, frozen=True, gc=False):
    """A `Body` before it is bytes."""

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
    """The commitment to a seed: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()


def game_key(seed: bytes, genesis: bytes) -> bytes:
    """The key of a game's luck: the server's seed mixed with all that the genesis says, the seats'
    entropy among it."""
    return hmac.digest(seed, b"key" + genesis, "sha256")


def genesis_hash(genesis: bytes) -> bytes:
    """The hash before version 1."""
    return hashlib.sha256(b"game\x00" + genesis).digest()


def decode_genesis(genesis: bytes) -> Genesis:
    """Raises what `MALFORMED` names when the bytes are no genesis."""
    return _decode_genesis(genesis)


def blind_of(key: bytes, version: int) -> bytes:
    """The bytes that hide a commit's content from guessing, until the seed is revealed."""
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
    """The stored bytes of a commit: its blind, then its content."""
    return blind_of(key, version) + encode_content(version, seat, command, draws, events, transfers)


def encode_content(
    version: int,
    seat: int | None,
    command: Any,
    draws: tuple[Draw, ...],
    events: Any,
    transfers: tuple[Transfer, ...],
) -> bytes:
    """What a commit says: JSON in the order of `Body`'s fields."""
    return _encode(_Content(version, seat, command, draws, events, transfers))


def decode_body(body: bytes) -> Body:
    """Raises what `MALFORMED` names when the bytes are no commit."""
    # As text, for what is kept raw in it is not looked at yet.
    return _decode_body(str(body[BLIND_LENGTH:], "utf-8"))


def body_digest(body: bytes) -> bytes:
    """What stands for a commit's stored bytes in its hash; the blind lets it be shown while they
    are secret."""
    return hashlib.sha256(body).digest()


def commit_hash(previous: bytes, version: int, digest: bytes) -> bytes:
    """The hash of a commit: over its predecessor's hash, its version and the digest of its stored
    bytes."""
    return hashlib.sha256(b"commit\x00" + previous + version.to_bytes(8, "big") + digest).digest()
