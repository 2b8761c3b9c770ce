"""Timestamped cosignatures of checkpoints by witnesses (C2SP tlog-cosignature, Ed25519)."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from railbird_engine.audit.divergence import Diverged
from railbird_engine.audit.notes import (
    PRIVATE,
    SIGNATURE_LENGTH,
    BadNote,
    Checkpoint,
    encode64,
    key_id,
    key_parts,
    key_text,
    parse_key,
    signatures_in,
)

COSIGNATURE: Final = b"\x04"
TIME_LENGTH: Final = 8
TIME_MAX: Final = 2**53 - 1


def signed_text(time_s: int, text: str) -> bytes:
    """Return what a witness signs: the text of a checkpoint, and when."""
    return f"cosignature/v1\ntime {time_s}\n{text}".encode()


class Witness(NamedTuple):
    """The public key of a witness, with its name."""

    name: str
    key: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes that identify this key in cosignatures."""
        return key_id(self.name, COSIGNATURE, self.key)

    @property
    def text(self) -> str:
        """The published form of the key: `name+id+base64`."""
        return key_text(self.name, COSIGNATURE, self.key)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a public key. Raises BadNote."""
        return cls(*parse_key(text, COSIGNATURE))

    def time_in(self, note: str) -> int | None:
        """Return the latest time at which this witness cosigned a note, if it did.

        Raises BadNote, also for a wrong cosignature of its own.
        """
        text, signatures = signatures_in(note)
        found = None
        for name, signature in signatures:
            if (name, signature[:4]) != (self.name, self.key_id):
                continue
            time_s = int.from_bytes(signature[4 : 4 + TIME_LENGTH], "big")
            is_whole = len(signature) == 4 + TIME_LENGTH + SIGNATURE_LENGTH and time_s <= TIME_MAX
            if not is_whole or not self._has_signed(time_s, text, signature[4 + TIME_LENGTH :]):
                raise BadNote(f"the cosignature by {self.name} is invalid")
            found = max(found or 0, time_s)
        return found

    def _has_signed(self, time_s: int, text: str, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(
                signature, signed_text(time_s, text)
            )
        except InvalidSignature:
            return False
        return True


class Cosigner(NamedTuple):
    """The private key of a witness, with its name."""

    name: str
    secret: bytes

    @property
    def witness(self) -> Witness:
        """The public key."""
        key = Ed25519PrivateKey.from_private_bytes(self.secret).public_key()
        return Witness(self.name, key.public_bytes_raw())

    @property
    def text(self) -> str:
        """The stored form of the private key."""
        identity = self.witness.key_id.hex()
        return f"{PRIVATE}{self.name}+{identity}+{encode64(COSIGNATURE + self.secret)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a private key. Raises BadNote, without revealing the text."""
        if not text.startswith(PRIVATE):
            raise BadNote(f"a private key begins with {PRIVATE}")
        name, given, secret = key_parts(text.removeprefix(PRIVATE), COSIGNATURE)
        found = cls(name, secret)
        if found.witness.key_id.hex() != given:
            raise BadNote(f"the private key of {name} does not fit its id {given}")
        return found

    def cosign(self, text: str, time_s: int) -> str:
        """Return the line of a cosignature of the text of a checkpoint."""
        signature = Ed25519PrivateKey.from_private_bytes(self.secret).sign(
            signed_text(time_s, text)
        )
        signed = self.witness.key_id + time_s.to_bytes(TIME_LENGTH, "big") + signature
        return f"— {self.name} {encode64(signed)}\n"


class Demand(NamedTuple):
    """The requirements for a checkpoint beyond the signature of its log.

    They are the name of the log, if given, and cosignatures by `quorum` of these witnesses.
    """

    origin: str | None = None
    witnesses: Sequence[Witness] = ()
    quorum: int = 0

    def check(self, note: str, checkpoint: Checkpoint) -> Mapping[str, int]:
        """Return the time of each cosignature, by the name of its witness. Raises Diverged."""
        if self.origin not in {None, checkpoint.origin}:
            raise Diverged(None, "origin", self.origin, checkpoint.origin)
        times, wrong = {}, []
        for witness in self.witnesses:
            try:
                time_s = witness.time_in(note)
            except BadNote as error:
                wrong.append(str(error))
                continue
            if time_s is not None:
                times[witness.text] = time_s
        if len(times) < self.quorum:
            found = "; ".join([f"{len(times)}", *wrong])
            expected = f"{self.quorum} of {len(self.witnesses)} cosignatures"
            raise Diverged(None, "witnesses", expected, found)
        return times


NO_DEMAND: Final = Demand()
