"""The view of players and spectators."""

from games.engine import Seat
from games.skeleton.coin_toss.commands import PlaceBet
from games.skeleton.tests.scene import RULES, after, opening


def test_everybody_sees_every_bet() -> None:
    state = after(opening(), 0, PlaceBet("heads", 2)).state
    assert RULES.view(state, None) == RULES.view(state, Seat(1))
    assert RULES.view(state, None).choices[Seat(0)].stake == 2
