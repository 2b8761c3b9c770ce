"""The format of audit files: bundles of whole games, and receipts of single bets.

A bundle is JSON Lines: a header, and for each game an opening, its commits in order, and a closing.
A receipt is one line. Bytes are in base64. `docs/formats.md` describes both for authors of other
verifiers.
"""

from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from railbird_engine import Transfer
from railbird_engine.audit import merkle, strict_json
from railbird_engine.kernel.bets import Amount, BetRow, Count, SettlementRow
from railbird_engine.kernel.chain import SeatNumber

FORMAT: Final = 2
EARLIER: Final = {1: "the verifier of release 0.1.0"}
"""Formats that other verifiers can judge."""
LINE_MAX: Final = 16 * 2**20
GAMES_MAX: Final = 10_000
PATH_MAX: Final = 64
SIGNERS_MAX: Final = 1024
PAYLOAD_MAX: Final = 40

Hash = Annotated[bytes, Meta(min_length=merkle.HASH_LENGTH, max_length=merkle.HASH_LENGTH)]
Path = Annotated[tuple[Hash, ...], Meta(max_length=2 * PATH_MAX)]
Size = Annotated[int, Meta(ge=0, le=merkle.SIZE_MAX)]
Version = Annotated[int, Meta(ge=1, lt=2**31)]
Note = Annotated[str, Meta(max_length=65_536)]
Keys = Annotated[tuple[Annotated[str, Meta(max_length=400)], ...], Meta(max_length=64)]
Ended = Literal["finished", "voided"]
LoggedKind = Literal["advanced", "finished", "voided", "diverged", "restored"]


class Part(
    msgspec.Struct, frozen=True, tag=str.lower, tag_field="type", forbid_unknown_fields=True
):
    """A line of a file."""


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proof that an entry is in the log: its index, and the hashes from its neighbour upwards.

    The last hash is that of a child of the root.
    """

    index: Size
    path: Path


class Since(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proof that the log starts with its first `size` entries unchanged."""

    size: Size
    path: Path


class Signer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the log that names a key of acknowledgements, and its proof."""

    entry: bytes
    proof: Proof


class Signed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signed checkpoint that all proofs in the file refer to.

    `keys` are the public keys as published by the server, for convenience: a verifier that trusts
    them trusts the server.
    """

    checkpoint: Note
    keys: Keys
    since: Since | None = None


class Bundle(Part, frozen=True, kw_only=True):
    """The first line of a bundle, with its number of games. `signers` are all entries of the log
    that name keys of acknowledgements."""

    log: Signed
    games: Annotated[int, Meta(ge=0, le=GAMES_MAX)]
    signers: Annotated[tuple[Signer, ...], Meta(max_length=SIGNERS_MAX)] = ()
    format: Literal[2] = FORMAT


class Game(Part, frozen=True, kw_only=True):
    """The opening of a game: its stored genesis, its seed, and the proofs of its first entries.

    `committed` and `revealed` are there if somebody added entropy."""

    genesis: bytes
    seed: Hash
    opened: Proof
    committed: Proof | None = None
    revealed: Proof | None = None
    started: Proof


class Abandoned(Part, frozen=True, kw_only=True):
    """An attempt to start the game that was given up before, the latest first.

    `terms` is the hash in its `opened` entry, `committed` that of its `committed` entry, if the
    seats had been frozen. `missing` are the places of the seats for which the server waited in
    vain, `reveals` the places and entropies that it had received. `abandoned` is the hash of the
    entry that ended the attempt before it, if there was one. `ended` is the proof of its own
    `abandoned` entry.
    """

    name: UUID
    terms: Hash
    seed: Hash
    committed: Hash | None = None
    missing: tuple[SeatNumber, ...] = ()
    reveals: tuple[tuple[SeatNumber, Hash], ...]
    abandoned: Hash | None = None
    opened: Proof
    ended: Proof


class Commit(Part, frozen=True, kw_only=True, omit_defaults=True):
    """A commit: its stored bytes and hash, and the rows that the server's tables have of it."""

    version: Version
    body: bytes
    hash: Hash
    seat: Count | None = None
    bets: tuple[BetRow, ...] = ()
    settlements: tuple[SettlementRow, ...] = ()
    transfers: tuple[Transfer, ...] = ()


class Logged(Part, frozen=True, kw_only=True, tag="entry"):
    """A log entry of this game between its first and its last: a signed version and its hash.

    `payload` is that of the entry, null if it is empty. The version is 0 only if the game was
    restored to its start."""

    kind: LoggedKind
    version: Annotated[int, Meta(ge=0, lt=2**31)]
    hash: Hash
    payload: Annotated[bytes, Meta(max_length=PAYLOAD_MAX)] | None = None
    proof: Proof


class End(Part, frozen=True, kw_only=True):
    """The closing of a game: how it ended, the proof of its last entry, and totals of tables."""

    how: Ended
    ended: Proof
    commits: Count
    bets: Count
    settlements: Count
    transfers: Count
    purses: dict[str, Amount]


class Outcome(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A settlement or correction of a bet, and its commit."""

    version: Version
    outcome: str
    payout: Amount


class Receipt(Part, frozen=True, kw_only=True):
    """One bet: its commit and all later ones, up to an entry of the log.

    `previous` is the hash before the bet's commit. After the end of the game, `entry` is its last
    one, `how` states how it ended, and seed, bodies and outcomes are present. During the game,
    `entry` is the next one after the bet, and digests replace bodies.
    """

    log: Signed
    game: UUID
    genesis: bytes
    opened: Proof
    committed: Proof | None = None
    revealed: Proof | None = None
    started: Proof
    version: Version
    bet: BetRow
    previous: Hash
    entry: Proof
    how: Ended | None = None
    seed: Hash | None = None
    bodies: tuple[bytes, ...] = ()
    digests: tuple[Hash, ...] = ()
    outcomes: Annotated[tuple[Outcome, ...], Meta(max_length=2)] = ()
    format: Literal[2] = FORMAT


AnyPart = Bundle | Game | Abandoned | Commit | Logged | End | Receipt


class _Typed(msgspec.Struct):
    type: str
    format: int = FORMAT


_encode: Final = msgspec.json.Encoder().encode
_decode_type: Final = msgspec.json.Decoder(_Typed).decode
_decode: Final[Any] = msgspec.json.Decoder(AnyPart).decode


def decode_part(text: bytes) -> AnyPart:
    """Decode a line of a file. Raises the exceptions in `chain.MALFORMED`."""
    part: AnyPart = _decode(text)
    # A line that encodes to the same text is well-formed, and needs no second check.
    if _encode(part) != text.rstrip(b"\n"):
        strict_json.check(text)
    return part


def format_of(text: bytes) -> int:
    """Return the number of the format in the first line of a file: another one is not judged
    here. Raises the exceptions in `chain.MALFORMED`."""
    return _decode_type(text).format


def is_end(text: bytes) -> bool:
    """Whether this line is the closing of a game, even if it is otherwise malformed."""
    try:
        strict_json.check(text)
        return _decode_type(text).type == "end"
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def line(part: Part) -> bytes:
    """Encode a line of a file."""
    return _encode(part) + b"\n"
