"""Whole games in which a slow referee recounts every point (`recount` plays thousands)."""

import pytest

from railbird_engine import Seat
from railbird_engine.kernel.playout import Playout, ask_bot, ask_random
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.state import CarcassonneState
from tests.rules.carcassonne.recount import Referee, recount_game
from tests.rules.carcassonne.scene import RULES


def test_a_game_of_bots_is_counted_again() -> None:
    recount_game(4, CarcassonneOptions(), b"4", ask_bot)


def test_a_random_game_with_deadlines_is_counted_again() -> None:
    recount_game(3, CarcassonneOptions(turn_seconds=1), b"3", ask_random)


def test_a_base_game_is_counted_again() -> None:
    recount_game(5, CarcassonneOptions(bets=False, fields=False), b"5", ask_bot)


def test_the_referee_notices_a_wrong_point() -> None:
    playout = Playout(RULES, 2, CarcassonneOptions(), b"wrong")
    assert isinstance(playout.state, CarcassonneState)
    referee = Referee(playout.state)
    referee.totals[Seat(0)] += 1
    with pytest.raises(AssertionError, match="counted again"):
        referee.watch(next(playout.run()), playout.state)
