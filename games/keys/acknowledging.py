"""The keys that sign acknowledgements: private keys in a file of web processes, and beside it their
public halves and times of validity, which the sealer puts into the log."""

import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kit import installation, key_files
from railbird_engine.audit.acknowledgements import KEY_SUFFIX, Validity, key_name
from railbird_engine.audit.notes import NoteError, Signer, Verifier

DAY_S: Final = 86_400
VALID_S: Final = 400 * DAY_S
WARN_S: Final = 30 * DAY_S
"""How long before its end the signing key should be replaced."""


class Public(NamedTuple):
    """The public half of a key, and when it may sign."""

    verifier: Verifier
    validity: Validity

    @property
    def text(self) -> str:
        """The stored form."""
        return f"{self.verifier.text} {self.validity.since} {self.validity.until}"


def sign(path: Path, text: str) -> str:
    """Return the note of an acknowledgement, signed with the first key. Raises UnusableKeyError."""
    verifier, secret = _first(path)
    return f"{text}\n{verifier.line(secret.sign(text.encode()))}"


def signing_key(path: Path) -> bytes:
    """Return the public half of the first key. Raises UnusableKeyError."""
    return _first(path)[0].key


def check(path: Path, origin: str) -> int:
    """Check that the first key signs for this log, and return the time from which it may not.

    Raises UnusableKeyError, also if its public half is not known.
    """
    verifier, _ = _first(path)
    if verifier.name != key_name(origin):
        other = verifier.name.removesuffix(KEY_SUFFIX)
        raise key_files.UnusableKeyError(
            f"{path} has a key of the log {other}, and LOG_ORIGIN is {origin}: set LOG_ORIGIN to "
            f"{other}, or if your log has another name, run `{installation.NAME} keys ack --add`"
        )
    return valid_until(path)


def valid_until(path: Path) -> int:
    """Return the time from which the first key may not sign. Raises UnusableKeyError."""
    verifier, _ = _first(path)
    for known, validity in public(path):
        if known.text == verifier.text:
            return validity.until
    raise key_files.UnusableKeyError(
        f"{_beside(path)} lacks the public half of the key in {path}: restore it"
    )


def _first(path: Path) -> tuple[Verifier, Ed25519PrivateKey]:
    return key_files.read(
        path,
        _parse,
        "it holds the keys that sign acknowledgements; restore its copy, set ACK_KEY_FILE, or "
        f"create a key with `{installation.NAME} keys ack --add`",
    )


def _parse(text: str) -> tuple[Verifier, Ed25519PrivateKey]:
    lines = text.split()
    if not lines:
        raise ValueError("it is empty: restore the keys that sign acknowledgements")
    try:
        signer = Signer.parse(lines[0])
    except NoteError as error:
        raise ValueError(str(error)) from error
    return signer.verifier, Ed25519PrivateKey.from_private_bytes(signer.secret)


def public(path: Path) -> Sequence[Public]:
    """Return the public halves of all keys that ever signed here, oldest first. Raises
    UnusableKeyError."""
    beside = _beside(path)
    try:
        lines = beside.read_text().splitlines() if beside.exists() else []
        found = []
        for line in lines:
            verifier, since, until = line.split()
            found.append(Public(Verifier.parse(verifier), Validity(int(since), int(until))))
    except (OSError, ValueError, NoteError) as error:
        raise key_files.UnusableKeyError(f"{beside}: {error}") from error
    return found


def add(path: Path, origin: str) -> Public:
    """Create a key, which signs from now on. Earlier ones stay valid for what they signed.

    Raises UnusableKeyError."""
    signer, now = Signer(key_name(origin), secrets.token_bytes(32)), int(time.time())
    made = Public(signer.verifier, Validity(now, now + VALID_S))
    texts = [*(each.text for each in public(path)), made.text]
    key_files.write(_beside(path), texts, key_files.PUBLIC_MODE)
    key_files.write(path, [signer.text])
    return made


def retire(path: Path, key_id: str) -> Public:
    """End the validity of a key now. Raises UnusableKeyError."""
    known, now = list(public(path)), int(time.time())
    for place, (verifier, validity) in enumerate(known):
        if verifier.key_id.hex() == key_id:
            until = min(now, validity.until)
            known[place] = Public(verifier, validity._replace(until=until))
            texts = [each.text for each in known]
            key_files.write(_beside(path), texts, key_files.PUBLIC_MODE)
            return known[place]
    raise key_files.UnusableKeyError(f"{_beside(path)} has no key with the id {key_id}")


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.pub")
