"""The view of players and spectators."""

from railbird_engine import Seat
from railbird_engine.skeleton.coin_toss.commands import PlaceBet
from railbird_engine.skeleton.tests.scene import RULES, after, opening


def test_everybody_sees_every_bet() -> None:
    state = after(opening(), 0, PlaceBet("heads", 2)).state
    assert RULES.view(state, None) == RULES.view(state, Seat(1))
    assert RULES.view(state, None).choices[Seat(0)].stake == 2
