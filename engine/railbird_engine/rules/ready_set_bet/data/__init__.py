"""Facts printed on the boards, tokens and horses of Ready Set Bet. No rules."""

import csv
from pathlib import Path
from typing import Final, Literal

import msgspec

from railbird_engine import Text

_FOLDER: Final = Path(__file__).parent

Colour = Literal["blue", "orange", "pink", "black"]
Kind = Literal["win", "place", "show", "colour", "black", "prop", "exotic"]
TokenColour = Literal["black", "white"]
HorseNumber = Literal["2/3", "4", "5", "6", "7", "8", "9", "10", "11/12"]


class Horse(msgspec.Struct, frozen=True):
    """One lane of the track. `horse` is the number printed on it, `sums` the rolls that move it,
    `bonus` the spaces that it gains at every second roll in a row."""

    horse: HorseNumber
    sums: tuple[int, ...]
    colour: Colour
    bonus: int
    name: Text


HORSES: Final = msgspec.json.decode(
    _FOLDER.joinpath("horses.json").read_bytes(), type=tuple[Horse, ...]
)
"""Rulebook, "Noms des chevaux" and "Bonus de déplacement". No public source has the names of the
English edition: the English ones are ours."""

LANES: Final = range(len(HORSES))
"""Lanes count from 0 in the order of `HORSES`; positions are always listed in this order."""

LANE_OF_SUM: Final = {number: lane for lane in LANES for number in HORSES[lane].sums}
LANE_OF_HORSE: Final[dict[str, int]] = {horse.horse: lane for lane, horse in enumerate(HORSES)}
BLACK_LANE: Final = LANE_OF_HORSE["7"]
BONUS: Final = tuple(horse.bonus for horse in HORSES)
WAYS: Final = tuple(sum(6 - abs(number - 7) for number in horse.sums) for horse in HORSES)
"""How many of the 36 rolls of two dice move each lane."""

FINISH: Final = 15
"""Rulebook, "Fin de la course": the 15th space."""

RED_LINE: Final = 10
"""The first space beyond the red line. Ruling 4.1: the board's photograph shows nine spaces before
the line."""

CROSSINGS_TO_CLOSE: Final = 3
IDLE_MISSED: Final = 2
MISSED_MAX: Final = 3
"""House values (ruling 4.43): after so many missed decisions a seat is not asked to announce, and
the server announces for it."""

RACES: Final = 4

TOKENS: Final = (2, 3, 3, 4, 5)
TOKENS_OF_A_CROWD: Final = (2, 3, 4, 5)
"""Rulebook, "Mise en place", step 9: with seven or eight players each leaves one 3 in the box."""

CROWD: Final = (7, 8)

ANNOUNCER_TOKENS: Final = (3, 4, 4, 5, 5, 7)
"""House values: the rulebook gives their number, six, and no public source gives their values. In
games of four or five bots, an announcer with these values wins about as often as the others."""

ANNOUNCER_MONEY: Final = 18
"""Rulebook, "Variante Speaker parieur"."""

COMPENSATION: Final = (0, 3, 6, 9)
"""Rulebook, "Changement de speaker": by race, for VIP cards without effect."""


def _read_grid() -> tuple[tuple[str, ...], dict[str, tuple[tuple[int, int], ...]]]:
    (_, *columns), *rows = csv.reader(_FOLDER.joinpath("grid.csv").read_text().splitlines())
    grid = {}
    for horse, *cells in rows:
        odds = [cell.split("/") for cell in cells]
        grid[horse] = tuple((int(gain), int(loss)) for gain, loss in odds)
    return tuple(columns), grid


GRID_COLUMNS, GRID = _read_grid()
"""The columns of the betting board from left to right, each a kind and a side (left, middle or
right); and, by horse, multiplier and loss of each space. Multipliers: the rulebook's figures.
Losses: a photograph of the board, and the row of 2/3 in the rulebook's example. Where the loss is
0, the board prints no circle."""

# Rulebook, "Paris de couleur".
COLOUR_SPOTS: Final[dict[Colour, tuple[int, int]]] = {
    "blue": (5, 1),
    "orange": (3, 1),
    "pink": (2, 1),
    "black": (4, 0),
}

# Rulebook, "Variantes à 2, 3 et 4 joueurs". Ruling 4.19: the leftmost column of each kind that is
# named. Ruling 4.21: a single active player has the columns of two.
CLOSED_COLUMNS: Final = {
    1: ("win:l", "place:l", "show:l"),
    2: ("win:l", "place:l", "show:l"),
    3: ("win:l", "place:l"),
    4: ("win:l",),
}

PROPS_FACE_UP: Final = 5
"""Rulebook, "Paris spécifiques": five cards, renewed after each race."""

VIP_DEALT: Final = 2
"""Rulebook, "Cartes VIP": two cards for each player, who keeps one."""
