"""The commands that start everything themselves, as on a fresh clone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SERVERS = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EXTRA_RULES"}
WITHIN_S = 300


def run_alone(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command without given servers."""
    environment = {name: value for name, value in os.environ.items() if name not in SERVERS}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )


def test_the_demo_plays_a_whole_game_and_verifies_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "nobody" / "asks" / "for" / "it"))
    done = run_alone("demo", "--bots", "1", "--options", '{"races": 1, "roll_ms": 50}')
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("ledger verified, history verified")
    assert " wins race 1!" in done.stdout, "the game's own words"


def test_the_demo_reports_an_unknown_game_in_one_line() -> None:
    done = run_alone("demo", "no_such_game", "--url", "http://127.0.0.1:9")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_bench_measures_moves_and_limits() -> None:
    """The measurement alone runs in `tests/bench`, on the servers that are there."""
    done = run_alone("bench", "moves", "--tables", "2", "--seconds", "1", "--rate", "20", "--json")
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)
    saturation, steady = measured["moves"]
    assert saturation["moves_per_s"] > steady["moves_per_s"] > 10
    assert not any(load["unanswered"] or load["lost"] for load in measured["moves"])
    assert len(measured["limits"]) == 4
