"""The fairness report: known values, honest dice pass, loaded ones are found, and the command reads real games."""

import math
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games import fairness, loop, services
from games.engine import Draw
from games.models import Game

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [(3.841459, 1, 0.05), (11.0705, 5, 0.05), (20.515, 5, 0.001), (6.17, 5, 0.2900), (100.0, 100, 0.4812), (0, 3, 1.0)],
)
def test_the_tail_of_a_chi_square_is_that_of_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert math.isclose(fairness.chi_square_tail(statistic, freedom), p, rel_tol=2e-3)


def throws(weights: list[int], draws: int, seed: int) -> list[Draw]:
    values = random.Random(seed).choices(range(6), weights, k=draws)
    return [Draw(number, 6, value) for number, value in enumerate(values)]


def test_honest_dice_are_rarely_odd_and_never_by_much() -> None:
    odd = 0
    for seed in range(100):
        (sample,) = fairness.corrected({"x": fairness.samples_of(throws([1] * 6, 600, seed))})["x"]
        assert [test.name for test in sample.tests] == ["faces", "sums of two", "runs of high and low"]
        odd += any(test.holm < fairness.ALPHA for test in sample.tests)
    assert odd <= 4, "one in a hundred, by design"


def test_a_loaded_die_is_found_when_there_are_as_many_throws_as_the_report_asks_for() -> None:
    draws = 20_000
    bias = fairness.visible_bias(draws, 6)
    weights = [round(1000 * (1 + 1.5 * bias)), *[round(1000 * (1 - 1.5 * bias / 5))] * 5]
    (sample,) = fairness.corrected({"x": fairness.samples_of(throws(weights, draws, 1))})["x"]
    assert sample.tests[0].holm < fairness.ALPHA


def test_dice_that_alternate_are_found_by_their_runs_alone() -> None:
    values = [
        value
        for low, high in zip(*[random.Random(2).choices(r, k=600) for r in (range(3), range(3, 6))], strict=True)
        for value in (low, high)
    ]
    tests = {test.name: test.p for test in fairness.sample_of(values, 6).tests}
    assert tests["faces"] > fairness.ALPHA
    assert tests["runs of high and low"] < 1e-9


def test_the_command_reads_games_draws_them_again_and_writes_a_page(new_game: Callable[..., Game], tmp_path: Path) -> None:
    game = new_game(2, slug="ready_set_bet")
    loop.call(services.void(game.id, "the test is over"))
    page = tmp_path / "fairness.html"
    command = [sys.executable, "manage.py", "fairness", "--game", "ready_set_bet", "--html", str(page)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "drawn again from their seeds" in done.stdout
    assert "<svg" in page.read_text()
