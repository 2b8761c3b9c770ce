"""The book of Carcassonne: every tile with its drawing, the chips, colours, and names in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from railbird_engine import Book, Call, Guide, SeatColour, Text
from railbird_engine.rules.carcassonne.data import Chip, Face, TileSet
from railbird_engine.rules.carcassonne.data.tiles import HALVES, SIDES, Kind, Segment, Tile
from railbird_engine.rules.carcassonne.drawing import (
    BOX,
    ROAD_WIDTH,
    Point,
    meeple_place,
    office_place,
    path_of,
    pennant_places,
)
from railbird_engine.rules.carcassonne.refusals import REFUSALS
from railbird_engine.rules.carcassonne.state import MEEPLES


class PrintedSegment(msgspec.Struct, frozen=True):
    """A part of a tile: a road, city, field or monastery.

    `sides` are the sides of a road or city (`NW`), `halves` the half-sides of a field (`EL`: the
    left half of the east side as seen from the middle), and `borders` the cities that the field
    touches, by name. `path` is an SVG path: a line for a road, else an area to fill. `meeple` is
    the place of a meeple.
    """

    name: str
    kind: Kind
    sides: str
    halves: tuple[str, ...]
    borders: tuple[str, ...]
    path: str
    meeple: Point
    pennants: tuple[Point, ...]


class PrintedTile(msgspec.Struct, frozen=True):
    """A kind of tile, `count` times in its box.

    `sides` are north, east, south and west (`C` city, `R` road, `F` field).
    `start`: one of these is the start tile. `office` is the place of the betting office, if the
    tile has one.
    """

    tile: str
    box: Literal["base", "bets"]
    count: int
    start: bool
    sides: str
    segments: tuple[PrintedSegment, ...]
    office: Point | None


class PrintedChip(msgspec.Struct, frozen=True):
    """A betting chip; every seat has one of each. `odds` gives its faces as `size:points`."""

    chip: str
    faces: tuple[Face, ...]
    odds: str


class CarcassonneBook(Book, frozen=True, kw_only=True):
    """All tiles and chips, `meeples` per seat, and sizes and colours for drawing.

    Tiles are drawn in a box of `tile_size` by `tile_size`, north at the top, and then turned
    clockwise. Draw fields first, then roads (lines of `road_width`), cities, monasteries, pennants
    and the office. `colours` has a screen colour for each of them.
    """

    tiles: tuple[PrintedTile, ...]
    chips: tuple[PrintedChip, ...]
    meeples: int
    tile_size: int
    road_width: int
    colours: dict[str, str]


_CALLS: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "calls.json").read_bytes(), type=tuple[Call, ...]
)
_GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "guide.json").read_bytes(), type=Guide
)
_COLOURS: Final = {
    "field": "#8fbf5a",
    "road": "#f4efe0",
    "city": "#c08a4e",
    "monastery": "#a33b2e",
    "pennant": "#2f5fa8",
    "office": "#5b3a80",
}
_SEAT_COLOURS: Final = (
    SeatColour(Text(en="blue", fr="bleu"), "#1f5fa8"),
    SeatColour(Text(en="red", fr="rouge"), "#c62f3b"),
    SeatColour(Text(en="yellow", fr="jaune"), "#e0b000"),
    SeatColour(Text(en="green", fr="vert"), "#2e8b4f"),
    SeatColour(Text(en="black", fr="noir"), "#2b2b2b"),
    SeatColour(Text(en="pink", fr="rose"), "#d46a9f"),
)
_KINDS: Final = {
    "road": Text(en="road", fr="route"),
    "city": Text(en="city", fr="ville"),
    "field": Text(en="field", fr="pré"),
    "monastery": Text(en="monastery", fr="abbaye"),
}
_STAGES: Final = {
    "tile": Text(en="place the tile", fr="poser la tuile"),
    "meeple": Text(en="place a meeple, or none", fr="poser un meeple, ou aucun"),
    "settlement": Text(en="settle the bets", fr="régler les paris"),
    "bets": Text(en="place bets", fr="parier"),
    "evaluation": Text(en="settle the last bets", fr="régler les derniers paris"),
    "over": Text(en="the game is over", fr="la partie est finie"),
}


def book_of(base: TileSet, bets: TileSet) -> CarcassonneBook:
    """Return the book of a game that is played with these tiles and chips."""
    tiles = (*_printed("base", base), *_printed("bets", bets))
    chips = tuple(PrintedChip(chip.chip, chip.faces, chip.odds) for chip in bets.chips.values())
    return CarcassonneBook(
        names={
            "kind": _KINDS,
            "stage": _STAGES,
            "outcome": {"won": Text(en="won", fr="gagné"), "lost": Text(en="lost", fr="perdu")},
            "box": {
                "base": Text(en="base game", fr="jeu de base"),
                "bets": Text(en="The Bets", fr="Les Paris"),
            },
            "tile": {tile.tile: _tile_name(tile) for tile in tiles},
            "chip": {name: _chip_name(chip) for name, chip in bets.chips.items()},
            "odds": {chip.odds: _chip_name(chip) for chip in bets.chips.values()},
        },
        calls=_CALLS,
        seat_fields=("seat", "seats", "winners", "first"),
        refusals=REFUSALS,
        tiles=tiles,
        chips=chips,
        meeples=MEEPLES,
        tile_size=BOX,
        road_width=ROAD_WIDTH,
        colours=_COLOURS,
        seat_colours=_SEAT_COLOURS,
        guide=_GUIDE,
    )


def _printed(box: Literal["base", "bets"], tile_set: TileSet) -> Iterator[PrintedTile]:
    for name, tile in tile_set.tiles.items():
        yield PrintedTile(
            tile=name,
            box=box,
            count=tile.count,
            start=name == tile_set.start,
            sides=tile.turned[0].sides,
            segments=tuple(_segment(tile, segment) for segment in tile.segments),
            office=office_place(tile),
        )


def _segment(tile: Tile, segment: Segment) -> PrintedSegment:
    return PrintedSegment(
        name=segment.name,
        kind=segment.kind,
        sides="".join(SIDES[side] for side in segment.sides),
        halves=tuple(HALVES[half] for half in segment.halves),
        borders=tuple(tile.segments[city].name for city in segment.borders),
        path=path_of(tile, segment),
        meeple=meeple_place(segment),
        pennants=pennant_places(segment),
    )


def _tile_name(tile: PrintedTile) -> Text:
    if tile.office is not None:
        return Text(en=f"bookmaker tile {tile.tile}", fr=f"tuile Bookmaker {tile.tile}")
    return Text(en=f"tile {tile.tile}", fr=f"tuile {tile.tile}")


def _chip_name(chip: Chip) -> Text:
    """For example: 2 tiles pay 2, 8 or more pay 8."""
    numbers = [
        (f"{it.exactly or it.at_least}", it.at_least is not None, it.points) for it in chip.faces
    ]
    en = ", ".join(
        f"{size}{' or more' * more} tiles pay {points}" for size, more, points in numbers
    )
    fr = ", ".join(
        f"{size} tuiles{' ou plus' * more} rapportent {points}" for size, more, points in numbers
    )
    return Text(en=en, fr=fr)
