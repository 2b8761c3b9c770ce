"""The path engine: worked examples, and random positions against the slow reference."""

import random

import pytest

from railbird_engine.rules.ascot.path import Course, Place, backwards, jostled, moves, overtaking
from tests.rules.ascot import path_reference

COURSE = Course(lanes=6, rows=44, bend_first=29, bend_last=35)


def random_position(rng: random.Random) -> tuple[set[Place], Place, int]:
    """Up to eleven horses crowded around a mover, and a throw that stays on the course."""
    row = rng.randrange(COURSE.rows)
    start = (row, rng.randint(1, COURSE.lanes))
    points = rng.randint(1, min(6, COURSE.rows - row))
    others = set()
    for _ in range(rng.randrange(12)):
        near = rng.randint(max(0, row - 4), min(COURSE.rows, row + 8))
        place = (near, rng.randint(1, COURSE.lanes))
        if place != start:
            others.add(place)
    return others, start, points


def check(others: set[Place], start: Place, points: int) -> None:
    """Compare the end squares of a position, and check each path that the engine found."""
    found = moves(COURSE, others, start, points)
    field = {place for place in others if place[0] > 0}
    legal = path_reference.legal_paths(COURSE, field, start, points)
    expected = {path[-1][1] for path in legal}
    assert set(found) == expected, (sorted(others), start, points, found, expected)
    for lane, path in found.items():
        assert path[-1] == (start[0] + points, lane)
        assert list(path) in legal, (sorted(others), start, points, path)
    if not found:
        stop = path_reference.stop_when_jostled(field, start, points)
        assert jostled(field, start) == stop


VECTORS = [
    # start, other horses, points, end lanes
    ((0, 3), set(), 1, {3}),
    ((0, 3), set(), 2, {2, 3, 4}),
    ((0, 3), set(), 3, {1, 2, 3, 4, 5}),
    ((10, 6), set(), 4, {2, 3, 4, 5, 6}),
    ((10, 6), set(), 5, {1, 2, 3, 4, 5, 6}),
    ((10, 3), {(11, 2)}, 3, {3, 4, 5, 6}),
    ((10, 3), {(11, 2)}, 4, {2, 3, 4, 5, 6}),
    ((10, 3), {(11, 3)}, 4, {3, 4, 5, 6}),
    ((34, 4), set(), 3, {2, 3, 4, 5, 6}),
]


@pytest.mark.parametrize(("start", "others", "points", "lanes"), VECTORS)
def test_the_printed_examples_end_on_their_squares(
    start: Place, others: set[Place], points: int, lanes: set[int]
) -> None:
    assert set(moves(COURSE, others, start, points)) == lanes


@pytest.mark.parametrize(
    ("start", "others", "points", "stop"),
    [((10, 1), {(14, 1), (11, 2), (14, 2)}, 6, (12, 1)), ((28, 2), {(31, 2)}, 5, (29, 2))],
)
def test_a26_a_horse_without_a_full_move_is_jostled(
    start: Place, others: set[Place], points: int, stop: Place
) -> None:
    assert moves(COURSE, others, start, points) == {}
    assert jostled(others, start) == stop


def test_a23_three_lengths_are_kept_from_every_horse_behind_in_the_lane_entered() -> None:
    assert 2 not in moves(COURSE, {(11, 2)}, (12, 3), 1), "two lengths"
    assert 2 in moves(COURSE, {(10, 2)}, (12, 3), 1), "three lengths"
    assert 2 not in moves(COURSE, {(5, 2), (12, 2)}, (12, 3), 1), "of any horse of the lane"
    assert 3 in moves(COURSE, {(11, 3)}, (12, 3), 1), "the own lane is not entered"


def test_a25_a_blocked_horse_swerves_before_it_is_jostled() -> None:
    found = moves(COURSE, {(11, 3), (11, 2)}, (10, 3), 1)
    assert found == {4: ((11, 4),)}


def test_a26_a_horse_right_behind_another_is_jostled_in_place() -> None:
    others = {(31, 2)}
    assert moves(COURSE, others, (30, 2), 1) == {}
    assert jostled(others, (30, 2)) == (30, 2)


def test_a24_the_left_is_open_only_when_the_right_is_closed() -> None:
    ahead = (11, 3)
    assert set(moves(COURSE, {ahead}, (10, 3), 2)) == {4, 5}
    wall = {ahead, (11, 4)}
    assert set(moves(COURSE, wall, (10, 3), 2)) == {1, 2}


def test_a24_every_horse_ahead_in_the_starting_lane_is_passed_on_its_right() -> None:
    assert set(moves(COURSE, {(11, 3), (15, 3)}, (10, 3), 6)) == {4, 5, 6}
    assert set(moves(COURSE, {(14, 3)}, (10, 3), 6)) == {4, 5, 6}, "also one that is further away"
    level = moves(COURSE, {(11, 3), (16, 3)}, (10, 3), 6)
    assert 2 in level, "a horse on the last row of the move is not passed"
    wall = {(11, 3), (15, 3), (15, 4), (15, 5), (15, 6)}
    assert set(moves(COURSE, wall, (10, 3), 6)) == {1, 2}, "the left is open if nothing else is"


def test_a24_horses_of_other_lanes_may_be_passed_on_either_side() -> None:
    assert {1, 3} <= set(moves(COURSE, {(14, 2)}, (10, 3), 6))
    assert {3, 6} <= set(moves(COURSE, {(14, 4)}, (10, 3), 6))


def test_a24_drawing_level_on_the_left_is_no_overtaking() -> None:
    assert set(moves(COURSE, {(12, 3)}, (10, 3), 2)) == {1, 2, 4, 5}


def test_a45_horses_on_the_start_line_block_no_horse() -> None:
    crowd = {(0, lane) for lane in range(1, 7)}
    assert set(moves(COURSE, crowd, (0, 3), 2)) == {2, 3, 4}


def test_random_positions_agree_with_the_reference() -> None:
    rng = random.Random(1958)
    for _ in range(2_000):
        check(*random_position(rng))


@pytest.mark.slow
def test_a_hundred_thousand_positions_agree_with_the_reference() -> None:
    rng = random.Random(1)
    for _ in range(100_000):
        check(*random_position(rng))


def test_a33_overtaking_leads_one_row_beyond_the_column_ahead() -> None:
    column = {(12, 3), (13, 3), (14, 3)}
    assert set(overtaking(COURSE, column, (10, 3))) == {4, 5, 6}
    assert all(path[-1][0] == 15 for path in overtaking(COURSE, column, (10, 3)).values())
    assert overtaking(COURSE, {(17, 3)}, (10, 3)) == {}, "seven rows ahead is not in front"
    assert overtaking(COURSE, {(12, 4)}, (10, 3)) == {}, "nobody ahead in the own lane"
    assert overtaking(COURSE, {(44, 3)}, (42, 3)) == {}, "there is no row beyond the last"
    assert overtaking(COURSE, {(31, 3)}, (30, 3)) == {}, "no lane is changed in the bend"


def test_a34_a_horse_sent_back_stops_before_the_first_horse_in_its_way() -> None:
    assert backwards(set(), (9, 1), 2) == (7, 1)
    assert backwards({(7, 1)}, (9, 1), 2) == (8, 1)
    assert backwards({(8, 1)}, (9, 1), 2) == (9, 1), "leapfrog is forbidden on the way back too"
    assert backwards({(7, 1), (8, 1)}, (9, 1), 2) == (9, 1)
    assert backwards({(8, 2)}, (9, 1), 2) == (7, 1), "other lanes do not count"
    assert backwards(set(), (2, 1), 3) == (1, 1)
