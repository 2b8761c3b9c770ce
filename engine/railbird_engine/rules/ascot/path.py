"""The path engine: the legal paths of a horse on the lanes, without colours, cards or money."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

Place = tuple[int, int]
"""Row and lane, both from 1; lane 1 is the inner one.

Row 0 is the start line, where a lane holds several horses.
"""

Path = tuple[Place, ...]
"""The places on a horse's path, one per point; it stops on the last one."""

OVERTAKE_ROWS: Final = 6
"""How far ahead a horse still stands "in front" for the inscription that overtakes (Ruling A33)."""


class Course(NamedTuple):
    """The size of the race field, and its last bend.

    A step onto a row from `bend_first` to `bend_last` may not change lanes.
    """

    lanes: int
    rows: int
    bend_first: int
    bend_last: int


def moves(course: Course, others: Collection[Place], start: Place, points: int) -> dict[int, Path]:
    """Return every lane in which a full move of `points` may end, each with one path to it.

    Empty when no legal path uses all the points: then the horse is jostled. `others` are all other
    horses. If any full move can pass the horses of its starting lane on their right, every full
    move must (Ruling A24).
    """
    row, lane = start
    end = row + points
    assert points >= 1, f"a move needs points, not {points}"
    assert end <= course.rows, f"the course ends at row {course.rows}, not {end}"
    # Ruling A45: horses on the start line hinder nobody.
    field = {place for place in others if place[0] > 0}
    passed = {other for other, of_lane in field if of_lane == lane and row < other < end}
    if not passed:
        return _full_moves(course, field, start, end)
    on_the_right = _full_moves(course, field, start, end, right_at=passed)
    return on_the_right or _full_moves(course, field, start, end)


def jostled(others: Collection[Place], start: Place) -> Place:
    """Return the place where a horse without a full move stops.

    It runs straight ahead and leaves one square free behind the horse in its way (Ruling A26).
    """
    row, lane = start
    ahead = _row_ahead(others, start)
    assert ahead is not None, f"nothing stands in the way of {start}"
    return max(row, ahead - 2), lane


def overtaking(course: Course, others: Collection[Place], start: Place) -> dict[int, Path]:
    """Return the ways to overtake: one row beyond the horses in front, on another lane than theirs.

    The horses in front are the nearest horse ahead and those nose to tail with it. Empty without a
    horse to overtake or without a legal way (Rulings A32 and A33).
    """
    row, lane = start
    ahead = _row_ahead(others, start)
    if ahead is None or ahead > row + OVERTAKE_ROWS:
        return {}
    while (ahead + 1, lane) in others:
        ahead += 1
    if ahead + 1 > course.rows:
        return {}
    ways = moves(course, others, start, ahead + 1 - row)
    return {target: path for target, path in ways.items() if target != lane}


def backwards(others: Collection[Place], start: Place, rows: int) -> Place:
    """Return the place where a horse that goes straight back stops, at the latest before a horse.

    Leapfrog is forbidden in both directions (Rulebook, "Départ"; Ruling A34).
    """
    row, lane = start
    target = row
    while target > max(1, row - rows) and (target - 1, lane) not in others:
        target -= 1
    return target, lane


def _row_ahead(others: Collection[Place], start: Place) -> int | None:
    """Return the row of the nearest horse ahead in the same lane."""
    row, lane = start
    return min(
        (other for other, of_lane in others if of_lane == lane and other > row), default=None
    )


def _full_moves(
    course: Course,
    field: AbstractSet[Place],
    start: Place,
    end: int,
    right_at: AbstractSet[int] = frozenset(),
) -> dict[int, Path]:
    """All full moves by lane, row after row; at the rows `right_at` no lane further in is used."""
    row, own = start
    front: dict[int, Path] = {own: ()}
    for to in range(row + 1, end + 1):
        is_straight = to == 1 or course.bend_first <= to <= course.bend_last
        innermost = own if to in right_at else 1
        # Straight on comes first, so that a lane keeps the path with the fewest turns.
        reached: dict[int, Path] = {}
        for turn in (0,) if is_straight else (0, -1, 1):
            for lane, path in front.items():
                target = lane + turn
                if target in reached or not innermost <= target <= course.lanes:
                    continue
                place = (to, target)
                if place not in field and not (turn and _cuts_in(field, to, target)):
                    reached[target] = (*path, place)
        front = reached
    return dict(sorted(front.items()))


def _cuts_in(field: AbstractSet[Place], row: int, lane: int) -> bool:
    """Whether entering `lane` at `row` cuts in on a horse of that lane.

    It must be three rows ahead of that horse (Rulebook, "Changement de piste", 2; Ruling A23).
    """
    return (row - 1, lane) in field or (row - 2, lane) in field
