"""The book: with it, a client can draw every tile and name everything without own data."""

import re
from itertools import combinations
from math import hypot

import msgspec
import pytest

from railbird_engine.rules.carcassonne.book import PrintedTile
from railbird_engine.rules.carcassonne.data import load_set, printed_set
from railbird_engine.rules.carcassonne.rules import Carcassonne
from tests.rules.carcassonne.planted import box_of
from tests.rules.carcassonne.scene import RULES

BOOK = RULES.book()
EACH_TILE = pytest.mark.parametrize("tile", BOOK.tiles, ids=lambda tile: tile.tile)


def test_the_book_has_every_tile_of_both_boxes_with_its_count() -> None:
    counts = {tile.tile: (tile.box, tile.count) for tile in BOOK.tiles}
    for box in ("base", "bets"):
        for name, tile in printed_set(box).tiles.items():
            assert counts.pop(name) == (box, tile.count)
    assert counts == {}
    assert [tile.tile for tile in BOOK.tiles if tile.start] == ["D"]
    assert sum(tile.office is not None for tile in BOOK.tiles) == 10


@EACH_TILE
def test_every_segment_of_a_tile_can_be_drawn(tile: PrintedTile) -> None:
    for segment in tile.segments:
        assert re.fullmatch(r"M[MLHVQCZ\d. ]+", segment.path)
        assert segment.path.endswith("Z") != (segment.kind == "road")
        assert max(float(number) for number in re.findall(r"[\d.]+", segment.path)) <= 100
        assert segment.kind in BOOK.colours


@EACH_TILE
def test_meeples_on_one_tile_do_not_cover_one_another(tile: PrintedTile) -> None:
    places = [segment.meeple for segment in tile.segments]
    assert all(0 < place.x < 100 and 0 < place.y < 100 for place in places)
    for one, other in combinations(places, 2):
        assert hypot(one.x - other.x, one.y - other.y) >= 12


def test_everything_has_a_name_and_every_seat_a_colour() -> None:
    assert set(BOOK.names["tile"]) == {tile.tile for tile in BOOK.tiles}
    assert set(BOOK.names["chip"]) == {chip.chip for chip in BOOK.chips}
    assert len({seat.hex for seat in BOOK.seat_colours}) == RULES.seats[-1]


def test_the_tiles_and_chips_of_a_host_are_in_its_book() -> None:
    box = box_of("bets")
    box["chips"][0] = {"chip": "b9", "faces": [{"exactly": 9, "points": 18}]}
    book = Carcassonne(bets=load_set(msgspec.json.encode(box))).book()
    assert book.chips[0].odds == "9:18"
