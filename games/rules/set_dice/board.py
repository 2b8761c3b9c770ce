"""What a SET is, where SETs lie on the board, and whether a turn's dice are well placed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec

from games.engine import RuleViolation
from games.rules.set_dice.data import (
    BOARD_SIZE,
    CELL_COUNT,
    COLOURS,
    FACES,
    FEATURES,
    NUMBERS,
    SHAPES,
)
from games.rules.set_dice.table import BoardDie

Cell = int
Line = tuple[Cell, Cell, Cell]


def _third(one: str, other: str, values: str) -> str:
    """The value that makes a feature all the same or all different."""
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
"""The one face that makes a SET of any two."""


def is_set(one: str, two: str, three: str) -> bool:
    """Rulebook, "Qu'est-ce qu'un SET": each feature is the same on all three faces or different on
    all three."""
    return COMPLETES[one][two] == three


def broken_features(faces: Sequence[str]) -> list[str]:
    """The features of three faces that two of them share and the third does not."""
    return [
        feature
        for feature, values in zip(FEATURES, zip(*faces, strict=True), strict=True)
        if len(set(values)) == 2
    ]


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
"""Three adjacent squares across or down; never diagonal, never round a corner."""

LINES_THROUGH: Final[tuple[tuple[Line, ...], ...]] = tuple(
    tuple(line for line in LINES if cell in line) for cell in range(CELL_COUNT)
)


def position(cell: Cell) -> list[int]:
    """Row and column, for messages."""
    return list(divmod(cell, BOARD_SIZE))


class MadeSet(msgspec.Struct, frozen=True):
    """A SET that a turn made, and its worth."""

    squares: list[list[int]]
    points: int


class Judgement(msgspec.Struct, frozen=True):
    """What a turn's dice make together."""

    sets: list[MadeSet]
    points: int


def judge(board: Mapping[Cell, BoardDie], new: Collection[Cell]) -> Judgement:
    """All new SETs of a board on which the dice of this turn already lie, on the `new` cells
    (rulings D1 to D5).

    A die counts one point in each new SET, a Wild nothing in the turn that places it. Raises
    RuleViolation `die_makes_no_set` with each line the die stands in and the features that break
    it, or `no_set_with_the_board`."""
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
    # Every die is in a SET, so with one SET that holds an older die the rest is connected to it
    # (ruling D2).
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
    """Every three in a line with at least one new die, once (ruling D4: in a row of four, each
    three by themselves)."""
    lines = {
        line: None
        for cell in new
        for line in LINES_THROUGH[cell]
        if all(other in board for other in line)
    }
    return list(lines)


def _broken_line(board: Mapping[Cell, BoardDie], line: Line) -> dict[str, object]:
    faces = [board[cell].face for cell in line]
    return {
        "squares": [position(cell) for cell in line],
        "faces": faces,
        "broken": broken_features(faces),
    }
