"""The board: features merge as tiles are laid, and each tile touches no more than it must."""

from railbird_engine import Chance, SeededChance
from railbird_engine.rules.carcassonne.board import (
    REACH,
    Board,
    Land,
    cell_at,
    empty_board,
    place_of,
)
from railbird_engine.rules.carcassonne.data import printed_set

LAND = Land({**printed_set("base").tiles, **printed_set("bets").tiles})


def full_board(chance: Chance) -> Board:
    """Return a board with all 82 tiles, or as many as fit, at random."""
    board = empty_board()
    LAND.place(board, cell_at(0, 0), "D", 0)
    stack = [name for name, tile in LAND.tiles.items() for _ in range(tile.count)]
    stack.remove("D")
    while stack:
        tile = chance.take(stack)
        if places := list(LAND.placements(board, tile)):
            cell, rotation = chance.pick(places)
            LAND.place(board, cell, tile, rotation)
    return board


def test_coordinates_go_into_a_cell_and_back() -> None:
    for x in (-REACH, -1, 0, 1, REACH):
        for y in (-REACH, -1, 0, 1, REACH):
            assert place_of(cell_at(x, y)) == (x, y)


def test_joining_two_features_keeps_the_larger_and_its_number() -> None:
    board = empty_board()
    for x in (0, 1, 2, 4):
        LAND.place(board, cell_at(x, 0), "U", 0)
    long, short = board.cells[cell_at(0, 0)].features[0], board.cells[cell_at(4, 0)].features[0]
    LAND.place(board, cell_at(3, 0), "U", 0)
    assert {board.cells[cell_at(x, 0)].features[0] for x in range(5)} == {long}
    assert short not in board.features
    road = board.features[long]
    assert (len(road.cells), road.open) == (5, 2)


def test_fields_follow_their_cities_when_these_become_one() -> None:
    board = empty_board()
    LAND.place(board, cell_at(0, 0), "E", 2)
    LAND.place(board, cell_at(2, 0), "E", 2)
    LAND.place(board, cell_at(1, 0), "E", 2)
    number = board.cells[cell_at(0, 0)].features[1]
    counts = [len(board.features[number].cities)]
    LAND.place(board, cell_at(0, 1), "N", 1)
    counts.append(len(board.features[number].cities))
    LAND.place(board, cell_at(1, 1), "Q", 0)
    counts.append(len(board.features[number].cities))
    assert counts == [3, 3, 2]
    assert all(
        city in board.features for feature in board.features.values() for city in feature.cities
    )


def test_computing_mergers_changes_nothing() -> None:
    board = full_board(SeededChance(b"ask"))
    before = repr(board)
    for tile in LAND.tiles:
        for cell, rotation in LAND.placements(board, tile):
            LAND.joints(board, cell, tile, rotation)
    assert repr(board) == before
