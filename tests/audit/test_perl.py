"""The third verifier, in Perl, for receipts: the same results as the first one."""

import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from railbird_engine.audit import bundle
from tests.audit.corpus import bases, corpus, places
from tests.audit.honest import SIGNER, Log
from tests.audit.small_changes import SMALL_CHANGES
from tests.audit.test_verify import ROOT
from tests.audit.verdicts import verdict_of, verdict_of_python

SCRIPT = ROOT / "audit" / "perl" / "receipt.pl"


def verdicts(folder: Path, files: dict[str, bytes], key: str = "") -> dict[str, tuple[int, str]]:
    """The exit codes that the lines of the verifier stand for, by file."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    command = ["perl", str(SCRIPT), key or SIGNER.verifier.text, *(str(folder / n) for n in files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert not done.stderr
    found: dict[str, tuple[int, str]] = {}
    for printed in done.stdout.splitlines():
        name, line = printed.removeprefix(f"{folder}/").split(": ", 1)
        found[name] = verdict_of(line), line
    assert found.keys() == files.keys()
    assert done.returncode == max(code for code, _ in found.values())
    return found


@cache
def receipts() -> dict[str, bytes]:
    """A receipt during and after each game; one bet was voided, one was corrected."""
    found = {}
    for number, base in enumerate(bases()):
        for bet in {1, 2, base.bet}:
            # The log has an entry in the middle of the game, but none after the last bets.
            for ended in (True, False) if number == 2 and bet <= 2 else (True,):
                receipt = Log([base.game]).receipt(base.game, bet, ended=ended)
                found[f"{number}-{bet}-{ended}"] = bundle.line(receipt)
    return found


def compare(folder: Path, files: dict[str, bytes]) -> dict[int, int]:
    """Compare the verdicts on these files, and count them."""
    counts = {0: 0, 1: 0, 2: 0}
    found = verdicts(folder, files)
    for name, content in files.items():
        expected = verdict_of_python(content)
        counts[expected] += 1
        assert found[name][0] == expected, (name, found[name], content[:2000])
    return counts


def test_it_verifies_honest_receipts(tmp_path: Path) -> None:
    counts = compare(tmp_path, receipts())
    assert counts == {0: len(receipts()), 1: 0, 2: 0}
    other = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    found = verdicts(tmp_path, receipts(), other)
    assert all(line.startswith("log: signature: ") for _, line in found.values())


OTHERS: tuple[object, ...] = (None, "", 7, [], {"a": 1}, "AAAA")


def forgeries() -> Iterator[tuple[str, bytes]]:
    """Every value of two receipts removed and replaced, one at a time."""
    for name in ("2-1-True", "2-1-False"):
        honest = json.loads(receipts()[name])
        count = len(list(places(honest)))
        for place in range(count):
            for other in OTHERS:
                forged = json.loads(receipts()[name])
                holder, key = list(places(forged))[place]
                if isinstance(key, int) and key > 3:
                    continue  # one hash of a path or one body stands for all
                if other is None and isinstance(holder, dict):
                    del holder[key]
                else:
                    holder[key] = other
                yield f"{name}-{place}-{other!r:.5}", json.dumps(forged).encode()


@pytest.mark.slow
def test_it_finds_a_forgery_of_every_field(tmp_path: Path) -> None:
    counts = compare(tmp_path, dict(forgeries()))
    assert counts[1] > 50
    assert counts[2] > 200


def test_it_agrees_on_small_changes(tmp_path: Path) -> None:
    files = {
        f"{cases.__name__}-{name}".replace("/", "-"): content
        for cases in SMALL_CHANGES
        for name, (content, _) in cases().items()
        if b'"receipt"' in content[:40]
    }
    counts = compare(tmp_path, files)
    assert min(counts[0], counts[1]) > 0


def of_corpus(count: int) -> dict[str, bytes]:
    return {name: content for name, content in corpus(count) if b'"receipt"' in content[:60]}


def test_it_agrees_on_generated_receipts(tmp_path: Path) -> None:
    assert compare(tmp_path, of_corpus(120))[1] > 10


@pytest.mark.slow
def test_it_agrees_on_all_generated_receipts(tmp_path: Path) -> None:
    assert compare(tmp_path, of_corpus(5000))[1] > 500
