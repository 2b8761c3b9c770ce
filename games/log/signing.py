"""The private keys of the log: a file outside the database, one key per line.

All keys sign every checkpoint. The first key is created if there is neither a file nor a log.
Later, a missing or wrong file stops the sealing with one line that says so: to auditors who pinned
the old key, a log with another key is another log.
"""

import fcntl
import os
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kit import key_files
from kit.background import OperatorError
from railbird_engine.audit.notes import NoteError, Signer


class UnsignedError(OperatorError):
    """The keys cannot be used. The message is one line that says what to do."""


def signers(path: Path, used: Collection[str], origin: str) -> Sequence[Signer]:
    """Return the signing keys, oldest first. `used` are the public keys of the log so far.

    Expects no concurrent call. Raises UnsignedError.
    """
    if not path.exists():
        if used:
            raise UnsignedError(
                f"{path} with the log's key is missing: restore it or set LOG_KEY_FILE"
            )
        add(path, origin)
    try:
        lines = path.read_text().split()
    except OSError as error:
        raise UnsignedError(
            f"the log's key cannot be read from {path}: {error.strerror}"
        ) from error
    try:
        found = [Signer.parse(line) for line in lines]
    except NoteError as error:
        raise UnsignedError(f"{path}: {error}") from error
    if not found:
        raise UnsignedError(f"{path} is empty: restore the log's key")
    if used and not any(signer.verifier.text in used for signer in found):
        raise UnsignedError(f"{path} has none of the keys that this log was signed with")
    if len({signer.name for signer in found}) > 1:
        raise UnsignedError(f"{path} has keys of several names: a log has one")
    return found


def add(path: Path, name: str) -> Signer:
    """Create a key at the end of the file. A new one can be read by its owner only. Raises
    UnsignedError."""
    signer = Signer(name, secrets.token_bytes(32))
    try:
        known = path.read_text() if path.exists() else ""
        key_files.replace(path, f"{known}{signer.text}\n", key_files.PRIVATE_MODE)
    except OSError as error:
        raise UnsignedError(
            f"the log's key cannot be written to {path}: {error.strerror}"
        ) from error
    return signer


def last_signed(path: Path) -> str | None:
    """Return the checkpoint that was signed last, from the file beside the keys.

    Returns None if that file is missing, or empty after a crash.
    """
    beside = checkpoint_file(path)
    return (beside.read_text() or None) if beside.exists() else None


def remember(path: Path, note: str) -> None:
    """Store the checkpoint that was signed last beside the keys.

    A database that is restored to an earlier state therefore cannot fork the log unnoticed.
    Concurrent calls write one after the other, and a checkpoint never replaces a longer one.
    """
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # closing the folder unlocks it
        kept = last_signed(path)
        if kept is not None and _size(kept) > _size(note):
            return
        key_files.replace(checkpoint_file(path), note, key_files.PUBLIC_MODE)
    finally:
        os.close(folder)


@contextmanager
def held(path: Path, *, waits: bool = False) -> Iterator[bool]:
    """Hold the right to sign with these keys, which all sealers share, whatever database each is
    connected to. Yields False if another process has it, unless this one `waits`.

    Raises UnsignedError.
    """
    lock = path.with_name(f"{path.name}.lock")
    try:
        path.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
        file = os.open(lock, os.O_RDWR | os.O_CREAT, key_files.PRIVATE_MODE)
    except OSError as error:
        raise UnsignedError(f"{lock} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(
            file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB)
        )  # closing the file unlocks it
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(file)


def copies(path: Path) -> Path:
    """Return the folder beside the keys that has copies of the entries which they signed."""
    return path.with_name(f"{path.name}.entries")


def checkpoint_file(path: Path) -> Path:
    """Return the file beside the keys that has the checkpoint which they signed last."""
    return path.with_name(f"{path.name}.checkpoint")


def _size(note: str) -> int:
    """Return the number of log entries, the second line of a checkpoint."""
    return int(note.split("\n", 2)[1])
