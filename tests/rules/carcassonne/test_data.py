"""The printed tiles and chips: the counts of the box, and tiles that can be drawn."""

import json

import pytest

from railbird_engine import ScriptedChance
from railbird_engine.rules.carcassonne.board import place_of
from railbird_engine.rules.carcassonne.data import TileSet, load_set, printed_set
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.rules import Carcassonne
from tests.rules.carcassonne.planted import box_of
from tests.rules.carcassonne.scene import RULES, A, Scene

_COUNTS = """
    A:5 B:4 C:4 D:6 E:4 F:4 G:4 H:4 I:4 J:6 K:6 L:7 M:4 N:4 O:6 P:6 Q:4 R:4 S:5 T:5 U:6 V:6 W:7 X:8
    BK1:6 BK2:6 BK3:6 BK4:6 BK5:5 BK6:7 BK7:6 BK8:6 BK9:5 BK10:4
"""
LEGAL_ON_THE_START_TILE = {
    pair.partition(":")[0]: int(pair.partition(":")[2]) for pair in _COUNTS.split()
}
FIELDS_OF_THE_BOOKMAKERS = dict(
    zip([f"BK{number}" for number in range(1, 11)], [3, 3, 3, 3, 2, 3, 2, 2, 2, 2], strict=True)
)
PAYS = {
    1: [0, 0, 0, 0, 0, 0],
    2: [0, 2, 0, 0, 0, 0],
    3: [0, 0, 3, 3, 0, 0],
    4: [8, 0, 0, 0, 4, 0],
    5: [0, 0, 0, 0, 5, 5],
    6: [0, 0, 0, 6, 0, 6],
    7: [0, 0, 7, 0, 0, 0],
    8: [0, 8, 7, 0, 0, 0],
    30: [0, 8, 7, 0, 0, 0],
}


def test_the_base_box_has_its_printed_counts() -> None:
    base = printed_set("base")
    assert counts(base) == {
        "tiles": 72,
        "kinds": 24,
        "pennants": 10,
        "offices": 0,
        "monastery segments": 6,
        "city tiles": 44,
        "city segments": 49,
        "road tiles": 45,
        "road segments": 62,
        "field tiles": 71,
        "field segments": 126,
    }


def test_the_bets_hold_ten_tiles_with_an_office_each_and_six_chips_a_seat() -> None:
    bets = printed_set("bets")
    assert counts(bets) == {
        "tiles": 10,
        "kinds": 10,
        "pennants": 1,
        "offices": 10,
        "monastery segments": 0,
        "city tiles": 8,
        "city segments": 9,
        "road tiles": 9,
        "road segments": 16,
        "field tiles": 10,
        "field segments": 25,
    }
    assert len(bets.chips) == 6


def counts(tiles: TileSet) -> dict[str, int]:
    """Count what the box prints, each tile as often as it is in the box."""
    drawn = [tile for tile in tiles.tiles.values() for _ in range(tile.count)]
    kinds = [[segment.kind for segment in tile.segments] for tile in drawn]
    return {
        "tiles": len(drawn),
        "kinds": len(tiles.tiles),
        "pennants": sum(segment.pennants for tile in drawn for segment in tile.segments),
        "offices": sum(tile.office for tile in drawn),
        "monastery segments": sum(each.count("monastery") for each in kinds),
        **{
            f"{kind} {what}": sum(min(each.count(kind), most) for each in kinds)
            for kind in ("city", "road", "field")
            for what, most in (("tiles", 1), ("segments", 9))
        },
    }


@pytest.mark.parametrize("tile", FIELDS_OF_THE_BOOKMAKERS)
def test_b13_every_office_separates_its_fields(tile: str) -> None:
    segments = printed_set("bets").tiles[tile].segments
    assert sum(segment.kind == "field" for segment in segments) == FIELDS_OF_THE_BOOKMAKERS[tile]


@pytest.mark.parametrize("tiles", PAYS)
def test_the_pay_table_of_the_chips(tiles: int) -> None:
    assert [chip.pays(tiles) for chip in printed_set("bets").chips.values()] == PAYS[tiles]


@pytest.mark.parametrize("tile", LEGAL_ON_THE_START_TILE)
def test_legal_placements_on_the_start_tile_alone(tile: str) -> None:
    scene = Scene()
    scene.turn(A, tile)
    assert len(scene.legal(A)) == LEGAL_ON_THE_START_TILE[tile]


def test_the_placements_of_d_and_bk5_by_name() -> None:
    def places(tile: str) -> set[tuple[int, int, int]]:
        board = Scene().state.board
        return {
            (*place_of(cell), rotation) for cell, rotation in RULES._land.placements(board, tile)
        }

    assert places("D") == {(-1, 0, 0), (-1, 0, 2), (0, -1, 2), (0, 1, 2), (1, 0, 0), (1, 0, 2)}
    assert places("BK5") == {(-1, 0, 0), (0, -1, 3), (0, 1, 0), (0, 1, 2), (1, 0, 2)}
    assert places("C") == {(0, -1, rotation) for rotation in range(4)}
    assert places("B") == {(0, 1, rotation) for rotation in range(4)}


def test_a_host_may_bring_its_own_chips_and_tiles() -> None:
    box = box_of("bets")
    box["chips"][0] = {"chip": "b9", "faces": [{"exactly": 9, "points": 18}]}
    rules = Carcassonne(bets=load_set(json.dumps(box).encode()))
    assert rules.edition(CarcassonneOptions()) != Carcassonne().edition(CarcassonneOptions())
    without = CarcassonneOptions(bets=False)
    assert rules.edition(without) == Carcassonne().edition(without), "the same base game"
    step = rules.start(2, CarcassonneOptions(), ScriptedChance([0, 0]))
    assert step.state.betting is not None
    assert step.state.betting.chips[0] == ["b9", "b28", "b37", "b36", "b45", "b56"]
