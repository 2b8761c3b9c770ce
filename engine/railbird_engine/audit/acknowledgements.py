"""Signed statements of a server: acknowledgements of commands, heads that it showed, and receipts
of revealed entropy.

Each is a signed note. Its first line, which no checkpoint can have, separates it from everything
else that is signed.
"""

import hashlib
import re
import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, Self
from uuid import UUID

import msgspec

from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import NoteError, Verifier, opened, signatures_in
from railbird_engine.kernel.chain import HEAD_TITLE, Kind, head_text

TIMES: Final = struct.Struct(">QQ")
TITLE: Final = "Railbird acknowledgement 2"
REVEAL_TITLE: Final = "Railbird reveal 2"
KEY_SUFFIX: Final = "/acknowledgements"
"""The suffix that names the acknowledgement key, after the log's origin."""

_UUID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_HASH: Final = "[0-9a-f]{64}"
_FORM: Final = re.compile(
    re.escape(TITLE)
    + "\norigin ([!-*,-~]{1,200})"
    + f"\nname ({_UUID})\ngame ({_UUID})\nversion ([1-9][0-9]{{0,9}})\nhash ({_HASH})"
    + f"\nseat (0|[1-9][0-9]{{0,4}})\nid ({_UUID})\ncommand ({{[^\n]*}})\nseed ({_HASH})"
    + "\nat ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z)"
    + f"\nlog ([1-9][0-9]{{0,18}}) ({_HASH})\n"
)
_HEAD_FORM: Final = re.compile(
    re.escape(HEAD_TITLE)
    + f"\norigin ([!-*,-~]{{1,200}})\nname ({_UUID})\ngame ({_UUID})"
    + f"\nversion ([1-9][0-9]{{0,9}})\nhash ({_HASH})\n"
)
_REVEAL_FORM: Final = re.compile(
    re.escape(REVEAL_TITLE)
    + f"\norigin ([!-*,-~]{{1,200}})\nname ({_UUID})\ngame ({_UUID})\nopened ({_HASH})"
    + f"\ncommitted ({_HASH})\nseat (0|[1-9][0-9]{{0,4}})"
    + f"\ncommitment ({_HASH})\nentropy ({_HASH})\n"
)


class Acknowledgement(NamedTuple):
    """A command of a seat, sent under `id`, is the commit `version` of a game.

    `name` is the log's name of the game, `hash` that of the commit, `command` the command as the
    commit contains it, and `at` the commit's time. The log had `size` entries and this `root` when
    the server signed.
    """

    origin: str
    name: UUID
    game: UUID
    version: int
    hash: bytes
    seat: int
    id: UUID
    command: str
    seed_hash: bytes
    at: datetime
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """Return the signed text."""
        at = self.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
        return (
            f"{TITLE}\norigin {self.origin}\nname {self.name}\ngame {self.game}\n"
            f"version {self.version}\nhash {self.hash.hex()}\nseat {self.seat}\nid {self.id}\n"
            f"command {self.command}\nseed {self.seed_hash.hex()}\nat {at}Z\n"
            f"log {self.size} {self.root.hex()}\n"
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a signed text. Raises NoteError."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise NoteError("an acknowledgement has other lines")
        origin, name, game, version, hash_, seat, id_, command, seed_hash, at, *log = found.groups()
        try:
            moment = datetime.fromisoformat(at)
        except ValueError as error:
            raise NoteError("an acknowledgement has an impossible time") from error
        return cls(
            origin,
            UUID(name),
            UUID(game),
            int(version),
            bytes.fromhex(hash_),
            int(seat),
            UUID(id_),
            command,
            bytes.fromhex(seed_hash),
            moment,
            int(log[0]),
            bytes.fromhex(log[1]),
        )


class SignedHead(NamedTuple):
    """The server showed somebody the commit `version` of a game, which has this hash."""

    origin: str
    name: UUID
    game: UUID
    version: int
    hash: bytes

    @property
    def text(self) -> str:
        """Return the signed text."""
        return head_text(*self)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a signed text. Raises NoteError."""
        found = _HEAD_FORM.fullmatch(text)
        if found is None:
            raise NoteError("a signed head has other lines")
        origin, name, game, version, hash_ = found.groups()
        return cls(origin, UUID(name), UUID(game), int(version), bytes.fromhex(hash_))


class Reveal(NamedTuple):
    """The seat with this number in the lobby revealed `entropy` in the attempt to start `game`
    that the log calls `name`."""

    origin: str
    name: UUID
    game: UUID
    opened: str
    committed: str
    seat: int
    commitment: str
    entropy: str

    @property
    def text(self) -> str:
        """Return the signed text."""
        return (
            f"{REVEAL_TITLE}\norigin {self.origin}\nname {self.name}\ngame {self.game}\n"
            f"opened {self.opened}\ncommitted {self.committed}\nseat {self.seat}\n"
            f"commitment {self.commitment}\nentropy {self.entropy}\n"
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a signed text. Raises NoteError."""
        found = _REVEAL_FORM.fullmatch(text)
        if found is None:
            raise NoteError("a receipt of entropy has other lines")
        origin, name, game, opened, committed, seat, *entropy = found.groups()
        return cls(origin, UUID(name), UUID(game), opened, committed, int(seat), *entropy)


Said = Acknowledgement | SignedHead | Reveal
FORMS: Final[Mapping[str, type[Said]]] = {
    TITLE: Acknowledgement,
    HEAD_TITLE: SignedHead,
    REVEAL_TITLE: Reveal,
}
"""The notes by their first lines."""
WORDS: Final[Mapping[type[Said], str]] = {
    Acknowledgement: "acknowledgement",
    SignedHead: "head",
    Reveal: "reveal",
}
"""The names of the notes in lines of a verdict."""


SIGNED: Final = "a signature by a key that the log names"


def key_name(origin: str) -> str:
    """Return the name of the keys that sign acknowledgements of a server."""
    return f"{origin}{KEY_SUFFIX}"


class Validity(NamedTuple):
    """The time in which a key may sign, in seconds since 1970, without the end."""

    since: int
    until: int


class LoggedKey(NamedTuple):
    """The last validity of a key in the log, and the version of that entry; the indexes of its
    first entry, and of the first one that ends it."""

    validity: Validity
    version: int
    first: int
    end: int | None

    def counts(self, size: int) -> bool:
        """Whether a log of this size names the key, and does not end it."""
        return self.first < size and (self.end is None or size <= self.end)


Keys = Mapping[bytes, LoggedKey]
"""Public keys as the log names them."""


class LoggedKeys:
    """The keys that the entries of a log name, read in order."""

    def __init__(self, known: dict[bytes, LoggedKey] | None = None) -> None:
        self.known = {} if known is None else known

    def take(self, entry: Entry, index: int) -> None:
        """Check the next entry about a key, which may only end it. Raises DivergenceError."""
        key, validity = entry.hash, Validity(*TIMES.unpack(entry.payload))
        known = self.known.get(key, LoggedKey(validity, -1, index, None))
        since, until = known.validity
        version = known.version + 1
        expected = key_entry(key, Validity(since, min(until, validity.until)), version)
        if entry != expected:
            raise DivergenceError(None, "key", expected.encode().hex(), entry.encode().hex())
        end = index if known.end is None and version else known.end
        self.known[key] = LoggedKey(validity, version, known.first, end)


def key_entry(key: bytes, validity: Validity, version: int) -> Entry:
    """Return the entry of the log that names a key."""
    name = UUID(bytes=hashlib.sha256(key).digest()[:16])
    return Entry(Kind.KEY, name, version, key, TIMES.pack(*validity))


def said_in(note: str) -> Said:
    """Return what a note says, without checking its signatures. Raises NoteError."""
    text = signatures_in(note)[0]
    return FORMS.get(text.partition("\n")[0], Reveal).parse(text)


def check_signed(note: str, said: Said, keys: Keys) -> None:
    """Check that one of these keys signed a note that says this: an acknowledgement with a key that
    counts in the log of the size that it names.

    Raises NoteError, UntrustedError.
    """
    size = said.size if isinstance(said, Acknowledgement) else None
    signing = [key for key, place in keys.items() if size is None or place.counts(size)]
    opened(note, [Verifier(key_name(said.origin), key) for key in signing])


class _Entropy(msgspec.Struct):
    """Entropy that a client keeps; other fields are of no interest here."""

    receipt: str | None


_decode = msgspec.json.Decoder(str | _Entropy).decode


def notes_in(text: str) -> Sequence[str]:
    """Return each note in a file of acknowledgements once. Its lines are JSON strings, or the
    objects in which clients keep entropy with its receipt.

    Raises NoteError.
    """
    try:
        lines = [_decode(line) for line in text.split("\n") if line]
        notes = [line if isinstance(line, str) else line.receipt for line in lines]
        return [*dict.fromkeys(note for note in notes if note is not None)]
    except msgspec.MsgspecError as error:
        raise NoteError(
            "not a file of acknowledgements, which has one JSON string or object per line, as the "
            f"SDKs write it: {error}"
        ) from error
