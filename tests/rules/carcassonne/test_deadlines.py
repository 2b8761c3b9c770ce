"""The clock: what is awaited, for how long, and what an absent player gets."""

from datetime import timedelta

import msgspec
import pytest

from games.engine import Alarm, Seat
from games.rules.carcassonne.messages import (
    DeadlinePassed,
    MeeplePlaced,
    PassBet,
    PlaceBet,
    PlaceTile,
    SkipMeeple,
    TilePlaced,
)
from games.rules.carcassonne.state import TURN_SECONDS_MAX, CarcassonneOptions
from tests.rules.carcassonne.table import RULES, A, B, C, Table

DEADLINE = CarcassonneOptions(turn_seconds=30)


def alarm(table: Table) -> Alarm | None:
    return RULES.alarm(table.state)


def test_without_the_option_nothing_is_awaited_from_the_clock() -> None:
    assert alarm(Table(2)) is None


@pytest.mark.parametrize("seconds", [-1, TURN_SECONDS_MAX + 1])
def test_the_seconds_are_bounded(seconds: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"turn_seconds": seconds}, CarcassonneOptions)


def test_a_turn_has_one_deadline_for_all_its_choices() -> None:
    table = Table(2, DEADLINE)
    first = alarm(table)
    assert first is not None
    assert first.after == timedelta(seconds=30)
    table.put("U@1,0r0", table.state.active)
    assert table.state.stage == "meeple"
    assert alarm(table) == first
    table.play(table.state.active, SkipMeeple())
    second = alarm(table)
    assert second is not None
    assert second.number != first.number


def test_a_round_of_bets_has_a_deadline_of_its_own_that_bets_do_not_move() -> None:
    table = Table(3, DEADLINE)
    turn = alarm(table)
    table.lay("BK7@1,0r0")
    bets = alarm(table)
    assert turn is not None
    assert bets is not None
    assert bets.number != turn.number
    table.play(C, PlaceBet("b4"))
    table.play(A, PassBet())
    assert alarm(table) == bets
    table.play(B, PassBet())
    assert alarm(table) != bets


def test_an_absent_players_tile_is_laid_near_the_start_without_a_meeple() -> None:
    table = Table(2, DEADLINE)
    table.turn(A, "U")
    table.tick()
    placed = table.heard(TilePlaced)
    assert table.heard(DeadlinePassed) == [DeadlinePassed(seats=(A,))]
    assert [(it.seat, it.x, it.y, it.rotation) for it in placed] == [(A, -1, 0, 0)]
    assert not table.heard(MeeplePlaced)
    assert (table.state.stage, table.state.active) == ("tile", B)


def test_a_tile_that_was_laid_stays_where_it_is_and_only_the_meeple_is_left_out() -> None:
    table = Table(2, DEADLINE)
    table.put("U@1,0r0", A)
    table.tick()
    assert not table.heard(TilePlaced)
    assert (table.state.active, table.state.meeples) == (B, [7, 7])


def test_a_whole_game_of_absent_players_comes_to_its_end() -> None:
    table = Table(2, DEADLINE)
    ticks = 0
    while RULES.result(table.state) is None:
        before = alarm(table)
        table.tick()
        assert alarm(table) != before
        ticks += 1
    assert ticks < 120
    assert alarm(table) is None
    assert table.points == (0, 0)


def test_the_default_move_is_a_legal_one_in_every_stage() -> None:
    table = Table(2, DEADLINE)
    table.turn(B, "V")
    seat = Seat(1)
    assert RULES._default(table.state, seat) in table.legal(seat)
    assert isinstance(RULES._default(table.state, seat), PlaceTile)
