"""The commands that start a server themselves, on given databases and as on a fresh clone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from gameserver.processes.embedded import EmbeddedServers
from tests.commands import managed
from tests.servers import copied_database

ROOT = Path(__file__).parent.parent.parent
SERVERS = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EXTRA_RULES"}
WITHIN_S = 300


def run_alone(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command without the servers of the tests, unless `variables` name some."""
    kept = {name: value for name, value in os.environ.items() if name not in SERVERS}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )


@contextmanager
def given_servers(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A migrated database, a Valkey and a key file that nobody else uses."""
    with EmbeddedServers(tmp_path / "valkey", postgres=False) as embedded:
        assert embedded.redis_url
        yield {
            **copied_database(f"demo_{uuid4().hex}"),
            "REDIS_URL": embedded.redis_url,
            "LOG_KEY_FILE": str(tmp_path / "log_key"),
        }


@contextmanager
def no_servers(tmp_path: Path) -> Iterator[dict[str, str]]:
    """None, as on a fresh clone. The key file belongs to another log, so nobody may use it."""
    yield {"LOG_KEY_FILE": str(tmp_path / "nobody" / "asks" / "for" / "it")}


@pytest.mark.parametrize(
    "servers", [given_servers, pytest.param(no_servers, marks=pytest.mark.slow)]
)
def test_the_demo_plays_a_whole_game_and_verifies_it(
    tmp_path: Path, servers: Callable[[Path], AbstractContextManager[dict[str, str]]]
) -> None:
    options = ("--bots", "1", "--options", '{"races": 1, "roll_ms": 50}')
    with servers(tmp_path) as variables:
        done = run_alone("demo", *options, **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("ledger verified, history verified")
    assert " wins race 1!" in done.stdout, "the game's own words"


def test_the_demo_reports_an_unknown_game_in_one_line() -> None:
    done = managed("demo", "no_such_game", "--url", "http://127.0.0.1:9")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def measured(folder: Path, *arguments: str) -> dict[str, Any]:
    """Run the bench. Return what it wrote, by experiment."""
    done = run_alone("bench", *arguments, "--json", str(folder))
    assert done.returncode == 0, done.stderr
    (file,) = folder.iterdir()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert {f"{line['at'][:10]}-{line['commit'][:8]}.jsonl" for line in lines} == {file.name}
    return {line["experiment"]: line["measured"] for line in lines}


@pytest.mark.slow
def test_the_bench_measures_moves_in_turns_under_other_variables(tmp_path: Path) -> None:
    load = ("--tables", "2", "--seconds", "1", "--rate", "20", "--turns", "2")
    found = measured(tmp_path, "moves", *load, "--against", "LOG_LEVEL=info")
    saturation, steady = found["moves"]
    for turn in (*saturation["ours"], *saturation["peers"]):
        assert turn["moves_per_s"] > steady["ours"][0]["moves_per_s"] > 10
        assert not (turn["unanswered"] or turn["lost"])
    assert len(found["limits"]) == 4
