"""Every rule and ruling of the README."""

import pytest

from railbird_engine import RuleViolation, Seat, SeededChance, seat_purse
from railbird_engine.skeleton.coin_toss.commands import PassRound, PlaceBet
from railbird_engine.skeleton.coin_toss.data import CHIPS
from railbird_engine.skeleton.coin_toss.events import CoinTossed
from railbird_engine.skeleton.tests.scene import RULES, after, opening


def test_every_player_starts_with_twenty_chips() -> None:
    state = opening(3)
    assert [state.purses[seat_purse(seat)] for seat in range(3)] == [CHIPS] * 3


def test_a_player_bets_once_in_a_round() -> None:
    state = after(opening(), 0, PlaceBet("heads", 5)).state
    with pytest.raises(RuleViolation) as refused:
        after(state, 0, PlaceBet("tails", 1))
    assert refused.value.code == "already_chosen"


def test_the_coin_is_tossed_when_all_have_chosen() -> None:
    first = after(opening(), 0, PlaceBet("heads", 5))
    assert not any(isinstance(event, CoinTossed) for event in first.events)
    second = after(first.state, 1, PlaceBet("tails", 5))
    assert any(isinstance(event, CoinTossed) for event in second.events)
    held = sorted(second.state.purses[seat_purse(seat)] for seat in range(2))
    assert held == [CHIPS - 5, CHIPS + 5]


def test_ruling_1_a_player_who_does_not_choose_in_time_has_passed() -> None:
    step = RULES.advance(opening(), SeededChance(b"late"))
    assert (step.state.round, step.transfers) == (2, ())


def test_ruling_2_a_player_without_chips_can_only_pass() -> None:
    state = opening()
    state.purses[seat_purse(0)] = 0
    assert list(RULES.legal(state, Seat(0))) == [PassRound()]
