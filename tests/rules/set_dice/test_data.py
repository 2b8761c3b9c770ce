"""The definition of a SET, and counts of the printed material."""

from collections import Counter
from importlib.resources import files
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest

from railbird_engine.kernel.conformance import check_game
from railbird_engine.rules.set_dice.board import COMPLETES, LINES, broken_features, is_set
from railbird_engine.rules.set_dice.data import (
    COLOURS,
    FACES,
    LOGO,
    NUMBERS,
    SHAPES,
    WILD,
)
from railbird_engine.rules.set_dice.data.printed import BOX, read_box
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.rules import SetDice


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
    sides = Counter(side for die in BOX.dice.values() for side in die)
    assert sides.pop(WILD) == 36
    assert sides == dict.fromkeys(FACES, 8)
    assert all(len(die) == len(set(die)) == 6 for die in BOX.dice.values())


def test_the_dice_follow_the_published_formula() -> None:
    """README, "House data": face j is 13 j mod 27, read as colour, shape and number."""

    def face(index: int) -> str:
        code = 13 * index % 27
        return COLOURS[code // 9] + NUMBERS[code % 3] + SHAPES[code // 3 % 3]

    for number in range(1, 37):
        assert BOX.dice[number] == (*(face(5 * (number - 1) + step) for step in range(5)), WILD)
    for number in range(37, 43):
        assert BOX.dice[number] == tuple(face(180 + 6 * (number - 37) + step) for step in range(6))


def test_the_board_bears_24_bonus_squares_away_from_the_logo() -> None:
    """README, "House data"; ruling D21."""
    assert Counter(BOX.bonus.values()) == {2: 4, 3: 12, 4: 4, 5: 4}
    assert LOGO == (59, 60, 61)
    assert all(121 - 1 - cell in BOX.bonus for cell in BOX.bonus), "the board is symmetric"
    assert not any(
        cell in line for cell in BOX.bonus for line in LINES if set(line) & set(LOGO) == set(line)
    )


def test_lines_are_three_in_a_row_or_column() -> None:
    assert len(LINES) == len(set(LINES)) == 2 * 11 * 9
    assert (9, 10, 11) not in LINES, "no line goes round the edge"


FILES = Path(str(files("railbird_engine.rules.set_dice.data")))


def copy_of_box(folder: Path) -> None:
    for name in ("dice.csv", "board.csv"):
        (folder / name).write_text((FILES / name).read_text())


def test_an_owner_plays_with_the_printed_dice_and_board(tmp_path: Path) -> None:
    copy_of_box(tmp_path)
    assert read_box(tmp_path).edition == BOX.edition
    board = (tmp_path / "board.csv").read_text()
    (tmp_path / "board.csv").write_text(board.replace("5", "9", 1))
    rules = SetDice(read_box(tmp_path))
    assert rules.box.bonus[0] == 9
    assert rules.book().bonus[0].points == 9
    assert rules.edition(SetDiceOptions()) != BOX.edition
    check_game(rules, 3, SetDiceOptions(), b"printed")
