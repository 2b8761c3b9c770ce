"""Colours, inscriptions and hazards of squares (Rulebook, "Arrêt sur une case")."""

import pytest

from railbird_engine import Seat
from railbird_engine.rules.ascot.commands import (
    Accept,
    ChooseColour,
    ColourChoice,
    DeclineReport,
    Move,
    Offer,
    UseReport,
)
from railbird_engine.rules.ascot.race_events import (
    HorseFell,
    HorseLost,
    HorseMoved,
    HorseWaits,
    InscriptionObeyed,
    ThrowWasted,
)
from railbird_engine.rules.ascot.state import AscotState, cash
from tests.rules.ascot.scene import (
    CASH,
    RULES,
    Runner,
    act,
    dice,
    events_of,
    go_on,
    place_of,
    points_of,
    race_of,
    racing,
    refuse,
    tick,
)

FAR: Runner = (1, 44, 6)


def run(state: AscotState, die: int, lane: int | None = None) -> AscotState:
    """Throw, and move to a lane if there is a choice."""
    state = go_on(state, *dice(die)).state
    return state if lane is None else act(state, 0, Move(lane)).state


def choices(state: AscotState) -> tuple[ColourChoice, ...]:
    race = RULES.view(state, Seat(0)).race
    assert race is not None
    return race.choices


@pytest.mark.parametrize(
    ("horse", "start", "lane", "extra"),
    [(1, (5, 1), 1, 4), (2, (5, 1), 2, 3), (3, (4, 2), 2, 2), (4, (8, 6), 6, 1)],
)
def test_on_its_own_colour_a_horse_runs_on(
    horse: int, start: tuple[int, int], lane: int, extra: int
) -> None:
    state = run(racing({horse: (0, *start), 12: FAR}), 1, lane)
    row = state.horses[horse].row
    assert choices(state) == ("nothing", "extra_rows")
    state = act(state, 0, ChooseColour("extra_rows")).state
    assert points_of(state) == extra
    assert act(state, 0, Move(lane)).state.horses[horse].row == row + extra


def test_a30_extra_rows_are_a_right_and_inscriptions_an_order() -> None:
    state = run(racing({2: (0, 5, 1), 12: FAR}), 1, 2)
    after = act(state, 0, ChooseColour("nothing")).state
    assert (place_of(after, 2), race_of(after).seat) == ((6, 2), 1)
    step = act(go_on(racing({2: (0, 3, 2), 12: FAR}), *dice(1)).state, 0, Move(2))
    assert events_of(step, InscriptionObeyed) == [
        InscriptionObeyed(horse=2, code="AV2", has_effect=True)
    ]
    assert race_of(step.state).step == "move", "nobody was asked whether he wants to advance"


@pytest.mark.parametrize("lane", [1, 3, 2])
def test_an_advantage_makes_any_colour_the_own_colour(lane: int) -> None:
    state = racing({2: (0, 1, 2), 12: FAR}, advantages={0: {"red": 1, "blue": 1}})
    state = run(state, 1, lane)
    assert choices(state) == ("nothing", "advantage_for_rows")
    state = act(state, 0, ChooseColour("advantage_for_rows")).state
    assert points_of(state) == 3
    assert race_of(state).hands[0].advantages == [0, 0, 0, 1]


def test_an_advantage_serves_only_horses_of_its_colour() -> None:
    state = run(racing({2: (0, 1, 2), 12: FAR}, advantages={0: {"blue": 1}}), 1, 1)
    assert race_of(state).seat == 1


def test_a_disadvantage_is_dropped_instead_of_running_on() -> None:
    state = run(racing({2: (0, 5, 1), 12: FAR}, disadvantages={0: 2}), 1, 2)
    assert choices(state) == ("nothing", "extra_rows", "drop_disadvantage")
    assert refuse(state, 0, ChooseColour("advantage_to_drop")).code == "choice_not_open"
    after = act(state, 0, ChooseColour("drop_disadvantage")).state
    assert (race_of(after).hands[0].disadvantages, place_of(after, 2), race_of(after).seat) == (
        1,
        (6, 2),
        1,
    )
    assert refuse(after, 1, ChooseColour("nothing")).code == "no_colour_to_choose"


def test_an_advantage_and_a_disadvantage_go_together_on_another_colour() -> None:
    state = run(
        racing({2: (0, 5, 1), 12: FAR}, advantages={0: {"red": 1}}, disadvantages={0: 1}), 1, 1
    )
    assert choices(state) == ("nothing", "advantage_for_rows", "advantage_to_drop")
    after = act(state, 0, ChooseColour("advantage_to_drop")).state
    assert (race_of(after).hands[0].advantages, race_of(after).hands[0].disadvantages) == (
        [0, 0, 0, 0],
        0,
    )
    assert place_of(after, 2) == (6, 1)


def test_a31_before_the_last_bend_an_advantage_buys_rows_only() -> None:
    state = run(
        racing({2: (0, 27, 1), 12: FAR}, advantages={0: {"red": 1}}, disadvantages={0: 1}), 1, 1
    )
    assert choices(state) == ("nothing", "advantage_for_rows")
    after = act(state, 0, ChooseColour("advantage_for_rows")).state
    assert place_of(after, 2) == (31, 1), "straight through the bend"
    nothing = run(racing({2: (0, 27, 1), 12: FAR}, disadvantages={0: 1}), 1, 1)
    assert race_of(nothing).seat == 1


def test_a_horse_profits_once_from_colour_and_once_from_an_inscription() -> None:
    state = run(racing({2: (0, 5, 1), 12: FAR}), 1, 2)
    state = act(state, 0, ChooseColour("extra_rows")).state
    state = act(state, 0, Move(5)).state
    assert (place_of(state, 2), race_of(state).cause, points_of(state)) == (
        (9, 5),
        "inscription",
        2,
    )
    after = act(state, 0, Move(6)).state
    assert RULES.printed.colour_at(11, 6) == "red"
    assert (place_of(after, 2), race_of(after).seat) == ((11, 6), 1), (
        "red again, but the colour was used"
    )


def test_the_inscription_may_come_before_the_colour() -> None:
    state = run(racing({2: (0, 8, 5), 12: FAR}), 1, 5)
    state = act(state, 0, Move(6)).state
    assert choices(state) == ("nothing", "extra_rows")
    state = act(state, 0, ChooseColour("extra_rows")).state
    step = act(state, 0, Move(4))
    assert (place_of(step.state, 2), race_of(step.state).seat) == ((14, 4), 1)


def test_a_second_inscription_is_ignored() -> None:
    state = run(racing({2: (0, 2, 2), 12: FAR}), 2, 2)
    step = act(state, 0, Move(3))
    assert RULES.printed.inscription_at(6, 3) is not None
    assert (place_of(step.state, 2), events_of(step, InscriptionObeyed)) == ((6, 3), [])


def test_a27_a_bonus_that_cannot_be_completed_ends_in_a_jostle() -> None:
    state = racing({1: (0, 10, 1), 2: (1, 15, 1), 3: (1, 12, 2), 4: (1, 13, 2)})
    state = run(state, 1, 1)
    step = act(state, 0, ChooseColour("extra_rows"))
    assert events_of(step, HorseMoved) == [
        HorseMoved(horse=1, path=((12, 1), (13, 1)), why="jostled")
    ]
    assert race_of(step.state).seat == 1


def test_a28_a_bonus_ends_at_the_last_row() -> None:
    state = run(racing({1: (0, 42, 1), 12: FAR}), 1, 1)
    state = act(state, 0, ChooseColour("extra_rows")).state
    after = act(state, 0, Move(2)).state
    assert (place_of(after, 1), after.horses[1].fate) == ((44, 2), "running")
    last = run(racing({3: (0, 43, 1), 12: FAR}, disadvantages={0: 1}), 1, 1)
    assert choices(last) == ("nothing", "drop_disadvantage"), "there is no row left to run"


def test_extra_rows_without_a_way_are_no_choice() -> None:
    blocked = {2: (0, 27, 1), 3: (1, 29, 1), 12: FAR}
    state = run(racing(blocked, advantages={0: {"red": 1}}), 1, 1)
    assert race_of(state).seat == 1, "the horse ahead and the bend leave no row to run"
    free = {2: (0, 27, 1), 3: (1, 31, 1), 12: FAR}
    state = run(racing(free, advantages={0: {"red": 1}}), 1, 1)
    assert choices(state) == ("nothing", "advantage_for_rows"), "one row until it is jostled"


def test_the_clock_drops_a_disadvantage_before_it_takes_rows() -> None:
    state = run(racing({2: (0, 5, 1), 12: FAR}, disadvantages={0: 1}), 1, 2)
    assert choices(state) == ("nothing", "extra_rows", "drop_disadvantage")
    after = tick(state).state
    assert (race_of(after).hands[0].disadvantages, place_of(after, 2)) == (0, (6, 2))
    last = tick(run(racing({2: (0, 5, 1), 12: FAR}), 1, 2)).state
    assert points_of(last) == 3, "without a Disadvantage it takes the rows"


def test_lanes_are_open_to_choice_when_the_inscription_says_lanes() -> None:
    state = run(racing({2: (0, 2, 4), 12: FAR}), 1, 4)
    assert set(race_of(state).ways) == {1, 2, 3}
    state = run(racing({2: (0, 17, 5), 12: FAR}), 1, 5)
    assert place_of(state, 2) == (23, 1), "the inner lane is the innermost"


def test_a32_an_inscription_out_of_legal_reach_has_no_effect() -> None:
    state = go_on(racing({2: (0, 20, 6), 1: (1, 22, 5)}), *dice(1)).state
    step = act(state, 0, Move(6))
    assert events_of(step, InscriptionObeyed) == [
        InscriptionObeyed(horse=2, code="IN3", has_effect=False)
    ]
    assert place_of(step.state, 2) == (21, 6)


def test_a33_overtaking_puts_a_horse_beyond_those_in_front() -> None:
    state = go_on(racing({2: (0, 11, 2), 1: (1, 14, 2), 3: (1, 15, 2)}), *dice(1)).state
    step = act(state, 0, Move(2))
    assert events_of(step, InscriptionObeyed) == [
        InscriptionObeyed(horse=2, code="DEP", has_effect=True)
    ]
    assert set(race_of(step.state).ways) == {3, 4, 5, 6}
    assert place_of(act(step.state, 0, Move(4)).state, 2) == (16, 4)
    alone = act(go_on(racing({2: (0, 11, 2), 1: FAR}), *dice(1)).state, 0, Move(2))
    assert events_of(alone, InscriptionObeyed) == [
        InscriptionObeyed(horse=2, code="DEP", has_effect=False)
    ]


def test_a34_a_horse_sent_back_stops_before_the_horse_in_its_way() -> None:
    state = run(racing({2: (0, 3, 6), 1: FAR}), 1, 6)
    assert place_of(state, 2) == (2, 6)
    state = run(racing({2: (0, 3, 6), 1: (1, 2, 6)}), 1, 6)
    assert place_of(state, 2) == (3, 6)
    state = run(racing({1: (0, 6, 4), 10: (1, 5, 4)}), 1, 4)
    assert place_of(state, 1) == (6, 4), "it may not leap over the horse behind it"
    state = run(racing({6: (0, 8, 1), 1: FAR}), 1, 1)
    assert place_of(state, 6) == (7, 1)
    coloured = run(racing({3: (0, 8, 1), 1: FAR}), 1, 1)
    assert choices(coloured) == ("nothing", "extra_rows"), (
        "the colour it is sent back to may be used"
    )


def test_whipped_horses_may_change_lanes_again() -> None:
    state = run(racing({2: (0, 34, 4), 12: FAR}), 1)
    assert (place_of(state, 2), points_of(state)) == ((35, 4), 2)
    assert set(race_of(state).ways) == {2, 3, 4, 5, 6}


def test_a_horse_that_must_wait_misses_the_next_turn() -> None:
    state = racing({2: (0, 25, 5), 6: (0, 10, 1), 12: (1, 1, 1)})
    state = go_on(state, *dice(1)).state
    step = act(state, 0, Move(5))
    assert events_of(step, HorseWaits) == [HorseWaits(horse=2)]
    race_of(step.state).left = []
    race_of(step.state).seat, race_of(step.state).left = Seat(1), [12]
    after = go_on(step.state, *dice(6)).state
    after = act(after, 1, Move(1)).state if race_of(after).step == "move" else after
    while race_of(after).seat == 1:
        after = tick(after).state
    assert race_of(after).left == [6]
    assert not after.horses[2].is_waiting


def in_danger(reports: dict[int, list[str]]) -> AscotState:
    """Seat 0's red horse reaches the broken bridle of row 6, lane 3."""
    state = racing({2: (0, 5, 3), 12: FAR})
    for seat, kept in reports.items():
        state.kept[seat] = kept  # type: ignore[assignment]  # names of reports
    return run(state, 1, 3)


def test_a35_a_report_averts_the_danger_unless_its_owner_declines() -> None:
    state = in_danger({0: ["bridle"]})
    after = act(state, 0, UseReport()).state
    assert (after.kept[0], after.horses[2].fate) == ([], "running")
    assert tick(state).state.kept[0] == [], "the clock uses it"
    step = act(state, 0, DeclineReport())
    assert events_of(step, HorseLost) == [HorseLost(horse=2)]
    assert (step.state.kept[0], step.state.horses[2].fate) == (["bridle"], "lost")
    assert refuse(after, 1, UseReport()).code == "no_hazard"
    assert refuse(after, 1, DeclineReport()).code == "no_hazard"


def test_a35_a_player_without_the_report_has_time_to_buy_it() -> None:
    state = in_danger({1: ["bridle"], 2: ["vessel"]})
    assert refuse(state, 0, UseReport()).data == {"report": "bridle"}
    alarm = RULES.alarm(state)
    assert alarm is not None and alarm.after.total_seconds() == 30
    state = act(state, 0, Offer(None, takes=("report:bridle",), pays=5_000)).state
    state = act(state, 1, Accept(1)).state
    assert RULES.alarm(state) == alarm
    after = act(state, 0, UseReport()).state
    assert (after.kept[0], cash(after, Seat(1))) == ([], CASH + 5_000)
    assert tick(in_danger({1: ["bridle"]})).state.horses[2].fate == "lost"


def test_without_any_matching_report_in_the_game_the_horse_is_out_at_once() -> None:
    assert in_danger({1: ["vessel"]}).horses[2].fate == "lost"


def test_a_fallen_horse_leaves_on_the_turn_after_a_six() -> None:
    state = racing({2: (0, 7, 2)}, seats=2)
    step = act(go_on(state, *dice(1)).state, 0, Move(2))
    assert events_of(step, HorseFell) == [HorseFell(horse=2)]
    state = step.state
    for die, why in ((5, "down"), (6, "freed")):
        step = go_on(state, *dice(die))
        assert [event.why for event in step.events if isinstance(event, ThrowWasted)] == [why]
        state = step.state
        assert place_of(state, 2) == (8, 2)
    assert run(state, 1, 2).horses[2].row == 9


def test_a_sure_footed_horse_runs_again_at_its_next_turn() -> None:
    state = racing({2: (0, 7, 2)}, seats=2)
    state.kept[0] = ["surefoot"]
    state = act(run(state, 1, 2), 0, UseReport()).state
    assert not state.horses[2].is_down
    assert run(state, 1, 2).horses[2].row == 9
