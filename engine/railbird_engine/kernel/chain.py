"""The bytes of a game's history: its genesis, its key, its commits and their hash chain."""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Annotated, Any, Final, Literal, NamedTuple
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

NO_LINK: Final = bytes(32)
"""The link before the first start of a user."""

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
    COMMITTED = 11
    REVEALED = 12
    HEARTBEAT = 13
    ACTIONS = 14
    ARCHIVED = 15


HEAD_TITLE: Final = "Railbird head 1"
SEAT_TITLE: Final = "Railbird seat 1"
COMMAND_TITLE: Final = b"Railbird command 1"

FIELD: Final = 2**255 - 19
"""The prime of Curve25519."""
_OF_ORDER_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL: Final = frozenset({0, 1, FIELD - 1, _OF_ORDER_8, FIELD - _OF_ORDER_8})
"""The second coordinates of all points of small order."""
MALFORMED: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Exceptions that decoding untrusted bytes can raise."""

Count = Annotated[int, Meta(ge=0, lt=2**31)]
Slug = Annotated[str, Meta(min_length=1, max_length=40)]
Bytes32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
"""32 bytes in hex."""
Bytes64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
"""64 bytes in hex."""
SeatCount = Annotated[int, Meta(ge=1, lt=2**15)]
SeatNumber = Annotated[int, Meta(ge=0, lt=2**15)]


class Deadlines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seconds that a start may take: from the freeze of the seats until the commitments are in
    the log, from then until the last reveal, and from then until the game starts."""

    committed_s: Count
    revealed_s: Count
    started_s: Count


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of a game beside its rules: money, seats, absence, and how it starts.

    `witnesses` are the public keys of those who answer after the last reveal. Seats need `keys` if
    players sign what they do.
    """

    buy_in: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    prizes: tuple[Annotated[int, Meta(ge=0, lt=2**31)], ...]
    capacity: SeatCount
    absence: Literal["wait", "bot", "forfeit"]
    absence_s: Count
    rated: bool
    keys: bool
    deadlines: Deadlines
    witnesses: Annotated[tuple[Annotated[str, Meta(max_length=400)], ...], Meta(max_length=16)]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All about a game that is fixed when its lobby opens.

    `name` is the random name under which the log knows the game, `salt` hides the terms from those
    who may not see the lobby. `edition` identifies the cards, boards or questions; `options` are
    the accepted options, `table` is a `Table`. `abandoned` is the hash of the log entry that ended
    the previous attempt to start this game, if there was one.
    """

    name: UUID
    salt: Bytes32
    game: UUID
    rules: Slug
    rules_version: Count
    edition: Annotated[str, Meta(max_length=64)]
    options: msgspec.Raw
    table: msgspec.Raw
    seed_hash: Bytes32
    abandoned: Bytes32 | None


class Row(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat as a start fixes it. `place` is its number in the lobby, which its commitment covers;
    without empty seats between, it is the number in the game.

    `person` commits to the user in the seat; None for a seat that no user has. A seat without a
    `commitment` adds no entropy. `key` is the public key of a player who signs every command, and
    `signature` that of the seat with it, see `seat_text`. `link` joins the start to the one before
    of the same user, see `person_link`.
    """

    place: SeatNumber
    person: Bytes32 | None
    key: Bytes32 | None
    commitment: Bytes32 | None
    signature: Bytes64 | None
    link: Bytes32 | None

    def __post_init__(self) -> None:
        if (self.person is None) != (self.link is None):
            raise ValueError("a person and a link belong together")
        if (self.key is None) != (self.signature is None):
            raise ValueError("a key and a signature belong together")
        if self.key is not None and (self.commitment is None or self.person is None):
            raise ValueError("a key of a seat whose player adds no entropy")
        if self.key is not None and not is_key(bytes.fromhex(self.key)):
            raise ValueError("a key that fits signatures of anything")


class Reveal(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The entropy of a seat of the game, and the player's signature, which nobody gives so far."""

    seat: SeatNumber
    entropy: Bytes32
    signature: None


class WitnessAnswer(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The bytes of a witness, whose hash it promised before, and its signature in hex."""

    entropy: Bytes32
    signature: Bytes64


ReleaseVersion = Annotated[str, Meta(pattern=r"^[!-~]{1,40}$(?!\n)")]
"""Visible ASCII, because people compare it with their eyes."""
SourceCommit = Annotated[str, Meta(pattern=r"^(?!0{40})([0-9a-f]{40})?$(?!\n)")]
CodeHash = Annotated[str, Meta(pattern=r"^(?!0{64})[0-9a-f]{64}$(?!\n)")]


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The server that started a game: its version, the commit of its source, empty if unknown, and
    the hash of the code of the game's rules."""

    version: ReleaseVersion
    commit: SourceCommit
    rules: CodeHash

    def __str__(self) -> str:
        """Return version and commit in words."""
        return f"{self.version} of commit {self.commit or 'unknown'}"


class Genesis(Terms, frozen=True, forbid_unknown_fields=True):
    """A game before its first commit. Its bytes give the first hash.

    `rows` are the seats. With `rows_salt`, they were sealed as `committed` before the `reveals`,
    and those as `revealed` before the `answers` of the witnesses, whose hashes are `promises`.
    Without it, nobody adds entropy, and the server chose the dice alone.
    """

    seats: SeatCount
    rows: tuple[Row, ...]
    rows_salt: Bytes32 | None
    promises: tuple[Bytes32, ...]
    reveals: tuple[Reveal, ...]
    answers: tuple[WitnessAnswer, ...]
    build: Build
    format: Literal[2] = 2

    def __post_init__(self) -> None:
        places = [row.place for row in self.rows]
        if len(places) != self.seats or sorted(set(places)) != places:
            raise ValueError(f"{self.seats} seats, and rows of others or in another order")
        contributing = [seat for seat, row in enumerate(self.rows) if row.commitment is not None]
        if [reveal.seat for reveal in self.reveals] != contributing:
            raise ValueError("reveals of other seats than those with a commitment")
        if len(self.answers) != len(self.promises):
            raise ValueError("other answers than promises of witnesses")
        if self.rows_salt is None and (contributing or self.promises):
            raise ValueError("entropy without rows that were sealed before")

    @property
    def people(self) -> tuple[str | None, ...]:
        """The commitments to the user in each seat."""
        return tuple(row.person for row in self.rows)


Ranking = tuple[tuple[Annotated[Seat, Meta(ge=0)], ...], ...]
"""The seats by rank, best first, ties together."""


class Signed(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player's signature of a command under its `id`. `head` and `hash` are a commit before it
    that the player knew; `until` is the last version that the command may become."""

    id: UUID
    head: Count
    hash: Bytes32
    until: Count
    signature: Bytes64

    def text(self, origin: str, name: UUID, seat: int, command: bytes) -> bytes:
        """Return what the player signed. `command` is the text of the command in the body."""
        # In bytes, as each signed command passes here: texts would take five times as long.
        return b"%b\norigin %b\nname %b\nseat %d\nid %b\nhead %d %b\nuntil %d\ncommand %b\n" % (
            COMMAND_TITLE,
            origin.encode(),
            _encode(name)[1:-1],
            seat,
            _encode(self.id)[1:-1],
            self.head,
            self.hash.encode(),
            self.until,
            command,
        )


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a commit after its blind. Server commands have no seat. After a commit with a
    `ranking` the game is over: the seats by rank, best first, ties together. `signed` is there if
    the player of the seat signs."""

    version: Count
    seat: Annotated[Seat, Meta(ge=0)] | None
    command: msgspec.Raw
    draws: tuple[Draw, ...]
    events: msgspec.Raw
    transfers: tuple[Transfer, ...]
    ranking: Ranking | None = None
    signed: Signed | None = None


class _Content(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A `Body` before it is encoded."""

    version: int
    seat: int | None
    command: Any
    draws: tuple[Draw, ...]
    events: Any
    transfers: tuple[Transfer, ...]
    ranking: Ranking | None = None
    signed: Signed | None = None


_encode = msgspec.json.Encoder().encode
_decode_body = msgspec.json.Decoder(Body).decode
decode_genesis = msgspec.json.Decoder(Genesis).decode
decode_terms = msgspec.json.Decoder(Terms).decode
decode_table = msgspec.json.Decoder(Table).decode
decode_server_command = msgspec.json.Decoder(AnyServerCommand).decode


def seed_hash(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()


def framed(parts: Iterable[bytes]) -> bytes:
    """Return these parts, each after its length in 4 bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def terms_hash(terms: Terms) -> bytes:
    """Return the hash of the terms in the log: of the salt, the game's id, its rules, their
    version and edition, the options and the table as stored, and the seed hash."""
    parts = (
        bytes.fromhex(terms.salt),
        terms.game.bytes,
        terms.rules.encode(),
        terms.rules_version.to_bytes(4, "big"),
        terms.edition.encode(),
        bytes(terms.options),
        bytes(terms.table),
        bytes.fromhex(terms.seed_hash),
    )
    return hashlib.sha256(b"terms\x00" + framed(parts)).digest()


def opened_entry(terms: Terms) -> bytes:
    """Return the bytes of the log entry that says that a lobby has opened.

    It holds the name, the hash of the terms, the seed hash, and the hash of the entry that ended
    the attempt before, or zeros.
    """
    ended = bytes(32) if terms.abandoned is None else bytes.fromhex(terms.abandoned)
    frame = ENTRY.pack(Kind.OPENED, terms.name.bytes, 0, terms_hash(terms))
    return frame + bytes.fromhex(terms.seed_hash) + ended


class GivenUp(NamedTuple):
    """The content of the entry that ends an attempt, beside the seed.

    It has the hash of its `committed` entry, or zeros; the places of the seats that the server
    missed; and the reveals that it received, each a place and entropy."""

    committed: bytes = bytes(32)
    missing: Sequence[int] = ()
    reveals: Sequence[tuple[int, bytes]] = ()

    def encode(self) -> bytes:
        """Return the bytes after the seed."""
        missing = b"".join(place.to_bytes(2, "big") for place in self.missing)
        count = len(self.missing).to_bytes(2, "big")
        return self.committed + count + missing + _listed(self.reveals)


def abandoned_entry(terms: Terms, seed: bytes, given_up: GivenUp) -> bytes:
    """Return the bytes of the log entry that ends an attempt to start a game.

    It names its `opened` entry, and opens the seed.
    """
    frame = ENTRY.pack(Kind.ABANDONED, terms.name.bytes, 0, entry_hash(opened_entry(terms)))
    return frame + seed + given_up.encode()


def committed_entry(
    terms: Terms, salt: bytes, rows: Sequence[Row], promises: Sequence[str]
) -> bytes:
    """Return the bytes of the log entry that fixes all commitments to entropy, before any reveal.

    It names its `opened` entry. The salt hides the rows from those who may not see the lobby.
    """
    parts = framed(part for row in rows for part in _parts_of(row))
    promised = framed(bytes.fromhex(promise) for promise in promises)
    digest = hashlib.sha256(b"committed\x00" + salt + framed((parts, promised))).digest()
    return ENTRY.pack(Kind.COMMITTED, terms.name.bytes, 0, entry_hash(opened_entry(terms))) + digest


def _parts_of(row: Row) -> Iterator[bytes]:
    yield row.place.to_bytes(2, "big")
    for part in (row.person, row.key, row.commitment, row.signature, row.link):
        yield b"" if part is None else bytes.fromhex(part)


def revealed_entry(name: UUID, committed: bytes, reveals: Iterable[tuple[int, bytes]]) -> bytes:
    """Return the bytes of the log entry that lists all reveals, given the hash of the `committed`
    entry: the place of each seat and its entropy, in order, and nothing else that anybody could
    vary."""
    return ENTRY.pack(Kind.REVEALED, name.bytes, 0, committed) + _listed(reveals)


def _listed(reveals: Iterable[tuple[int, bytes]]) -> bytes:
    return b"".join(place.to_bytes(2, "big") + entropy for place, entropy in reveals)


class StartEntries(NamedTuple):
    """The entries of the log that a game begins with, in their order. The last two are None if
    nobody adds entropy."""

    opened: bytes
    committed: bytes | None
    revealed: bytes | None

    @property
    def last(self) -> bytes:
        """The entry before that of the start."""
        return self.opened if self.revealed is None else self.revealed


def start_entries(genesis: Genesis) -> StartEntries:
    """Return the entries of the log that a genesis is made of."""
    opened = opened_entry(genesis)
    if genesis.rows_salt is None:
        return StartEntries(opened, None, None)
    salt = bytes.fromhex(genesis.rows_salt)
    committed = committed_entry(genesis, salt, genesis.rows, genesis.promises)
    reveals = [
        (genesis.rows[each.seat].place, bytes.fromhex(each.entropy)) for each in genesis.reveals
    ]
    return StartEntries(
        opened, committed, revealed_entry(genesis.name, entry_hash(committed), reveals)
    )


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


def person_link(opened: bytes, salt: bytes, count: int, previous: bytes) -> bytes:
    """Return what joins the start of a game to the start before of the same user, given the hash of
    the `opened` entry, how many starts the user has with this one, and the link of the one before,
    32 zeros at first. Nobody can find that without the salt of 32 bytes."""
    parts = (opened, salt, count.to_bytes(8, "big"), previous)
    return hashlib.sha256(b"link\x00" + framed(parts)).digest()


def key_of(seed: bytes, genesis: Genesis) -> bytes:
    """Return the key of the draws of a game with this genesis: the seed, mixed with the hash of
    the log entry before the start, the revealed entropies in the order of their seats, and the
    bytes of the witnesses in the order of the terms. Nothing else enters it."""
    entropies = [bytes.fromhex(reveal.entropy) for reveal in genesis.reveals]
    answers = [bytes.fromhex(answer.entropy) for answer in genesis.answers]
    parts = (b"key 2", entry_hash(start_entries(genesis).last), *entropies, *answers)
    return hmac.digest(seed, framed(parts), "sha256")


def genesis_hash(genesis: bytes) -> bytes:
    """Return the hash before version 1."""
    return hashlib.sha256(b"game\x00" + genesis).digest()


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
    ranking: Ranking | None = None,
    signed: Signed | None = None,
) -> bytes:
    """Return the stored bytes of a commit: its blind, then its content."""
    content = encode_content(version, seat, command, draws, events, transfers, ranking, signed)
    return blind_of(key, version) + content


def encode_content(  # noqa: PLR0913, PLR0917  (the parts of one commit)
    version: int,
    seat: int | None,
    command: Any,
    draws: tuple[Draw, ...],
    events: Any,
    transfers: tuple[Transfer, ...],
    ranking: Ranking | None = None,
    signed: Signed | None = None,
) -> bytes:
    """Return the content of a commit: JSON in the order of `Body`'s fields."""
    return _encode(_Content(version, seat, command, draws, events, transfers, ranking, signed))


def decode_body(body: bytes) -> Body:
    """Decode the stored bytes of a commit. Raises the exceptions in `MALFORMED`."""
    # As text, because msgspec does not validate the UTF-8 of parts that it keeps raw.
    return _decode_body(str(body[BLIND_LENGTH:], "utf-8"))


def head_text(origin: str, name: UUID, game: UUID, version: int, hash_: bytes) -> str:
    """Return what a server signs about a commit that it showed: nothing in it can vary."""
    return (
        f"{HEAD_TITLE}\norigin {origin}\nname {name}\ngame {game}\nversion {version}\n"
        f"hash {hash_.hex()}\n"
    )


def seat_text(opened: str, place: int, key: str, commitment: str) -> bytes:
    """Return what a player signs with the key for a seat, given the hash of the `opened` entry."""
    return (
        f"{SEAT_TITLE}\nopened {opened}\nplace {place}\nkey {key}\ncommitment {commitment}\n"
    ).encode()


def is_key(key: bytes) -> bool:
    """Whether 32 bytes can be a player's public key: the only form of a point whose order is not
    small. Others would fit signatures of anything, or only some verifiers would accept them."""
    height = int.from_bytes(key, "little") % 2**255
    return height < FIELD and height not in SMALL


def body_digest(body: bytes) -> bytes:
    """Return the digest of a commit's stored bytes, which its hash covers.

    The blind makes it safe to publish while the bytes are secret.
    """
    return hashlib.sha256(body).digest()


def commit_hash(previous: bytes, version: int, digest: bytes) -> bytes:
    """Return the hash of a commit, over the previous hash, its version and its digest."""
    return hashlib.sha256(b"commit\x00" + previous + version.to_bytes(8, "big") + digest).digest()
