"""The bytes that a witness adds to the dice of a game, after everybody else.

It promises a hash of them for each opening, and gives them once the log that it cosigns has all
reveals: to one list of reveals for each opening, ever. It derives the bytes from its key, the log
and the opening, and writes down for which reveals it gave them, before it answers.
"""

import hashlib
import hmac
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import (
    Checkpoint,
    UntrustedError,
    Verifier,
    checkpoint_of,
)
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Bytes32, Count, Kind

PROMISES_MAX: Final = 64
STARTS_MAX: Final = 16
ENTRY_MAX: Final = 32_000
"""Characters of an entry in hex."""
REVEALED: Final = "SELECT revealed FROM given WHERE (origin, opened) = (?, ?)"

Hex = Annotated[str, Meta(max_length=ENTRY_MAX, pattern=r"^([0-9a-f]{2})*$(?!\n)")]


class PromisesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A log asks for the hashes of the bytes for these openings, by the hashes of their entries."""

    origin: str
    opened: Annotated[list[Bytes32], Meta(max_length=PROMISES_MAX)]


class Promises(msgspec.Struct, frozen=True):
    """The hashes, in the order of the request."""

    promises: list[Bytes32]


class Revealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entries of a start, and the proof of the last one under the root of the checkpoint."""

    opened: Hex
    committed: Hex
    revealed: Hex
    index: Count
    path: Annotated[list[Bytes32], Meta(max_length=63)]


class AnswersRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A log asks for the bytes for these starts. `note` is a checkpoint that the witness cosigned,
    with the cosignature."""

    note: str
    starts: Annotated[list[Revealed], Meta(max_length=STARTS_MAX)]


class Given(msgspec.Struct, frozen=True, omit_defaults=True):
    """The bytes for one start with the signature of `answer_text`, or why there are none."""

    entropy: str = ""
    signature: str = ""
    refused: str = ""


class Answers(msgspec.Struct, frozen=True):
    """The bytes for each start, in the order of the request."""

    answers: list[Given]


class Start(NamedTuple):
    """The hashes of the entries that open a start and list its reveals."""

    opened: bytes
    revealed: bytes


class Record:
    """For which reveals a witness gave its bytes, in a file of SQLite, durably."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._opened() as file:
            file.execute(
                "CREATE TABLE IF NOT EXISTS given (origin TEXT, opened BLOB, revealed BLOB, "
                "PRIMARY KEY (origin, opened)) WITHOUT ROWID"
            )

    def take(self, origin: str, starts: Sequence[Start]) -> list[bool]:
        """Write down starts, each unless its opening has one. Return which of them are written."""
        with self._opened() as file:
            with file:  # it commits, with a flush
                file.executemany(
                    "INSERT OR IGNORE INTO given VALUES (?, ?, ?)",
                    [(origin, *start) for start in starts],
                )
            return [
                file.execute(REVEALED, (origin, start.opened)).fetchone() == (start.revealed,)
                for start in starts
            ]

    def revealed(self, origin: str, opened: bytes) -> bytes | None:
        """Return the hash of the reveals for which the bytes of an opening were given, if so."""
        with self._opened() as file:
            row = file.execute(REVEALED, (origin, opened)).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file: a thread for each request, and processes, do so at the same time."""
        with closing(sqlite3.connect(self._path)) as file:
            file.execute("PRAGMA synchronous = EXTRA")
            yield file


class Dice:
    """The promises and bytes of a witness for the games of the logs that it cosigns."""

    def __init__(
        self, cosigner: Cosigner, logs: Mapping[str, Sequence[Verifier]], record: Record
    ) -> None:
        self._cosigner = cosigner
        self._secret = hmac.digest(cosigner.secret, b"railbird witness dice 1", "sha256")
        self._logs = logs
        self._record = record

    def _bytes_for(self, origin: str, opened: bytes) -> bytes:
        # With the origin: the same opening in another log has other bytes.
        return hmac.digest(self._secret, chain.framed((origin.encode(), opened)), "sha256")

    def promise(self, body: bytes) -> Promises:
        """Return the hashes of the bytes for openings. Raises the exceptions in `MALFORMED`,
        UntrustedError for an unknown log."""
        asked = msgspec.json.decode(body, type=PromisesRequest)
        if asked.origin not in self._logs:
            raise UntrustedError("this log is unknown here")
        found = [self._bytes_for(asked.origin, bytes.fromhex(each)) for each in asked.opened]
        return Promises([hashlib.sha256(each).hexdigest() for each in found])

    def answer(self, body: bytes) -> Answers:
        """Return the bytes for starts whose reveals are in the log.

        Raises the exceptions in `MALFORMED`, NoteError, UntrustedError for a checkpoint that this
        witness did not cosign.
        """
        asked = msgspec.json.decode(body, type=AnswersRequest)
        keys = [key for keys in self._logs.values() for key in keys]
        checkpoint = checkpoint_of(asked.note, keys)
        if self._cosigner.verifier.time_in(asked.note) is None:
            raise UntrustedError("this witness has not cosigned the checkpoint")
        found = [_start_in(each, checkpoint) for each in asked.starts]
        starts = [start for start in found if isinstance(start, Start)]
        written = iter(self._record.take(checkpoint.origin, starts))
        return Answers(
            [
                Given(refused=start)
                if isinstance(start, str)
                else self._given(checkpoint.origin, start)
                if next(written)
                else Given(refused="the bytes for this opening were given for other reveals")
                for start in found
            ]
        )

    def _given(self, origin: str, start: Start) -> Given:
        entropy = self._bytes_for(origin, start.opened).hex()
        return Given(entropy, self._cosigner.answer(origin, *start, entropy))

    def published(self, origin: str, opened: bytes) -> Given | None:
        """Return what was given for an opening, for everybody; None if nothing was."""
        revealed = self._record.revealed(origin, opened)
        return None if revealed is None else self._given(origin, Start(opened, revealed))


def _start_in(asked: Revealed, checkpoint: Checkpoint) -> Start | str:
    """Return a start whose entries name each other, and whose last one is in the log; else why
    not."""
    entries = [bytes.fromhex(each) for each in (asked.opened, asked.committed, asked.revealed)]
    try:
        opened, committed, revealed = map(Entry.decode, entries)
    except ValueError as error:
        return f"no entry of a log: {error}"
    kinds = (opened.kind, committed.kind, revealed.kind)
    if kinds != (Kind.OPENED, Kind.COMMITTED, Kind.REVEALED):
        return "expected the entries opened, committed and revealed"
    hashes = [chain.entry_hash(entry) for entry in entries]
    if (committed.hash, revealed.hash) != (hashes[0], hashes[1]) or len(
        {opened.name, committed.name, revealed.name}
    ) != 1:
        return "the entries do not name each other"
    path = [bytes.fromhex(each) for each in asked.path]
    root = merkle.root_from_inclusion(hashes[2], asked.index, checkpoint.size, path)
    if root != checkpoint.root:
        return f"the proof does not show the reveals in the log of {checkpoint.size} entries"
    return Start(hashes[0], hashes[2])
