"""The entries of a whole log, served as static files, and several files about the same games."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from railbird_engine.audit import bundle, merkle
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.acknowledgements import Acknowledgement, said_in
from railbird_engine.audit.builds import build_entry
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import signed
from railbird_engine.audit.records import heartbeat_entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.audit import vectors
from tests.audit.honest import SIGNER, Log, honest_game, written
from tests.audit.served_log import Entries, Pages, Said, entries, pages, races


def many(count: int) -> list[bytes]:
    """This many lobbies that opened, each with a name and a seed of its own."""
    opened = entries()[0]
    return [
        opened._replace(
            name=UUID(int=number), payload=number.to_bytes(32, "big") + bytes(32)
        ).encode()
        for number in range(count)
    ]


def test_an_honest_log_is_read_and_counted(walked: Said) -> None:
    *_, stands, _, finished, _ = entries()
    corrected = finished._replace(version=finished.version + 1, hash=bytes(32))
    third = honest_game("set_dice", 5, attempts=3).entries()
    running, waiting = third[:13], honest_game("set_dice", 6).entries()[:1]
    closed = honest_game("set_dice", 7, attempts=1).entries()[:3]
    log = [entry.encode() for entry in [*entries(), corrected, *running, *waiting, *closed]]
    code, line = walked(pages(log))
    assert code == 0, line
    assert line.endswith(
        "; 5 lobbies opened, 4 attempts abandoned, "
        "3 games started, 1 finished, 1 voided, 1 without an end yet"
    )
    assert stands.kind is Kind.ADVANCED


def test_a_log_of_three_levels_of_tiles_is_read(walked: Said) -> None:
    log = many(65_536 + 300)
    code, line = walked(pages(log))
    assert code == 0, line
    assert "; 65,836 lobbies opened, 0 attempts abandoned, 0 games started" in line


def test_builds_of_the_server_are_read(walked: Said, tmp_path: Path) -> None:
    builds = [
        build_entry(version, commit, {"set_dice": "ab" * 32}, number)
        for number, (version, commit) in enumerate([("1.0", ""), ("1.1", "c0" * 20), ("1.0", "")])
    ]
    first, second, third = (entry.encode() for entry in builds)
    played = [entry.encode() for entry in entries()]
    code, line = walked(pages([first, *played[:4], second, *played[4:]]))
    assert (code, line.rpartition("; ")[2]) == (0, f"sealed by 1.1 of commit {'c0' * 20}")
    (tmp_path / "state").unlink()
    code, line = walked(pages([first, second, third]))
    assert (code, line.rpartition("; ")[2]) == (0, "sealed by 1.0 of commit unknown")
    (tmp_path / "state").unlink()
    other = builds[1].payload.replace(b"1.1", b"1.2")
    malformed = builds[0].payload.replace(b"1.0", b"1.0\\ud800")
    for forged in (
        [second],
        [first, first],
        [first, builds[1]._replace(payload=other).encode()],
        [first, builds[1]._replace(name=UUID(int=1)).encode()],
        [builds[0]._replace(payload=malformed, hash=sha256(malformed).digest()).encode()],
        [builds[0]._replace(payload=b"{}", hash=sha256(b"{}").digest()).encode()],
    ):
        code, line = walked(pages(forged))
        assert (code, line.split(":")[1]) == (1, " build"), line


def replaced(number: int, **fields: Any) -> Callable[[Entries], Entries]:
    return lambda log: [
        entry._replace(**fields) if place == number else entry for place, entry in enumerate(log)
    ]


def abandoned(opened: Entry, name: UUID | None = None, committed: bytes = bytes(32)) -> Entry:
    """Return the entry that abandons this attempt, with a seed of zeros and without reveals."""
    hash_ = chain.entry_hash(opened.encode())
    payload = bytes(32) + chain.GivenUp(committed).encode()
    return Entry(Kind.ABANDONED, name or opened.name, 0, hash_, payload)


@cache
def third_time() -> Entries:
    """The entries of a game that started at the third attempt."""
    return honest_game("set_dice", 5, attempts=2).entries()


def again(opened: Entry) -> Entry:
    """Return an entry that continues the same attempt as this one, with a seed of its own."""
    return opened._replace(name=UUID(int=1), payload=bytes(32) + opened.payload[32:])


FORGED: list[tuple[str, Callable[[Entries], Entries], str]] = [
    ("started-twice", lambda log: [*log, log[6]], "entry"),
    (
        "started-again-with-another-genesis",
        lambda log: [*log[:8], log[6]._replace(hash=bytes(32)), *log[8:]],
        "entry",
    ),
    ("never-started", lambda log: [*log[:6], *log[7:]], "entry"),
    ("never-opened", lambda log: log[1:], "entry"),
    ("opened-twice", lambda log: [*log, log[0]], "entry"),
    ("opened-too-late", lambda log: [*log[1:3], log[0], *log[3:]], "entry"),
    ("opened-with-another-seed", replaced(0, payload=bytes(64)), "committed"),
    (
        "opened-with-the-seed-of-another",
        lambda log: [*log, log[0]._replace(name=UUID(int=1))],
        "seed",
    ),
    ("committed-twice", lambda log: [*log[:3], log[2], *log[3:]], "entry"),
    (
        "committed-twice-to-other-seats",
        lambda log: [*log[:3], log[2]._replace(payload=bytes(32)), *log[3:]],
        "entry",
    ),
    ("committed-after-the-reveals", lambda log: [*log[:2], log[4], log[2], *log[5:]], "entry"),
    ("committed-for-another-opening", replaced(2, hash=bytes(32)), "committed"),
    ("never-committed", lambda log: [*log[:2], *log[3:]], "entry"),
    ("revealed-twice", lambda log: [*log[:5], log[4], *log[5:]], "entry"),
    (
        "revealed-twice-with-other-entropy",
        lambda log: [*log[:5], log[4]._replace(payload=b""), *log[5:]],
        "entry",
    ),
    ("revealed-for-other-seats", replaced(4, hash=bytes(32)), "revealed"),
    ("never-revealed", lambda log: [*log[:4], *log[5:]], "entry"),
    ("started-too-late", lambda log: [*log[:6], *log[7:9], log[6], *log[9:]], "entry"),
    ("started-in-its-midst", replaced(6, version=1), "entry"),
    ("version-twice", lambda log: [*log[:9], log[8], *log[9:]], "entry"),
    (
        "version-twice-with-another-hash",
        lambda log: [*log[:9], log[8]._replace(hash=bytes(32)), *log[9:]],
        "entry",
    ),
    ("end-before-the-middle", lambda log: [*log[:8], log[10], log[8], log[9], log[11]], "entry"),
    (
        "goes-on-after-the-end",
        lambda log: [*log, log[8]._replace(version=log[10].version + 1)],
        "entry",
    ),
    (
        "ends-after-it-was-voided",
        lambda log: [*log, log[11]._replace(kind=Kind.FINISHED, version=999)],
        "entry",
    ),
    ("voided-twice", lambda log: [*log, log[11]._replace(version=999)], "entry"),
    ("another-seed", replaced(10, payload=bytes(32)), "seed"),
    (
        "corrected-with-another-seed",
        lambda log: [*log, log[10]._replace(version=999, payload=bytes(32))],
        "seed",
    ),
    ("abandoned-after-the-start", lambda log: [*log, abandoned(log[0])], "entry"),
    (
        "started-after-it-was-abandoned",
        lambda log: [*third_time()[:3], log[6]._replace(name=third_time()[0].name)],
        "entry",
    ),
    ("abandoned-and-not-opened", lambda log: [abandoned(log[0]), *log], "entry"),
    ("abandoned-by-another", lambda log: [log[0], abandoned(log[1], log[0].name)], "abandoned"),
    ("abandoned-with-another-seed", lambda log: [log[0], abandoned(log[0])], "seed"),
    (
        "abandoned-without-its-commitments",
        lambda log: [log[0], log[2], abandoned(log[0])],
        "committed",
    ),
    (
        "abandoned-with-commitments-that-it-had-not",
        lambda log: [third_time()[0], third_time()[2]],
        "committed",
    ),
    (
        "abandoned-with-other-reveals",
        lambda log: [
            log[0],
            log[2],
            log[4],
            abandoned(log[0], committed=chain.entry_hash(log[2].encode())),
        ],
        "revealed",
    ),
    ("continues-none", lambda log: third_time()[3:], "abandoned"),
    ("continues-one-that-goes-on", lambda log: third_time()[:1] + third_time()[3:], "abandoned"),
    (
        "one-is-continued-twice",
        lambda log: [*third_time()[:4], again(third_time()[3])],
        "abandoned",
    ),
]


@pytest.mark.parametrize(
    ("change", "field"), [case[1:] for case in FORGED], ids=[case[0] for case in FORGED]
)
def test_a_log_that_contradicts_itself_is_found_although_it_is_signed(
    walked: Said, change: Callable[[Entries], Entries], field: str, tmp_path: Path
) -> None:
    code, line = walked(pages([entry.encode() for entry in change(entries())]))
    assert code == 1
    assert line.startswith("log name ")
    assert f": {field}: expected " in line
    assert (tmp_path / "state").exists(), "the log is one and grows: only a game diverged"


def test_a_diverged_game_hides_no_other(walked: Said, tmp_path: Path) -> None:
    """Each is named, and named again by a run that continues."""
    log = entries()
    lied = [replaced(2, hash=bytes(range(32)))(log)[2]]
    others = [
        entry._replace(name=UUID(int=number), kind=Kind.DIVERGED, payload=bytes(32))
        for number, entry in enumerate(lied * 2, 50)
    ]
    code, line = walked(pages([entry.encode() for entry in [*log, *others]]))
    assert (code, line.split(" version")[0]) == (1, f"log name {UUID(int=51)}")
    code, line = walked(pages([entry.encode() for entry in [*log, *others, *third_time()]]))
    assert (code, line.split(" version")[0]) == (1, f"log name {UUID(int=51)}")


def test_a_log_that_is_not_fresh_is_reported(walked: Said, tmp_path: Path) -> None:
    now = int(datetime.now(UTC).timestamp())
    for age_s, code in ((5, 0), (100, 1), (-100, 1)):
        (tmp_path / "state").unlink(missing_ok=True)
        log = [*entries(), heartbeat_entry(now - age_s, 0)]
        assert walked(pages([each.encode() for each in log]), "--max-age", "60")[0] == code
    (tmp_path / "state").unlink()
    code, line = walked(pages([each.encode() for each in entries()]), "--max-age", "60")
    assert (code, line) == (1, "log: age: expected a heartbeat within 60 s, found none")


@pytest.mark.parametrize("limit", ["--max-age", "--max-wait"])
@pytest.mark.parametrize("given", ["-1", "1.5", "soon"])
def test_a_limit_is_whole_seconds(
    walked: Said, capsys: pytest.CaptureFixture[str], limit: str, given: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        walked(pages([]), f"{limit}={given}")
    assert f"expected whole seconds from 0, found '{given}'" in capsys.readouterr().err


def beats(*at_s: int, first: int = 0) -> list[Entry]:
    return [heartbeat_entry(1_800_000_000 + s, first + number) for number, s in enumerate(at_s)]


FROZEN: list[tuple[str, int, Sequence[int], str | None]] = [
    ("reveals-for-a-game-are-young", 6, range(0, 181, 30), None),
    ("reveals-have-no-game", 6, range(0, 211, 30), "started or abandoned at most 180 s"),
    ("the-server-was-away", 6, [0, 30, 50_000, 50_030], None),
    ("the-server-came-back-long-ago", 6, [0, 30, 50_000, *range(50_030, 50_200, 30)], "started or"),
    ("a-slow-table-reveals", 4, range(0, 48 * 3600, 60), None),
    ("reveals-are-held-back", 4, range(0, 48 * 3600 + 300, 60), "revealed or abandoned at most"),
    ("a-lobby-waits-for-players", 2, range(0, 72 * 3600, 60), None),
]


@pytest.mark.parametrize(
    ("length", "at_s", "found"), [each[1:] for each in FROZEN], ids=[each[0] for each in FROZEN]
)
def test_a_start_that_neither_begins_nor_ends_is_reported(
    walked: Said, length: int, at_s: Sequence[int], found: str | None
) -> None:
    """An operator who knows all reveals could look at the dice first."""
    log = entries()[:length]
    served = pages([each.encode() for each in [*log, *beats(*at_s)]])
    for _ in range(2):  # the second run reads nothing again
        code, line = walked(served)
        assert (code, "log: start: expected " in line) == (int(found is not None), bool(found))
        assert found is None or found in line
    assert walked(served, "--max-wait", "9999")[0] == 0


def test_a_start_that_begins_or_ends_waits_no_more(walked: Said, tmp_path: Path) -> None:
    race = races()[0]
    opened, committed, revealed, started = race.entries()[:4]
    given_up = chain.GivenUp(chain.entry_hash(committed.encode()), (), revealed.reveals)
    ended = abandoned(opened)._replace(payload=race.seed + given_up.encode())
    frozen = [opened, committed, revealed, *beats(*range(0, 300, 30))]
    for more, code in (([], 1), ([started], 0), ([ended], 0)):
        (tmp_path / "state").unlink(missing_ok=True)
        log = [*frozen, *more, *beats(300, first=10)]
        assert walked(pages([each.encode() for each in log]))[0] == code


def test_an_acknowledged_commit_has_to_reach_the_log(walked: Said, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_bytes(msgspec.json.encode(vectors.ACKNOWLEDGEMENT))
    started = vectors.LOG[:9]
    assert started[-1].kind is Kind.STARTED
    given = ("--acknowledgements", str(notes))
    for at_s, code in ((range(0, 181, 30), 0), (range(0, 240, 30), 1)):
        (tmp_path / "state").unlink(missing_ok=True)
        served = pages([each.encode() for each in [*started, *beats(*at_s)]])
        found, line = walked(served, *given)
        assert (found, "sealed: expected an entry at most 180 s" in line) == (code, bool(code))
        if code:
            assert walked(served, *given, "--max-wait", "240")[0] == 0
    said = said_in(vectors.ACKNOWLEDGEMENT)
    assert isinstance(said, Acknowledgement)
    for before in (started, started[:2]):  # its game is in the log, or not yet
        log = [each.encode() for each in [*before, *beats(*range(0, 240, 30))]]
        root = merkle.root_of([merkle.leaf_hash(each) for each in log])
        fresh = signed(said._replace(size=len(log), root=root).text, [vectors.ACKNOWLEDGER])
        notes.write_bytes(msgspec.json.encode(fresh))
        (tmp_path / "state").unlink()
        assert walked(pages(log), *given)[0] == 0, "nothing has been sealed since it was signed"
    more = [*log, *(each.encode() for each in beats(300, first=8))]
    assert "name: expected a game in the log" in walked(pages(more), *given)[1]
    late = [each.encode() for each in [*started, *beats(*range(0, 240, 30)), *vectors.LOG[9:]]]
    notes.write_bytes(msgspec.json.encode(vectors.ACKNOWLEDGEMENT))
    (tmp_path / "state").unlink()
    assert walked(pages(late), *given)[0] == 0


def test_an_abandoned_entry_lists_missing_seats_and_reveals() -> None:
    said = chain.GivenUp(b"c" * 32, [1, 300], [(2, b"e" * 32)])
    payload = bytes(32) + said.encode()
    assert Entry(Kind.ABANDONED, UUID(int=1), 0, bytes(32), payload).given_up == said


def test_games_without_a_file_are_listed(walked: Said) -> None:
    code, line = walked(pages([each.encode() for each in entries()]), "--files-complete")
    assert (code, line.startswith("needs a file of log name ")) == (3, True)


def test_unsigned_entries_are_ignored(walked: Said) -> None:
    log = many(700)
    honest = pages(log)
    for path in (
        "tile/entries/000",
        "tile/entries/002.p/188",
        "tile/0/002.p/188",
        "tile/1/000.p/2",
    ):
        forged = honest[path][:-1] + bytes([honest[path][-1] ^ 1])
        code, line = walked(honest | {path: forged})
        assert code == 1
        assert line.split(":")[:2] == ["log", f" {path if 'entries' in path else 'tiles'}"]
    for content in (b"", honest["tile/entries/000"][:-1], honest["tile/entries/000"] + b"\x00\x00"):
        assert walked(honest | {"tile/entries/000": content})[0] == 2
    code, line = walked(pages([*log, b"\x02 no entry"]))
    assert (code, line.split(": ")[:2]) == (1, ["log", "entry 700"])


def test_every_entry_must_agree_with_a_file(walked: Said, tmp_path: Path) -> None:
    """Nothing else binds an entry in the middle."""
    race, file = races()[0], tmp_path / "file"
    for name, content in (
        ("bundle", written(Log(races()).bundle(races()))),
        ("receipt", bundle.line(Log(races()).receipt(race, 1))),
    ):
        file.write_bytes(content)
        grown = [*entries(), *honest_game("set_dice", 5).entries()[:4]]
        assert walked(pages([entry.encode() for entry in grown]), "--file", str(file))[0] == 0, name
        (tmp_path / "state").unlink()
    # The same games, with another hash in the middle of the log.
    forged = Log(races(), entries=replaced(8, hash=bytes(32))(entries()))
    file.write_bytes(written(forged.bundle(races())))
    served = pages([entry.encode() for entry in forged.entries])
    assert walked(served)[0] == 0
    code, line = walked(served, "--file", str(file))
    assert code == 1
    assert line.startswith(
        f"log name {race.name} version {forged.entries[8].version}: hash: expected "
    )
    # A file under another log.
    file.write_bytes(written(Log(races()).bundle(races())))
    (tmp_path / "state").unlink()
    code, line = walked(served, "--file", str(file))
    assert (code, line.split(": ")[:2]) == (1, ["log", "history"])


def contradictions() -> dict[str, tuple[list[bytes], str]]:
    """Files that each verify, and the field in which the last contradicts those before."""
    race = races()[0]
    replayed = honest_game("ready_set_bet", 99, game=race.id)
    forked = honest_game("ready_set_bet", 1, voided_after=16)
    both, fork = Log([race, replayed]), Log([race, forked])
    late = next(bet.bet for commit in race.commits[20:] for bet in commit.bets)
    early = Log([race, honest_game("ready_set_bet", 3)])
    return {
        "two-seeds": ([written(both.bundle([race])), written(both.bundle([replayed]))], "name"),
        "two-ends": ([written(fork.bundle([race])), written(fork.bundle([forked]))], "hash"),
        "receipt-of-another-fork": (
            [bundle.line(fork.receipt(race, late, ended=False)), written(fork.bundle([forked]))],
            "entry",
        ),
        "another-log": ([written(both.bundle([race])), written(early.bundle([race]))], "root"),
    }


@pytest.mark.parametrize(
    "name", ["two-seeds", "two-ends", "receipt-of-another-fork", "another-log"]
)
def test_files_that_contradict_one_another_are_found_together(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents, field = contradictions()[name]
    files = []
    for number, content in enumerate(contents):
        files.append(str(tmp_path / str(number)))
        Path(files[-1]).write_bytes(content)
        assert main(["verify", files[-1], "--key", SIGNER.verifier.text]) == 0
    capsys.readouterr()
    for order in (files, files[::-1]):
        assert main(["verify", *order, "--key", SIGNER.verifier.text]) == 1
        first, last, warning = capsys.readouterr().out.splitlines()
        assert warning.startswith("dice: warning: ")
        assert first.startswith(f"{order[0]}: verified: ")
        assert last.startswith(f"{order[1]}: ")
        assert f": {field}: expected " in last


def test_files_of_one_log_agree_at_any_size_of_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    race = races()[0]
    log = Log(races())
    contents = [
        written(log.bundle(races())),
        written(Log([race]).bundle([race])),
        bundle.line(log.receipt(race, 1)),
        bundle.line(log.receipt(race, 1, ended=False)),
    ]
    files = [tmp_path / str(number) for number in range(len(contents))]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    assert main(["verify", *map(str, [files[0], *files[2:]]), "--key", SIGNER.verifier.text]) == 0
    assert chain.genesis_hash(race.genesis) == log.entries[6].hash
    capsys.readouterr()


def test_a_second_run_reads_only_what_is_new(
    shelf: tuple[str, Pages], walked: Said, tmp_path: Path
) -> None:
    played = [honest_game("set_dice", number).entries() for number in range(2)]
    log = [*(entry.encode() for game in played for entry in game), *many(300)]
    assert walked(pages(log[:300]))[0] == 0
    _, served = shelf
    rest = [entry.encode() for entry in entries()]
    first = merkle.tile_path("entries", 0, 256)
    new = pages([*log, *rest])
    del new[first]
    code, line = walked(new)
    assert code == 0, line
    assert "; 304 lobbies opened, 0 attempts abandoned, 4 games started, 3 finished" in line
    assert first not in served
    # Entries of the first run still count: no game begins, ends or opens twice.
    kept = {path: path.read_bytes() for path in tmp_path.glob("state*")}
    for again in (log[0], log[1], log[3]):
        for path, content in kept.items():
            path.write_bytes(content)
        code, line = walked(pages([*log, *rest, again]))
        assert (code, line.split(":")[1]) == (1, " entry"), line
    for path, content in kept.items():
        path.write_bytes(content)
    # Without what it kept, or with a file to compare, everything is read.
    (tmp_path / "state.entries").write_bytes(b"nonsense")
    code, line = walked(new)
    assert code == 2
    assert "entries" in line
    assert walked(pages([*log, *rest]))[0] == 0
