"""The view of a seat or a spectator: everything except the faces of other seats' chips and of chips
on offices."""

import msgspec

from railbird_engine import Seat, View
from railbird_engine.rules.carcassonne.board import Board, Feature, Land, place_of
from railbird_engine.rules.carcassonne.data.tiles import Kind
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.scoring import points_of
from railbird_engine.rules.carcassonne.state import CarcassonneState, Stage


class TileView(msgspec.Struct, frozen=True):
    """A tile on the board. `segments` gives the feature of each of its segments."""

    x: int
    y: int
    tile: str
    rotation: int
    segments: dict[str, int]


class MeepleView(msgspec.Struct, frozen=True):
    """A meeple on a segment of the tile at x, y."""

    seat: int
    x: int
    y: int
    segment: str


class FeatureView(msgspec.Struct, frozen=True):
    """A road, city, field or monastery.

    `open` counts its open ends, or the empty cells around a monastery. `cities` are the cities
    that a field borders.
    """

    feature: int
    kind: Kind
    tiles: int
    open: int
    pennants: int
    meeples: tuple[MeepleView, ...]
    cities: tuple[int, ...]


class OfficeView(msgspec.Struct, frozen=True):
    """Chips face down on the office at x, y.

    The view shows their owners but never their faces (ruling A9: not even to their owners).
    """

    x: int
    y: int
    seats: tuple[Seat, ...]


class CarcassonneView(View, frozen=True, kw_only=True):
    """The game as a viewer sees it.

    `active` places `tile`; once the tile is at `laid`, `tile` is null. `stack` counts the tiles
    that can still be drawn. `chips` has the viewer's own supply, and null for every other seat.
    During action 4, the supply still includes a chip that its seat has chosen.
    """

    seat: Seat | None
    options: CarcassonneOptions
    stage: Stage
    active: Seat
    awaited: tuple[Seat, ...]
    tile: str | None
    laid: tuple[int, int]
    stack: dict[str, int]
    discarded: tuple[str, ...]
    points: tuple[int, ...]
    meeples: tuple[int, ...]
    board: tuple[TileView, ...]
    features: tuple[FeatureView, ...]
    offices: tuple[OfficeView, ...]
    chip_counts: tuple[int, ...]
    chips: list[list[str] | None]


def view_of(
    state: CarcassonneState, viewer: Seat | None, awaited: tuple[Seat, ...], land: Land
) -> CarcassonneView:
    """The only filter of state."""
    chips = state.betting.chips if state.betting else []
    stacks = state.betting.stacks if state.betting else {}
    stack: dict[str, int] = {}
    for tile in sorted(state.stack):
        stack[tile] = stack.get(tile, 0) + 1
    return CarcassonneView(
        seat=viewer,
        options=state.options,
        stage=state.stage,
        active=state.active,
        awaited=awaited,
        tile=state.tile,
        laid=place_of(state.laid),
        stack=stack,
        discarded=tuple(state.discarded),
        points=points_of(state),
        meeples=tuple(state.meeples),
        board=_tiles(state.board, land),
        features=_features(state.board, land),
        offices=tuple(
            OfficeView(*place_of(cell), tuple(sealed.seat for sealed in stack))
            for cell, stack in stacks.items()
        ),
        chip_counts=tuple(len(supply) for supply in chips),
        chips=[list(supply) if seat == viewer else None for seat, supply in enumerate(chips)],
    )


def _tiles(board: Board, land: Land) -> tuple[TileView, ...]:
    tiles = []
    for cell, placed in board.cells.items():
        x, y = place_of(cell)
        segments = dict(zip(land.names(placed.tile), placed.features, strict=True))
        tiles.append(TileView(x, y, placed.tile, placed.rotation, segments))
    return tuple(tiles)


def _features(board: Board, land: Land) -> tuple[FeatureView, ...]:
    return tuple(
        FeatureView(
            number,
            feature.kind,
            len(feature.cells),
            feature.open,
            feature.pennants,
            _meeples(feature, board, land) if feature.meeples else (),
            feature.cities,
        )
        for number, feature in board.features.items()
    )


def _meeples(feature: Feature, board: Board, land: Land) -> tuple[MeepleView, ...]:
    return tuple(
        MeepleView(seat, *place_of(cell), land.names(board.cells[cell].tile)[index])
        for seat, cell, index in feature.meeples
    )
