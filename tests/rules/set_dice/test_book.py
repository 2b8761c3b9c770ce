"""The book: enough to draw the board and every die, and names in both languages."""

import re
from collections import Counter

from railbird_engine.rules.set_dice.book import SetDiceBook
from tests.rules.set_dice.scene import RULES

BOOK = RULES.book()
assert isinstance(BOOK, SetDiceBook)


def test_every_face_can_be_drawn_from_its_colour_number_and_shape() -> None:
    assert len({(face.colour, face.number, face.shape) for face in BOOK.faces}) == 27
    assert Counter(face.number for face in BOOK.faces) == {1: 9, 2: 9, 3: 9}
    for face in BOOK.faces:
        assert re.fullmatch("#[0-9a-f]{6}", BOOK.colours[face.colour])
        assert re.fullmatch(r"M[MLHVCAZ\d. ]+Z", BOOK.shapes[face.shape])


def test_colours_differ_in_their_filling_too() -> None:
    assert BOOK.fill_opacity.keys() == BOOK.colours.keys()
    assert len(set(BOOK.fill_opacity.values())) == len(BOOK.colours)


def test_faces_have_names_in_english_and_french() -> None:
    names = BOOK.names["face"]
    assert (names["R2S"].en, names["R2S"].fr) == ("two red squiggles", "deux ondes rouges")
    assert (names["G1S"].en, names["G1S"].fr) == ("one green squiggle", "une onde verte")
    assert (names["P3O"].en, names["P3O"].fr) == ("three purple ovals", "trois ovales violets")
    assert {side for die in BOOK.dice for side in die.sides} == set(names)
