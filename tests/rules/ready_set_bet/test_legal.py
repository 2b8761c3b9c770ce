"""The legal commands of a seat."""

from railbird_engine import Seat
from railbird_engine.rules.ready_set_bet.commands import GetReady, PlaceBet
from tests.rules.ready_set_bet.scene import RULES, THREE_CROSS, Scene, running


def test_each_free_spot_is_legal_with_each_token_value() -> None:
    scene = running()
    assert len(list(RULES.legal(scene.state, Seat(0)))) == 67 * 4
    scene.bet(0, "win:7:r", 5)
    assert len(list(RULES.legal(scene.state, Seat(0)))) == 66 * 3
    assert len(list(RULES.legal(scene.state, Seat(1)))) == 66 * 4


def test_bets_are_legal_only_while_bets_are_open() -> None:
    scene = Scene()
    assert list(RULES.legal(scene.state, Seat(0))) == [GetReady()]
    scene.tick()
    assert PlaceBet("show:4:r", 2) in list(RULES.legal(scene.state, Seat(0)))
    scene.roll(*THREE_CROSS)
    assert not list(RULES.legal(scene.state, Seat(0)))
