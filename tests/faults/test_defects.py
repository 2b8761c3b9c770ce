"""The harness finds defects that this server had: each is put back into a copy of the code."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.rounds import read
from tests.processes import ROOT

pytestmark = pytest.mark.xdist_group("clock")

WITHIN_S = 900  # only an upper limit
LEFT_OUT = shutil.ignore_patterns(".*", "node_modules", "__pycache__", "site")


class Defect(NamedTuple):
    """A defect: the text that it replaces in a file, and the faults and the seed that show it."""

    file: str
    sound: str
    broken: str
    kinds: Sequence[str]
    seed: int
    finding: str


DEFECTS = {
    "a connection that dies while it holds a head stalls the game": Defect(
        "games/store/heads.py",
        "        raise problem from error\n",
        "        raise\n",
        ["cut holder of a head"] * 6,
        1,
        "stalled",
    ),
    "statements on a half-open connection wait without a limit": Defect(
        "kit/database.py",
        "timeout or ANSWER_WITHIN_S",
        "timeout",
        ["half-open PostgreSQL"] * 2,
        1,
        "half-open PostgreSQL: game",
    ),
    "a frozen process that holds a head freezes its game": Defect(
        "games/store/connections.py",
        '"idle_in_transaction_session_timeout": "1500"',
        '"idle_in_transaction_session_timeout": "0"',
        ["stop holder of a head"] * 6,
        1,
        "stop holder of a head: ",
    ),
    "what a killed worker had claimed is not delivered": Defect(
        "notices/deliveries.py",
        "n.host = h.host AND n.due_at <= now()",
        "n.host = h.host AND n.due_at <= now() AND NOT n.leased",
        ["kill all workers"] * 6,
        1,
        "deliveries wait",
    ),
    "a late copy of a refused command is carried out": Defect(
        "games/api/sockets/game.py",
        "not_after=frame.not_after",
        "not_after=None",
        ["late copy of a command"],
        1,
        "I5: ",
    ),
}


def put_back(defect: Defect, folder: Path) -> None:
    file = folder / defect.file
    assert file.read_text().count(defect.sound) == 1, "the text to replace has changed"
    file.write_text(file.read_text().replace(defect.sound, defect.broken))


@pytest.mark.parametrize("name", DEFECTS)
def test_the_defect_can_be_put_back(name: str, tmp_path: Path) -> None:
    file = DEFECTS[name].file
    (tmp_path / file).parent.mkdir(parents=True)
    shutil.copy(ROOT / file, tmp_path / file)
    put_back(DEFECTS[name], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFECTS)
def test_the_harness_finds_that(name: str, tmp_path: Path) -> None:
    defect, copy, results = DEFECTS[name], tmp_path / "copy", tmp_path / "results.jsonl"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    put_back(defect, copy)
    subprocess.run(
        [
            *(sys.executable, "-m", "tests.faults", "--results", str(results)),
            *("--tables", "8", "--workers", "1", "--seed", str(defect.seed)),
            *("--kinds", *defect.kinds),
        ],
        cwd=copy,
        check=False,
        timeout=WITHIN_S,
    )
    (played,) = read(results)
    assert any(defect.finding in finding for finding in played.findings), played.findings
