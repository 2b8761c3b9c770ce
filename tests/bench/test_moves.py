"""The load generator of `manage.py bench moves`, on the servers of the tests."""

import subprocess
import sys

import msgspec

from bench.moves import Moves, MovesMeasured
from tests.processes import ROOT, environment_with, web_process


def test_moves_are_measured_at_saturation_and_at_a_steady_rate() -> None:
    with web_process() as (web, address):
        assert web.pid is not None
        port = int(address.rpartition(":")[2])
        moves = Moves(processes={"web": web.pid}, port=port, tables=2, seconds=0.5, rates=(40.0,))
        done = subprocess.run(
            [sys.executable, "-m", "bench"],
            cwd=ROOT,
            env=environment_with({"LOG_LEVEL": "warning"}),
            input=msgspec.json.encode(moves),
            capture_output=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    saturation, steady = msgspec.json.decode(done.stdout, type=list[MovesMeasured])
    assert (saturation.load, steady.load) == ("saturation", "40/s")
    assert saturation.moves_per_s > steady.moves_per_s > 10
    assert not any(load.unanswered or load.lost for load in (saturation, steady))
