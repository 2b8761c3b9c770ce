"""Signed notes that a player kept, compared with a verified file: acknowledgements of commands,
heads that the server showed, and receipts of revealed entropy."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import BinaryIO
from uuid import UUID

from railbird_engine.audit import bundle
from railbird_engine.audit.acknowledgements import (
    SIGNED,
    WORDS,
    Acknowledgement,
    Keys,
    LoggedKeys,
    Reveal,
    Said,
    SignedHead,
    check_signed,
    said_in,
)
from railbird_engine.audit.divergence import DivergenceError, UnprovenError
from railbird_engine.audit.evidence import NeedsError, naming, opened_by
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import (
    Checkpoint,
    NoteError,
    UntrustedError,
    checkpoint_in,
)
from railbird_engine.kernel import chain


class SavedNotes:
    """Notes by the log's names of their games. Raises NoteError for anything else."""

    def __init__(self, notes: Sequence[str]) -> None:
        self.commits: list[tuple[str, Acknowledgement | SignedHead]] = []
        self.reveals: list[tuple[str, Reveal]] = []
        self.found: set[str] = set()
        """The notes that a file confirms: it has what they say."""
        self.contradicted: dict[str, DivergenceError] = {}
        """The notes that a file contradicts, or that nobody signed whom its log names."""
        self.dice: set[UUID] = set()
        """The log's names of games to whose dice a confirmed receipt of entropy belongs."""
        for note in notes:
            match said_in(note):
                case Acknowledgement() | SignedHead() as said:
                    self.commits.append((note, said))
                case Reveal() as said:
                    self.reveals.append((note, said))

    def kinds(self) -> Counter[str]:
        """Return how many notes there are of each kind."""
        return Counter(WORDS[type(said)] for _, said in (*self.commits, *self.reveals))

    def left(self) -> Mapping[UUID, Counter[str]]:
        """Return the notes that no file could confirm or contradict: how many of each kind, by
        game."""
        left = defaultdict[UUID, Counter[str]](Counter)
        for note, said in (*self.commits, *self.reveals):
            if note not in self.found and note not in self.contradicted:
                left[said.game][WORDS[type(said)]] += 1
        return left

    def compare(self, file: BinaryIO) -> None:
        """Compare all notes with a bundle that has been verified.

        A receipt of a bet is passed over. Raises NeedsError for a bundle without keys.
        """
        header = bundle.decode_part(file.readline())
        if not isinstance(header, bundle.Bundle):
            return
        logged = LoggedKeys()
        for signer in header.signers:
            logged.take(Entry.decode(signer.entry), signer.proof.index)
        comparison = _Comparison(self, logged.known, checkpoint_in(header.log.checkpoint))
        for line in file:
            comparison.take(bundle.decode_part(line))


class _Comparison:
    """Notes against the lines of one bundle."""

    def __init__(self, kept: SavedNotes, keys: Keys, log: Checkpoint) -> None:
        self._kept = kept
        self._keys = keys
        self._log = log
        self._genesis: chain.Genesis | None = None
        self._awaited: dict[int, list[tuple[str, Acknowledgement | SignedHead]]] = {}

    def take(self, part: bundle.Part) -> None:
        """Compare the notes with the next line."""
        match part:
            case bundle.Game():
                self._begin(chain.decode_genesis(part.genesis))
            case bundle.Abandoned():
                opening = chain.entry_hash(opened_by(part)).hex()
                committed = None if part.committed is None else part.committed.hex()
                self._compare_reveals(part.name, opening, committed, part.reveals)
            case bundle.Commit() if part.version in self._awaited:
                for note, said in self._awaited.pop(part.version):
                    with self._comparing(note):
                        self._compare(note, said, part)
            case bundle.End():
                self._end()

    @contextmanager
    def _comparing(self, note: str) -> Iterator[None]:
        """Keep whether the game confirms a note, or what contradicts it."""
        assert self._genesis is not None
        try:
            with naming(self._genesis.game):
                yield
        except DivergenceError as diverged:
            self._kept.contradicted.setdefault(note, diverged)
        else:
            self._kept.found.add(note)

    def _begin(self, genesis: chain.Genesis) -> None:
        self._genesis, self._awaited = genesis, {}
        for note, said in self._kept.commits:
            if genesis.name == said.name:
                self._awaited.setdefault(said.version, []).append((note, said))
            elif genesis.game == said.game:
                with self._comparing(note):
                    self._check_signed(note, said)
                    raise DivergenceError(said.version, "name", said.name, genesis.name)
        entries = chain.start_entries(genesis)
        opening = chain.entry_hash(entries.opened).hex()
        committed = None if entries.committed is None else chain.entry_hash(entries.committed).hex()
        reveals = [
            (genesis.rows[each.seat].place, bytes.fromhex(each.entropy)) for each in genesis.reveals
        ]
        self._compare_reveals(genesis.name, opening, committed, reveals)
        if any(
            note in self._kept.found for note, it in self._kept.reveals if it.name == genesis.name
        ):
            self._kept.dice.add(genesis.name)

    def _end(self) -> None:
        """Check that the game has all that the notes about it say."""
        assert self._genesis is not None
        for version, notes in self._awaited.items():
            for note, said in notes:
                with self._comparing(note):
                    self._check_signed(note, said)
                    field, expected = (
                        ("command", said.command)
                        if isinstance(said, Acknowledgement)
                        else ("head", said.hash.hex())
                    )
                    raise DivergenceError(version, field, expected, "no commit")
        for note, reveal in self._kept.reveals:
            if reveal.game == self._genesis.game and note not in self._kept.found:
                with self._comparing(note):
                    self._check_signed(note, reveal)
                    raise DivergenceError(0, "attempt", reveal.name, "no attempt of this name")

    def _check_signed(self, note: str, said: Said) -> None:
        if not self._keys:
            raise NeedsError("a bundle with the keys of acknowledgements")
        version = 0 if isinstance(said, Reveal) else said.version
        if said.origin != self._log.origin:
            found = f"a note of the log {said.origin}"
            raise UnprovenError(version, "acknowledgement", SIGNED, found)
        try:
            check_signed(note, said, self._keys)
        except (NoteError, UntrustedError) as error:
            raise UnprovenError(version, "acknowledgement", SIGNED, error) from error
        if isinstance(said, Acknowledgement) and said.size == self._log.size:
            self._check_fields(said.version, ("log", self._log.root.hex(), said.root.hex()))

    def _compare(
        self, note: str, said: Acknowledgement | SignedHead, commit: bundle.Commit
    ) -> None:
        assert self._genesis is not None
        self._check_signed(note, said)
        version = said.version
        self._check_fields(version, ("game", said.game, self._genesis.game))
        if isinstance(said, Acknowledgement):
            command = bytes(chain.decode_body(commit.body).command).decode()
            self._check_fields(
                version,
                ("seed", said.seed_hash.hex(), self._genesis.seed_hash),
                ("command", said.command, command),
                ("seat", said.seat, commit.seat),
            )
        field = "hash" if isinstance(said, Acknowledgement) else "head"
        self._check_fields(version, (field, said.hash.hex(), commit.hash.hex()))

    def _check_fields(self, version: int, *fields: tuple[str, object, object]) -> None:
        for field, expected, found in fields:
            if found != expected:
                raise DivergenceError(version, field, expected, found)

    def _compare_reveals(
        self,
        name: UUID,
        opening: str,
        committed: str | None,
        reveals: Sequence[tuple[int, bytes]],
    ) -> None:
        assert self._genesis is not None
        for note, said in self._kept.reveals:
            if said.name != name:
                continue
            with self._comparing(note):
                self._check_signed(note, said)
                self._check_fields(
                    0,
                    ("game", said.game, self._genesis.game),
                    ("opened", said.opened, opening),
                    ("committed", said.committed, committed),
                )
                if (said.seat, bytes.fromhex(said.entropy)) not in reveals:
                    raise DivergenceError(
                        0, "reveal", f"{said.entropy} of seat {said.seat}", "none"
                    )
