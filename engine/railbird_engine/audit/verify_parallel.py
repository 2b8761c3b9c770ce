"""Verify the games of a bundle in several processes.

A file whose games all verify, each on its own lines, verifies as a whole. Any other file has to be
verified in order, so that its first divergence is reported.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO, NamedTuple
from uuid import UUID

from railbird_engine import AnyRules
from railbird_engine.audit import bundle
from railbird_engine.audit.cosignatures import Demand
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import Began, NeedsError, SignedLog
from railbird_engine.audit.histories import Content
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Verifier
from railbird_engine.audit.seat_proofs import SeatCommitments
from railbird_engine.audit.verify import Counted, Rules, Verified, verify_game
from railbird_engine.kernel.chain import MALFORMED
from railbird_engine.rules import load_rules, registry


class Job(NamedTuple):
    """The same for all processes: a file, the names of modules with rules, and arguments of
    `verify`."""

    path: Path
    modules: Sequence[str]
    trusted: Sequence[Verifier]
    since: str | None
    demand: Demand
    keeps_hashes: bool


class _Lines(NamedTuple):
    """The place of a game in the file."""

    first: int
    length: int


class _Part(NamedTuple):
    """A verified game, as in `Content`."""

    counted: Counted
    entries: Mapping[int, Entry]
    hashes: Mapping[UUID, dict[int, bytes]]
    names: Mapping[UUID, UUID]
    people: Mapping[UUID, SeatCommitments]
    began: Mapping[UUID, Began]


def rules_with(modules: Sequence[str]) -> Rules:
    """Return a lookup of rules by slug and version: the catalogue, and those of more modules."""
    more: dict[tuple[str, int], AnyRules] = {
        (rules.slug, rules.version): rules for module in modules for rules in load_rules(module)
    }
    return lambda slug, version: more.get((slug, version)) or registry().get((slug, version))


def verify_in_processes(
    jobs: int, job: Job, on_lines: Callable[[int], None] | None = None
) -> Verified | None:
    """Verify a bundle in so many processes. None if it has to be verified in order.

    `on_lines` receives the number of bytes verified.
    """
    with job.path.open("rb") as file:
        try:
            header = bundle.decode_part(file.readline(bundle.LINE_MAX))
            if not isinstance(header, bundle.Bundle):
                return None
            log = SignedLog(header.log, job.trusted, job.since, job.demand)
            log.check_signers(header.signers)
        except (*MALFORMED, DivergenceError, NeedsError):
            return None
        places = list(_games(file))
    if len(places) != header.games:
        return None
    hashes: dict[UUID, dict[int, bytes]] = {}
    content = Content(log.checkpoint, log.entries, hashes, log.names, log.people, log.began)
    verified = Verified(content, log.keys, cosigned=log.cosigned)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        found = pool.map(partial(_verified_at, job, header.log), places)
        for place, part in zip(places, found, strict=True):
            if part is None or part.names.keys() & log.names or part.hashes.keys() & hashes:
                pool.shutdown(cancel_futures=True)
                return None
            if on_lines is not None:
                on_lines(place.length)
            log.entries.update(part.entries)
            log.names.update(part.names)
            log.people.update(part.people)
            log.began.update(part.began)
            hashes.update(part.hashes)
            verified = verified.adding(part.counted)
    return verified


def _games(file: BinaryIO) -> Iterable[_Lines]:
    """Yield the places of all games up to the end of the file: each ends with a line `end`."""
    first = file.tell()
    while line := file.readline(bundle.LINE_MAX + 1):
        if b'"end"' in line and bundle.is_end(line):
            yield _Lines(first, file.tell() - first)
            first = file.tell()
    if file.tell() != first:
        yield _Lines(first, file.tell() - first)


def _verified_at(job: Job, signed: bundle.Signed, place: _Lines) -> _Part | None:
    """Verify one game. None if it diverges, or does not end where its lines end."""
    log = SignedLog(signed, job.trusted, job.since, job.demand)
    hashes: dict[UUID, dict[int, bytes]] = {}
    with job.path.open("rb") as file:
        file.seek(place.first)
        try:
            rules = rules_with(job.modules)
            counted = verify_game(file, log, rules, hashes, keeps_hashes=job.keeps_hashes)
        except (DivergenceError, NeedsError):
            return None
        if file.tell() != place.first + place.length:
            return None
    return _Part(counted, log.entries, hashes, log.names, log.people, log.began)
