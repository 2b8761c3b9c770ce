"""A land tile: its four sides, its segments, and its rotations. The data files use its notation."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

import msgspec

Kind = Literal["city", "road", "field", "monastery"]

SIDES: Final = "NESW"
"""Sides clockwise; side 0 is north."""

HALVES: Final = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
"""Half-sides clockwise, left and right as seen from the middle of the tile. Fields meet along
half-sides."""

_KINDS: Final[dict[str, Kind]] = {"C": "city", "R": "road", "G": "field"}
_SEGMENT = re.compile(
    r"(?P<name>[CRG]\d):(?P<edges>[^>+]+)(?P<pennants>\+*)(?:>(?P<borders>[\w,]+))?"
)


class TileError(ValueError):
    """An invalid tile, chip or total of a data file; the message names it and the field."""


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
    """Return the tile of a data file. Raises TileError when the drawing is impossible."""
    names = [note.partition(":")[0] for note in text.segments]
    _require(len(names) == len(set(names)), text, "segments", "a segment is named twice")
    drawn = [name for name in names if name != "O"]
    segments = tuple(_read_segment(text, note, drawn) for note in text.segments if note != "O")
    _check_cover(text, segments)
    _check_crossing(text, segments)
    turned = tuple(_turn(text.sides, segments, turns) for turns in range(4))
    looks = [_look(one, segments) for one in turned]
    return Tile(
        name=text.tile,
        count=text.count,
        notes=tuple(text.segments),
        office="O" in names,
        segments=segments,
        ends=tuple(len(segment.sides) + len(segment.halves) for segment in segments),
        monastery=drawn.index("M") if "M" in drawn else -1,
        turned=turned,
        alike=tuple(looks.index(look) for look in looks),
    )


def _require(holds: bool, text: TileText, field_name: str, problem: str) -> None:
    if not holds:
        raise TileError(f"tile {text.tile}, {field_name}: {problem}")


def _read_segment(text: TileText, note: str, drawn: list[str]) -> Segment:
    if note == "M":
        return Segment("M", "monastery")
    match = _SEGMENT.fullmatch(note)
    if match is None:
        raise TileError(f"tile {text.tile}, segments: cannot read {note!r}")
    name, edges = match["name"], match["edges"]
    kind = _KINDS[name[0]]
    _require(
        kind == "city" or not match["pennants"],
        text,
        "segments",
        f"{name} is no city and has a pennant",
    )
    _require(
        kind == "field" or not match["borders"],
        text,
        "segments",
        f"{name} is no field and borders a city",
    )
    if kind == "field":
        unknown = [half for half in edges.split() if half not in HALVES]
        _require(not unknown, text, "segments", f"{name} has unknown half-sides {unknown}")
        halves = tuple(HALVES.index(half) for half in edges.split())
        cities = match["borders"].split(",") if match["borders"] else []
        unknown = [city for city in cities if city not in drawn or city[0] != "C"]
        _require(
            not unknown,
            text,
            "segments",
            f"{name} borders {unknown}, which are no cities of this tile",
        )
        return Segment(
            name, kind, halves=halves, borders=tuple(drawn.index(city) for city in cities)
        )
    _require(set(edges) <= set(SIDES), text, "segments", f"{name} has unknown sides in {edges!r}")
    _require(
        kind == "city" or len(edges) <= 2,
        text,
        "segments",
        f"{name} is a road with more than two ends",
    )
    return Segment(
        name,
        kind,
        sides=tuple(SIDES.index(side) for side in edges),
        pennants=len(match["pennants"]),
    )


def _check_cover(text: TileText, segments: Iterable[Segment]) -> None:
    """Check that every city and road side belongs to one segment of its kind, and every half-side
    without a city to one field."""
    segments = list(segments)
    for letter, kind in (("C", "city"), ("R", "road")):
        drawn = sorted(
            side for segment in segments if segment.kind == kind for side in segment.sides
        )
        printed = [side for side in range(4) if text.sides[side] == letter]
        _require_same(
            text,
            f"{kind} sides",
            [SIDES[side] for side in drawn],
            [SIDES[side] for side in printed],
        )
    halves = sorted(half for segment in segments for half in segment.halves)
    wanted = [half for half in range(8) if text.sides[half // 2] != "C"]
    _require_same(
        text, "half-sides", [HALVES[half] for half in halves], [HALVES[half] for half in wanted]
    )


def _require_same(text: TileText, what: str, drawn: Sequence[str], printed: Sequence[str]) -> None:
    missing = [edge for edge in printed if edge not in drawn]
    _require(not missing, text, "segments", f"{what} {missing} are not covered")
    extra = [edge for edge in drawn if edge not in printed]
    _require(not extra, text, "segments", f"{what} {extra} do not agree with sides {text.sides}")
    twice = sorted({edge for edge in drawn if drawn.count(edge) > 1})
    _require(not twice, text, "segments", f"{what} {twice} are covered twice")


def _check_crossing(text: TileText, segments: Iterable[Segment]) -> None:
    """Check that no two segments alternate around the tile (a, b, a, b): they would cross."""
    around = [""] * 12
    for segment in segments:
        for side in segment.sides:
            around[3 * side + 1] = segment.name
        for half in segment.halves:
            around[3 * (half // 2) + 2 * (half % 2)] = segment.name
    names = [name for name in around if name]
    for first in sorted(set(names)):
        for second in sorted(set(names) - {first}):
            walk = [name for name in names if name in {first, second}]
            changes = sum(walk[i] != walk[i - 1] for i in range(len(walk)))
            _require(changes <= 2, text, "segments", f"{first} and {second} cross each other")


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
