"""Verify audit files and monitor public logs, without server, database or Django.

`railbird-audit verify FILE...` verifies bundles and receipts. `railbird-audit monitor URL --state
FILE` checks that a public log continues the checkpoint in the file. `railbird-audit witness` runs a
witness of logs. `python -m railbird_engine.audit` is the same command.

Exit codes: 0 verified, 1 diverged, 2 unreadable, 3 cannot be verified here (rules, an edition, a
proof or the bundle of a note is missing), 5 notes that the log did not sign.
"""

import argparse
import os
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from railbird_engine.audit.acknowledgements import Acknowledgement, notes_in
from railbird_engine.audit.arguments import add_monitor, add_verify, add_witness
from railbird_engine.audit.cosignatures import Demand, Witness
from railbird_engine.audit.divergence import DivergenceError, UnprovenError
from railbird_engine.audit.evidence import Began, NeedsError, naming
from railbird_engine.audit.histories import SLOW_REVEAL_S, WAIT_MAX_S, Files, Reached
from railbird_engine.audit.monitor import UnreachableError, Watched, watch
from railbird_engine.audit.notes import NoteError, Verifier
from railbird_engine.audit.person_links import check_links
from railbird_engine.audit.person_links import parse as parse_links
from railbird_engine.audit.saved_notes import SavedNotes
from railbird_engine.audit.seat_proofs import SeatProof, check_seat
from railbird_engine.audit.summaries import (
    began_in_words,
    compared_in_words,
    corrected_in_words,
    cosigned_in_words,
    counted,
    games_in_words,
    lost_in_words,
    owed_in_words,
    restored_in,
    signed_in_words,
    suspects_in_words,
    verified_in_words,
)
from railbird_engine.audit.verify import Rules, UnreadableError, Verified, verify
from railbird_engine.audit.witness import Server, State, key_in, record_beside
from railbird_engine.kernel.chain import MALFORMED, Kind
from railbird_engine.kernel.code import OtherCodeError, check_compiled, code_hash
from railbird_engine.pipes import reader_may_leave
from railbird_engine.rules import load_rules, registry

OK: Final = 0
DIVERGED: Final = 1
UNREADABLE: Final = 2
NEEDED: Final = 3
UNPROVEN: Final = 5
"""Notes of strangers only; 4 is an old Node for the second verifier."""
NOTHING: Final = "nothing to verify: name a FILE, the bundle of a game or the receipt of a bet"
NOTE_MAX: Final = 65_536
NOUNS: Final = {
    "acknowledgement": ("acknowledgement",),
    "head": ("signed head",),
    "reveal": ("receipt of entropy", "receipts of entropy"),
}
"""The kinds of notes in words."""
BAR_FROM: Final = 2**20
CLOCKS_S: Final = 30
"""How much the clocks of two hosts may differ."""


@reader_may_leave()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="railbird-audit",
        description="Verify audit files offline, and watch a log.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    add_verify(commands)
    add_monitor(commands)
    add_witness(commands)
    options = parser.parse_args(arguments)
    try:
        check_compiled("railbird_engine")
    except OtherCodeError as error:
        return _print("railbird-audit", f"cannot start: {error}", UNREADABLE)
    if options.command == "witness":
        return _witness(options)
    try:
        demand = _demand(options)
        others = [_text(path) for path in getattr(options, "checkpoint", ())]
        kept = {path: _notes(path) for path in options.acknowledgements}
        keys = [key for text in options.key for key in _keys(text)]
        rules = _rules_with(options.rules)
        since = options.since if options.command == "verify" else options.state
        is_first = options.command == "monitor" and not options.state.exists()
        checkpoint = None if since is None or is_first else _text(since)
    except (OSError, NoteError, ImportError, UnicodeDecodeError) as error:
        parser.error(str(error))
    if options.command == "verify" and not (options.files or kept):
        return _print("railbird-audit verify", NOTHING, UNREADABLE)
    if kept and "-" in options.files:
        parser.error("--acknowledgements needs files instead of -")
    files = Files()
    if options.command == "verify":
        check = partial(
            verify,
            rules=rules,
            trusted=keys,
            since=checkpoint,
            demand=demand,
            keeps_hashes=len(options.files) > 1,
        )
        codes = [_verify_file(name, check, files) for name in options.files]
        bundles = [name for name, code in zip(options.files, codes, strict=True) if code == OK]
        dice = set[UUID]()
        codes += [_verify_notes(str(path), notes, bundles, dice) for path, notes in kept.items()]
        _warn_of_dice(files, dice, demand)
        codes += [_verify_beside(path, files, _person_in_words) for path in options.person]
        codes += [_verify_beside(path, files, _links_in_words) for path in options.links]
        return _diverged_or_worst(codes)
    check = partial(verify, rules=rules, trusted=keys, keeps_hashes=True)
    codes = [_verify_file(name, check, files) for name in options.files]
    verified = [name for name, code in zip(options.files, codes, strict=True) if code == OK]
    contradicted = set[str]()
    for path, notes in kept.items():
        of_notes, found = _print_contradicted(str(path), notes, verified)
        codes += of_notes
        contradicted |= found
    every = dict.fromkeys(chain.from_iterable(kept.values()))
    notes = [note for note in every if note not in contradicted]
    reads = options.entries or options.files or options.copies or notes
    reads = reads or options.files_complete or options.max_age is not None
    reads = reads or options.max_wait is not None
    options.max_wait = WAIT_MAX_S if options.max_wait is None else options.max_wait
    read = files if reads else None
    code = _monitor(
        options,
        lambda: watch(
            options.address,
            checkpoint,
            keys,
            read,
            reached=_reached(options.state),
            demand=demand,
            others=others,
            acknowledgements=notes,
            wait_max_s=options.max_wait,
            copies=options.copies,
        ),
        acknowledgements=len(every),
        contradicted=len(contradicted),
        names_signers=not keys,
    )
    return _diverged_or_worst([*codes, code])


def _demand(options: argparse.Namespace) -> Demand:
    witnesses = tuple(
        dict.fromkeys(key for text in options.witness for key in _keys(text, Witness, "--witness"))
    )
    quorum = len(witnesses) if options.quorum is None else options.quorum
    if not 0 <= quorum <= len(witnesses) or (witnesses and not quorum):
        raise NoteError(f"--quorum {quorum}: there are {len(witnesses)} witnesses")
    return Demand(options.origin, witnesses, quorum)


def _witness(options: argparse.Namespace) -> int:
    logs: dict[str, list[Verifier]] = {}
    try:
        for text in options.log:
            for key in _keys(text, option="--log"):
                logs.setdefault(key.name, []).append(key)
        cosigner, kept = key_in(options.key_file, options.name), State(options.state)
        record = record_beside(options.state)
        listening = Server((options.host, options.port), cosigner, logs, kept, record)
    except (NoteError, OSError, ValueError, sqlite3.Error) as error:
        return _print("witness", f"cannot start: {error}", UNREADABLE)
    address = f"http://{options.host}:{listening.server_port}"
    _print("witness", f"{cosigner.verifier.text} at {address}", OK)
    sys.stdout.flush()
    with listening, suppress(KeyboardInterrupt):
        listening.serve_forever()
    return OK


AnyKey = TypeVar("AnyKey", Verifier, Witness)


def _keys(text: str, kind: type[AnyKey] = Verifier, option: str = "--key") -> list[AnyKey]:  # type: ignore[assignment]
    """Return the keys in an argument or in the file that it names: at least one.

    Without a key, the verifier would trust the file's own keys.
    """
    lines = _text(Path(text)) if os.path.isfile(text) else text  # noqa: PTH113 -- a key may be longer than a path, which is no error
    try:
        keys = [kind.parse(line) for line in lines.split()]
    except NoteError as error:
        raise NoteError(f"{option} {text}: neither a key nor a file of keys: {error}") from error
    if not keys:
        raise NoteError(f"{option} {text}: there is no key in it")
    return keys


def _notes(path: Path) -> Sequence[str]:
    """Return the signed notes in a file, at least one: none would fit whatever the file says."""
    try:
        if notes := notes_in(path.read_text()):
            return notes
    except NoteError as error:
        raise NoteError(f"--acknowledgements {path}: {error}") from error
    raise NoteError(f"--acknowledgements {path}: there is no signed note in it")


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(NOTE_MAX).decode()


def _rules_with(modules: Sequence[str]) -> Rules:
    """Return a lookup of rules by slug and version: the catalogue, and those of more modules."""
    more = {
        (rules.slug, rules.version): rules for module in modules for rules in load_rules(module)
    }
    return lambda slug, version: more.get((slug, version)) or registry().get((slug, version))


def _verify_file(name: str, check: "partial[Verified]", files: Files) -> int:
    """Verify a file as `check` says, and print the verdict."""
    try:
        verified = _verified(name, check)
        files.add(verified.content)
    except DivergenceError as diverged:
        return _print(name, str(diverged), DIVERGED)
    except NeedsError as needed:
        return _print(name, f"needs {needed}", NEEDED)
    except (UnreadableError, OSError) as error:
        return _print(name, f"cannot be read: {error}", UNREADABLE)
    if not check.keywords["trusted"]:
        _name_signers(name, verified.signed_by)
    more = lost_in_words(restored_in(verified)) + cosigned_in_words(verified.cosigned)
    rules = check.keywords["rules"]
    if began := verified.content.began:
        more += corrected_in_words(began.values())
        more += owed_in_words(began) + signed_in_words(began.values())
        more += began_in_words(began.values(), lambda game: _code_here(rules, game))
    return _print(name, f"verified: {verified_in_words(verified)}{more}", OK)


def _code_here(rules: Rules, game: Began) -> str | None:
    known = rules(game.rules, game.rules_version)
    return None if known is None else code_hash(known)


def _verified(name: str, check: "partial[Verified]") -> Verified:
    """Verify a file. Raises DivergenceError, NeedsError, UnreadableError, OSError."""
    is_stdin = name == "-"
    size = None if is_stdin else Path(name).stat().st_size
    with (
        nullcontext(sys.stdin.buffer) if is_stdin else Path(name).open("rb") as file,
        _progress(size) as on_line,
    ):
        return check(file, on_line=on_line)


def _warn_of_dice(files: Files, dice: Collection[UUID], demand: Demand) -> None:
    """Print a warning of games whose dice rest on nobody known here: the log's names in `dice` are
    of games to which a receipt of entropy belongs."""
    known = {witness.text for witness in demand.witnesses}
    suspect = {
        game: began
        for game, began in files.began.items()
        if files.names[game] not in dice and known.isdisjoint(began.witnesses)
    }
    for words in suspects_in_words(suspect):
        _print("dice", words, OK)


def _verify_notes(name: str, notes: Sequence[str], bundles: Sequence[str], dice: set[UUID]) -> int:
    """Compare a file of signed notes with the bundles that were verified, and print each note. Add
    the log's names of games to which a receipt of entropy belongs to `dice`."""
    try:
        kept = _compared(notes, bundles)
    except NeedsError as needed:
        return _print(name, f"needs {needed}", NEEDED)
    except (NoteError, OSError) as error:
        return _print(name, f"cannot be read: {error}", UNREADABLE)
    for note, said in kept.commits:
        if isinstance(said, Acknowledgement) and note in kept.found:
            _print(name, f"{_which(said)}: in the game", OK)
    dice |= kept.dice
    codes = [_print(name, str(each), _code_of(each)) for each in kept.contradicted.values()]
    left = kept.left()
    codes += [
        _print(name, f"needs a bundle of game {game} that verifies, for {_kinds(kinds)}", NEEDED)
        for game, kinds in left.items()
    ]
    words = (
        f"{_kinds(kept.kinds())}: {len(kept.found):,} in these files"
        + _parted(codes.count(DIVERGED), "contradicted")
        + _parted(codes.count(UNPROVEN), "not signed by this log")
        + _parted(sum(kinds.total() for kinds in left.values()), "about games that are not in them")
    )
    return _print(name, words if codes else f"verified: {words}", _diverged_or_worst([OK, *codes]))


def _kinds(kinds: Mapping[str, int]) -> str:
    return ", ".join(
        counted(count, *NOUNS[kind]) for kind in NOUNS if (count := kinds.get(kind, 0))
    )


def _parted(count: int, words: str) -> str:
    return f", {count:,} {words}" if count else ""


def _which(said: Acknowledgement) -> str:
    return f"game {said.game} version {said.version}: seat {said.seat}, {said.command}"


def _compared(notes: Sequence[str], bundles: Sequence[str]) -> SavedNotes:
    """Compare notes with bundles. Raises NeedsError, NoteError, OSError."""
    kept = SavedNotes(notes)
    for each in bundles:
        with open(each, "rb") as file:  # noqa: PTH123
            kept.compare(file)
    return kept


def _print_contradicted(
    name: str, notes: Sequence[str], bundles: Sequence[str]
) -> tuple[list[int], set[str]]:
    """Print the notes in a file that bundles contradict: the log has no commands. Return the exit
    codes, and these notes."""
    try:
        kept = _compared(notes, bundles)
    except NeedsError as needed:
        return [_print(name, f"needs {needed}", NEEDED)], set()
    except (NoteError, OSError) as error:
        return [_print(name, f"cannot be read: {error}", UNREADABLE)], set()
    lies = {
        note: str(each) for note, each in kept.contradicted.items() if _code_of(each) == DIVERGED
    }
    return [_print(name, each, DIVERGED) for each in lies.values()], set(lies)


def _code_of(diverged: DivergenceError) -> int:
    return UNPROVEN if isinstance(diverged, UnprovenError) else DIVERGED


def _diverged_or_worst(codes: Sequence[int]) -> int:
    """Return the highest exit code; but a divergence comes before everything else."""
    return DIVERGED if DIVERGED in codes else max(codes)


def _verify_beside(path: Path, files: Files, check: Callable[[Path, Files], str]) -> int:
    """Check what a file says of the files that were verified, and print it."""
    name = str(path)
    try:
        words = check(path, files)
    except (*MALFORMED, OSError) as error:
        return _print(name, f"cannot be read: {error}", UNREADABLE)
    except NeedsError as needed:
        return _print(name, f"needs {needed}", NEEDED)
    except DivergenceError as diverged:
        return _print(name, str(diverged), DIVERGED)
    return _print(name, f"verified: {words}", OK)


def _person_in_words(path: Path, files: Files) -> str:
    """Check a proof of who sat in a seat, and describe it."""
    proof = SeatProof.parse(_text(path).encode())
    if proof.game not in files.people:
        raise NeedsError(f"a file of game {proof.game} that verifies")
    with naming(proof.game):
        check_seat(proof, files.people[proof.game])
    files.seated[proof.game, proof.seat] = proof.user
    return f"user {proof.user} sat in seat {proof.seat} of game {proof.game}"


def _links_in_words(path: Path, files: Files) -> str:
    """Check what joins the starts of a user, and describe it."""
    found = check_links(parse_links(path.read_bytes()), files.people, files.seated)
    who = "one user, whom no --person names" if found.user is None else f"user {found.user}"
    games = found.last - found.first + 1 - found.abandoned
    return (
        f"starts {found.first} to {found.last} of {who}: {counted(games, 'game')}, "
        f"{found.abandoned:,} abandoned, none is missing"
    ) + (f"; nothing proves {found.unproved:,} later abandoned ones" if found.unproved else "")


def _monitor(
    options: argparse.Namespace,
    look: Callable[[], Watched],
    *,
    acknowledgements: int,
    contradicted: int,
    names_signers: bool,
) -> int:
    address, state = options.address, options.state
    try:
        watched = look()
        if watched.reached is not None:
            _replace(_beside(state), msgspec.msgpack.encode(watched.reached))
        _replace(state, watched.note.encode())
    except DivergenceError as diverged:
        return _print(address, str(diverged), DIVERGED)
    except (UnreachableError, OSError) as error:
        return _print(address, f"cannot be read: {error}", UNREADABLE)
    if names_signers:
        _name_signers(address, watched.signed_by)
    log = f"log {watched.checkpoint.origin} at {watched.checkpoint.size}"
    cosigned = cosigned_in_words(watched.cosigned) + compared_in_words(watched)
    cosigned += _confirmed_in_words(watched, acknowledgements, contradicted)
    before = (
        "seen for the first time"
        if watched.before is None
        else f"continues the checkpoint at {watched.before.size}"
    )
    codes = [_print(address, f"{log}: {before}{games_in_words(watched.games)}{cosigned}", OK)]
    codes += [_print(address, text, DIVERGED) for text in watched.diverged.values()]
    codes += [_print(address, str(each), _code_of(each)) for each in watched.contradicted]
    codes += [
        _print(address, f"{_which(said)}: signed, but its commit is in no --file", OK)
        for said in watched.left
        if isinstance(said, Acknowledgement)
    ]
    if options.files_complete:
        codes += [
            _print(address, f"needs a file of log name {name}", NEEDED)
            for name in watched.without_file
        ]
    codes += _check_starts(address, watched, options.max_wait)
    if options.max_age is not None:
        codes.append(_check_age(address, watched, options.max_age))
    return _diverged_or_worst(codes)


def _confirmed_in_words(watched: Watched, notes: int, by_files: int) -> str:
    """Describe how many signed notes the log or a file confirms or contradicts, if there are any.

    `by_files` are those that a file contradicts.
    """
    if not notes:
        return ""
    codes = [_code_of(each) for each in watched.contradicted]
    words = (
        f"; {counted(notes, 'signed note')}, {watched.fitting} confirmed"
        + _parted(by_files + codes.count(DIVERGED), "contradicted")
        + _parted(codes.count(UNPROVEN), "not signed by this log")
    )
    if left := len(watched.left):
        words += f", {left} that only a bundle of their game (--file) can confirm"
    return words


def _check_starts(address: str, watched: Watched, most_s: int) -> list[int]:
    """Check that no start waits for long after its freeze: once the operator knows all reveals, it
    could look at the dice first, and neither start nor abandon."""
    limits = {
        Kind.COMMITTED: (SLOW_REVEAL_S + most_s, "revealed"),
        Kind.REVEALED: (most_s, "started"),
    }
    codes = []
    for start in watched.waiting:
        limit_s, next_ = limits[start.kind]
        if start.waited_s > limit_s:
            after = f"at most {limit_s} s after {start.kind.name.lower()} of {start.name}"
            expected = f"log: start: expected {next_} or abandoned {after}"
            codes.append(
                _print(address, f"{expected}, found neither after {start.waited_s} s", DIVERGED)
            )
    return codes


def _check_age(address: str, watched: Watched, most_s: int) -> int:
    """Check that the newest heartbeat is recent, and no cosignature over it much earlier or later.

    A witness cosigns an unchanged log at a new time: that alone does not show that it is fresh.
    """
    beat = watched.games and watched.games.heartbeat
    if beat is None:
        missing = f"log: age: expected a heartbeat within {most_s} s, found none"
        return _print(address, missing, DIVERGED)
    now = int(datetime.now(UTC).timestamp())
    for what, at_s in (("now", now), *watched.cosigned.items()):
        if not -CLOCKS_S <= at_s - beat <= most_s:
            expected = f"log: age: expected a heartbeat at most {most_s} s before {what}"
            return _print(address, f"{expected}, found {at_s - beat} s", DIVERGED)
    return _print(address, f"fresh: the newest heartbeat is {max(0, now - beat)} s old", OK)


def _beside(state: Path) -> Path:
    """Return the file that keeps what `--entries` has read."""
    return state.with_name(f"{state.name}.entries")


def _reached(state: Path) -> Reached | None:
    """Return what the last run has read of the entries. None without it, or if it is unreadable:
    then all entries are read."""
    try:
        return msgspec.msgpack.decode(_beside(state).read_bytes(), type=Reached)
    except (OSError, msgspec.MsgspecError):
        return None


def _replace(path: Path, content: bytes) -> None:
    draft = path.with_name(f"{path.name}.new")
    draft.write_bytes(content)
    draft.replace(path)


def _name_signers(name: str, keys: Sequence[Verifier]) -> None:
    names = ", ".join(key.text for key in keys)
    sys.stderr.write(
        f"{name}: signed by {names}, according to {name} itself: compare with the published "
        "key, or give --key\n"
    )


def _print(name: str, text: str, code: int) -> int:
    """Print one line, without control characters, and return the exit code."""
    line = "".join(character if character.isprintable() else "?" for character in f"{name}: {text}")
    sys.stdout.write(f"{line}\n")
    return code


@contextmanager
def _progress(size: int | None) -> Iterator[Callable[[int], None] | None]:
    """Yield a progress callback for the terminal, or None for small files."""
    console = Console(stderr=True)
    if size is None or size < BAR_FROM or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("verifying"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("verifying", total=size)
        yield lambda length: progress.advance(task, length)


if __name__ == "__main__":
    sys.exit(main())
