"""The legal commands of a seat."""

from railbird_engine import Seat
from railbird_engine.skeleton.coin_toss.commands import PassRound
from railbird_engine.skeleton.tests.scene import RULES, after, opening


def test_a_seat_may_pass_or_bet_one_to_five_chips_on_either_side() -> None:
    assert len(list(RULES.legal(opening(), Seat(0)))) == 1 + 5 * 2


def test_a_seat_that_has_chosen_has_no_command() -> None:
    state = after(opening(), 0, PassRound()).state
    assert list(RULES.legal(state, Seat(0))) == []
