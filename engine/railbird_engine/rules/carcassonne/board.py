"""The growing board: tiles on cells, and features (roads, cities, fields, monasteries) as merged
segments.

A tile updates only the features that it touches. This module knows no turns, points or bets.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from railbird_engine.rules.carcassonne.data.tiles import Kind, Tile, Turned

STRIDE: Final = 256
REACH: Final = 127
"""Coordinates run from -REACH to REACH; y grows to the south."""

BESIDE: Final = (-STRIDE, 1, STRIDE, -1)
"""Steps to the neighbours on sides N, E, S and W."""

AROUND: Final = (-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1)
"""Steps to all eight neighbours."""

Cell = int
Meeple = tuple[int, Cell, int]
"""Seat, cell and index of the segment under a meeple."""


def cell_at(x: int, y: int) -> Cell:
    """The cell at these coordinates, each within REACH of the start tile."""
    return y * STRIDE + x


def place_of(cell: Cell) -> tuple[int, int]:
    """The coordinates x and y of a cell."""
    y = (cell + STRIDE // 2) // STRIDE
    return cell - y * STRIDE, y


class Placed(msgspec.Struct, array_like=True, frozen=True):
    """A tile on the board; `features` names the feature that each of its segments belongs to."""

    tile: str
    rotation: int
    features: tuple[int, ...]


class Feature(msgspec.Struct, array_like=True):
    """Merged segments: their distinct `cells`, `open` ends (of a monastery: empty cells around it),
    pennants, meeples, and the cities that a field borders."""

    kind: Kind
    cells: tuple[Cell, ...]
    open: int
    pennants: int
    meeples: tuple[Meeple, ...]
    cities: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """Whether the feature is complete. A field is never complete."""
        return self.open == 0 and self.kind != "field"


class Board(msgspec.Struct, array_like=True):
    """Tiles in the order of their placement, and features by number; `named` is the last number in
    use."""

    cells: dict[Cell, Placed]
    features: dict[int, Feature]
    named: int

    def features_at(self, cell: Cell) -> list[int]:
        """The distinct features of the tile on a cell, in the order of its segments."""
        return list(dict.fromkeys(self.cells[cell].features))


def empty_board() -> Board:
    """A board before the start tile."""
    return Board({}, {}, 0)


@dataclass(slots=True)
class Joint:
    """A merger that a new tile causes: some of its segments, and the features that they join."""

    kind: Kind
    segments: list[int]
    features: list[int]
    open: int


class Land:
    """How the printed tiles fit and join. It holds no game: each method receives a board."""

    def __init__(self, tiles: Mapping[str, Tile]) -> None:
        self.tiles = tiles
        self._names = {
            name: tuple(segment.name for segment in tile.segments) for name, tile in tiles.items()
        }

    def names(self, tile: str) -> tuple[str, ...]:
        """The names of a tile's segments, by index."""
        return self._names[tile]

    def turned(self, tile: str, rotation: int) -> Turned:
        """Return the tile after this many quarter turns clockwise."""
        return self.tiles[tile].turned[rotation]

    def placements(self, board: Board, tile: str) -> Iterator[tuple[Cell, int]]:
        """Yield every legal cell and rotation: beside a placed tile, with every shared side
        alike."""
        turned = [one.sides for one in self.tiles[tile].turned]
        for cell, (north, east, south, west) in self._edge(board).items():
            for rotation, sides in enumerate(turned):
                if (
                    (not north or north == sides[0])
                    and (not east or east == sides[1])
                    and (not south or south == sides[2])
                    and (not west or west == sides[3])
                ):
                    yield cell, rotation

    def _edge(self, board: Board) -> dict[Cell, list[str]]:
        """Return the empty cells beside placed tiles, each with the adjacent side letters of its
        neighbours ("": none)."""
        edge: dict[Cell, list[str]] = {}
        for cell, placed in board.cells.items():
            sides = self.tiles[placed.tile].turned[placed.rotation].sides
            for side, step in enumerate(BESIDE):
                if cell + step not in board.cells:
                    edge.setdefault(cell + step, ["", "", "", ""])[(side + 2) % 4] = sides[side]
        return edge

    def mismatches(self, board: Board, cell: Cell, turned: Turned) -> list[int] | None:
        """Return the sides on which a tile would not match its neighbours; None without
        neighbour."""
        beside = [
            (side, board.cells[cell + step])
            for side, step in enumerate(BESIDE)
            if cell + step in board.cells
        ]
        if not beside:
            return None
        return [
            side
            for side, other in beside
            if self.turned(other.tile, other.rotation).sides[(side + 2) % 4] != turned.sides[side]
        ]

    def joints(self, board: Board, cell: Cell, tile: str, rotation: int) -> list[Joint]:
        """Return the mergers that the tile would cause there, one per feature that it joins or
        makes. The board stays unchanged."""
        printed = self.tiles[tile]
        segments = printed.segments
        leader = list(range(len(segments)))
        touched: dict[int, int] = {}
        ends = list(printed.ends)
        for segment, feature in self._links(board, cell, printed.turned[rotation]):
            # Each link closes one end on either side.
            ends[segment] -= 2
            first = leader[touched.setdefault(feature, segment)]
            if (other := leader[segment]) != first:
                leader = [first if mine == other else mine for mine in leader]
        joints: dict[int, Joint] = {}
        for index, head in enumerate(leader):
            if head not in joints:
                joints[head] = Joint(segments[index].kind, [], [], 0)
            joints[head].segments.append(index)
            joints[head].open += ends[index]
        for feature, segment in touched.items():
            joint = joints[leader[segment]]
            joint.features.append(feature)
            joint.open += board.features[feature].open
        if printed.monastery >= 0:
            joints[printed.monastery].open = sum(cell + step not in board.cells for step in AROUND)
        return list(joints.values())

    def _links(self, board: Board, cell: Cell, turned: Turned) -> Iterator[tuple[int, int]]:
        """Return pairs of a segment of the new tile and a feature that it meets, one per side or
        half-side."""
        for side, step in enumerate(BESIDE):
            other = board.cells.get(cell + step)
            if other is None:
                continue
            left, middle, right = turned.ports[side]
            # Left meets right.
            theirs = self.tiles[other.tile].turned[other.rotation].ports[side - 2]
            if middle >= 0:
                yield middle, other.features[theirs[1]]
            if left >= 0:
                yield left, other.features[theirs[2]]
            if right >= 0:
                yield right, other.features[theirs[0]]

    def monasteries_around(self, board: Board, cell: Cell) -> list[int]:
        """The monasteries (features) on the eight cells around this one."""
        found = []
        for step in AROUND:
            placed = board.cells.get(cell + step)
            if placed is not None and (index := self.tiles[placed.tile].monastery) >= 0:
                found.append(placed.features[index])
        return found

    def place(self, board: Board, cell: Cell, tile: str, rotation: int) -> None:
        """Lay a tile on an empty cell where it fits, and join its segments with what they touch."""
        segments = self.tiles[tile].segments
        joints = self.joints(board, cell, tile, rotation)
        for monastery in self.monasteries_around(board, cell):
            board.features[monastery].open -= 1
        numbers = [0] * len(segments)
        # Fields last: they refer to the cities of this tile, which need their numbers first.
        for joint in sorted(joints, key=lambda joint: joint.kind == "field"):
            number = self._join(board, joint)
            feature = board.features[number]
            feature.cells += (cell,)
            feature.open = joint.open
            for index in joint.segments:
                numbers[index] = number
                feature.pennants += segments[index].pennants
                bordered = (numbers[city] for city in segments[index].borders)
                feature.cities = tuple(dict.fromkeys((*feature.cities, *bordered)))
        board.cells[cell] = Placed(tile, rotation, tuple(numbers))

    def _join(self, board: Board, joint: Joint) -> int:
        """Merge the parts of a joint and return the feature's number: a new one, or that of the
        largest feature, which absorbs the others."""
        if not joint.features:
            board.named += 1
            board.features[board.named] = Feature(joint.kind, (), 0, 0, (), ())
            return board.named
        kept = max(joint.features, key=lambda number: len(board.features[number].cells))
        for number in joint.features:
            if number != kept:
                self._absorb(board, kept, number)
        return kept

    def _absorb(self, board: Board, kept: int, gone: int) -> None:
        feature, other = board.features[kept], board.features.pop(gone)
        feature.cells = tuple(dict.fromkeys(feature.cells + other.cells))
        feature.pennants += other.pennants
        feature.meeples += other.meeples
        feature.cities = tuple(dict.fromkeys(feature.cities + other.cities))
        for cell in other.cells:
            placed = board.cells[cell]
            renamed = (kept if number == gone else number for number in placed.features)
            placed = board.cells[cell] = Placed(placed.tile, placed.rotation, tuple(renamed))
            if feature.kind == "city":
                self._rename_city(board, placed, kept, gone)

    def _rename_city(self, board: Board, placed: Placed, kept: int, gone: int) -> None:
        for index, segment in enumerate(self.tiles[placed.tile].segments):
            if segment.borders:
                field = board.features[placed.features[index]]
                if gone in field.cities:
                    field.cities = tuple(
                        dict.fromkeys(kept if city == gone else city for city in field.cities)
                    )

    def completed(self, board: Board, cell: Cell) -> list[int]:
        """Return the features that the last tile, on this cell, has completed: its own, then
        monasteries around it."""
        touched = [*board.features_at(cell), *self.monasteries_around(board, cell)]
        return [number for number in touched if board.features[number].complete]
