"""Forecasts for bots: whether a feature closes, how many tiles it will have, and its worth."""

from functools import cache
from math import comb
from typing import Final

from railbird_engine.rules.carcassonne.data.tiles import Kind

_HARDNESS: Final[dict[Kind, int]] = {"road": 44, "city": 38, "monastery": 31, "field": 0}
"""With this many tiles left to draw, half of the open ends still close: fitted to 40 games of
experts."""

_ENDS: Final = 0.58
"""The share of tiles that close the open end to which they are added; from the same games."""

_SIZES_AHEAD: Final = 12


@cache
def closing(kind: Kind, open_ends: int, left: int) -> float:
    """Return the chance that the remaining tiles complete a feature with this many open ends."""
    each = left / (left + _HARDNESS[kind]) if left else 0.0
    return float(each**open_ends)


@cache
def expected_worth(kind: Kind, tiles: int, pennants: int, *, open_ends: int, left: int) -> float:
    """Return the expected points of a road, city or monastery, by the end of the game."""
    if kind == "monastery":
        return 9 - open_ends * (1 - closing(kind, 1, left))
    chance = closing(kind, open_ends, left)
    if kind == "city":
        return (tiles + pennants) * (1 + chance) + 2 * chance * open_ends
    return tiles + chance * open_ends


def sizes(kind: Kind, tiles: int, *, open_ends: int, left: int) -> dict[int, float]:
    """Return the chance of each number of tiles of an open road or city when its bets are settled.

    Each added tile closes an end or continues it, which gives the number of tiles needed to close
    all ends. A feature that never closes stays about as it is."""
    chance = closing(kind, open_ends, left)
    found = {tiles: (1 - chance) / 2, tiles + 1: (1 - chance) / 2}
    for added in range(open_ends, open_ends + _SIZES_AHEAD):
        often = (
            comb(added - 1, open_ends - 1) * _ENDS**open_ends * (1 - _ENDS) ** (added - open_ends)
        )
        found[tiles + added] = found.get(tiles + added, 0.0) + chance * often
    return found
