"""Sets of tiles and betting chips: read from data files, checked and counted. A host may replace
them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec

from railbird_engine.rules.carcassonne.data.tiles import Tile, TileError, TileText, read_tile

Positive = Annotated[int, msgspec.Meta(ge=1)]
NotNegative = Annotated[int, msgspec.Meta(ge=0)]
NamedT = TypeVar("NamedT", TileText, "Chip")

TILES_MAX: Final = 127
"""The most tiles of a game: a board can grow this far in one direction (`board.cell_at`)."""


class Face(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One number on a chip: features of `exactly`, or `at_least`, this many tiles hit it and pay
    `points`."""

    points: Positive
    exactly: Positive | None = None
    at_least: Positive | None = None

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


class Totals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed totals of all tiles of the set; `chips` is per seat."""

    tiles: NotNegative
    kinds: NotNegative
    pennants: NotNegative
    monasteries: NotNegative
    offices: NotNegative
    city_tiles: NotNegative
    city_segments: NotNegative
    road_tiles: NotNegative
    road_segments: NotNegative
    field_tiles: NotNegative
    field_segments: NotNegative
    chips: NotNegative


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: dict[str, str]
    source: str
    totals: Totals
    tiles: Annotated[list[msgspec.Raw], msgspec.Meta(min_length=1)]
    start: str | None = None
    chips: list[msgspec.Raw] = []


@dataclass(frozen=True, slots=True)
class TileSet:
    """The tiles of one box by name, in the file's order. `start` names the start tile."""

    title: Mapping[str, str]
    start: str | None
    tiles: Mapping[str, Tile]
    chips: Mapping[str, Chip]
    totals: Totals

    @property
    def content(self) -> object:
        """The part of a set that decides a game: tiles and chips in order, without derived
        values."""
        return (
            self.start,
            [(tile.name, tile.count, tile.notes) for tile in self.tiles.values()],
            list(self.chips.values()),
        )


def load_set(source: bytes | Path) -> TileSet:
    """Read and check a data file. Raises TileError, which names the tile or chip and the field."""
    try:
        file = msgspec.json.decode(
            source.read_bytes() if isinstance(source, Path) else source, type=_File
        )
    except msgspec.DecodeError as error:
        raise TileError(f"the file: {error}") from error
    tiles = {text.tile: read_tile(text) for text in _decode_each(file.tiles, TileText, "tile")}
    chips = {chip.chip: chip for chip in _decode_each(file.chips, Chip, "chip")}
    if len(tiles) < len(file.tiles) or len(chips) < len(file.chips):
        raise TileError("tiles, chips: a name is used twice")
    if file.start is not None and file.start not in tiles:
        raise TileError(f"start: there is no tile {file.start}")
    for chip in chips.values():
        if any((face.exactly is None) == (face.at_least is None) for face in chip.faces):
            raise TileError(f"chip {chip.chip}, faces: each needs either exactly or at_least")
    _check_totals(file.totals, count_totals(tiles.values(), len(chips)))
    return TileSet(file.title, file.start, tiles, chips, file.totals)


def printed_set(name: str) -> TileSet:
    """Return a set of the game's own: `base` or `bets`."""
    return load_set(resources.files(__name__).joinpath(f"{name}.json").read_bytes())


def count_totals(tiles: Iterable[Tile], chips: int = 0) -> Totals:
    """Return the totals of these tiles, each counted as often as it is in the box."""
    tiles = list(tiles)

    def having(kind: str) -> int:
        return sum(
            tile.count for tile in tiles if any(segment.kind == kind for segment in tile.segments)
        )

    def segments(kind: str) -> int:
        return sum(
            tile.count for tile in tiles for segment in tile.segments if segment.kind == kind
        )

    return Totals(
        tiles=sum(tile.count for tile in tiles),
        kinds=len(tiles),
        pennants=sum(tile.count * segment.pennants for tile in tiles for segment in tile.segments),
        monasteries=segments("monastery"),
        offices=sum(tile.count for tile in tiles if tile.office),
        city_tiles=having("city"),
        city_segments=segments("city"),
        road_tiles=having("road"),
        road_segments=segments("road"),
        field_tiles=having("field"),
        field_segments=segments("field"),
        chips=chips,
    )


def _decode_each(items: Iterable[msgspec.Raw], declared: type[NamedT], what: str) -> list[NamedT]:
    decoded = []
    for position, raw in enumerate(items):
        try:
            decoded.append(msgspec.json.decode(raw, type=declared))
        except msgspec.ValidationError as error:
            plain = msgspec.json.decode(raw)
            name = (
                plain.get(what, f"number {position}")
                if isinstance(plain, dict)
                else f"number {position}"
            )
            raise TileError(f"{what} {name}: {error}") from error
    return decoded


def _check_totals(promised: Totals, counted: Totals) -> None:
    for name in Totals.__struct_fields__:
        if getattr(promised, name) != getattr(counted, name):
            raise TileError(
                f"totals, {name}: the file promises {getattr(promised, name)}, "
                f"it holds {getattr(counted, name)}"
            )
