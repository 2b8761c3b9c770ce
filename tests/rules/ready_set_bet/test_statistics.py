"""200,000 races against the figures of an independent simulation of a million: the race of the
rules, fed with cheap dice."""

from random import Random
from statistics import fmean, pstdev

import pytest

from railbird_engine.rules.ready_set_bet.data import (
    CROSSINGS_TO_CLOSE,
    FINISH,
    HORSES,
    LANE_OF_SUM,
    LANES,
    RED_LINE,
)
from railbird_engine.rules.ready_set_bet.race import move, podium, starting_course

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("ready_set_bet_statistics"),  # one worker runs the races, once
]

RACES = 200_000
PROBABILITY = 0.005
"""Four standard errors and more."""

# By horse, from the million races: win, place, show, mean final position.
REFERENCE = {
    "2/3": (0.0475, 0.1266, 0.2056, 6.53),
    "4": (0.0480, 0.1270, 0.2062, 6.54),
    "5": (0.1103, 0.2548, 0.3807, 8.49),
    "6": (0.1826, 0.3909, 0.5493, 9.93),
    "7": (0.2228, 0.4788, 0.6553, 10.67),
    "8": (0.1827, 0.3915, 0.5497, 9.93),
    "9": (0.1102, 0.2548, 0.3807, 8.48),
    "10": (0.0481, 0.1272, 0.2063, 6.54),
    "11/12": (0.0479, 0.1267, 0.2052, 6.53),
}

PAIRS = [(first, second) for first in range(1, 7) for second in range(1, 7)]
DOUBLE_1, DOUBLE_6 = PAIRS.index((1, 1)), PAIRS.index((6, 6))


class Figures:
    """Results of races: horses on the podium, final positions, and the times of events."""

    def __init__(self) -> None:
        self.win: list[str] = []
        self.place: list[str] = []
        self.show: list[str] = []
        self.positions: list[list[int]] = []
        self.rolls: list[int] = []
        self.closings: list[int] = []
        self.stops: list[int] = []
        self.doubles = [0, 0]
        self.doubles_before_stop = [0, 0]


def cheap_dice(seed: int) -> bytes:
    """Some thirteen million rolls, each a number of `PAIRS`: random bytes below 252 are seven times
    each pair."""
    pair_of_byte = bytes(byte % 36 for byte in range(256))
    return (
        Random(seed).randbytes(65 * RACES + 500_000).translate(pair_of_byte, bytes(range(252, 256)))
    )


@pytest.fixture(scope="module")
def figures() -> Figures:
    found = Figures()
    dice = cheap_dice(2022)
    lanes = iter(dice.translate(bytes([LANE_OF_SUM[sum(pair)] for pair in PAIRS] + [0] * 220)))
    start = 0
    for _ in range(RACES):
        course = starting_course()
        positions = course.positions
        closing = 0
        for lane in lanes:
            move(course, lane)
            if positions[lane] >= RED_LINE:
                if positions[lane] == FINISH:
                    break
                if not closing and course.crossed == CROSSINGS_TO_CLOSE:
                    closing = course.rolls
        finish = podium(positions)
        found.win += finish.win
        found.place += finish.place
        found.show += finish.show
        found.positions.append(positions)
        found.rolls.append(course.rolls)
        if closing:
            found.closings.append(closing)
        stop = closing or course.rolls
        found.stops.append(stop)
        for index, double in enumerate((DOUBLE_1, DOUBLE_6)):
            found.doubles_before_stop[index] += dice.count(double, start, start + stop)
        start += course.rolls
    found.doubles = [dice.count(double, 0, start) for double in (DOUBLE_1, DOUBLE_6)]
    return found


@pytest.mark.parametrize("horse", [horse.horse for horse in HORSES])
def test_a_horse_wins_places_and_shows_as_often_as_in_the_reference(
    figures: Figures, horse: str
) -> None:
    """Of a million races."""
    win, place, show, _ = REFERENCE[horse]
    assert figures.win.count(horse) / RACES == pytest.approx(win, abs=PROBABILITY)
    assert figures.place.count(horse) / RACES == pytest.approx(place, abs=PROBABILITY)
    assert figures.show.count(horse) / RACES == pytest.approx(show, abs=PROBABILITY)


@pytest.mark.parametrize("lane", LANES)
def test_a_horse_gets_as_far_as_in_the_reference(figures: Figures, lane: int) -> None:
    """Of a million races."""
    assert fmean(positions[lane] for positions in figures.positions) == pytest.approx(
        REFERENCE[HORSES[lane].horse][3], abs=0.05
    )


def test_one_horse_wins_and_ties_make_room_on_the_podium(figures: Figures) -> None:
    """Of a million races: the sums of the three columns."""
    assert len(figures.win) == RACES
    assert len(figures.place) / RACES == pytest.approx(2.278, abs=0.01)
    assert len(figures.show) / RACES == pytest.approx(3.339, abs=0.02)


def test_a_race_takes_64_rolls(figures: Figures) -> None:
    """Mean, standard deviation, median, and the range seen in a million races."""
    assert fmean(figures.rolls) == pytest.approx(64.00, abs=0.15)
    assert pstdev(figures.rolls) == pytest.approx(12.61, abs=0.15)
    assert sorted(figures.rolls)[RACES // 2] == 65
    assert min(figures.rolls) >= 6 and max(figures.rolls) <= 115


def test_betting_closes_at_the_57th_roll_unless_the_race_ends_first(figures: Figures) -> None:
    """With the red line at 10 a third crossing comes in two races of three."""
    assert fmean(figures.closings) == pytest.approx(56.73, abs=0.15)
    assert pstdev(figures.closings) == pytest.approx(6.78, abs=0.1)
    assert 1 - len(figures.closings) / RACES == pytest.approx(0.3317, abs=PROBABILITY)
    assert fmean(figures.stops) == pytest.approx(55.13, abs=0.15)


def test_doubles_come_once_in_36_rolls(figures: Figures) -> None:
    """Of a million races: double 1 and double 6 per race, in all and before betting stops."""
    assert [count / RACES for count in figures.doubles] == pytest.approx([1.778, 1.775], abs=0.02)
    assert [count / RACES for count in figures.doubles_before_stop] == pytest.approx(
        [1.532, 1.529], abs=0.02
    )
