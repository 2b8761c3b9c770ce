"""The private keys of the log: a file outside the database, one key a line, all of which sign every
checkpoint.

A key is made when there is neither a file nor a log. Ever after a missing or foreign file stops the
sealing, with one line that says so: a log whose key changed silently would look, to whoever pinned
the old one, like another log."""

import fcntl
import os
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from games.audit.notes import BadNote, Signer

MODE: Final = 0o600


class Unsigned(Exception):
    """Nothing can be signed here; the message is one line that says what to do."""


def signers(path: Path, known: Collection[str], origin: str) -> Sequence[Signer]:
    """The keys that sign, the oldest first. `known` are the public keys that the log was signed
    with so far.

    Expects that nobody else asks at the same time. Raises Unsigned.
    """
    if not path.exists():
        if known:
            raise Unsigned(
                "the log has a key, but not here: put the file with it back to "
                f"{path}, or set LOG_KEY_FILE"
            )
        add(path, origin)
    try:
        lines = path.read_text().split()
    except OSError as error:
        raise Unsigned(f"the log's key cannot be read from {path}: {error.strerror}") from error
    try:
        found = [Signer.parse(line) for line in lines]
    except BadNote as error:
        raise Unsigned(f"{path}: {error}") from error
    if not found:
        raise Unsigned(f"{path} is empty: put the log's key back")
    if known and not any(signer.verifier.text in known for signer in found):
        raise Unsigned(f"{path} has none of the keys that this log was signed with")
    if len({signer.name for signer in found}) > 1:
        raise Unsigned(f"{path} has keys of several names: a log has one")
    return found


def add(path: Path, name: str) -> Signer:
    """Make another key, and put it at the end of the file, which its owner alone may read. Raises
    Unsigned."""
    signer = Signer(name, secrets.token_bytes(32))
    try:
        path.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, MODE), "a") as file:  # noqa: PTH123 -- mode at creation
            file.write(signer.text + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Unsigned(f"the log's key cannot be kept in {path}: {error.strerror}") from error
    return signer


def last_signed(path: Path) -> str | None:
    """Return the note that was signed last with the keys of this file, which lies beside it. An
    empty file, as a crash may leave one, says no more than a missing one."""
    beside = _beside(path)
    return (beside.read_text() or None) if beside.exists() else None


def remember(path: Path, note: str) -> None:
    """Keep the note that was signed last: a database that is put back to an earlier state shall not
    fork the log unseen.

    Of several sealers that call this at the same time one writes after the other, and a note never
    replaces one of more entries."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # closing the folder unlocks it
        kept = last_signed(path)
        if kept is not None and _size(kept) > _size(note):
            return
        draft = path.with_name(f"{path.name}.checkpoint.draft")
        with draft.open("w") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(_beside(path))
        os.fsync(folder)
    finally:
        os.close(folder)


def _size(note: str) -> int:
    """How many entries the signed log has: the second line of a note."""
    return int(note.split("\n", 2)[1])


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.checkpoint")
