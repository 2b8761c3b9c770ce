"""A land tile: its four sides, its segments, and its rotations. The data files use its notation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

import msgspec

from railbird_engine.kernel.host_data import placed, require, require_once

Kind = Literal["city", "road", "field", "monastery"]

SIDES: Final = "NESW"
"""Sides clockwise; side 0 is north."""

HALVES: Final = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
"""Half-sides clockwise, left and right as seen from the middle of the tile. Fields meet along
half-sides."""

_KINDS: Final[dict[str, Kind]] = {"C": "city", "R": "road"}
_SEGMENT = re.compile(
    r"(?P<name>[CRG]\d):(?P<edges>[^>+]+)(?P<pennants>\+*)(?:>(?P<borders>[\w,]+))?"
)


class TileText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tile as written in a data file. `segments`: `C1:NW+` a city on two sides with a pennant,
    `R1:ES` a road, `G1:EL WR>C1` a field on two half-sides that borders city C1, `M` a monastery,
    `O` a betting office."""

    tile: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9]{1,8}$(?!\n)")]
    count: Annotated[int, msgspec.Meta(ge=1, le=99)]
    sides: Annotated[str, msgspec.Meta(pattern=r"^[CRF]{4}$(?!\n)")]
    segments: Annotated[list[str], msgspec.Meta(min_length=1)]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of one tile: `sides` of a road or city, `halves` of a field; `borders` has the cities
    (by index) that a field touches."""

    name: str
    kind: Kind
    sides: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    pennants: int = 0
    borders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Turned:
    """A tile after some quarter turns clockwise.

    `ports` gives for each side the segments on its left half, in its middle and on its right half,
    as seen from the middle of the tile: by index, -1 for none.
    """

    sides: str
    ports: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A printed tile, as `notes` of a data file describe it.

    `turned[r]` is the tile after r quarter turns clockwise. `ends` counts, for each segment, the
    ports that can join a neighbour. `monastery` is a segment index or -1. `alike[r]` is the first
    rotation that looks like r.
    """

    name: str
    count: int
    notes: tuple[str, ...]
    office: bool
    segments: tuple[Segment, ...]
    ends: tuple[int, ...]
    monastery: int
    turned: tuple[Turned, ...] = field(repr=False)
    alike: tuple[int, ...]

    def index(self, name: str) -> int | None:
        """Return the index of the segment with this name."""
        return next(
            (index for index, segment in enumerate(self.segments) if segment.name == name), None
        )

    def bets_on(self) -> Iterator[int]:
        """The segments that a bet on this tile may count for: its roads and cities."""
        return (
            index for index, segment in enumerate(self.segments) if segment.kind in {"road", "city"}
        )


def read_tile(text: TileText) -> Tile:
    """Return the tile of a data file. Raises ValueError if it cannot be drawn."""
    with placed(f"tile {text.tile}"):
        return _drawn(text)


def _drawn(text: TileText) -> Tile:
    drawn = [note.partition(":")[0] for note in text.segments if note != "O"]
    segments = tuple(_read_segment(note, drawn) for note in text.segments if note != "O")
    _check_cover(text.sides, segments)
    turned = tuple(_turn(text.sides, segments, turns) for turns in range(4))
    looks = [_look(one, segments) for one in turned]
    return Tile(
        name=text.tile,
        count=text.count,
        notes=tuple(text.segments),
        office="O" in text.segments,
        segments=segments,
        ends=tuple(len(segment.sides) + len(segment.halves) for segment in segments),
        monastery=drawn.index("M") if "M" in drawn else -1,
        turned=turned,
        alike=tuple(looks.index(look) for look in looks),
    )


def _read_segment(note: str, drawn: Sequence[str]) -> Segment:
    if note == "M":
        return Segment("M", "monastery")
    with placed(f"segment {note!r}"):
        return _parsed(note, drawn)


def _parsed(note: str, drawn: Sequence[str]) -> Segment:
    match = _SEGMENT.fullmatch(note)
    require(match, "expected a name, its edges, pennants and borders")
    assert match is not None
    name, edges, cities = match["name"], match["edges"], match["borders"]
    if name.startswith("G"):
        halves = tuple(HALVES.index(half) for half in edges.split())
        borders = tuple(drawn.index(city) for city in cities.split(",")) if cities else ()
        return Segment(name, "field", halves=halves, borders=borders)
    return Segment(
        name,
        _KINDS[name[0]],
        sides=tuple(SIDES.index(side) for side in edges),
        pennants=len(match["pennants"]),
    )


def _check_cover(sides: str, segments: Sequence[Segment]) -> None:
    """Check that segments cover each side and half-side once."""
    require_once(segment.name for segment in segments)
    around = [""] * 12
    for segment in segments:
        cities = all(segments[city].kind == "city" for city in segment.borders)
        require(cities, f"{segment.name} borders what is no city")
        places = [3 * side + 1 for side in segment.sides]
        places += [3 * (half // 2) + 2 * (half % 2) for half in segment.halves]
        for place in places:
            require(not around[place], f"{segment.name} covers what {around[place]} covers")
            around[place] = segment.name
    for side, kind in enumerate(sides):
        shown = "".join(name[:1] or "-" for name in around[3 * side : 3 * side + 3])
        wanted = {"C": "-C-", "R": "GRG", "F": "G-G"}[kind]
        require(shown == wanted, f"side {SIDES[side]}: segments {shown}, expected {wanted}")


def _turn(sides: str, segments: Sequence[Segment], turns: int) -> Turned:
    middles, halves = [-1] * 4, [-1] * 8
    for index, segment in enumerate(segments):
        for side in segment.sides:
            middles[(side + turns) % 4] = index
        for half in segment.halves:
            halves[(half + 2 * turns) % 8] = index
    turned_sides = "".join(sides[(side - turns) % 4] for side in range(4))
    ports = ((halves[2 * side], middles[side], halves[2 * side + 1]) for side in range(4))
    return Turned(turned_sides, tuple(ports))


def _look(turned: Turned, segments: Sequence[Segment]) -> object:
    """Return the look of a turned tile, independent of the names of its segments."""
    order = list(dict.fromkeys(index for port in turned.ports for index in port if index >= 0))
    label = {index: position for position, index in enumerate(order)} | {-1: -1}
    ports = [[label[index] for index in port] for port in turned.ports]
    drawn = [segments[index] for index in order]
    borders = [sorted(label[city] for city in segment.borders) for segment in drawn]
    return ports, [(segment.kind, segment.pennants) for segment in drawn], borders
