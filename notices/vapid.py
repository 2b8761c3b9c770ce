"""The keys by which push services know this server: a file, one private key per line (RFC 8292).

The first key is for new subscriptions. A server without the file sends no Web Push.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from kit import base64url, installation, key_files

NAME: Final = "vapid-key"
SECRET_LENGTH: Final = 32


class Key(NamedTuple):
    """A private key of P-256. Push services know this server by the public half."""

    secret: ec.EllipticCurvePrivateKey

    @property
    def public(self) -> str:
        """The public half, as browsers take it."""
        return base64url.encode(public_bytes(self.secret))

    @property
    def text(self) -> str:
        """The stored form: `vapid-key+base64`."""
        number = self.secret.private_numbers().private_value
        return f"{NAME}+{base64url.encode(number.to_bytes(SECRET_LENGTH, 'big'))}"


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public half as an uncompressed point."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def keys_in(path: Path) -> Sequence[Key]:
    """Return the keys in the file, none without it. Raises UnusableKeyError."""
    if not path.exists():
        return ()
    remedy = f"create one with `{installation.NAME} keys vapid --add`"
    return key_files.read(path, _parse, remedy)


def _parse(text: str) -> Sequence[Key]:
    found = []
    for line in text.split():
        name, _, secret = line.partition("+")
        if name != NAME:
            raise ValueError(f"a line is not of the form {NAME}+base64")
        number = int.from_bytes(base64url.decode(secret), "big")
        found.append(Key(ec.derive_private_key(number, ec.SECP256R1())))
    return tuple(found)


def add(path: Path) -> Key:
    """Create a key at the start of the file. Raises UnusableKeyError."""
    key = Key(ec.generate_private_key(ec.SECP256R1()))
    key_files.write(path, [each.text for each in (key, *keys_in(path))])
    return key
