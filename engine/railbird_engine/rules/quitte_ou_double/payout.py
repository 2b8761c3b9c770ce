"""Tiles in a row, the zones between them, and the payment for the right answer.

All values are canonical decimals.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec


class Tile(msgspec.Struct, frozen=True):
    """An answer in the row, and the teams that wrote it."""

    value: str
    teams: list[int]


def line_up(answers: Mapping[int, str]) -> list[Tile]:
    """Sort and stack the answers of the teams (rulebook 2).

    Zone 0 is below the first tile, zone n just above the n-th.
    """
    values = sorted(set(answers.values()), key=Decimal)
    return [
        Tile(value, sorted(team for team, answer in answers.items() if answer == value))
        for value in values
    ]


def exact_teams(tiles: Sequence[Tile], answer: str) -> list[int]:
    """The teams that wrote exactly the right answer."""
    return [team for tile in tiles if tile.value == answer for team in tile.teams]


def paying_zones(tiles: Sequence[Tile], answer: str) -> list[int]:
    """The zone of the right answer, or both zones beside an exact tile (rulebook 4)."""
    below = sum(Decimal(tile.value) < Decimal(answer) for tile in tiles)
    return [below, below + 1] if exact_teams(tiles, answer) else [below]


def paid_teams(tiles: Sequence[Tile], answer: str) -> list[int]:
    """The teams whose tile is beside the paying zone, or those of an exact tile alone.

    Rulebook 4; rulings Q6 to Q8.
    """
    exact = exact_teams(tiles, answer)
    if exact:
        return exact
    (zone,) = paying_zones(tiles, answer)
    return sorted(team for tile in tiles[max(zone - 1, 0) : zone + 1] for team in tile.teams)


def zone_name(tiles: Sequence[Tile], zone: int) -> str:
    """The name of a zone in bet records: `<125`, `125..187` or `>187`."""
    if zone == 0:
        return f"<{tiles[0].value}"
    if zone == len(tiles):
        return f">{tiles[-1].value}"
    return f"{tiles[zone - 1].value}..{tiles[zone].value}"


def closest_teams(tiles: Sequence[Tile], answer: str) -> list[int]:
    """The teams closest to the right answer, from either side (ruling Q16)."""
    distances = [abs(Decimal(tile.value) - Decimal(answer)) for tile in tiles]
    closest = [
        tile for tile, distance in zip(tiles, distances, strict=True) if distance == min(distances)
    ]
    return sorted(team for tile in closest for team in tile.teams)
