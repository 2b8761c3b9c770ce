"""The printed board, checked against the totals on the box and the figures of the rulebook."""

import pytest

from railbird_engine.rules.ready_set_bet.data import (
    GRID,
    GRID_COLUMNS,
    HORSES,
    TOKENS,
    WAYS,
)
from railbird_engine.rules.ready_set_bet.data.board import GRID_SPOTS, SPOT_NAMED, SPOTS

# Rulebook, the figures of "Paris Gagnant, Couplé et Trio": multipliers from left to right, top to
# bottom.
FIGURE = """
    2/3    4 4  5 5  7 8 9
    4      3 3  4 4  5 6 7
    5      2 2  2 3  4 4 5
    6      1 1  2 2  3 3 3
    7      1 1  2 2  3 3 3
    8      1 1  2 2  3 3 3
    9      2 2  2 3  4 4 5
    10     3 3  4 4  5 6 7
    11/12  4 4  5 5  7 8 9
"""

# The losses of one half of the board; the other half mirrors it.
LOSSES = {
    "2/3": (4, 3, 4, 3, 2, 2, 2),
    "4": (1, 0, 1, 0, 1, 0, 0),
    "5": (3, 0, 2, 2, 2, 0, 0),
    "6": (2, 0, 5, 4, 2, 1, 0),
    "7": (3, 1, 6, 5, 4, 3, 2),
}


def test_the_board_has_sixty_three_spots_and_four_coloured_ones() -> None:
    assert (len(GRID_SPOTS), len(SPOTS), len(SPOT_NAMED)) == (63, 67, 67)


def test_the_box_holds_forty_tokens_eight_players_five_each() -> None:
    assert TOKENS == (2, 3, 3, 4, 5)
    assert 8 * len(TOKENS) == 40


def test_nine_horses_share_the_thirty_six_rolls() -> None:
    assert [horse.horse for horse in HORSES] == ["2/3", "4", "5", "6", "7", "8", "9", "10", "11/12"]
    assert WAYS == (3, 3, 4, 5, 6, 5, 4, 3, 3)
    assert [horse.bonus for horse in HORSES] == [3, 3, 2, 1, 0, 1, 2, 3, 3]


def test_multipliers_are_those_of_the_rulebooks_figures() -> None:
    figure = {
        row.split()[0]: [int(cell) for cell in row.split()[1:]]
        for row in FIGURE.strip().splitlines()
    }
    assert {horse: [gain for gain, _ in cells] for horse, cells in GRID.items()} == figure


def test_losses_are_those_of_the_digest() -> None:
    for horse, losses in LOSSES.items():
        assert tuple(loss for _, loss in GRID[horse]) == losses


def test_the_board_is_its_own_mirror_image() -> None:
    rows = list(GRID.values())
    assert rows == rows[::-1]


def test_a_step_to_the_right_never_pays_less_nor_costs_more() -> None:
    """Rulebook, "Astuce pour les novices"."""
    for cells in GRID.values():
        for (left_column, left), (column, right) in zip(
            zip(GRID_COLUMNS, cells, strict=True),
            list(zip(GRID_COLUMNS, cells, strict=True))[1:],
            strict=False,
        ):
            if left_column.split(":")[0] == column.split(":")[0]:
                assert right[0] >= left[0] and right[1] <= left[1]


@pytest.mark.parametrize(
    ("name", "odds"),
    [
        ("win:2/3:r", "9x -2"),
        ("show:4:r", "3x"),
        ("place:7:l", "2x -6"),
        ("colour:blue", "5x -1"),
        ("colour:orange", "3x -1"),
        ("colour:pink", "2x -1"),
        ("colour:black", "4x"),
    ],
)
def test_a_spot_shows_its_odds_as_printed(name: str, odds: str) -> None:
    assert SPOT_NAMED[name].odds == odds
