"""The book of SET Dice: data for drawing the board and the dice, and names in words."""

from pathlib import Path
from typing import Final

import msgspec

from railbird_engine import Book, Call, Guide, SeatColour, Text
from railbird_engine.rules.set_dice.data import (
    BOARD_SIZE,
    FACES,
    LOGO,
    WILD,
    Face,
    Shown,
)
from railbird_engine.rules.set_dice.data.printed import Box
from railbird_engine.rules.set_dice.refusals import REFUSALS
from railbird_engine.rules.set_dice.state import Coordinate, DieNumber


class Position(msgspec.Struct, frozen=True):
    """A square of the board; row 0, column 0 is at the top left."""

    row: Coordinate
    column: Coordinate


class BonusSquare(msgspec.Struct, frozen=True):
    """A numbered square: the first die on it scores `points`."""

    row: Coordinate
    column: Coordinate
    points: int


class PrintedFace(msgspec.Struct, frozen=True):
    """A face: `number` symbols of one `shape` in one `colour`. The colours are for screens."""

    face: Face
    colour: str
    number: int
    shape: str


class PrintedDie(msgspec.Struct, frozen=True):
    """A die and its six sides."""

    die: DieNumber
    sides: tuple[Shown, ...]


class SetDiceBook(Book, frozen=True, kw_only=True):
    """The board (`size` squares on each side), the squares of the logo from left to right, the
    numbered squares, all faces and all dice.

    `colours` gives a screen colour for each colour of a face. `shapes` gives each shape as an SVG
    path in a box of 100 by 50; `fill_opacity` fills the shapes of each colour differently,
    for players who do not see colours. The symbols of a face lie in a column. A Wild on the board
    has a dashed edge.
    """

    size: int
    logo: tuple[Position, ...]
    bonus: tuple[BonusSquare, ...]
    faces: tuple[PrintedFace, ...]
    dice: tuple[PrintedDie, ...]
    colours: dict[str, str]
    fill_opacity: dict[str, float]
    shapes: dict[str, str]


_COLOURS = {
    "R": ("red", "#c62f3b", Text(en="red", fr="rouge")),
    "G": ("green", "#2e8b4f", Text(en="green", fr="vert")),
    "P": ("purple", "#6a3d9a", Text(en="purple", fr="violet")),
}
_SHAPES = {
    "O": ("oval", "M25 5H75A20 20 0 0 1 75 45H25A20 20 0 0 1 25 5Z"),
    "D": ("diamond", "M50 3L97 25L50 47L3 25Z"),
    "S": (
        "squiggle",
        "M8 38C2 20 22 4 42 10C58 15 66 14 78 6C90 0 98 14 92 26"
        "C84 44 66 46 50 40C34 34 28 40 18 46C12 48 9 44 8 38Z",
    ),
}
_SHAPE_NAMES = {
    "oval": Text(en="oval", fr="ovale"),
    "diamond": Text(en="diamond", fr="losange"),
    "squiggle": Text(en="squiggle", fr="onde"),
}
_PLURALS = {
    "oval": Text(en="ovals", fr="ovales"),
    "diamond": Text(en="diamonds", fr="losanges"),
    "squiggle": Text(en="squiggles", fr="ondes"),
}
_NUMBERS = {
    1: Text(en="one", fr="un"),
    2: Text(en="two", fr="deux"),
    3: Text(en="three", fr="trois"),
}
_PHASES = {
    "opening": Text(en="call a SET", fr="annoncez un SET"),
    "turns": Text(en="place dice", fr="posez des dés"),
    "reroll": Text(en="throw dice again", fr="relancez des dés"),
    "finished": Text(en="the game is over", fr="la partie est finie"),
}
_SEAT_COLOURS = (
    SeatColour(Text(en="blue", fr="bleu"), "#1f5fa8"),
    SeatColour(Text(en="amber", fr="ambre"), "#e0a100"),
    SeatColour(Text(en="orange", fr="orange"), "#d1603d"),
    SeatColour(Text(en="black", fr="noir"), "#3a3a3a"),
)
_CALLS: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "calls.json").read_bytes(), type=tuple[Call, ...]
)
_GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "guide.json").read_bytes(), type=Guide
)
_CAUSES = {
    "drawn": Text(en="drawn", fr="piochés"),
    "rerolled": Text(en="thrown again", fr="relancés"),
    "recovered": Text(en="recovered", fr="récupéré"),
    "all_again": Text(en="all thrown again", fr="tous relancés"),
}
_ENDINGS = {
    "hand_empty": Text(en="a hand was empty", fr="une main était vide"),
    "rounds_passed": Text(
        en="everybody passed in three rounds in a row",
        fr="tout le monde a passé pendant trois manches de suite",
    ),
    "openings_unanswered": Text(
        en="nobody answered three openings in a row",
        fr="personne n’a répondu à trois ouvertures de suite",
    ),
    "openings_uncalled": Text(
        en="nobody called a SET in ten openings",
        fr="personne n’a annoncé de SET en dix ouvertures",
    ),
}


def _printed(face: Face) -> PrintedFace:
    colour, shape = _COLOURS[face[0]][0], _SHAPES[face[2]][0]
    return PrintedFace(face, colour, int(face[1]), shape)


def _name_of(face: PrintedFace) -> Text:
    """For example: two red squiggles; deux ondes rouges."""
    number = _NUMBERS[face.number]
    colour = _COLOURS[face.face[0]][2]
    shape = (_SHAPE_NAMES if face.number == 1 else _PLURALS)[face.shape]
    fr_number = "une" if face.number == 1 and face.shape == "squiggle" else number.fr
    plural = "" if face.number == 1 else "s"
    fr_colour = _FEMININE.get(colour.fr, colour.fr) if face.shape == "squiggle" else colour.fr
    return Text(
        en=f"{number.en} {colour.en} {shape.en}", fr=f"{fr_number} {shape.fr} {fr_colour}{plural}"
    )


_FEMININE = {"vert": "verte", "violet": "violette"}


def book_of(box: Box) -> SetDiceBook:
    """Return the book of a game that is played with this box."""
    faces = tuple(_printed(face) for face in FACES)
    shown = {face.face: _name_of(face) for face in faces} | {WILD: Text(en="Wild", fr="Wild")}
    return SetDiceBook(
        names={
            "face": shown,
            "shows": shown,
            "colour": {name: text for name, _, text in _COLOURS.values()},
            "shape": _SHAPE_NAMES,
            "ending": _ENDINGS,
            "cause": _CAUSES,
            "phase": _PHASES,
        },
        calls=_CALLS,
        seat_fields=("seat", "first"),
        refusals=REFUSALS,
        seat_colours=_SEAT_COLOURS,
        guide=_GUIDE,
        size=BOARD_SIZE,
        logo=tuple(Position(*divmod(cell, BOARD_SIZE)) for cell in LOGO),
        bonus=tuple(
            BonusSquare(*divmod(cell, BOARD_SIZE), points) for cell, points in box.bonus.items()
        ),
        faces=faces,
        dice=tuple(PrintedDie(number, sides) for number, sides in box.dice.items()),
        colours={name: screen for name, screen, _ in _COLOURS.values()},
        fill_opacity={"red": 1.0, "green": 0.3, "purple": 0.0},
        shapes=dict(_SHAPES.values()),
    )
