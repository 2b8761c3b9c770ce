"""How a feature is likely to go on: whether it closes, how many tiles it will have, and what that
is worth. For bots."""

from functools import cache
from math import comb
from typing import Final

from games.rules.carcassonne.data.tiles import Kind

_HARDNESS: Final[dict[Kind, int]] = {"road": 44, "city": 38, "monastery": 31, "field": 0}
"""With so many tiles left to draw, every second open end still closes: fitted to 40 games of keen
bots."""

_ENDS: Final = 0.58
"""How often a tile that is added to an open end closes it, rather than going on; from the same
games."""

_SIZES_AHEAD: Final = 12


@cache
def closing(kind: Kind, open_ends: int, left: int) -> float:
    """The chance that a feature with so many open ends is completed by one of the tiles left to
    draw."""
    each = left / (left + _HARDNESS[kind]) if left else 0.0
    return float(each**open_ends)


@cache
def expected_worth(kind: Kind, tiles: int, pennants: int, *, open_ends: int, left: int) -> float:
    """The points that a road, city or monastery may be expected to pay, open or complete, at the
    end or before."""
    if kind == "monastery":
        return 9 - open_ends * (1 - closing(kind, 1, left))
    chance = closing(kind, open_ends, left)
    if kind == "city":
        return (tiles + pennants) * (1 + chance) + 2 * chance * open_ends
    return tiles + chance * open_ends


def sizes(kind: Kind, tiles: int, *, open_ends: int, left: int) -> dict[int, float]:
    """The chance of each number of tiles that an open road or city may have when bets on it are
    settled.

    Each tile added closes an end or goes on; the tiles needed to close all of them follow from
    that. A feature that never closes stays about as it is."""
    chance = closing(kind, open_ends, left)
    found = {tiles: (1 - chance) / 2, tiles + 1: (1 - chance) / 2}
    for added in range(open_ends, open_ends + _SIZES_AHEAD):
        often = (
            comb(added - 1, open_ends - 1) * _ENDS**open_ends * (1 - _ENDS) ** (added - open_ends)
        )
        found[tiles + added] = found.get(tiles + added, 0.0) + chance * often
    return found
