"""How a feature is likely to go on: whether it closes, how many tiles it will have, and what that is worth. For bots."""

from math import comb
from typing import Final

from games.rules.carcassonne.tiles import Kind

_HARDNESS: Final[dict[Kind, int]] = {"road": 11, "city": 15, "monastery": 9, "field": 0}
"""With so many tiles left to draw, every second open end still closes. Fitted by hand to games of bots."""

_ENDS: Final[dict[Kind, float]] = {"road": 0.55, "city": 0.6}
"""How often a tile that is added to an open end closes it, rather than going on."""

_SIZES_AHEAD: Final = 12


def closing(kind: Kind, open_ends: int, left: int) -> float:
    """The chance that a feature with so many open ends is completed by one of the tiles left to draw."""
    each = left / (left + _HARDNESS[kind]) if left else 0.0
    return float(each**open_ends)


def expected_worth(kind: Kind, tiles: int, pennants: int, *, open_ends: int, left: int) -> float:
    """The points that a road, city or monastery may be expected to pay, open or complete, at the end or before."""
    if kind == "monastery":
        return 9 - open_ends * (1 - closing(kind, 1, left))
    chance = closing(kind, open_ends, left)
    if kind == "city":
        return (tiles + pennants) * (1 + chance) + 2 * chance * open_ends
    return tiles + chance * open_ends


def sizes(kind: Kind, tiles: int, *, open_ends: int, left: int) -> dict[int, float]:
    """The chance of each number of tiles that an open road or city may have when bets on it are settled.

    Each tile added closes an end or goes on; the tiles needed to close all of them follow from that. A feature that
    never closes stays about as it is.
    """
    ends = _ENDS[kind]
    chance = closing(kind, open_ends, left)
    found = {tiles: (1 - chance) / 2, tiles + 1: (1 - chance) / 2}
    for added in range(open_ends, open_ends + _SIZES_AHEAD):
        often = comb(added - 1, open_ends - 1) * ends**open_ends * (1 - ends) ** (added - open_ends)
        found[tiles + added] = found.get(tiles + added, 0.0) + chance * often
    return found
