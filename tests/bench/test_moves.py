"""The load generator of `manage.py bench moves`, on the servers of the tests."""

import subprocess
import sys
from typing import Literal

import msgspec
import pytest

from bench.ground import Experiment
from bench.moves import Moves, MovesMeasured
from bench.spread import Spread, SpreadMeasured
from gameserver.processes.children import free_port
from tests.processes import ROOT, environment_with, web_process

pytestmark = pytest.mark.usefixtures("database")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "pins"), [("signing", False), ("signing", True), ("heads", False)]
)
def test_players_who_sign_or_ask_for_signed_heads_are_measured(
    players: Literal["signing", "heads"], *, pins: bool
) -> None:
    with web_process() as (child, address):
        assert child.pid is not None
        port = int(address.rpartition(":")[2])
        moves = Moves(
            processes={"web": child.pid},
            port=port,
            tables=2,
            seconds=2,
            rates=(),
            players=players,
            pins=pins,
        )
        (saturation,) = msgspec.json.decode(generated(moves), type=list[MovesMeasured])
    assert saturation.moves_per_s > 0
    assert not saturation.lost


@pytest.mark.slow
def test_a_table_on_one_of_several_web_processes_loses_no_append() -> None:
    metrics = (free_port(), free_port())
    with (
        web_process({"METRICS_ADDRESS": f"127.0.0.1:{metrics[0]}"}) as (first, address),
        web_process({"METRICS_ADDRESS": f"127.0.0.1:{metrics[1]}"}) as (second, other),
    ):
        assert first.pid is not None
        assert second.pid is not None
        spread = Spread(
            processes={"web 1": first.pid, "web 2": second.pid},
            ports=tuple(int(each.rpartition(":")[2]) for each in (address, other)),
            metrics=metrics,
            by_table=True,
            tables=4,
            seconds=0.5,
            rate=40.0,
        )
        measured = msgspec.json.decode(generated(spread), type=SpreadMeasured)
    assert (measured.web, measured.lost_share) == (2, 0)
    assert not measured.saturation.lost


def generated(experiment: Experiment) -> bytes:
    """The results of an experiment in its own process."""
    done = subprocess.run(
        [sys.executable, "-m", "bench"],
        cwd=ROOT,
        env=environment_with({"LOG_LEVEL": "warning"}),
        input=msgspec.json.encode(experiment),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
