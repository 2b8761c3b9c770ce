"""Facts printed on the boards, tokens and horses of Ready Set Bet. No rules."""

from typing import Final, Literal

import msgspec

Colour = Literal["blue", "orange", "pink", "black"]
Kind = Literal["win", "place", "show", "colour", "black", "prop", "exotic"]
TokenColour = Literal["black", "white"]
HorseNumber = Literal["2/3", "4", "5", "6", "7", "8", "9", "10", "11/12"]


class Horse(msgspec.Struct, frozen=True):
    """One lane of the track: `horse` is the number printed on it, `name` its name in the French
    edition."""

    horse: HorseNumber
    sums: tuple[int, ...]
    colour: Colour
    bonus: int
    name: str


# Rulebook, "Noms des chevaux" and "Bonus de déplacement".
HORSES: Final = (
    Horse("2/3", (2, 3), "blue", 3, "As de Troie"),
    Horse("4", (4,), "blue", 3, "Catastrophe"),
    Horse("5", (5,), "orange", 2, "Zinc cuivré"),
    Horse("6", (6,), "pink", 1, "Sissi de Lorraine"),
    Horse("7", (7,), "black", 0, "Septembre"),
    Horse("8", (8,), "pink", 1, "Huis Clos"),
    Horse("9", (9,), "orange", 2, "Neully Runner"),
    Horse("10", (10,), "blue", 3, "Disco Diva"),
    Horse("11/12", (11, 12), "blue", 3, "Magicien d'Onze"),
)
LANES: Final = range(len(HORSES))
"""Lanes are counted from 0, in the order of `HORSES`; positions are always listed in this order."""

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
RACES: Final = 4

TOKENS: Final = (2, 3, 3, 4, 5)
TOKENS_OF_A_CROWD: Final = (2, 3, 4, 5)
"""Rulebook, "Mise en place", step 9: with seven or eight players each leaves one 3 in the box."""

CROWD: Final = (7, 8)

ANNOUNCER_TOKENS: Final = (2, 3, 3, 4, 4, 5)
"""House values: the rulebook says six, and no public source which."""

ANNOUNCER_MONEY: Final = 18
"""Rulebook, "Variante Speaker parieur"."""

COMPENSATION: Final = (0, 3, 6, 9)
"""Rulebook, "Changement de speaker": by race, for VIP cards that sleep."""

GRID_COLUMNS: Final = ("show:l", "show:r", "place:l", "place:r", "win:l", "win:m", "win:r")
"""The betting board's columns from left to right: a kind, then left, middle or right."""

# Multiplier and loss of each space. Multipliers: the rulebook's figures. Losses: the photograph of
# the board, and the row of 2/3 in the rulebook's example. No circle is printed where the loss is 0.
GRID: Final = {
    "2/3": ((4, 4), (4, 3), (5, 4), (5, 3), (7, 2), (8, 2), (9, 2)),
    "4": ((3, 1), (3, 0), (4, 1), (4, 0), (5, 1), (6, 0), (7, 0)),
    "5": ((2, 3), (2, 0), (2, 2), (3, 2), (4, 2), (4, 0), (5, 0)),
    "6": ((1, 2), (1, 0), (2, 5), (2, 4), (3, 2), (3, 1), (3, 0)),
    "7": ((1, 3), (1, 1), (2, 6), (2, 5), (3, 4), (3, 3), (3, 2)),
    "8": ((1, 2), (1, 0), (2, 5), (2, 4), (3, 2), (3, 1), (3, 0)),
    "9": ((2, 3), (2, 0), (2, 2), (3, 2), (4, 2), (4, 0), (5, 0)),
    "10": ((3, 1), (3, 0), (4, 1), (4, 0), (5, 1), (6, 0), (7, 0)),
    "11/12": ((4, 4), (4, 3), (5, 4), (5, 3), (7, 2), (8, 2), (9, 2)),
}

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

VIP_CARDS_LEAST: Final = 8 * 2 * VIP_DEALT
"""The box's own number: with eight players, two drafts empty the deck and the third takes all that
was discarded."""
