"""Tiles in a row, the zones between them, and which of both the right answer pays. Values are
canonical decimals."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec


class Tile(msgspec.Struct, frozen=True):
    """An answer on the table and the teams that wrote it, stacked."""

    value: str
    teams: list[int]


def line_up(answers: Mapping[int, str]) -> list[Tile]:
    """Rulebook 2: answers by team, sorted and stacked. Zone 0 lies below the first tile, zone n
    above the n-th."""
    values = sorted(set(answers.values()), key=Decimal)
    return [
        Tile(value, sorted(team for team, answer in answers.items() if answer == value))
        for value in values
    ]


def exact_teams(tiles: Sequence[Tile], answer: str) -> list[int]:
    """Teams that wrote the right answer to the last digit."""
    return [team for tile in tiles if tile.value == answer for team in tile.teams]


def paying_zones(tiles: Sequence[Tile], answer: str) -> list[int]:
    """Rulebook 4: the zone where the right answer lies; both zones beside a tile that is exact."""
    below = sum(Decimal(tile.value) < Decimal(answer) for tile in tiles)
    return [below, below + 1] if exact_teams(tiles, answer) else [below]


def paid_teams(tiles: Sequence[Tile], answer: str) -> list[int]:
    """Rulebook 4: teams whose tile stands beside the paying zone; when a tile is exact, its teams
    only (Q6 to Q8)."""
    exact = exact_teams(tiles, answer)
    if exact:
        return exact
    (zone,) = paying_zones(tiles, answer)
    return sorted(team for tile in tiles[max(zone - 1, 0) : zone + 1] for team in tile.teams)


def zone_name(tiles: Sequence[Tile], zone: int) -> str:
    """How a bet on a zone reads in the records: `<125`, `125..187` or `>187`."""
    if zone == 0:
        return f"<{tiles[0].value}"
    if zone == len(tiles):
        return f">{tiles[-1].value}"
    return f"{tiles[zone - 1].value}..{tiles[zone].value}"


def closest_teams(tiles: Sequence[Tile], answer: str) -> list[int]:
    """Ruling Q16: the teams nearest to the right answer, from either side."""
    distances = [abs(Decimal(tile.value) - Decimal(answer)) for tile in tiles]
    return sorted(
        team
        for tile, distance in zip(tiles, distances, strict=True)
        if distance == min(distances)
        for team in tile.teams
    )
