"""How horses move and rank: worked examples, and what can be counted exactly."""

from fractions import Fraction
from itertools import product

import pytest

from railbird_engine.rules.ready_set_bet.data import (
    BONUS,
    FINISH,
    LANE_OF_HORSE,
    LANE_OF_SUM,
    LANES,
    RED_LINE,
    WAYS,
)
from railbird_engine.rules.ready_set_bet.race import (
    Course,
    move,
    podium,
    rank,
    starting_course,
    takes_lead,
)

ROLLS = [first + second for first, second in product(range(1, 7), repeat=2)]


def steps(*totals: int) -> list[tuple[int, int]]:
    """(lane, position) after each total."""
    course = starting_course()
    seen = []
    for total in totals:
        lane = LANE_OF_SUM[total]
        move(course, lane)
        seen.append((lane, course.positions[lane]))
    return seen


# Moves


def test_two_and_three_continue_the_same_run() -> None:
    """Rulebook, "Bonus de déplacement": the example of As de Troie; ruling 4.5."""
    assert [position for _, position in steps(3, 2, 3, 2)] == [1, 5, 6, 10]


def test_eleven_and_twelve_continue_the_same_run() -> None:
    """Ruling 4.5."""
    assert [position for _, position in steps(12, 11, 11)] == [1, 5, 6]


def test_the_second_and_fourth_roll_of_a_run_earn_the_bonus() -> None:
    """Ruling 4.4: pairs, so the even members trigger it."""
    assert [position for _, position in steps(9, 9, 9, 9)] == [1, 4, 5, 8]
    assert [position for _, position in steps(6, 6, 6, 6, 6, 6)] == [1, 3, 4, 6, 7, 9]


def test_another_lane_ends_a_run() -> None:
    assert steps(6, 6, 7, 6, 6) == [(3, 1), (3, 3), (4, 1), (3, 4), (3, 6)]


def test_seven_never_earns_a_bonus() -> None:
    assert [position for _, position in steps(7, 7, 7, 7)] == [1, 2, 3, 4]


def test_a_bonus_stops_at_the_finish() -> None:
    """Ruling 4.2: the track has fifteen spaces."""
    blue = LANE_OF_HORSE["4"]
    course = Course([0, 13, 0, 0, 0, 0, 0, 0, 0])
    move(course, blue)
    assert course.positions[blue] == 14
    move(course, blue)
    assert course.positions[blue] == FINISH


def test_the_shortest_race_takes_six_rolls_of_a_blue_lane() -> None:
    """Counted by hand."""
    assert [position for _, position in steps(4, 4, 4, 4, 4, 4)] == [1, 5, 6, 10, 11, 15]


def test_a_jump_over_the_red_line_counts_once() -> None:
    """Ruling 4.1: a horse on space ten or beyond has crossed."""
    blue = LANE_OF_HORSE["10"]
    course = Course([0, 0, 0, 0, 0, 0, 0, 9, 0], lane=blue, run=1)
    move(course, blue)
    assert (course.positions[blue], course.crossed) == (13, 1)
    move(course, blue)
    assert course.crossed == 1


@pytest.mark.parametrize("horse", ["2/3", "4", "5", "6", "7", "8", "9", "10", "11/12"])
def test_the_ninth_space_lies_before_the_red_line_and_the_tenth_beyond(horse: str) -> None:
    """Ruling 4.1."""
    lane = LANE_OF_HORSE[horse]
    course = starting_course()
    course.positions[lane] = 8
    move(course, lane)
    assert (course.positions[lane], course.crossed) == (9, 0)
    course.lane = None
    move(course, lane)
    assert (course.positions[lane], course.crossed) == (10, 1)


def test_no_roll_crosses_the_red_line_and_finishes_at_once() -> None:
    """Ruling 4.3 is never called upon: the longest move from before the line ends on space
    thirteen."""
    assert RED_LINE - 1 + 1 + max(BONUS) < FINISH


# Exact checks


def test_the_first_two_rolls_are_of_one_lane_154_times_in_1296() -> None:
    assert (
        sum(LANE_OF_SUM[first] == LANE_OF_SUM[second] for first, second in product(ROLLS, repeat=2))
        == 154
    )


@pytest.mark.parametrize("lane", LANES)
def test_a_horses_long_run_advance_is_exact(lane: int) -> None:
    """p + b p^2 / (1 + p): blue 4/39, orange 2/15, black 1/6. Found by rolling every lane from
    every run, many times over."""
    chance = Fraction(WAYS[lane], 36)
    others = next(other for other in LANES if other != lane)
    shares = {
        False: Fraction(1),
        True: Fraction(0),
    }  # how likely the horse is to be in an odd run of its own
    advance = Fraction(0)
    for _ in range(40):
        rolled = {False: Fraction(0), True: Fraction(0)}
        advance = Fraction(0)
        for armed, share in shares.items():
            for moved, likely in ((lane, chance), (others, 1 - chance)):
                course = Course([0] * len(LANES), lane=lane, run=1 if armed else 2)
                move(course, moved)
                advance += share * likely * course.positions[lane]
                rolled[course.lane == lane and course.run % 2 == 1] += share * likely
        shares = rolled
    exact = chance + BONUS[lane] * chance**2 / (1 + chance)
    assert abs(advance - exact) < Fraction(1, 10**9)
    assert (
        exact == {3: Fraction(4, 39), 2: Fraction(2, 15), 1: exact, 0: Fraction(1, 6)}[BONUS[lane]]
    )
    assert float(exact) == pytest.approx(
        {3: 0.102564, 2: 0.133333, 1: 0.155827, 0: 0.166667}[BONUS[lane]], abs=1e-6
    )


# Ranking


def test_without_a_tie_three_horses_show() -> None:
    """The rulebook's first figure."""
    positions = [9, 14, 15, 12, 11, 10, 8, 7, 6]
    finish = podium(positions)
    assert (finish.win, finish.place, finish.show) == (("5",), ("4", "5"), ("4", "5", "6"))
    assert rank(positions, LANE_OF_HORSE["7"]) == 4


def test_horses_that_tie_for_second_leave_no_third() -> None:
    """The rulebook's second figure."""
    positions = [12, 3, 15, 12, 11, 4, 5, 6, 7]
    finish = podium(positions)
    assert finish.win == ("5",)
    assert finish.place == finish.show == ("2/3", "5", "6")
    assert rank(positions, LANE_OF_HORSE["7"]) == 4


def test_three_that_tie_for_second_all_place_and_show() -> None:
    """Ruling 4.8."""
    finish = podium([12, 12, 15, 12, 11, 4, 5, 6, 7])
    assert finish.place == finish.show == ("2/3", "4", "5", "6")


def test_all_that_tie_for_third_show() -> None:
    """The rulebook's third figure."""
    finish = podium([9, 14, 15, 9, 9, 4, 5, 6, 7])
    assert (finish.place, finish.show) == (("4", "5"), ("2/3", "4", "5", "6", "7"))


def test_all_eight_that_tie_behind_the_winner_show() -> None:
    finish = podium([0, 0, 0, 0, 15, 0, 0, 0, 0])
    assert finish.win == ("7",)
    assert len(finish.place) == len(finish.show) == 9


def test_horses_that_tie_share_a_rank() -> None:
    """1, 2, 2, 4."""
    positions = [15, 12, 12, 9, 0, 0, 0, 0, 0]
    assert [rank(positions, lane) for lane in range(5)] == [1, 2, 2, 4, 5]


@pytest.mark.parametrize(
    ("positions", "before", "takes"),
    [
        ([3, 2, 1, 0, 0, 0, 0, 0, 0], 2, True),
        ([3, 2, 3, 0, 0, 0, 0, 0, 0], 2, False),
        ([3, 2, 4, 0, 0, 0, 0, 0, 0], 2, False),
        ([4, 2, 1, 0, 0, 0, 0, 0, 0], 3, False),
        ([6, 2, 5, 0, 0, 0, 0, 0, 0], 2, True),
    ],
)
def test_a_horse_takes_the_lead_when_it_gets_in_front_of_all_others(
    positions: list[int], before: int, takes: bool
) -> None:
    """A shared lead is nobody's, and a horse that leads already takes nothing."""
    assert takes_lead(positions, 0, before) is takes
