"""The drawing of a tile: SVG paths of its segments, and places of meeples, pennants and offices.

Everything is derived from the sides and half-sides of the segments, in a box of 100 by 100 with
north at the top, without rotation. Areas are drawn in layers: fields, roads, cities, monasteries.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from railbird_engine.rules.carcassonne.data.tiles import Segment, Tile

BOX: Final = 100
ROAD_WIDTH: Final = 8

_CENTRE: Final = (50.0, 50.0)
_CORNERS: Final = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
"""Side s runs from corner s to corner s + 1, clockwise."""
_MIDDLES: Final = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))
_MONASTERY: Final = "M36 64V44L50 30L64 44V64Z"
_WALL_DEPTH: Final = 0.8
"""How far the curve of a city wall bends towards the middle of the tile."""

Pair = tuple[float, float]


class Point(msgspec.Struct, frozen=True):
    """A place on a tile: x grows to the right and y downwards, 0 to 100."""

    x: float
    y: float


def path_of(tile: Tile, segment: Segment) -> str:
    """Return the SVG path of a segment: a line for a road, else an area."""
    match segment.kind:
        case "monastery":
            return _MONASTERY
        case "city":
            return _city(segment.sides)
        case "road":
            return _road(segment.sides)
        case "field":
            return _field(tile, segment)


def meeple_place(segment: Segment) -> Point:
    """Return the place of a meeple on this segment."""
    match segment.kind:
        case "monastery":
            return _point(_CENTRE)
        case "city":
            return _point(_towards(_mean([_MIDDLES[side] for side in segment.sides]), 0.72))
        case "road":
            first, last = _MIDDLES[segment.sides[0]], _MIDDLES[segment.sides[-1]]
            return _point(_mean([_mean([first, _CENTRE]), _mean([last, _CENTRE])]))
        case "field":
            longest = max(_runs(segment.halves), key=len)
            if len(longest) == 8:
                longest = longest[:2]
            return _point(_towards(_mean([_half_middle(half) for half in longest]), 0.7))


def pennant_places(segment: Segment) -> tuple[Point, ...]:
    """Return the places of a city's pennants, near its first side."""
    first = _MIDDLES[segment.sides[0]] if segment.sides else _CENTRE
    return tuple(
        _point((x + 10 * index, y))
        for index in range(segment.pennants)
        for x, y in [_towards(first, 0.7)]
    )


def office_place(tile: Tile) -> Point | None:
    """Return the place of the betting office: in the middle, a little away from the cities."""
    if not tile.office:
        return None
    walls = [
        _MIDDLES[side]
        for segment in tile.segments
        if segment.kind == "city"
        for side in segment.sides
    ]
    return _point(_towards(_mean(walls or [_CENTRE]), -0.2))


def _city(sides: Sequence[int]) -> str:
    """Return the path of a city: straight along its sides, and curves over the gaps between
    them."""
    if len(sides) == 4:
        return "M0 0H100V100H0Z"
    first = next(side for side in sides if (side - 1) % 4 not in sides)
    order = [(first + step) % 4 for step in range(4) if (first + step) % 4 in sides]
    start = _CORNERS[order[0]]
    path = f"M{_text(start)}"
    for side, following in zip(order, [*order[1:], order[0]], strict=True):
        end, goal = _CORNERS[(side + 1) % 4], _CORNERS[following]
        path += f"L{_text(end)}"
        if end != goal:
            leans = [_towards(corner, 1 - _WALL_DEPTH) for corner in (end, goal)]
            path += f"C{_text(leans[0])} {_text(leans[1])} {_text(goal)}"
    return path + "Z"


def _road(sides: Sequence[int]) -> str:
    """Return the path of a road: from side to side, or from one side to the middle."""
    if len(sides) == 1:
        return f"M{_text(_MIDDLES[sides[0]])}L{_text(_CENTRE)}"
    return f"M{_text(_MIDDLES[sides[0]])}Q{_text(_CENTRE)} {_text(_MIDDLES[sides[1]])}"


def _field(tile: Tile, segment: Segment) -> str:
    """Return the path of a field: along its half-sides, and over every gap along the city, the road
    or the middle."""
    runs = _runs(segment.halves)
    if len(runs[0]) == 8:
        return "M0 0H100V100H0Z"
    path = f"M{_text(_half_start(runs[0][0]))}"
    for run, following in zip(runs, [*runs[1:], runs[0]], strict=True):
        path += "".join(f"L{_text(_half_start(half + 1))}" for half in run)
        path += _gap(tile, run[-1], following[0])
    return path + "Z"


def _gap(tile: Tile, last: int, following: int) -> str:
    """The path from the end of one half-side to the start of another, clockwise."""
    between = [(last + 1 + step) % 8 for step in range((following - last - 1) % 8)]
    covered = {half for segment in tile.segments for half in segment.halves}
    goal = _text(_half_start(following))
    if _joined_by_road(tile, last, following):
        return f"Q{_text(_CENTRE)} {goal}"
    if covered.isdisjoint(between):
        # Only cities are between them, and they are drawn over the border.
        middle = [_half_start(half) for half in between[1:] if half % 2 == 0]
    else:
        beside = {between[0] // 2, between[-1] // 2}
        walls = {side: [_MIDDLES[side]] for side in beside if 2 * side not in covered}
        middle = [*walls.get(between[0] // 2, []), _CENTRE, *walls.get(between[-1] // 2, [])]
    return "".join(f"L{_text(point)}" for point in middle) + f"L{goal}"


def _joined_by_road(tile: Tile, last: int, following: int) -> bool:
    """Whether one road runs from the end of the first half-side to the start of the second."""
    ends = {last // 2, following // 2}
    at_middles = last % 2 == 0 and following % 2 == 1
    return at_middles and any(
        segment.kind == "road" and set(segment.sides) == ends for segment in tile.segments
    )


def _runs(halves: Sequence[int]) -> list[list[int]]:
    """Return half-sides in clockwise order, grouped where they touch each other."""
    if len(halves) == 8:
        return [list(range(8))]
    firsts = [half for half in sorted(halves) if (half - 1) % 8 not in halves]
    runs = []
    for first in firsts:
        run = [first]
        while (run[-1] + 1) % 8 in halves:
            run.append((run[-1] + 1) % 8)
        runs.append(run)
    return runs


def _half_start(half: int) -> Pair:
    """Return the clockwise start of a half-side: a corner, or the middle of its side."""
    side, second = divmod(half % 8, 2)
    return _MIDDLES[side] if second else _CORNERS[side]


def _half_middle(half: int) -> Pair:
    return _mean([_half_start(half), _half_start(half + 1)])


def _mean(points: Sequence[Pair]) -> Pair:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _towards(point: Pair, share: float) -> Pair:
    """Return the point at this share of the way from the middle of the tile to a point."""
    return 50 + (point[0] - 50) * share, 50 + (point[1] - 50) * share


def _point(at: Pair) -> Point:
    return Point(round(at[0], 1), round(at[1], 1))


def _text(at: Pair) -> str:
    return f"{at[0]:g} {at[1]:g}"
