"""The clock: deadlines, and the choices for absent players."""

from datetime import timedelta

import msgspec
import pytest

from railbird_engine import Alarm, Seat
from railbird_engine.rules.carcassonne.commands import PassBet, PlaceBet, PlaceTile, SkipMeeple
from railbird_engine.rules.carcassonne.events import DeadlinePassed, MeeplePlaced, TilePlaced
from railbird_engine.rules.carcassonne.legal import default_command
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from tests.rules.carcassonne.scene import RULES, A, B, C, Scene

DEADLINE = CarcassonneOptions(turn_seconds=30)


def alarm(scene: Scene) -> Alarm | None:
    return RULES.alarm(scene.state)


def test_without_the_option_there_is_no_alarm() -> None:
    assert alarm(Scene(2)) is None


@pytest.mark.parametrize("seconds", [-1, 14 * 86_400 + 1])
def test_the_seconds_are_bounded(seconds: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"turn_seconds": seconds}, CarcassonneOptions)


def test_a_turn_has_one_deadline_for_all_its_choices() -> None:
    scene = Scene(2, DEADLINE)
    first = alarm(scene)
    assert first is not None
    assert first.after == timedelta(seconds=30)
    scene.put("U@1,0r0", scene.state.active)
    assert scene.state.stage == "meeple"
    assert alarm(scene) == first
    scene.play(scene.state.active, SkipMeeple())
    second = alarm(scene)
    assert second is not None
    assert second.number != first.number


def test_a_round_of_bets_has_a_deadline_of_its_own_that_bets_do_not_move() -> None:
    scene = Scene(3, DEADLINE)
    turn = alarm(scene)
    scene.lay("BK7@1,0r0")
    bets = alarm(scene)
    assert turn is not None
    assert bets is not None
    assert bets.number != turn.number
    scene.play(C, PlaceBet("b4"))
    scene.play(A, PassBet())
    assert alarm(scene) == bets
    scene.play(B, PassBet())
    assert alarm(scene) != bets


def test_an_absent_players_tile_is_laid_near_the_start_without_a_meeple() -> None:
    scene = Scene(2, DEADLINE)
    scene.turn(A, "U")
    scene.tick()
    placed = scene.events_of(TilePlaced)
    assert scene.events_of(DeadlinePassed) == [DeadlinePassed(seats=(A,))]
    assert [(it.seat, it.x, it.y, it.rotation) for it in placed] == [(A, -1, 0, 0)]
    assert not scene.events_of(MeeplePlaced)
    assert (scene.state.stage, scene.state.active) == ("tile", B)


def test_a_laid_tile_stays_and_only_the_meeple_is_skipped() -> None:
    scene = Scene(2, DEADLINE)
    scene.put("U@1,0r0", A)
    scene.tick()
    assert not scene.events_of(TilePlaced)
    assert (scene.state.active, scene.state.meeples) == (B, [7, 7])


def test_a_whole_game_of_absent_players_ends() -> None:
    scene = Scene(2, DEADLINE)
    ticks = 0
    while RULES.result(scene.state) is None:
        before = alarm(scene)
        scene.tick()
        assert alarm(scene) != before
        ticks += 1
    assert ticks < 120
    assert alarm(scene) is None
    assert scene.points == (0, 0)


def test_the_default_move_is_a_legal_one_in_every_stage() -> None:
    scene = Scene(2, DEADLINE)
    scene.turn(B, "V")
    seat = Seat(1)
    assert default_command(scene.state, seat, RULES._land, []) in scene.legal(seat)
    assert isinstance(default_command(scene.state, seat, RULES._land, []), PlaceTile)
