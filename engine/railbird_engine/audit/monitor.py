"""Watch a public log from outside.

Prove from its tiles that its newest checkpoint continues a stored one, and read its entries, so
that its games can be counted and contradict neither each other nor audit files.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from http.client import HTTPException
from pathlib import Path
from typing import Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import UUID

from railbird_engine.audit import bundle, merkle
from railbird_engine.audit.acknowledgements import (
    SIGNED,
    WORDS,
    Acknowledgement,
    Said,
    said_in,
)
from railbird_engine.audit.cosignatures import NO_DEMAND, Demand
from railbird_engine.audit.divergence import DivergenceError, UnprovenError
from railbird_engine.audit.evidence import SignedLog
from railbird_engine.audit.histories import (
    WAIT_MAX_S,
    Counted,
    Files,
    Histories,
    Reached,
    Waiting,
)
from railbird_engine.audit.log import Entry
from railbird_engine.audit.log_copies import Copier
from railbird_engine.audit.notes import (
    NOTE_MAX,
    Checkpoint,
    NoteError,
    UntrustedError,
    Verifier,
    checkpoint_of,
)

TIMEOUT_S: Final = 20.0
ENTRY_MAX: Final = 2**16 - 1
TILES_KEPT: Final = 16


class UnreachableError(Exception):
    """The log or the stored state is unreachable or unreadable; the message is one line."""


class Watched(NamedTuple):
    """The newest checkpoint to store, and who signed it; `before` is the one that it continues.

    `games` counts the games of the entries, if they were read, and `reached` is what the next run
    needs to read only those that are new. `cosigned` are the times of the cosignatures that were
    demanded; `fitting` counts the signed notes that the log or a file confirms, `contradicted`
    says how others differ from them, and `left` are those that only a file could confirm.

    Of the log names of games, `diverged` are those with a divergence, `superseded` those of the
    files that the log corrected or voided at a later version, and `without_file` those that have
    ended and are in no file. `waiting` are the starts without a game. `unnamed` counts the games of
    the files whose build the log lacks.
    """

    note: str
    checkpoint: Checkpoint
    signed_by: tuple[Verifier, ...]
    before: Checkpoint | None
    games: Counted | None
    reached: Reached | None
    cosigned: Mapping[str, int]
    fitting: int = 0
    contradicted: Sequence[DivergenceError] = ()
    left: Sequence[Said] = ()
    diverged: Mapping[UUID, str] = {}
    superseded: Mapping[UUID, int] = {}
    without_file: Sequence[UUID] = ()
    waiting: Sequence[Waiting] = ()
    unnamed: int = 0


def watch(  # noqa: PLR0913  (each after the keys has a default)
    address: str,
    kept: str | None,
    trusted: Sequence[Verifier],
    files: Files | None = None,
    *,
    reached: Reached | None = None,
    demand: Demand = NO_DEMAND,
    others: Sequence[str] = (),
    acknowledgements: Sequence[str] = (),
    wait_max_s: int = WAIT_MAX_S,
    copies: Path | None = None,
) -> Watched:
    """Check that the log at this address continues the checkpoint in the note `kept`.

    `trusted` are the log's known keys; without any, the log's own keys are used. With `files`,
    which may be empty, entries are read and must agree with them: only those after `reached` if it
    stands at the stored checkpoint, and there is nothing to compare the others with. `others` are
    checkpoints that other people keep, which the log must continue as well. `acknowledgements` are
    notes that the entries, and the files, must fit; the entries within `wait_max_s`. `copies` is a
    folder that keeps the entries which are read. Raises DivergenceError, UnreachableError, OSError.
    """
    log = _Log(address)
    note = log.text("checkpoint")
    keys = tuple(key.text for key in trusted) or tuple(log.text("keys").split())
    signed = bundle.Signed(checkpoint=note, keys=keys)
    found = SignedLog(signed, trusted, None, Demand(demand.origin))
    now = found.checkpoint
    before = None if kept is None else _kept(kept, found.keys)
    node = log.node_at(now.size)
    for earlier in (
        *([] if before is None else [before]),
        *(_kept(other, found.keys) for other in others),
        *([] if files is None else files.checkpoints),
    ):
        _check_continues(node, earlier, now)
    # Only then the witnesses: another log proves more than a missing cosignature.
    cosigned = demand.check(note, now)
    if files is None:
        return Watched(note, now, found.keys, before, None, None, cosigned)
    reads_all = bool(files.hashes or acknowledgements)
    if reads_all or reached is None or before is None or reached.checkpoint != before:
        reached = None
    tree, first = _Tree(log, now), 0 if reached is None else reached.checkpoint.size
    copier = None if copies is None else Copier(copies, tree.edge_at(first))
    entries = tree.entries(first) if copier is None else _copied(tree.entries(first), copier)
    notes = _said(acknowledgements)
    histories = Histories(
        files.hashes,
        lost=files.lost,
        said=notes.values(),
        wait_max_s=wait_max_s,
        reached=reached,
    )
    _walk(histories, entries, first)
    fitting, contradicted, left = _compared(notes, histories, node, now)
    counted, state = histories.counted(), histories.reached(now)
    return Watched(
        note,
        now,
        found.keys,
        before,
        counted,
        state,
        cosigned,
        fitting,
        contradicted,
        left,
        histories.diverged,
        histories.superseded(),
        histories.missing_from(files.hashes),
        histories.waiting(),
        histories.unnamed(files.began.values()),
    )


def _kept(note: str, keys: Sequence[Verifier]) -> Checkpoint:
    try:
        return checkpoint_of(note, keys)
    except NoteError as error:
        raise UnreachableError(f"the state file holds no checkpoint: {error}") from error
    except UntrustedError as error:
        names = ", ".join(f"{key.name}+{key.key_id.hex()}" for key in keys)
        raise DivergenceError(
            None, "keys", f"the keys that signed the stored checkpoint ({error})", names
        ) from error


def _check_continues(node: merkle.Node, before: Checkpoint, now: Checkpoint) -> None:
    if before.origin != now.origin:
        raise DivergenceError(None, "origin", before.origin, now.origin)
    if before.size > now.size:
        raise DivergenceError(None, "size", f"{before.size} entries or more", now.size)
    path = merkle.consistency_proof(node, before.size, now.size)
    if not merkle.is_consistent(before.size, before.root, now.size, now.root, path):
        raise DivergenceError(
            None,
            "history",
            f"a log that continues the checkpoint at {before.size}",
            f"another one at {now.size}",
        )


def _copied(entries: Iterable[bytes], copier: Copier) -> Iterator[bytes]:
    for entry in entries:
        copier.take(entry)
        yield entry
    copier.flush()


def _said(notes: Iterable[str]) -> dict[str, Said]:
    try:
        return {note: said_in(note) for note in notes}
    except NoteError as error:
        raise UnreachableError(str(error)) from error


def _walk(histories: Histories, entries: Iterable[bytes], first: int) -> None:
    for index, data in enumerate(entries, start=first):
        try:
            entry = Entry.decode(data)
        except ValueError as error:
            raise DivergenceError(None, f"entry {index}", "an entry", error) from error
        histories.note(entry)


def _compared(
    notes: Mapping[str, Said], histories: Histories, node: merkle.Node, now: Checkpoint
) -> tuple[int, list[DivergenceError], list[Said]]:
    """Return how many notes the log or a file confirms, how others differ from them, and those
    that only a file could confirm."""
    fitting, contradicted, left = 0, list[DivergenceError](), list[Said]()
    for note, said in notes.items():
        if said.origin != now.origin:
            found = f"a note of the log {said.origin}"
            contradicted.append(UnprovenError(None, WORDS[type(said)], SIGNED, found))
            continue
        try:
            fits = histories.fits(note, said)
            if isinstance(said, Acknowledgement):
                _check_continues(node, Checkpoint(said.origin, said.size, said.root), now)
            fitting += fits
            if not fits:
                left.append(said)
        except DivergenceError as diverged:
            contradicted.append(diverged)
    return fitting, contradicted, left


class _Log:
    """The static files of a log."""

    def __init__(self, address: str) -> None:
        try:
            is_http = urlsplit(address).scheme in {"http", "https"}
        except ValueError as error:
            raise UnreachableError(f"invalid address: {error}") from error
        if not is_http:
            raise UnreachableError("the address of a log must begin with http:// or https://")
        self._address = address.rstrip("/")

    def _get(self, path: str, most: int) -> bytes:
        request = Request(f"{self._address}/{path}", headers={"User-Agent": "railbird-audit"})  # noqa: S310 -- http, see above
        try:
            with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 -- likewise
                content: bytes = answer.read(most + 1)
        except HTTPError as error:
            raise UnreachableError(f"{path} returned status {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise UnreachableError(f"{path}: {error}") from error
        if len(content) > most:
            raise UnreachableError(f"{path} is longer than {most} bytes")
        return content

    def text(self, path: str) -> str:
        """Fetch a text file. Raises UnreachableError."""
        try:
            return self._get(path, NOTE_MAX).decode()
        except UnicodeDecodeError as error:
            raise UnreachableError(f"{path} is no text") from error

    def node_at(self, size: int) -> merkle.Node:
        """Return a reader of subtrees of the log at `size` entries.

        It fetches each tile once. The caller must verify what it returns.
        """

        @cache
        def tile(level: int, number: int) -> Sequence[bytes]:
            return self.hashes(level, number, merkle.width_of(level, number, size))

        return merkle.node_in(tile)

    def hashes(self, level: int, number: int, width: int) -> Sequence[bytes]:
        """Fetch a tile of `width` hashes. Raises UnreachableError."""
        path = merkle.tile_path(level, number, width)
        content = self._get(path, merkle.WIDTH * merkle.HASH_LENGTH)
        if len(content) != width * merkle.HASH_LENGTH:
            raise UnreachableError(f"{path} is no tile of {width} hashes")
        return [
            content[start : start + merkle.HASH_LENGTH]
            for start in range(0, len(content), merkle.HASH_LENGTH)
        ]

    def entries(self, number: int, width: int) -> Sequence[bytes]:
        """Fetch the entries below a tile, each preceded by its length in 2 bytes.

        Raises UnreachableError.
        """
        path = merkle.tile_path("entries", number, width)
        content = self._get(path, merkle.WIDTH * (2 + ENTRY_MAX))
        found, place = [], 0
        while place < len(content):
            start = place + 2
            place = start + int.from_bytes(content[place:start], "big")
            found.append(content[start:place])
        if place != len(content) or len(found) != width:
            raise UnreachableError(f"{path} is no tile of {width} entries")
        return found


class _Tree:
    """The tree under a signed root. Raises DivergenceError.

    A full tile must match its hash in the tile above, and partial tiles must match the root. So
    only signed content is returned, and few tiles are stored.
    """

    def __init__(self, log: _Log, checkpoint: Checkpoint) -> None:
        self._log = log
        self._size = checkpoint.size
        self._edge = merkle.Edge.stored(checkpoint.size, log.hashes)
        if (root := self._edge.root()) != checkpoint.root:
            raise DivergenceError(None, "tiles", checkpoint.root.hex(), root.hex())
        self._hashes = lru_cache(TILES_KEPT)(self._read)

    def edge_at(self, size: int) -> merkle.Edge:
        """Return the edge that the tree had at this size."""

        def tile(level: int, number: int, width: int) -> Sequence[bytes]:
            return self._hashes(level, number)[:width]

        return merkle.Edge.stored(size, tile)

    def entries(self, first: int) -> Iterator[bytes]:
        """Yield the entries from this one on. Each tile of them is fetched once."""
        for number in range(first // merkle.WIDTH, -(-self._size // merkle.WIDTH)):
            width = merkle.width_of(0, number, self._size)
            entries = self._log.entries(number, width)
            self._check("entries", number, [merkle.leaf_hash(entry) for entry in entries])
            yield from entries[max(first - number * merkle.WIDTH, 0) :]

    def _read(self, level: int, number: int) -> Sequence[bytes]:
        width = merkle.width_of(level, number, self._size)
        if width < merkle.WIDTH:
            return self._edge.partial(level)
        hashes = self._log.hashes(level, number, width)
        self._check(level, number, hashes)
        return hashes

    def _check(self, level: int | str, number: int, hashes: Sequence[bytes]) -> None:
        """Compare a tile, or the hashes of the entries below one, with the tile above it."""
        lowest = 0 if level == "entries" else int(level)
        if len(hashes) < merkle.WIDTH:
            expected = merkle.root_of(self._edge.partial(lowest))
        else:
            above, place = divmod(number, merkle.WIDTH)
            expected = self._hashes(lowest + 1, above)[place]
        if (found := merkle.root_of(hashes)) != expected:
            raise DivergenceError(
                None, merkle.tile_path(level, number, len(hashes)), expected.hex(), found.hex()
            )
