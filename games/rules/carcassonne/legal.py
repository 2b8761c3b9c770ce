"""What each seat may do, which seats are awaited, and what the clock chooses for them."""

from collections.abc import Iterator, Sequence

from games.engine import Seat
from games.rules.carcassonne.board import Land, place_of
from games.rules.carcassonne.commands import (
    CarcassonneCommand,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from games.rules.carcassonne.expansion import Expansion
from games.rules.carcassonne.state import CarcassonneState


def legal_commands(
    state: CarcassonneState, seat: Seat, land: Land, expansions: Sequence[Expansion]
) -> Iterator[CarcassonneCommand]:
    """Every command that would be accepted. Each rotation of a symmetric tile is one."""
    if state.stage in {"tile", "meeple"}:
        if seat != state.active:
            return
        if state.stage == "tile":
            yield from tile_choices(state, land)
        else:
            yield from (PlaceMeeple(segment) for segment in meeple_segments(state, land))
            yield SkipMeeple()
    elif state.stage != "over":
        for expansion in expansions:
            yield from expansion.choices(state, seat)


def tile_choices(state: CarcassonneState, land: Land) -> Iterator[PlaceTile]:
    """Every place and rotation of the tile that the active seat holds."""
    assert state.tile is not None
    placements = land.placements(state.board, state.tile)
    return (PlaceTile(*place_of(cell), rotation) for cell, rotation in placements)


def meeple_segments(state: CarcassonneState, land: Land) -> Iterator[str]:
    """The segments of the tile just laid that may take a meeple of the active seat."""
    placed = state.board.cells[state.laid]
    if not state.meeples[state.active]:
        return
    for segment, number in zip(land.tiles[placed.tile].segments, placed.features, strict=True):
        playable = state.options.fields or segment.kind != "field"
        if playable and not state.board.features[number].meeples:
            yield segment.name


def awaited_seats(
    state: CarcassonneState, land: Land, expansions: Sequence[Expansion]
) -> tuple[Seat, ...]:
    """The seats that have a choice now."""
    if state.stage in {"tile", "meeple"}:
        return (state.active,)
    if state.stage == "over":
        return ()
    seats = (Seat(seat) for seat in range(state.seats))
    return tuple(seat for seat in seats if any(legal_commands(state, seat, land, expansions)))


def default_command(
    state: CarcassonneState, seat: Seat, land: Land, expansions: Sequence[Expansion]
) -> CarcassonneCommand:
    """Choose for an absent player what commits it to least (ruling A24).

    The tile goes as near to the start tile as it may, and gets no meeple.
    """
    match state.stage:
        case "tile":
            return min(tile_choices(state, land), key=_nearness)
        case "meeple":
            return SkipMeeple()
        case _:
            awaiting = next(it for it in expansions if any(it.choices(state, seat)))
            return awaiting.default(state, seat)


def _nearness(at: PlaceTile) -> tuple[int, int, int, int]:
    return abs(at.x) + abs(at.y), at.y, at.x, at.rotation
