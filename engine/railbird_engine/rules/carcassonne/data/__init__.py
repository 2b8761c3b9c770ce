"""Sets of tiles and betting chips, read from data files. A host may replace them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec

from railbird_engine.kernel.host_data import (
    file_text,
    parse_json,
    placed,
    require,
    require_once,
)
from railbird_engine.rules.carcassonne.data.tiles import Tile, TileText, read_tile

Positive = Annotated[int, msgspec.Meta(ge=1)]

TILES_MAX: Final = 127
"""The most tiles of a game: a board can grow this far in one direction (`board.cell_at`)."""


class Face(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One number on a chip: features of `exactly`, or `at_least`, this many tiles hit it and pay
    `points`."""

    points: Positive
    exactly: Positive | None = None
    at_least: Positive | None = None

    def __post_init__(self) -> None:
        require(
            (self.exactly is None) != (self.at_least is None), "expected one of exactly, at_least"
        )

    def fits(self, tiles: int) -> bool:
        """Whether a feature of this size hits the number."""
        return tiles == self.exactly or (self.at_least is not None and tiles >= self.at_least)

    def __str__(self) -> str:
        number = f"{self.exactly}" if self.at_least is None else f"{self.at_least}+"
        return f"{number}:{self.points}"


class Chip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A betting chip; every seat has one of each."""

    chip: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9]{1,16}$(?!\n)")]
    faces: Annotated[tuple[Face, ...], msgspec.Meta(min_length=1)]

    def pays(self, tiles: int) -> int:
        """Return the points for a feature of this size. Ruling A20: if two numbers fit, only the
        higher one counts."""
        return max((face.points for face in self.faces if face.fits(tiles)), default=0)

    @property
    def odds(self) -> str:
        """The numbers of the chip, as `size:points`."""
        return " ".join(str(face) for face in self.faces)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: dict[str, str]
    source: str
    tiles: Annotated[list[TileText], msgspec.Meta(min_length=1)]
    start: str | None = None
    chips: list[Chip] = []


@dataclass(frozen=True, slots=True)
class TileSet:
    """The tiles of one box by name, in the file's order. `start` names the start tile."""

    title: Mapping[str, str]
    start: str | None
    tiles: Mapping[str, Tile]
    chips: Mapping[str, Chip]

    @property
    def content(self) -> object:
        """The part of a set that decides a game: tiles and chips in order, without derived
        values."""
        return (
            self.start,
            [(tile.name, tile.count, tile.notes) for tile in self.tiles.values()],
            list(self.chips.values()),
        )


def load_set(source: str | bytes) -> TileSet:
    """Parse a data file. Raises ValueError with the place of a fault."""
    file = parse_json(source, _File)
    require_once(text.tile for text in file.tiles)
    require_once(chip.chip for chip in file.chips)
    require(file.start in {None, *(text.tile for text in file.tiles)}, "start: unknown tile")
    tiles = {text.tile: read_tile(text) for text in file.tiles}
    return TileSet(file.title, file.start, tiles, {chip.chip: chip for chip in file.chips})


def read_set(path: Path) -> TileSet:
    """Read a data file. Raises ValueError with file and place of a fault."""
    with placed(path.name):
        return load_set(file_text(path))


def printed_set(name: str) -> TileSet:
    """Return a set of the game's own: `base` or `bets`."""
    return read_set(Path(__file__).with_name(f"{name}.json"))
