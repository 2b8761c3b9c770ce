"""`manage.py bench moves --peer`: the comparison with what a command prints."""

import shlex
import sys

import pytest

from bench.ground import ExperimentError
from bench.moves import MovesMeasured
from bench.peer import compared, measured_by

LINES = (
    '{"load": "saturation", "moves_per_s": 1000, "p50_ms": 30, "cores": 1}',
    '{"load": "200/s", "moves_per_s": 200, "p50_ms": 2}',
)


def ours(load: str, moves_per_s: float, p50_ms: float) -> MovesMeasured:
    return MovesMeasured(
        load=load,
        tables=1,
        players=4,
        seconds=1,
        moves_per_s=moves_per_s,
        deliveries_per_s=0,
        p50_ms=p50_ms,
        p99_ms=0,
        max_ms=0,
        refused=0,
        unanswered=0,
        lost=0,
        cores={},
    )


def printing(*lines: str) -> str:
    return shlex.join([sys.executable, "-c", f"print({chr(10).join(lines)!r})"])


def test_the_ratio_is_the_median_of_the_turns() -> None:
    peer = measured_by(printing(*LINES))
    turns = [
        ([ours("saturation", moves, 60), ours("200/s", 200, 1)], peer)
        for moves in (1000, 3000, 2000)
    ]
    saturation, steady = compared(turns)
    assert (saturation.moves_ratio, saturation.p50_ratio) == (2.0, 2.0)
    assert (steady.load, steady.moves_ratio, steady.p50_ratio) == ("200/s", 1.0, 0.5)


@pytest.mark.parametrize("command", ["no-such-command", printing("not JSON"), "false"])
def test_a_command_that_measures_nothing_is_reported_in_one_line(command: str) -> None:
    with pytest.raises(ExperimentError, match="--peer") as failed:
        measured_by(command)
    assert "\n" not in str(failed.value)


def test_a_load_that_the_peer_lacks_is_reported() -> None:
    with pytest.raises(ExperimentError, match="not saturation"):
        compared([([ours("saturation", 1, 1)], measured_by(printing(LINES[1])))])
