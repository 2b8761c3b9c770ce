"""The path engine: where a horse may run on the lanes. Pure geometry; it knows no colours, cards or
money."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

Place = tuple[int, int]
"""Row and lane, both from 1. Row 0 is the start line, where several horses stand in a lane. Lane 1
is the inner one."""

Path = tuple[Place, ...]
"""The places a horse runs over, one per point; the last one is where it stops."""

LENGTHS: Final = 3
"""How far ahead of a horse one must be to enter its lane (Rulebook, "Changement de piste", 2)."""

OVERTAKE_ROWS: Final = 6
"""How far ahead a horse still counts as standing "in front" for the inscription that overtakes
(Ruling A33)."""


class Course(NamedTuple):
    """Six lanes and their rows. No lane may be changed by a step onto a row from `bend_first` to
    `bend_last`."""

    lanes: int
    rows: int
    bend_first: int
    bend_last: int


def moves(course: Course, others: Collection[Place], start: Place, points: int) -> dict[int, Path]:
    """Every lane in which a full move of `points` may legally end, each with one path that leads
    there.

    Empty when no legal path uses all the points: then the horse is jostled. `others` are all horses
    but the mover. A full move passes the nearest horse of the own lane on the right as long as any
    full move can (Ruling A24)."""
    end = start[0] + points
    assert points >= 1, f"a move needs points, not {points}"
    assert end <= course.rows, f"the course ends at row {course.rows}, not {end}"
    field = {
        place for place in others if place[0] > 0
    }  # Ruling A45: who has not started hinders nobody.
    ahead = _row_ahead(field, start)
    if ahead is None or ahead >= end:
        return _full_moves(course, field, start, end)
    return _full_moves(course, field, start, end, right_at=ahead) or _full_moves(
        course, field, start, end
    )


def jostled(others: Collection[Place], start: Place) -> Place:
    """Where a horse without a full move stops: straight on, one empty square short of the horse in
    its way (Ruling A26)."""
    row, lane = start
    ahead = _row_ahead(others, start)
    assert ahead is not None, f"nothing stands in the way of {start}"
    return max(row, ahead - 2), lane


def overtaking(course: Course, others: Collection[Place], start: Place) -> dict[int, Path]:
    """The ways to one row beyond the horse ahead and those that stand nose to tail with it, on
    another lane than theirs.

    Empty when there is nobody to overtake, or no legal way (Rulings A32 and A33).
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
    """Where a horse stops that goes straight back: if the square is taken, on the next free one
    ahead of it (Ruling A34)."""
    row, lane = start
    target = max(1, row - rows)
    while target < row and (target, lane) in others:
        target += 1
    return target, lane


def _row_ahead(others: Collection[Place], start: Place) -> int | None:
    """The row of the nearest horse ahead in the own lane."""
    row, lane = start
    return min(
        (other for other, of_lane in others if of_lane == lane and other > row), default=None
    )


def _full_moves(
    course: Course, field: AbstractSet[Place], start: Place, end: int, right_at: int | None = None
) -> dict[int, Path]:
    """All full moves by lane, row after row; those that are on the inner side at row `right_at` are
    left out."""
    row, own = start
    front: dict[int, Path] = {own: ()}
    for to in range(row + 1, end + 1):
        # Straight on comes first, so that a lane keeps the path with the fewest turns that was
        # found.
        turns = (0,) if to == 1 or course.bend_first <= to <= course.bend_last else (0, -1, 1)
        reached: dict[int, Path] = {}
        for turn in turns:
            for lane, path in front.items():
                target = lane + turn
                if (
                    target not in reached
                    and 1 <= target <= course.lanes
                    and (to, target) not in field
                    and not (turn and _cuts_in(field, to, target))
                    and not (to == right_at and target < own)
                ):
                    reached[target] = (*path, (to, target))
        front = reached
    return dict(sorted(front.items()))


def _cuts_in(field: AbstractSet[Place], row: int, lane: int) -> bool:
    """Whether entering `lane` at `row` cuts in on a horse of that lane (Ruling A23)."""
    return any((row - gap, lane) in field for gap in range(1, LENGTHS))
