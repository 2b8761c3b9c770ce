"""The figures of the rulebook; `printed.py` has the 42 dice and the numbered squares of the board.

Source: the rulebook gives the counts and the symbols of a face, but neither the faces of each die
nor the places of the numbered squares. `dice.csv` and `board.csv` are our own (README, "House
data").
"""

from typing import Annotated, Final

from msgspec import Meta

Face = Annotated[
    str,
    Meta(
        pattern=r"^[RGP][123][ODS]$(?!\n)",
        description="Colour, number and shape, for example R2S: two red squiggles.",
    ),
]
"""Red, green or purple; one, two or three; oval, diamond or squiggle."""

Shown = Annotated[
    str,
    Meta(
        pattern=r"^([RGP][123][ODS]|WILD)$(?!\n)",
        description="What a die shows: a face, or WILD.",
    ),
]

FEATURES: Final = ("colour", "number", "shape")
"""The three features, in the order of a face's three characters."""

COLOURS: Final = "RGP"
NUMBERS: Final = "123"
SHAPES: Final = "ODS"
FACES: Final = tuple(
    colour + number + shape for colour in COLOURS for number in NUMBERS for shape in SHAPES
)
WILD: Final = "WILD"

HAND_SIZE: Final = 5
SET_SIZE: Final = 3
TURN_DICE_MAX: Final = 3

IDLE_ROUNDS_MAX: Final = 3
"""Rulings D14 and D23, both ours: the third idle round, or opening, in a row ends the game."""

OPENINGS_MAX: Final = 10
"""Ruling D23, ours: the game ends with the tenth opening in which no seat calls a SET."""


BOARD_SIZE: Final = 11
"""Rows and columns, numbered from 0."""

CELL_COUNT: Final = BOARD_SIZE * BOARD_SIZE

LOGO: Final = tuple(CELL_COUNT // 2 + step for step in (-1, 0, 1))
"""The three squares of the opening SET, left to right. A cell is `row * BOARD_SIZE + column`."""
