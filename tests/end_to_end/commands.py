"""The commands of the server in a process of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.processes import ROOT
from tests.waiting import WITHIN_S

DEMO = ("demo", "--bots", "1", "--options", '{"races": 1, "roll_ms": 50}')
SERVERS = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EXTRA_RULES"}


def run_alone(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command without the servers of the tests, unless `variables` name some."""
    return _run(WITHIN_S, *arguments, **variables)


def check_demo(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("everything verified, history verified")
    assert " wins race 1!" in done.stdout, "the game's own words"


def _run(within_s: float, /, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in SERVERS}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        timeout=within_s,
        check=False,
    )


def measured(folder: Path, *arguments: str, within_s: float = WITHIN_S) -> dict[str, Any]:
    """Run the bench. Return what it wrote, by experiment."""
    done = _run(within_s, "bench", *arguments, "--json", str(folder))
    assert done.returncode == 0, done.stderr
    (file,) = folder.iterdir()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert {f"{line['at'][:10]}-{line['commit'][:8]}.jsonl" for line in lines} == {file.name}
    return {line["experiment"]: line["measured"] for line in lines}
