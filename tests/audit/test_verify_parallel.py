"""The games of a bundle in several processes: the same results, and the same divergences."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from railbird_engine.audit.__main__ import main
from railbird_engine.audit.cosignatures import NO_DEMAND
from railbird_engine.audit.verify import verify
from railbird_engine.audit.verify_parallel import Job, rules_with, verify_in_processes
from tests.audit.honest import SIGNER, Log, honest_game, written
from tests.audit.small_changes.files import board

MODULES = ("bench.free_spots",)
Spoil = Callable[[bytes], bytes]


@cache
def content() -> bytes:
    games = [board(), honest_game("ready_set_bet", 3, voided_after=40), honest_game("set_dice", 5)]
    return written(Log(games).bundle(games))


def job_of(path: Path) -> Job:
    return Job(path, MODULES, [SIGNER.verifier], None, NO_DEMAND, keeps_hashes=True)


def test_several_processes_verify_what_one_does(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content())
    with path.open("rb") as file:
        rules = rules_with(MODULES)
        alone = verify(file, rules, trusted=[SIGNER.verifier], keeps_hashes=True)
    lengths: list[int] = []
    assert verify_in_processes(2, job_of(path), lengths.append) == alone
    assert alone.games == 3
    assert sum(lengths) == len(content()) - content().index(b"\n") - 1


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Spoil:
    return lambda file: b"".join(change(file.splitlines(keepends=True)))


def ends(file: list[bytes]) -> list[int]:
    return [place for place, line in enumerate(file) if b'"type":"end"' in line]


SPOILED: list[tuple[str, Spoil]] = [
    ("a-commit-of-the-second-game", lambda file: file.replace(b'"version":41', b'"version":42')),
    ("an-end-is-missing", lines(lambda file: file[: ends(file)[0]] + file[ends(file)[0] + 1 :])),
    ("a-game-is-missing", lines(lambda file: file[:1] + file[ends(file)[0] + 1 :])),
    ("a-game-comes-twice", lines(lambda file: file[:-1] + file[1 : ends(file)[0] + 1])),
    ("more-follows", lambda file: file + b"\n"),
    ("cut-off", lambda file: file[:-40]),
    ("another-type-is-first", lines(lambda file: file[1:])),
]


@pytest.mark.parametrize("spoil", [case[1] for case in SPOILED], ids=[case[0] for case in SPOILED])
def test_several_processes_report_the_first_divergence_as_one_does(
    tmp_path: Path, spoil: Spoil, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(spoil(content()))
    command = ["verify", str(path), "--key", SIGNER.verifier.text, "--rules", MODULES[0]]
    code = main(command)
    alone = capsys.readouterr().out
    assert code in {1, 2}
    assert (main([*command, "--jobs", "2"]), capsys.readouterr().out) == (code, alone)
