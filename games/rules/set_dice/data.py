"""The printed things: 42 dice, the squares of the board and the figures of the rulebook. No
behaviour lives here."""

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
        pattern=r"^([RGP][123][ODS]|WILD)$(?!\n)", description="What a die shows: a face, or WILD."
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

DIE_COUNT: Final = 42
HAND_SIZE: Final = 5
SET_SIZE: Final = 3
TURN_DICE_MAX: Final = 3

IDLE_ROUNDS_MAX: Final = 3
"""Ruling D14 (and D23 for the opening): the third idle round in a row ends the game."""

# Rulebook, "Contenu": 42 dice. Which faces each die bears is not printed; this table is ours
# (README, "House data"): each of the 27 faces eight times, and a Wild on 36 dice.
_DICE: Final = """
R1O G2D P3S G1D P2S WILD
G3O P1S G2O P3D G1O WILD
P2D R3S P1D R2S P3O WILD
R1S P2O R3D P1O R2D WILD
G3S R1D G2S R3O G1S WILD
R2O G3D R1O G2D P3S WILD
G1D P2S G3O P1S G2O WILD
P3D G1O P2D R3S P1D WILD
R2S P3O R1S P2O R3D WILD
P1O R2D G3S R1D G2S WILD
R3O G1S R2O G3D R1O WILD
G2D P3S G1D P2S G3O WILD
P1S G2O P3D G1O P2D WILD
R3S P1D R2S P3O R1S WILD
P2O R3D P1O R2D G3S WILD
R1D G2S R3O G1S R2O WILD
G3D R1O G2D P3S G1D WILD
P2S G3O P1S G2O P3D WILD
G1O P2D R3S P1D R2S WILD
P3O R1S P2O R3D P1O WILD
R2D G3S R1D G2S R3O WILD
G1S R2O G3D R1O G2D WILD
P3S G1D P2S G3O P1S WILD
G2O P3D G1O P2D R3S WILD
P1D R2S P3O R1S P2O WILD
R3D P1O R2D G3S R1D WILD
G2S R3O G1S R2O G3D WILD
R1O G2D P3S G1D P2S WILD
G3O P1S G2O P3D G1O WILD
P2D R3S P1D R2S P3O WILD
R1S P2O R3D P1O R2D WILD
G3S R1D G2S R3O G1S WILD
R2O G3D R1O G2D P3S WILD
G1D P2S G3O P1S G2O WILD
P3D G1O P2D R3S P1D WILD
R2S P3O R1S P2O R3D WILD
P1O R2D G3S R1D G2S R3O
G1S R2O G3D R1O G2D P3S
G1D P2S G3O P1S G2O P3D
G1O P2D R3S P1D R2S P3O
R1S P2O R3D P1O R2D G3S
R1D G2S R3O G1S R2O G3D
"""
DICE: Final[dict[int, tuple[str, ...]]] = {
    number: tuple(line.split()) for number, line in enumerate(_DICE.strip().splitlines(), 1)
}
"""The six sides of each die, by its number."""

# The rulebook shows a board with a logo in the middle and numbered squares, without their places;
# these are ours.
_BOARD: Final = """
5 . . . . 4 . . . . 5
. . 3 . . . . . 3 . .
. 3 . . . 2 . . . 3 .
. . . 3 . . . 3 . . .
. . . . . . . . . . .
4 . 2 . L L L . 2 . 4
. . . . . . . . . . .
. . . 3 . . . 3 . . .
. 3 . . . 2 . . . 3 .
. . 3 . . . . . 3 . .
5 . . . . 4 . . . . 5
"""
_SQUARES: Final = _BOARD.split()

BOARD_SIZE: Final = 11
"""Rows and columns, numbered from 0."""

CELL_COUNT: Final = BOARD_SIZE * BOARD_SIZE
LOGO: Final = tuple(cell for cell, square in enumerate(_SQUARES) if square == "L")
"""The three squares of the opening SET, from left to right. A cell is `row * BOARD_SIZE +
column`."""

BONUS: Final[dict[int, int]] = {
    cell: int(square) for cell, square in enumerate(_SQUARES) if square.isdigit()
}
"""The numbered squares: what the first die on each is worth."""
