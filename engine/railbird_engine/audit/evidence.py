"""The common base of audit files: a signed log, entries in it, and rows written by events."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple
from uuid import UUID

from railbird_engine.audit import bundle, merkle, strict_json
from railbird_engine.audit.acknowledgements import LoggedKeys
from railbird_engine.audit.cosignatures import NO_DEMAND, Demand, Witness, answer_text
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import (
    ForeignOriginError,
    NoteError,
    UntrustedError,
    Verifier,
    checkpoint_of,
)
from railbird_engine.audit.seat_proofs import SeatCommitments
from railbird_engine.audit.signed_commands import Signatures, check_keys
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind


class Began(NamedTuple):
    """How a game began: its rules, the build of the server, who added to the dice beside the
    server, and the attempts to start it that were abandoned before: for each, the seats of the
    lobby that were silent. `owed` is what its seats are owed since its end; `signatures` is None if
    no player signs. `corrected` says in words what was voided, and why."""

    rules: str
    rules_version: int
    build: chain.Build
    seats: tuple[int, ...]
    witnesses: tuple[str, ...]
    abandoned: Sequence[Sequence[int]] = ()
    owed: Mapping[int, int] = {}
    signatures: Signatures | None = None
    corrected: Sequence[str] = ()


class NeedsError(Exception):
    """The file cannot be judged here; the message says what is missing.

    This is no sign of tampering.
    """


@contextmanager
def naming(game: UUID | None = None, *, name: UUID | None = None) -> Iterator[None]:
    """Add this game, or the log's name of one, to divergences raised in the context."""
    try:
        yield
    except DivergenceError as diverged:
        diverged.game = game or diverged.game
        diverged.name = name or diverged.name
        raise


class SignedLog:
    """A log as the file shows it: one signed checkpoint, and entries by their index."""

    def __init__(
        self,
        signed: bundle.Signed,
        trusted: Sequence[Verifier],
        since: str | None,
        demand: Demand = NO_DEMAND,
    ) -> None:
        self.entries: dict[int, Entry] = {}
        self.names: dict[UUID, UUID] = {}
        self.people: dict[UUID, SeatCommitments] = {}
        self.began: dict[UUID, Began] = {}
        try:
            self.keys = tuple(trusted) or tuple(Verifier.parse(key) for key in signed.keys)
            self.checkpoint = checkpoint_of(signed.checkpoint, self.keys)
        except NoteError as error:
            raise DivergenceError(None, "checkpoint", "a signed checkpoint", str(error)) from error
        except ForeignOriginError as error:
            names = " or ".join(sorted({key.name for key in self.keys}))
            raise DivergenceError(None, "origin", names, error) from error
        except UntrustedError as error:
            names = ", ".join(f"{key.name}+{key.key_id.hex()}" for key in self.keys) or "any key"
            raise DivergenceError(None, "signature", f"one by {names}", str(error)) from error
        self.cosigned = demand.check(signed.checkpoint, self.checkpoint)
        if since is not None:
            self._check_since(signed, since)

    def check_signers(self, signers: Sequence[bundle.Signer]) -> None:
        """Check the entries that name keys of acknowledgements. Raises DivergenceError."""
        logged, last = LoggedKeys(), -1
        for signer in signers:
            try:
                entry = Entry.decode(signer.entry)
            except ValueError as error:
                raise DivergenceError(None, "key", "an entry that names a key", error) from error
            if entry.kind is not Kind.KEY:
                raise DivergenceError(
                    None, "key", "an entry that names a key", entry.kind.name.lower()
                )
            try:
                self.check(entry, signer.proof, "key", after=last)
            except DivergenceError as diverged:
                diverged.version = None  # It belongs to no game.
                raise
            last = signer.proof.index
            logged.take(entry, last)

    def _check_since(self, signed: bundle.Signed, note: str) -> None:
        try:
            old = checkpoint_of(note, self.keys)
        except (NoteError, UntrustedError) as error:
            raise NeedsError(
                f"an earlier checkpoint of this log to compare with: {error}"
            ) from error
        new = self.checkpoint
        if old.origin != new.origin:
            raise DivergenceError(None, "origin", old.origin, new.origin)
        if old.size > new.size:
            raise NeedsError(
                f"a file that is newer than the checkpoint at {old.size}: this one "
                f"stands at {new.size}"
            )
        proved = signed.since is not None and signed.since.size == old.size
        if not proved and old.size not in {0, new.size}:
            raise NeedsError(
                f"a proof since {old.size}: ask the server for this file with since={old.size}"
            )
        path = signed.since.path if signed.since is not None and proved else ()
        if not merkle.is_consistent(old.size, old.root, new.size, new.root, path):
            raise DivergenceError(
                None,
                "history",
                f"a log that continues the checkpoint at {old.size}",
                f"another one at {new.size}",
            )

    def check(
        self, entry: Entry, proof: bundle.Proof, field: str, *, after: int | None = None
    ) -> None:
        """Check that the entry is in the log at this index, after another one. Raises
        DivergenceError."""
        leaf = merkle.leaf_hash(entry.encode())
        root = merkle.root_from_inclusion(leaf, proof.index, self.checkpoint.size, proof.path)
        if root != self.checkpoint.root:
            found = "no proof of this shape" if root is None else root.hex()
            raise DivergenceError(
                entry.version, field, f"an entry under the root {self.checkpoint.root.hex()}", found
            )
        if after is not None and proof.index <= after:
            raise DivergenceError(
                entry.version, field, f"an entry after entry {after}", proof.index
            )
        self.entries[proof.index] = entry


def opening_in(log: SignedLog, part: bundle.Game | bundle.Receipt) -> chain.Genesis:
    """Return the genesis of a game that the log has from the opening of its lobby.

    Raises DivergenceError.
    """
    try:
        strict_json.check(part.genesis)
        opening = chain.decode_genesis(part.genesis)
        strict_json.check(bytes(opening.table))
        table = chain.decode_table(opening.table)
    except chain.MALFORMED as error:
        raise DivergenceError(0, "genesis", "the genesis of a game", error) from error
    if not bytes(opening.options).startswith(b"{"):
        raise DivergenceError(0, "genesis", "options of a game", bytes(opening.options).decode())
    with naming(opening.game):
        if log.names.setdefault(opening.game, opening.name) != opening.name:
            raise DivergenceError(0, "name", log.names[opening.game], opening.name)
        entries, last = chain.start_entries(opening), -1
        for field, entry, proof in zip(
            entries._fields, entries, (part.opened, part.committed, part.revealed), strict=True
        ):
            if entry is None and proof is None:
                continue
            if entry is None or proof is None:
                there, none = "a proof", "none"
                expected, found = (none, there) if entry is None else (there, none)
                raise DivergenceError(0, field, expected, found)
            log.check(Entry.decode(entry), proof, field, after=last)
            last = proof.index
        check_dice(opening, table, entries, log.checkpoint.origin)
        log.check(
            Entry(Kind.STARTED, opening.name, 0, chain.genesis_hash(part.genesis)),
            part.started,
            "genesis",
            after=last,
        )
    log.people[opening.game] = SeatCommitments.of(opening)
    seats = tuple(reveal.seat for reveal in opening.reveals)
    log.began[opening.game] = Began(
        opening.rules, opening.rules_version, opening.build, seats, table.witnesses
    )
    return opening


def check_dice(
    opening: chain.Genesis, table: chain.Table, entries: chain.StartEntries, origin: str
) -> None:
    """Check that seats and witnesses added what they had committed to, and the signatures of both.
    Raises DivergenceError."""
    opened = chain.entry_hash(entries.opened)
    _check_entropy(opening, opened)
    check_keys(opening, opened, needed=table.keys)
    _check_answers(opening, table, entries, origin)


def _check_entropy(opening: chain.Genesis, opened: bytes) -> None:
    """Check that each reveal opens the commitment of its seat. Raises DivergenceError."""
    for reveal in opening.reveals:
        row = opening.rows[reveal.seat]
        again = chain.commitment(opened, row.place, bytes.fromhex(reveal.entropy)).hex()
        if again != row.commitment:
            raise DivergenceError(0, "commitment", again, row.commitment)


def _check_answers(
    opening: chain.Genesis, table: chain.Table, entries: chain.StartEntries, origin: str
) -> None:
    """Check that every witness which the terms name answered as it had promised. Raises
    DivergenceError."""
    if len(opening.answers) != len(table.witnesses):
        expected = f"the answers of {len(table.witnesses)} witnesses"
        raise DivergenceError(0, "answers", expected, len(opening.answers))
    for text, promise, answer in zip(
        table.witnesses, opening.promises, opening.answers, strict=True
    ):
        found = hashlib.sha256(bytes.fromhex(answer.entropy)).hexdigest()
        if found != promise:
            raise DivergenceError(0, "answers", promise, found)
        assert entries.revealed is not None, "promises are sealed"
        opened, revealed = chain.entry_hash(entries.opened), chain.entry_hash(entries.revealed)
        said = answer_text(origin, opened, revealed, answer.entropy)
        try:
            witness = Witness.parse(text)
        except NoteError as error:
            raise DivergenceError(0, "answers", "the key of a witness", error) from error
        if not witness.has_signed(said.encode(), bytes.fromhex(answer.signature)):
            raise DivergenceError(0, "answers", f"a signature by {text}", answer.signature)


def opened_by(attempt: bundle.Abandoned) -> bytes:
    """Return the entry that opened an abandoned attempt."""
    ended = bytes(32) if attempt.abandoned is None else attempt.abandoned
    payload = hashlib.sha256(attempt.seed).digest() + ended
    return Entry(Kind.OPENED, attempt.name, 0, attempt.terms, payload).encode()


def abandoned_in(
    log: SignedLog, attempt: bundle.Abandoned, expected: str, before: int
) -> str | None:
    """Check an abandoned attempt against the hash by which the next one names it.

    `before` is the index of the next attempt. Returns the hash by which this one names the attempt
    before it, if there is one. Raises DivergenceError.
    """
    opened = Entry.decode(opened_by(attempt))
    hash_ = chain.entry_hash(opened.encode())
    said = chain.GivenUp(attempt.committed or bytes(32), attempt.missing, attempt.reveals).encode()
    entry = Entry(Kind.ABANDONED, attempt.name, 0, hash_, attempt.seed + said)
    found = chain.entry_hash(entry.encode()).hex()
    if found != expected:
        raise DivergenceError(0, "abandoned", expected, found)
    log.check(opened, attempt.opened, "opened")
    log.check(entry, attempt.ended, "abandoned", after=attempt.opened.index)
    if attempt.ended.index >= before:
        raise DivergenceError(
            0, "abandoned", f"an entry before entry {before}", attempt.ended.index
        )
    return None if attempt.abandoned is None else attempt.abandoned.hex()
