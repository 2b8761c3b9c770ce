"""The keys that encrypt secrets at rest, those of seeds and of webhooks: a file outside the
database, one key per line.

The first key encrypts, and every key decrypts. A changed file is read again.
"""

import base64
import binascii
import hashlib
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kit import installation, key_files

NAME: Final = "seed-key"
ID_LENGTH: Final = 4
KEY_LENGTH: Final = 32
NONCE_LENGTH: Final = 12
SEALED_FROM: Final = ID_LENGTH + NONCE_LENGTH


class KeyMissingError(Exception):
    """Something was encrypted with a key that the file lacks; the argument is its id."""


class AlteredError(Exception):
    """Encrypted bytes were changed, or belong to something else."""


class SeedKey(NamedTuple):
    """A key for ChaCha20-Poly1305."""

    secret: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that identify this key in everything that it encrypted."""
        return hashlib.sha256(b"seed key\x00" + self.secret).digest()[:ID_LENGTH]

    @property
    def text(self) -> str:
        """The stored form of the key: `seed-key+id+base64`."""
        return f"{NAME}+{self.id.hex()}+{base64.b64encode(self.secret).decode()}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a key. Raises ValueError, without revealing the text."""
        name, _, rest = text.partition("+")
        key_id, _, encoded = rest.partition("+")
        try:
            key = cls(base64.b64decode(encoded, validate=True))
        except binascii.Error as error:
            raise ValueError("a key is not base64") from error
        if name != NAME or len(key.secret) != KEY_LENGTH or key.id.hex() != key_id:
            raise ValueError(f"a line is not of the form {NAME}+id+base64 of 32 bytes")
        return key


def keys_in(path: Path) -> Sequence[SeedKey]:
    """Return the keys in the file; the first one encrypts. Raises UnusableKeyError."""
    return key_files.read(
        path,
        _parse,
        "it holds the keys of the seeds; restore its copy, set SEED_KEY_FILE, or for a new server "
        f"create the first key with `{installation.NAME} keys seeds --add`",
    )


def _parse(text: str) -> Sequence[SeedKey]:
    keys = tuple(SeedKey.parse(line) for line in text.split())
    if not keys:
        raise ValueError("it is empty: restore the keys of the seeds")
    return keys


def add(path: Path) -> SeedKey:
    """Create a key at the start of the file, which only its owner may read. Raises
    UnusableKeyError."""
    others = keys_in(path) if path.exists() else ()
    key = SeedKey(secrets.token_bytes(KEY_LENGTH))
    key_files.write(path, [each.text for each in (key, *others)])
    return key


def encrypt(path: Path, plain: bytes, owner: bytes) -> bytes:
    """Encrypt for one owner: key id (4 bytes), nonce (12), ciphertext, tag (16).

    Raises UnusableKeyError.
    """
    key, nonce = keys_in(path)[0], secrets.token_bytes(NONCE_LENGTH)
    return key.id + nonce + ChaCha20Poly1305(key.secret).encrypt(nonce, plain, owner)


def encrypt_again(path: Path, box: bytes, owner: bytes) -> bytes | None:
    """Encrypt with the first key what another one encrypted; None if none can decrypt it, or
    the first did. Raises UnusableKeyError."""
    if box.startswith(keys_in(path)[0].id):
        return None
    with suppress(KeyMissingError, AlteredError):
        return encrypt(path, decrypt(path, box, owner), owner)
    return None


def decrypt(path: Path, box: bytes, owner: bytes) -> bytes:
    """Decrypt bytes of this owner. Raises UnusableKeyError, KeyMissingError, AlteredError."""
    key_id, nonce, rest = box[:ID_LENGTH], box[ID_LENGTH:SEALED_FROM], box[SEALED_FROM:]
    key = next((key for key in keys_in(path) if key.id == key_id), None)
    if key is None:
        raise KeyMissingError(key_id.hex())
    try:
        return ChaCha20Poly1305(key.secret).decrypt(nonce, rest, owner)
    except (InvalidTag, ValueError) as error:
        raise AlteredError(
            "the encrypted bytes were changed, or belong to something else"
        ) from error
