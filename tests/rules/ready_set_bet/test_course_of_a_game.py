"""From the first start call to the ranking: rulebook, "Aperçu d'un tour" to "Fin de la partie"."""

from datetime import timedelta

import msgspec
import pytest

from railbird_engine import Alarm, BetSettled, Event, ScriptedChance, Seat, Transfer
from railbird_engine.kernel.money import BANK, seat_purse
from railbird_engine.rules.ready_set_bet.commands import GetReady
from railbird_engine.rules.ready_set_bet.events import (
    BettingClosed,
    GameEnded,
    GotReady,
    MoneySettled,
    RaceFinished,
    RacePrepared,
    RaceStarted,
    RedLineCrossed,
    Rolled,
)
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.race import Podium
from tests.rules.ready_set_bet.scene import (
    RULES,
    SEVEN_WINS,
    THREE_CROSS,
    Scene,
    dice_of,
    plain,
    refusal,
    running,
)


def kinds(events: list[Event] | tuple[Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


def rolled(scene: Scene, total: int) -> Rolled:
    event = scene.roll(total)[0]
    assert isinstance(event, Rolled)
    return event


# Phases and the clock


def test_everyone_starts_with_nothing_before_the_first_race() -> None:
    """Ruling 4.14."""
    scene = Scene(3)
    assert scene.events == (RacePrepared(race=1),)
    assert (scene.state.phase, scene.money()) == ("paddock", [0, 0, 0])


def test_the_start_call_opens_the_bets_and_the_first_roll_follows_it() -> None:
    scene = Scene()
    assert scene.tick() == (RaceStarted(race=1),)
    assert scene.state.phase == "open"
    assert rolled(scene, 7).roll == 1


def test_the_clock_waits_a_pause_before_the_start_and_a_roll_between_rolls() -> None:
    """Ruling 4.26: without an announcer the server keeps the time."""
    scene = Scene(options=plain(roll_ms=2_000, pause_ms=7_000))
    assert RULES.alarm(scene.state) == Alarm(0, timedelta(seconds=7))
    scene.tick()
    assert RULES.alarm(scene.state) == Alarm(1, timedelta(seconds=2))
    scene.roll(*SEVEN_WINS)
    assert RULES.alarm(scene.state) == Alarm(16, timedelta(seconds=7))


@pytest.mark.parametrize(("rolls", "phase"), [((), "open"), (SEVEN_WINS, "paddock")])
def test_a_pause_ends_at_once_when_all_seats_are_ready(rolls: tuple[int, ...], phase: str) -> None:
    """Ruling 4.44, before the start call and after the finish."""
    scene = Scene(2)
    if rolls:
        scene.tick()
        scene.roll(*rolls)
    waits = RULES.alarm(scene.state)
    assert scene.ask(1, GetReady()) == (GotReady(race=1, seat=Seat(1)),)
    assert RULES.view(scene.state, None).ready == (1,)
    assert refusal(scene, 1, GetReady())[0] == "already_ready"
    assert RULES.alarm(scene.state) == waits
    scene.ask(0, GetReady())
    assert scene.state.phase == phase
    assert RULES.alarm(scene.state) != waits
    assert RULES.view(scene.state, None).ready == (None if phase == "open" else ())


def test_nobody_is_ready_while_a_race_runs_or_an_announcer_makes_the_start_call() -> None:
    """Ruling 4.44."""
    announced = Scene(3, plain(mode="standard"))
    for scene in (running(), announced):
        assert RULES.view(scene.state, None).ready is None
        assert refusal(scene, 1, GetReady())[0] == "no_pause"


@pytest.mark.parametrize(("roll_ms", "pause_ms"), [(2_000, 5_000), (50, 125), (60_000, 120_000)])
def test_a_pause_lasts_two_and_a_half_rolls_unless_the_host_says_otherwise(
    roll_ms: int, pause_ms: int
) -> None:
    assert ReadySetBetOptions(roll_ms=roll_ms).look_ms == pause_ms
    assert ReadySetBetOptions(roll_ms=roll_ms, pause_ms=0).look_ms == 0


@pytest.mark.parametrize(
    "bad",
    [{"roll_ms": 49}, {"roll_ms": 60_001}, {"pause_ms": -1}, {"pause_ms": 120_001}, {"races": 5}],
)
def test_options_are_bounded_by_their_type(bad: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(bad, ReadySetBetOptions)


def test_alarm_numbers_rise_through_the_whole_game_and_end_with_it() -> None:
    scene = Scene(options=plain(races=2))
    numbers = []
    while alarm := RULES.alarm(scene.state):
        numbers.append(alarm.number)
        chance = ScriptedChance(dice_of(7) if scene.state.phase == "open" else [])
        scene.state = RULES.advance(scene.state, chance).state
    assert numbers == list(range(2 * (1 + 15) + 1))


# Rolls


def test_a_roll_has_dice_horse_bonus_and_position() -> None:
    scene = running()
    assert rolled(scene, 9) == Rolled(
        race=1,
        roll=1,
        dice=(3, 6),
        total=9,
        horse="9",
        bonus=0,
        position=1,
        double=None,
        takes_lead=True,
    )
    second = rolled(scene, 9)
    assert (second.bonus, second.position) == (2, 4)


def test_a_double_one_and_a_double_six_are_called() -> None:
    """Rulebook, "Le speaker": a 2 and a 12, not a 3, an 11 or any other double."""
    scene = running()
    assert [rolled(scene, total).double for total in (2, 3, 11, 12, 8)] == [1, None, None, 6, None]


def test_a_new_leader_is_called_once() -> None:
    """Rulebook, "Le speaker": a horse that takes the sole lead. Drawing level is not leading."""
    scene = running()
    assert [rolled(scene, total).takes_lead for total in (7, 7, 6, 8, 6, 7, 6, 6)] == [
        True,  # 7 on 1
        False,  # it leads already
        False,
        False,
        False,  # 6 draws level on 2
        True,  # 7 leads alone again
        False,  # level on 3
        True,  # 6 on 5, bonus included
    ]


def test_a_third_horse_over_the_red_line_closes_the_bets() -> None:
    """Rulebook, "Clôture des paris"."""
    scene = running()
    events = scene.roll(*THREE_CROSS)
    crossings = [event for event in events if isinstance(event, RedLineCrossed)]
    assert [(event.horse, event.crossed) for event in crossings] == [("5", 1), ("6", 2), ("8", 3)]
    assert events[-1] == BettingClosed(race=1, roll=len(THREE_CROSS))
    assert scene.state.phase == "closed"


def test_bets_stay_open_while_two_horses_have_crossed() -> None:
    scene = running()
    scene.roll(*THREE_CROSS[:-1])
    assert (scene.state.phase, scene.state.course.crossed) == ("open", 2)


def test_a_fourth_crossing_is_announced_but_closes_nothing_more() -> None:
    """Rulebook, "Le speaker": each crossing is announced."""
    scene = running()
    scene.roll(*THREE_CROSS)
    events = scene.roll(9, 9, 9, 9, 9, 9, 9)
    assert [event.crossed for event in events if isinstance(event, RedLineCrossed)] == [4]
    assert "BettingClosed" not in kinds(events)


def test_a_new_race_starts_a_new_run() -> None:
    """Bonus moves: the last seven rolls of race 1 were of lane 6, and still its first in race 2
    earns nothing."""
    scene = running()
    scene.roll(*(6,) * 10)
    scene.tick()
    scene.tick()
    assert rolled(scene, 6).bonus == 0


# The finish


def test_the_first_horse_on_space_fifteen_ends_the_race_at_once() -> None:
    """Rulebook, "Fin de la course": all others stay where they are."""
    scene = running(2)
    events = scene.roll(8, 9, *SEVEN_WINS)
    finished = next(event for event in events if isinstance(event, RaceFinished))
    assert finished == RaceFinished(
        race=1,
        roll=17,
        horse="7",
        positions=(0, 0, 0, 0, 15, 1, 1, 0, 0),
        podium=Podium(("7",), ("7", "8", "9"), ("7", "8", "9")),
    )
    assert scene.state.phase == "finished"
    assert RULES.view(scene.state, None).positions == finished.positions


def test_a_finish_with_open_bets_needs_no_closing_of_its_own() -> None:
    """Ruling 4.3: "finished" implies it."""
    scene = running(2)
    events = scene.roll(*SEVEN_WINS)
    assert "BettingClosed" not in kinds(events)
    assert kinds(events)[-3:] == ["RaceFinished", "MoneySettled", "MoneySettled"]


def test_a_race_settles_every_bet_gains_first() -> None:
    """Rulebook, "Résoudre les paris"; rulings 4.34 and 4.35."""
    scene = running()
    scene.bet(0, "show:2/3:l", 2)  # lost: 4
    scene.bet(1, "place:8:l", 4)  # lost: 5, of nothing
    scene.bet(0, "win:7:r", 5)  # won: 15
    scene.bet(0, "colour:blue", 3)  # lost: 1
    scene.roll(6, 6, 8, *SEVEN_WINS)
    settled = [event for event in scene.events if isinstance(event, BetSettled | MoneySettled)]
    assert settled[:6] == [
        BetSettled(bet=3, seat=Seat(0), spot="win:7:r", outcome="won", payout=15),
        BetSettled(bet=1, seat=Seat(0), spot="show:2/3:l", outcome="lost", payout=-4),
        BetSettled(bet=4, seat=Seat(0), spot="colour:blue", outcome="lost", payout=-1),
        MoneySettled(race=1, seat=Seat(0), gained=15, paid=5, money=10),
        BetSettled(bet=2, seat=Seat(1), spot="place:8:l", outcome="lost", payout=0),
        MoneySettled(race=1, seat=Seat(1), gained=0, paid=0, money=0),
    ]
    assert scene.money() == [10, 0, 0, 0, 0]


def test_settlement_moves_money_between_bank_and_seat() -> None:
    """Ruling 4.36: the bank is unlimited."""
    scene = running(2)
    scene.bet(1, "win:7:r", 5)
    scene.bet(1, "show:2/3:r", 2)
    scene.roll(6, 6, 8, *SEVEN_WINS[:-1])
    step = RULES.advance(scene.state, ScriptedChance(dice_of(7)))
    assert step.transfers == (
        Transfer(BANK, seat_purse(1), 15, "bet_won"),
        Transfer(seat_purse(1), BANK, 3, "bet_lost"),
    )
    assert step.state.purses == {BANK: -12, seat_purse(0): 0, seat_purse(1): 12}


def test_between_races_horses_and_tokens_return() -> None:
    """Rulebook, "Nettoyer le terrain"."""
    scene = running()
    scene.bet(0, "win:7:r", 5)
    scene.roll(*SEVEN_WINS)
    shown = RULES.view(scene.state, None)
    assert (shown.podium is not None, shown.dice) == (True, (1, 6))
    assert scene.tick() == (RacePrepared(race=2),)
    shown = RULES.view(scene.state, None)
    assert (shown.podium, shown.dice, shown.roll, shown.last_horse) == (None, None, 0, None)
    assert scene.positions == [0] * 9
    assert scene.state.bets == ()
    assert scene.state.tokens == ((2, 3, 3, 4, 5),) * 5
    assert scene.money()[0] == 15


def test_bets_are_numbered_through_the_whole_game() -> None:
    scene = running()
    scene.bet(0, "win:7:r", 5)
    scene.roll(*SEVEN_WINS)
    scene.tick()
    scene.tick()
    scene.bet(1, "win:7:r", 5)
    assert [bet.bet for bet in scene.state.bets] == [2]


# The end


def play_races(scene: Scene, races: int) -> None:
    for _ in range(races):
        scene.tick()
        scene.roll(*SEVEN_WINS)
        if scene.state.phase == "finished":
            scene.tick()


def test_four_races_make_a_game() -> None:
    scene = Scene(2)
    play_races(scene, 3)
    assert RULES.result(scene.state) is None
    play_races(scene, 1)
    assert RULES.result(scene.state) is not None
    assert RULES.alarm(scene.state) is None


def test_the_board_stays_as_it_is_after_the_last_race() -> None:
    """Ruling 4.38."""
    scene = running(2, plain(races=1))
    scene.bet(0, "win:7:r", 5)
    scene.roll(*SEVEN_WINS)
    view = RULES.view(scene.state, Seat(0))
    assert (view.phase, view.positions[4], len(view.bets)) == ("over", 15, 1)


def test_most_money_wins_and_ties_share_the_victory() -> None:
    """Rulebook, "Fin de la partie"; ruling 4.37."""
    scene = running(4, plain(races=1))
    scene.bet(1, "win:7:r", 5)
    scene.bet(3, "win:7:m", 5)
    scene.bet(0, "place:7:l", 2)
    scene.roll(*SEVEN_WINS)
    assert scene.events[-1] == GameEnded(
        ranking=((Seat(1), Seat(3)), (Seat(0),), (Seat(2),)), scores=(4, 15, 0, 15)
    )
    result = RULES.result(scene.state)
    assert result is not None and (result.ranking, result.scores) == (
        ((1, 3), (0,), (2,)),
        (4, 15, 0, 15),
    )


# The view


def test_the_view_shows_the_whole_game() -> None:
    scene = running(2)
    scene.bet(1, "colour:blue", 5)
    scene.roll(9, 9)
    view = RULES.view(scene.state, Seat(1))
    assert (view.seat, view.phase, view.race, view.roll, view.dice) == (1, "open", 1, 2, (3, 6))
    assert (view.positions, view.last_horse, view.run) == ((0, 0, 0, 0, 0, 0, 4, 0, 0), "9", 2)
    assert [(bet.seat, bet.spot, bet.token) for bet in view.bets] == [(1, "colour:blue", 5)]
    assert view.tokens == ((2, 3, 3, 4, 5), (2, 3, 3, 4))
    assert view.closed_columns == ("win:l", "place:l", "show:l")
    assert (len(view.horses), len(view.spots), view.podium, view.ranking) == (9, 67, None, None)


def test_a_spectator_sees_what_a_seat_sees() -> None:
    scene = running(2)
    assert RULES.view(scene.state, None) == msgspec.structs.replace(
        RULES.view(scene.state, Seat(1)), seat=None
    )
