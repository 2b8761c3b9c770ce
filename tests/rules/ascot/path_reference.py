"""A slow and simple second implementation of the path rules: it checks every path rule by rule."""

from railbird_engine.rules.ascot.path import Course, Place


def all_paths(course: Course, others: set[Place], start: Place, points: int) -> list[list[Place]]:
    """Yield every full path that obeys all rules except the one on overtaking."""
    paths: list[list[Place]] = [[start]]
    for _ in range(points):
        longer = []
        for path in paths:
            row, lane = path[-1]
            for turn in (-1, 0, 1):
                to = (row + 1, lane + turn)
                if _step_is_legal(course, others, to, turn):
                    longer.append([*path, to])
        paths = longer
    return [path[1:] for path in paths]


def _step_is_legal(course: Course, others: set[Place], to: Place, turn: int) -> bool:
    row, lane = to
    if not 1 <= lane <= course.lanes:
        return False
    if to in others:
        return False
    if turn == 0:
        return True
    if row == 1:
        return False
    if course.bend_first <= row <= course.bend_last:
        return False
    behind = [other for other, of_lane in others if of_lane == lane and 1 <= other < row]
    return all(row - other >= 3 for other in behind)


def legal_paths(course: Course, others: set[Place], start: Place, points: int) -> list[list[Place]]:
    """Return every full path that obeys all rules.

    If any path passes all horses of the starting lane on their right, only such paths count.
    """
    row, lane = start
    ahead = [other for other, of_lane in others if of_lane == lane and other > row]
    paths = all_paths(course, others, start, points)
    on_the_right = [
        path for path in paths if not any(_passes_on_the_left(path, other, lane) for other in ahead)
    ]
    return on_the_right or paths


def _passes_on_the_left(path: list[Place], row: int, lane: int) -> bool:
    at_row = [of_lane for other, of_lane in path if other == row]
    return bool(at_row) and at_row[0] < lane and path[-1][0] > row


def stop_when_jostled(others: set[Place], start: Place, points: int) -> Place:
    """Return the path straight ahead until one of the next two squares is occupied."""
    row, lane = start
    for _ in range(points):
        if (row + 1, lane) in others or (row + 2, lane) in others:
            break
        row += 1
    return row, lane
