"""Legal commands, the seats that must choose, and the choices of the clock for them."""

from collections.abc import Iterator, Sequence

from railbird_engine import Seat
from railbird_engine.rules.carcassonne.board import Land, place_of
from railbird_engine.rules.carcassonne.commands import (
    CarcassonneCommand,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.expansion import Expansion
from railbird_engine.rules.carcassonne.state import CarcassonneState


def legal_commands(
    state: CarcassonneState, seat: Seat, land: Land, expansions: Sequence[Expansion]
) -> Iterator[CarcassonneCommand]:
    """Return every command that the rules accept. Each rotation of a symmetric tile is one."""
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
    """Return every place and rotation of the active seat's tile."""
    assert state.tile is not None
    placements = land.placements(state.board, state.tile)
    return (PlaceTile(*place_of(cell), rotation) for cell, rotation in placements)


def meeple_segments(state: CarcassonneState, land: Land) -> Iterator[str]:
    """Return the segments of the new tile on which the active seat may place a meeple."""
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
    """Return the seats that have a choice now."""
    if state.stage in {"tile", "meeple"}:
        return (state.active,)
    if state.stage == "over":
        return ()
    seats = (Seat(seat) for seat in range(state.seats))
    return tuple(seat for seat in seats if any(legal_commands(state, seat, land, expansions)))


def default_command(
    state: CarcassonneState, seat: Seat, land: Land, expansions: Sequence[Expansion]
) -> CarcassonneCommand:
    """Return the least binding choice for an absent player (ruling A24).

    The tile goes as near to the start tile as possible, without a meeple.
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
