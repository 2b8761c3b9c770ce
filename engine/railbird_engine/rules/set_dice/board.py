"""SETs and lines: the third face of any two, the lines of the board, the judgement of a turn."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from railbird_engine import RuleViolation
from railbird_engine.rules.set_dice.data import (
    BOARD_SIZE,
    CELL_COUNT,
    COLOURS,
    FACES,
    FEATURES,
    NUMBERS,
    SHAPES,
)
from railbird_engine.rules.set_dice.state import BoardDie

Cell = int
Line = tuple[Cell, Cell, Cell]


def _third(one: str, other: str, values: str) -> str:
    """Return the value that makes a feature all the same or all different."""
    return one if one == other else next(value for value in values if value not in (one, other))


COMPLETES: Final[dict[str, dict[str, str]]] = {
    one: {
        other: "".join(
            _third(a, b, values)
            for a, b, values in zip(one, other, (COLOURS, NUMBERS, SHAPES), strict=True)
        )
        for other in FACES
    }
    for one in FACES
}
"""The face that completes a SET with any two faces."""


def is_set(one: str, two: str, three: str) -> bool:
    """Whether each feature is the same on all three faces or different on all three.

    Rulebook, "Qu'est-ce qu'un SET".
    """
    return COMPLETES[one][two] == three


def broken_features(faces: Sequence[str]) -> list[str]:
    """Return the features that exactly two of the three faces share."""
    values_by_feature = zip(FEATURES, zip(*faces, strict=True), strict=True)
    return [feature for feature, values in values_by_feature if len(set(values)) == 2]


def _lines() -> list[Line]:
    steps = [(1, BOARD_SIZE, BOARD_SIZE - 2), (BOARD_SIZE, BOARD_SIZE - 2, BOARD_SIZE)]
    return [
        (cell, cell + step, cell + 2 * step)
        for step, rows, columns in steps
        for row in range(rows)
        for column in range(columns)
        for cell in [row * BOARD_SIZE + column]
    ]


LINES: Final = _lines()
"""All lines of three adjacent squares, across or down."""

LINES_THROUGH: Final[tuple[tuple[Line, ...], ...]] = tuple(
    tuple(line for line in LINES if cell in line) for cell in range(CELL_COUNT)
)


def position(cell: Cell) -> list[int]:
    """Return row and column, for refusals and events."""
    return list(divmod(cell, BOARD_SIZE))


class MadeSet(msgspec.Struct, frozen=True):
    """A SET that a turn made, and the points it scored."""

    squares: list[list[int]]
    points: int


class Judgement(msgspec.Struct, frozen=True):
    """The SETs that the dice of a turn make together."""

    sets: list[MadeSet]
    points: int


def judge(board: Mapping[Cell, BoardDie], new: Collection[Cell]) -> Judgement:
    """Find all new SETs on a board that already holds the dice of this turn, on the `new` cells.

    A die scores one point in each new SET, but a Wild nothing in the turn that places it (rulings
    D1 to D5). Raises RuleViolation `die_makes_no_set`, which gives each line of the die with the
    features that break it, or `no_set_with_the_board`.
    """
    lines = _new_lines(board, new)
    made = [line for line in lines if is_set(*(board[cell].face for cell in line))]
    for cell in new:
        if not any(cell in line for line in made):
            raise RuleViolation(
                "die_makes_no_set",
                die=board[cell].number,
                face=board[cell].face,
                square=position(cell),
                lines=[_broken_line(board, line) for line in lines if cell in line],
            )
    # Every die is in a SET. If one SET holds an older die, the others connect to it (ruling D2).
    if all(cell in new for line in made for cell in line):
        raise RuleViolation("no_set_with_the_board", squares=[position(cell) for cell in new])
    sets = [
        MadeSet(
            [position(cell) for cell in line],
            sum(not (cell in new and board[cell].wild) for cell in line),
        )
        for line in made
    ]
    return Judgement(sets, sum(one.points for one in sets))


def _new_lines(board: Mapping[Cell, BoardDie], new: Collection[Cell]) -> list[Line]:
    """Yield every full line with at least one new die, once (ruling D4: a row of four is two
    lines)."""
    through_new = (line for cell in new for line in LINES_THROUGH[cell])
    return list(dict.fromkeys(line for line in through_new if all(cell in board for cell in line)))


def _broken_line(board: Mapping[Cell, BoardDie], line: Line) -> dict[str, object]:
    faces = [board[cell].face for cell in line]
    return {
        "squares": [position(cell) for cell in line],
        "faces": faces,
        "broken": broken_features(faces),
    }
