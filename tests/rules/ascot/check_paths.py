"""Compares the path engine with the reference: `python -m tests.rules.ascot.check_paths --positions
100000`."""

import argparse
import random
import sys
import time

from games.rules.ascot.path import Course, Place, jostled, moves
from tests.rules.ascot import path_reference

COURSE = Course(lanes=6, rows=44, bend_first=29, bend_last=35)


def random_position(rng: random.Random) -> tuple[set[Place], Place, int]:
    """Up to eleven horses crowded around a mover, and a throw that stays on the course."""
    row = rng.randrange(COURSE.rows)
    start = (row, rng.randint(1, COURSE.lanes))
    points = rng.randint(1, min(6, COURSE.rows - row))
    others = set()
    for _ in range(rng.randrange(12)):
        place = (
            rng.randint(max(0, row - 4), min(COURSE.rows, row + 8)),
            rng.randint(1, COURSE.lanes),
        )
        if place != start:
            others.add(place)
    return others, start, points


def check(others: set[Place], start: Place, points: int) -> None:
    """The engine and the reference agree on this position, and every path of the engine is one of
    the reference's."""
    found = moves(COURSE, others, start, points)
    field = {place for place in others if place[0] > 0}
    legal = path_reference.legal_paths(COURSE, field, start, points)
    expected = {path[-1][1] for path in legal}
    assert set(found) == expected, (sorted(others), start, points, found, expected)
    for lane, path in found.items():
        assert path[-1] == (start[0] + points, lane)
        assert list(path) in legal, (sorted(others), start, points, path)
    if not found:
        assert jostled(field, start) == path_reference.stop_when_jostled(field, start, points)


def main() -> None:
    """Check as many positions as asked for and say how fast the engine was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    positions = [random_position(rng) for _ in range(arguments.positions)]
    for position in positions:
        check(*position)
    begun = time.perf_counter()
    jammed = sum(not moves(COURSE, *position) for position in positions)
    spent = time.perf_counter() - begun
    sys.stdout.write(
        f"{len(positions)} positions agree, {jammed} of them jostled; {spent / len(positions) * 1e6:.0f} microseconds a move\n"
    )


if __name__ == "__main__":
    main()
