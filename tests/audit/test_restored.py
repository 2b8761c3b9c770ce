"""Games that lost commits when their server was restored: both verifiers, and the whole log."""

import os
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import pytest
from msgspec.structs import replace

from railbird_engine.audit import bundle, log_copies
from railbird_engine.audit.acknowledgements import Reveal, SignedHead
from railbird_engine.audit.bundle import Logged, Part
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.histories import Histories, Restored
from railbird_engine.audit.log import Entry, lost_in
from railbird_engine.audit.merkle import leaf_hash, root_of
from railbird_engine.audit.notes import Checkpoint
from railbird_engine.kernel.chain import GivenUp, Kind, entry_hash
from tests.audit.honest import Honest, Log, check, honest_game, written
from tests.audit.served_log import (
    Said,
    pages,
)
from tests.audit.verdicts import said

LOST_AT = 9999


def game() -> Honest:
    return honest_game("ready_set_bet", 3, voided_after=60)


def sealed(version: int, hash_: bytes) -> bytes:
    return version.to_bytes(8, "big") + hash_


def entries(middle: Entry) -> tuple[Entry, Entry]:
    """An entry whose commit was lost, and the one that says so."""
    lost = Entry(Kind.ADVANCED, middle.name, LOST_AT, b"L" * 32)
    payload = sealed(LOST_AT, lost.hash)
    return lost, Entry(Kind.RESTORED, middle.name, middle.version, middle.hash, payload)


def restored(*extra: Entry) -> tuple[list[Part], list[Entry]]:
    """A bundle with these entries before the last one, and its log."""
    honest = game()
    log = Log([honest], entries=[*honest.entries()[:-1], *extra, honest.entries()[-1]])
    *parts, end = log.bundle([honest])
    more = [
        Logged(
            kind=entry.kind.name.lower(),  # type: ignore[arg-type]  # one of them
            version=entry.version,
            hash=entry.hash,
            payload=entry.payload or None,
            proof=log.proof_of(entry),
        )
        for entry in extra
    ]
    return [*parts, *more, end], log.entries


MIDDLE = game().entries()[-2]
WHAT = f"after version {MIDDLE.version} (sealed: {LOST_AT})"
LOST, SAYS_SO = entries(MIDDLE)
VOIDED = Entry(Kind.VOIDED, MIDDLE.name, 50, b"V" * 32, game().seed)


def test_both_verifiers_name_a_game_that_lost_commits(tmp_path: Path) -> None:
    for number, extra in enumerate(
        (
            [LOST, SAYS_SO],
            [LOST, SAYS_SO, VOIDED, SAYS_SO._replace(payload=sealed(50, VOIDED.hash))],
        )
    ):
        parts, log = restored(*extra)
        assert check(parts).games == 1
        assert lost_in(log) == {each for each in extra if each.kind is not Kind.RESTORED}
        code, answers = said(tmp_path, {f"file-{number}": written(parts)})
        words = f" lost commits: {game().id} after version {MIDDLE.version} (sealed: {LOST_AT})"
        assert code == 0
        assert words in answers[f"file-{number}"]


@pytest.mark.parametrize(
    ("extra", "version", "field"),
    [
        ([LOST], LOST_AT, "entry"),
        ([LOST, SAYS_SO._replace(payload=sealed(9998, LOST.hash))], MIDDLE.version, "entry"),
        ([LOST, SAYS_SO._replace(payload=sealed(LOST_AT, bytes(32)))], MIDDLE.version, "entry"),
        ([LOST, SAYS_SO._replace(hash=b"H" * 32)], MIDDLE.version, "entry"),
        ([LOST, SAYS_SO._replace(version=LOST_AT, hash=LOST.hash)], LOST_AT, "entry"),
        ([SAYS_SO._replace(payload=sealed(*MIDDLE[2:4]))], MIDDLE.version, "entry"),
        ([LOST, SAYS_SO, LOST._replace(version=59)], 59, "entry"),
        ([LOST, SAYS_SO, VOIDED], VOIDED.version, "entry"),
    ],
)
def test_both_verifiers_find_losses_that_the_log_does_not_explain(
    tmp_path: Path, extra: Sequence[Entry], version: int, field: str
) -> None:
    parts, _ = restored(*extra)
    with pytest.raises(DivergenceError) as diverged:
        check(parts)
    assert (diverged.value.version, diverged.value.field) == (version, field)
    code, answers = said(tmp_path, {"file": written(parts)})
    assert (code, f"version {version}: {field}: " in answers["file"]) == (1, True), answers


def test_a_game_that_lost_commits_does_not_finish(tmp_path: Path) -> None:
    honest = honest_game("ready_set_bet", 1)
    middle = honest.entries()[-2]
    log = Log([honest], entries=[*honest.entries()[:-1], *entries(middle), honest.entries()[-1]])
    *parts, end = log.bundle([honest])
    for entry in entries(middle):
        kind: bundle.LoggedKind = "restored" if entry.payload else "advanced"
        proof = log.proof_of(entry)
        line = Logged(kind=kind, version=entry.version, hash=entry.hash, proof=proof)
        parts.append(replace(line, payload=entry.payload or None))
    with pytest.raises(DivergenceError, match="end: "):
        check([*parts, end])
    code, answers = said(tmp_path, {"file": written([*parts, end])})
    assert (code, ": end: " in answers["file"]) == (1, True)


def test_the_monitor_counts_and_names_games_that_lost_commits(walked: Said) -> None:
    _, log = restored(LOST, SAYS_SO)
    content = pages([entry.encode() for entry in log])
    for _ in range(2):  # the second run reads what the first one kept
        code, line = walked(content)
        assert code == 0, line
        assert line.endswith(f"; 1 game lost commits: {MIDDLE.name} {WHAT}")


def test_the_monitor_compares_the_log_with_files_from_before_and_after(
    walked: Said,
    tmp_path: Path,
) -> None:
    parts, log = restored(LOST, SAYS_SO)
    (tmp_path / "after").write_bytes(written(parts))
    content = pages([entry.encode() for entry in log])
    assert walked(content, "--file", str(tmp_path / "after"))[0] == 0
    # A file that has the lost commit: its hash at that version is the sealed one.
    histories = Histories({MIDDLE.name: {LOST_AT: LOST.hash}})
    for entry in log[: log.index(SAYS_SO)]:
        histories.take(entry)
    with pytest.raises(DivergenceError, match="restored to version"):
        histories.take(SAYS_SO)


@pytest.mark.parametrize(
    "follows",
    [
        SAYS_SO._replace(payload=sealed(9998, LOST.hash)),
        SAYS_SO._replace(payload=sealed(LOST_AT, bytes(32))),
    ],
)
def test_the_log_says_what_was_sealed(follows: Entry) -> None:
    histories = Histories()
    for entry in [*game().entries()[:-1], LOST]:
        histories.take(entry)
    with pytest.raises(DivergenceError, match="as sealed before"):
        histories.take(follows)


@pytest.mark.parametrize(
    ("at", "hash_", "file", "found"),
    [
        (LOST_AT, LOST.hash, {}, "restored"),
        (LOST_AT, b"O" * 32, {}, "unknown"),
        (LOST_AT, b"O" * 32, {LOST_AT: b"O" * 32}, "confirmed"),
        (LOST_AT, b"O" * 32, {LOST_AT: b"A" * 32}, "restored"),
        (LOST_AT - 1, b"O" * 32, {}, "unknown"),
        (MIDDLE.version, MIDDLE.hash, {}, "confirmed"),
    ],
)
def test_a_note_is_of_a_lost_commit_only_if_the_log_or_a_file_says_so(
    at: int, hash_: bytes, file: dict[int, bytes], found: str
) -> None:
    note = SignedHead("log", MIDDLE.name, UUID(int=0), at, hash_)
    histories = Histories({MIDDLE.name: file}, said=[note], lost=[LOST])
    for entry in [*game().entries()[:-1], LOST, SAYS_SO]:
        histories.take(entry)
    if found == "restored":
        with pytest.raises(DivergenceError, match="restored to"):
            histories._fits_command(note)
    else:
        assert histories._fits_command(note) == (found == "confirmed")


def test_notes_that_were_not_given_before_the_log_are_not_judged() -> None:
    histories = Histories()
    for entry in [*game().entries()[:-1], LOST, SAYS_SO]:
        histories.take(entry)
    for at, hash_ in ((LOST_AT, LOST.hash), (LOST_AT, b"O" * 32), (MIDDLE.version, MIDDLE.hash)):
        note = SignedHead("log", MIDDLE.name, UUID(int=0), at, hash_)
        assert not histories._fits_command(note)
    receipt = Reveal("log", MIDDLE.name, UUID(int=0), "", "", 0, "", "")
    assert not histories._fits_reveal(receipt)


@pytest.mark.parametrize("kind", [Kind.ADVANCED, Kind.FINISHED, Kind.STARTED, Kind.ABANDONED])
def test_nothing_but_its_voiding_follows_a_game_that_lost_commits(kind: Kind) -> None:
    histories = Histories()
    for entry in [*game().entries()[:-1], LOST, SAYS_SO]:
        histories.take(entry)
    seed = game().seed if kind in {Kind.FINISHED, Kind.ABANDONED} else b""
    with pytest.raises(DivergenceError):
        histories.take(Entry(kind, MIDDLE.name, MIDDLE.version + 1, b"A" * 32, seed))


def test_a_lobby_that_is_gone_may_disclose_its_seed() -> None:
    opened, committed, revealed, started, *_ = game().entries()
    gone = Entry(Kind.RESTORED, opened.name, 0, bytes(32), sealed(0, started.hash))
    given_up = Entry(Kind.ABANDONED, opened.name, 0, entry_hash(opened.encode()), game().seed)
    said = GivenUp(entry_hash(committed.encode()), (), revealed.reveals).encode()
    given_up = given_up._replace(payload=given_up.payload + said)
    start = (opened, committed, revealed, started)
    note = SignedHead("log", opened.name, UUID(int=0), 0, b"O" * 32)
    histories = Histories(said=[note])
    for entry in (*start, gone, given_up):
        histories.take(entry)
    assert histories.counted().restored == {opened.name: Restored(None, 0, started=True)}
    with pytest.raises(DivergenceError, match="restored to gone"):
        histories._fits_command(note)
    lost = gone._replace(payload=sealed(0, opened.hash))
    unopened = Histories()
    for entry in (opened, lost):
        unopened.take(entry)
    assert (unopened.counted().opened, unopened.counted().started) == (1, 0)
    other = Histories()
    for entry in (*start, gone):
        other.take(entry)
    with pytest.raises(DivergenceError, match="abandoned: "):
        other.take(given_up._replace(hash=bytes(32)))


def test_the_monitor_keeps_copies_of_all_entries(
    walked: Said,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log_copies, "ENTRIES_AT_ONCE", 2)
    bodies = [entry.encode() for entry in restored(LOST, SAYS_SO)[1]]
    for size in (3, len(bodies)):
        code, line = walked(pages(bodies[:size]), "--copies", str(tmp_path / "copies"))
        assert code == 0, line
    rounds = [each for path in (tmp_path / "copies").iterdir() for each in log_copies._read(path)]
    assert max(len(each.entries) for each in rounds) == 2, "as many as are copied at once"
    root = root_of([leaf_hash(body) for body in bodies])
    end = Checkpoint("log", len(bodies), root)
    for start in range(len(bodies)):
        assert log_copies.between([tmp_path / "copies"], start, end) == bodies[start:]
    with pytest.raises(log_copies.MissingEntriesError, match="lack entries 0 to 8"):
        log_copies.between([tmp_path / "copies"], 0, end._replace(size=9))


def test_copies_are_kept_in_bounded_files_for_so_many_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_copies, "FILE_MAX", 500)
    roots = [bytes([number]) * 32 for number in range(21)]
    for number in range(20):
        round_ = log_copies.Round(number, roots[number], roots[number + 1], (b"e" * 100,))
        log_copies.add(tmp_path, round_, days=3)
    files = sorted(tmp_path.iterdir())
    assert len(files) > 3
    assert max(path.stat().st_size for path in files) < 1000
    limit = files[-1].stat().st_mtime - 3 * 24 * 3600
    for path, age in zip(files, (limit - 60, limit - 60, limit + 60), strict=False):
        os.utime(path, (age, age))
    for number in range(20, 24):
        log_copies.add(
            tmp_path, log_copies.Round(number, b"b" * 32, b"a" * 32, (b"e" * 100,)), days=3
        )
    left = sorted(tmp_path.iterdir())
    assert left[0] == files[2]
    assert files[-1] in left
