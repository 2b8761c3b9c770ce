"""Signed notes and checkpoints (C2SP signed-note and tlog-checkpoint), with Ed25519."""

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from railbird_engine.audit.merkle import HASH_LENGTH, SIZE_MAX

ED25519: Final = b"\x01"
KEY_KINDS: Final = {ED25519: "a log", b"\x04": "a witness"}
KEY_LENGTH: Final = 32
SIGNATURE_LENGTH: Final = 64
NOTE_MAX: Final = 65_536
SIGNATURES_MAX: Final = 64
PRIVATE: Final = "PRIVATE+KEY+"


class NoteError(Exception):
    """A malformed note, key or checkpoint; the message is one line."""


class UntrustedError(Exception):
    """A note without signature by a trusted key, or with an invalid one."""


class ForeignOriginError(UntrustedError):
    """A checkpoint of a log whose name is not that of the trusted keys."""


@dataclass(frozen=True)
class Verifier:
    """A public key with a name."""

    kind: ClassVar[bytes] = ED25519
    name: str
    key: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes that identify this key in signatures."""
        return hashlib.sha256(self.name.encode() + b"\n" + self.kind + self.key).digest()[:4]

    @property
    def text(self) -> str:
        """The published form of the key: `name+id+base64`."""
        return f"{self.name}+{self.key_id.hex()}+{encode64(self.kind + self.key)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a public key. Raises NoteError."""
        name, given, key = key_parts(text, cls.kind)
        found = cls(name, key)
        if found.key_id.hex() != given:
            raise NoteError(f"the key of {name} has the id {found.key_id.hex()}, not {given}")
        return found

    def has_signed(self, data: bytes, signature: bytes) -> bool:
        """Whether this is a valid signature of these bytes."""
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, data)
        except InvalidSignature:
            return False
        return True

    def line(self, signature: bytes) -> str:
        """Return the line of a note for a signature by this key."""
        return f"— {self.name} {encode64(self.key_id + signature)}\n"


AnyVerifier = TypeVar("AnyVerifier", bound=Verifier)


@dataclass(frozen=True)
class PrivateKey(Generic[AnyVerifier]):
    """A private key with a name, and the kind of its public key."""

    public: ClassVar[type[Any]]
    name: str
    secret: bytes

    @property
    def verifier(self) -> AnyVerifier:
        """The public key."""
        found: AnyVerifier = self.public(self.name, self._key.public_key().public_bytes_raw())
        return found

    @property
    def text(self) -> str:
        """The stored form of the private key: `PRIVATE+KEY+name+id+base64`."""
        encoded = encode64(self.public.kind + self.secret)
        return f"{PRIVATE}{self.name}+{self.verifier.key_id.hex()}+{encoded}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a private key. Raises NoteError, without revealing the text."""
        if not text.startswith(PRIVATE):
            raise NoteError(f"a private key begins with {PRIVATE}")
        name, given, secret = key_parts(text.removeprefix(PRIVATE), cls.public.kind)
        found = cls(name, secret)
        if found.verifier.key_id.hex() != given:
            raise NoteError(f"the private key of {name} does not fit its id {given}")
        return found

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.secret)


class Signer(PrivateKey[Verifier]):
    """The private key of a log, or of acknowledgements."""

    public = Verifier

    def sign(self, text: str) -> str:
        """Return the signature line for a text that ends in a newline."""
        return self.verifier.line(self._key.sign(text.encode()))


def encode64(data: bytes) -> str:
    """Return the base64 of bytes."""
    return base64.b64encode(data).decode()


def decode64(text: str) -> bytes:
    """Decode the one base64 of bytes. Raises NoteError."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteError("invalid base64") from error
    if encode64(decoded) != text:
        raise NoteError("base64 that is not in its canonical form")
    return decoded


def key_parts(text: str, kind: bytes) -> tuple[str, str, bytes]:
    """Return name, id and bytes of a key of this kind, as published. Raises NoteError."""
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise NoteError("a key looks like name+id+base64")
    name, given, encoded = parts
    key = decode64(encoded)
    if not is_key_name(name):
        raise NoteError("the name of a key is up to 200 visible characters of ASCII without +")
    if key[:1] != kind and key[:1] in KEY_KINDS:
        raise NoteError(f"the key of {name} belongs to {KEY_KINDS[key[:1]]}")
    if len(key) != 1 + KEY_LENGTH or key[:1] != kind:
        raise NoteError(f"the key of {name} is no Ed25519 key of the type {kind.hex()}")
    return name, given, key[1:]


def is_key_name(name: str) -> bool:
    """Whether a key, and so a log, can have this name: up to 200 visible ASCII characters, no plus.

    Parsers with different versions of Unicode might disagree about other characters.
    """
    return re.fullmatch(r"[!-*,-~]{1,200}", name) is not None


def signed(text: str, signers: Sequence[Signer]) -> str:
    """Return the note of a text, signed by all these keys."""
    assert text.endswith("\n") and signers
    return text + "\n" + "".join(signer.sign(text) for signer in signers)


def signatures_in(note: str) -> tuple[str, Sequence[tuple[str, bytes]]]:
    """Return the text of a note and its signatures, each with the name and the bytes of its line.

    Raises NoteError.
    """
    if len(note) > NOTE_MAX:
        raise NoteError("the note is too long")
    if any(character < " " and character != "\n" for character in note):
        raise NoteError("the note has control characters in it")
    text, separator, lines = note.rpartition("\n\n")
    if not separator or not lines.endswith("\n"):
        raise NoteError("a note is a text, an empty line and signatures")
    signatures = lines[:-1].split("\n")
    if len(signatures) > SIGNATURES_MAX:
        raise NoteError("the note has too many signatures")
    return text + "\n", [_signature(line) for line in signatures]


def opened(note: str, trusted: Sequence[Verifier]) -> str:
    """Return the text of a note that a trusted key has signed. Raises NoteError, UntrustedError.

    Unknown signatures are ignored.
    """
    text, signatures = signatures_in(note)
    known = {(key.name, key.key_id): key for key in trusted}
    names, verified = [], False
    for name, signature in signatures:
        names.append(f"{name}+{signature[:4].hex()}")
        key = known.get((name, signature[:4]))
        if key is None:
            continue
        if len(signature) != 4 + SIGNATURE_LENGTH or not key.has_signed(
            text.encode(), signature[4:]
        ):
            raise UntrustedError(f"one by {name}+{key.key_id.hex()} that does not fit")
        verified = True
    if not verified:
        raise UntrustedError(f"signatures by {', '.join(names)}")
    return text


def _signature(line: str) -> tuple[str, bytes]:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    signature = decode64(encoded)
    if dash != "—" or not is_key_name(name) or len(signature) <= 4:
        raise NoteError("a signature looks like: — name base64")
    return name, signature


class Checkpoint(NamedTuple):
    """The head of a log: its name, number of entries, and root."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The signed text."""
        return f"{self.origin}\n{self.size}\n{encode64(self.root)}\n"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a checkpoint, and ignore extension lines. Raises NoteError."""
        lines = text.split("\n")
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
            raise NoteError("a checkpoint has at least three lines, none of them empty")
        origin, size, root = lines[:3]
        if not re.fullmatch("0|[1-9][0-9]{0,18}", size) or int(size) > SIZE_MAX:
            raise NoteError("the size of a checkpoint is a number")
        if len(decoded := decode64(root)) != HASH_LENGTH:
            raise NoteError("the root of a checkpoint is a SHA-256 hash")
        return cls(origin, int(size), decoded)


def checkpoint_in(note: str) -> Checkpoint:
    """Return the checkpoint in a note whose signatures were checked before. Raises NoteError."""
    return Checkpoint.parse(note.rpartition("\n\n")[0] + "\n")


def checkpoint_of(note: str, trusted: Sequence[Verifier]) -> Checkpoint:
    """Return the checkpoint in a note that a key with the name of the log has signed.

    Raises NoteError, UntrustedError.
    """
    checkpoint = Checkpoint.parse(opened(note, trusted))
    try:
        opened(note, [key for key in trusted if key.name == checkpoint.origin])
    except UntrustedError as error:
        raise ForeignOriginError(checkpoint.origin) from error
    return checkpoint
