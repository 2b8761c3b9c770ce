"""The definition of a SET, and counts of the printed material."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest

from railbird_engine.rules.set_dice.board import COMPLETES, LINES, broken_features, is_set
from railbird_engine.rules.set_dice.data import (
    BONUS,
    COLOURS,
    DICE,
    FACES,
    LOGO,
    NUMBERS,
    SHAPES,
    WILD,
)


@pytest.mark.parametrize(
    ("faces", "broken"),
    [
        ("R1O R1O R1O", []),
        ("R2D G2D P2D", []),
        ("R1O R2D R3S", []),
        ("R1O G2D P3S", []),
        ("G2O G2D G2S", []),
        ("R1O G1O P1S", ["shape"]),
        ("R3D G3D P2D", ["number"]),
        ("R2S R2S P2S", ["colour"]),
        ("R1O R2D G2D", ["colour", "number", "shape"]),
    ],
)
def test_each_feature_is_all_the_same_or_all_different(faces: str, broken: list[str]) -> None:
    """Rulebook, "Exemples de SETs" and "ne sont PAS des SETs"."""
    one, two, three = faces.split()
    assert is_set(one, two, three) == (broken == [])
    assert broken_features([one, two, three]) == broken


def test_for_every_pair_there_is_exactly_one_third() -> None:
    """Rulebook, "Souvenez-vous": for each pair there is a third."""
    for one, two in combinations_with_replacement(FACES, 2):
        assert [face for face in FACES if broken_features([one, two, face]) == []] == [
            COMPLETES[one][two]
        ]
        assert COMPLETES[one][two] == COMPLETES[two][one]


def test_27_faces_hold_117_sets_of_different_dice() -> None:
    """The known count of lines in the affine space of 27 points: 27 * 26 / 6."""
    assert sum(is_set(*trio) for trio in combinations(FACES, 3)) == 117


def test_42_dice_show_every_face_eight_times_and_36_wilds() -> None:
    sides = Counter(side for die in DICE.values() for side in die)
    assert len(DICE) == 42
    assert sides.pop(WILD) == 36
    assert sides == dict.fromkeys(FACES, 8)
    assert all(len(die) == len(set(die)) == 6 for die in DICE.values())


def test_the_dice_follow_the_published_formula() -> None:
    """README, "House data": face j is 13 j mod 27, read as colour, shape and number."""

    def face(index: int) -> str:
        code = 13 * index % 27
        return COLOURS[code // 9] + NUMBERS[code % 3] + SHAPES[code // 3 % 3]

    for number in range(1, 37):
        assert DICE[number] == (*(face(5 * (number - 1) + step) for step in range(5)), WILD)
    for number in range(37, 43):
        assert DICE[number] == tuple(face(180 + 6 * (number - 37) + step) for step in range(6))


def test_the_board_bears_24_bonus_squares_away_from_the_logo() -> None:
    """README, "House data"; ruling D21."""
    assert Counter(BONUS.values()) == {2: 4, 3: 12, 4: 4, 5: 4}
    assert LOGO == (59, 60, 61)
    assert all(121 - 1 - cell in BONUS for cell in BONUS), "the board is symmetric"
    assert not any(
        cell in line for cell in BONUS for line in LINES if set(line) & set(LOGO) == set(line)
    )


def test_lines_are_three_in_a_row_or_column() -> None:
    assert len(LINES) == len(set(LINES)) == 2 * 11 * 9
    assert (9, 10, 11) not in LINES, "no line goes round the edge"
