"""The printed tiles and chips: the data files, their totals, and the errors of invalid files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from railbird_engine import ScriptedChance
from railbird_engine.rules.carcassonne.board import place_of
from railbird_engine.rules.carcassonne.data import Totals, count_totals, load_set, printed_set
from railbird_engine.rules.carcassonne.data.tiles import TileError
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


def test_the_base_box_matches_its_printed_totals() -> None:
    assert printed_set("base").totals == Totals(
        tiles=72,
        kinds=24,
        pennants=10,
        monasteries=6,
        offices=0,
        city_tiles=44,
        city_segments=49,
        road_tiles=45,
        road_segments=62,
        field_tiles=71,
        field_segments=126,
        chips=0,
    )


def test_the_bets_hold_ten_tiles_with_an_office_each_and_six_chips_a_seat() -> None:
    bets = printed_set("bets")
    assert bets.totals == Totals(
        tiles=10,
        kinds=10,
        pennants=1,
        monasteries=0,
        offices=10,
        city_tiles=8,
        city_segments=9,
        road_tiles=9,
        road_segments=16,
        field_tiles=10,
        field_segments=25,
        chips=6,
    )
    assert all(tile.count == 1 for tile in bets.tiles.values())


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


# Files of a host


def a_box(change: Callable[[Any], None] | None = None) -> bytes:
    box = box_of("bets")
    if change:
        change(box)
    return json.dumps(box).encode()


def segment(tile: int, index: int, note: str) -> Callable[[Any], None]:
    def change(box: Any) -> None:
        box["tiles"][tile]["segments"][index] = note

    return change


def entry(path: list[str | int], value: object) -> Callable[[Any], None]:
    def change(box: Any) -> None:
        for step in path[:-1]:
            box = box[step]
        box[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (segment(2, 4, "G1:>C1"), "tile BK3, segments: cannot read 'G1:>C1'"),
        (segment(0, 5, "G2:ER>C1"), "tile BK1, segments: half-sides ['EL'] are not covered"),
        (
            segment(0, 5, "G2:EL NL>C1"),
            "tile BK1, segments: half-sides ['NL'] do not agree with sides CRFR",
        ),
        (segment(0, 5, "G2:EL ER>C1"), "tile BK1, segments: half-sides ['ER'] are covered twice"),
        (segment(0, 5, "G2:EX>C1"), "tile BK1, segments: G2 has unknown half-sides ['EX']"),
        (
            segment(0, 5, "G2:EL>C2"),
            "tile BK1, segments: G2 borders ['C2'], which are no cities of this tile",
        ),
        (segment(0, 1, "C1:S"), "tile BK1, segments: city sides ['N'] are not covered"),
        (
            segment(0, 1, "C1:NE"),
            "tile BK1, segments: city sides ['E'] do not agree with sides CRFR",
        ),
        (segment(0, 2, "R1:X"), "tile BK1, segments: R1 has unknown sides in 'X'"),
        (segment(5, 2, "R2:ESW"), "tile BK6, segments: R2 is a road with more than two ends"),
        (segment(0, 2, "R1:E+"), "tile BK1, segments: R1 is no city and has a pennant"),
        (segment(0, 2, "R1:E>C1"), "tile BK1, segments: R1 is no field and borders a city"),
        (segment(0, 3, "R1:W"), "tile BK1, segments: a segment is named twice"),
        (
            entry(["tiles", 6, "segments"], ["O", "R1:EW", "G1:NL SL WR WL", "G2:NR SR EL ER"]),
            "tile BK7, segments: G1 and ",
        ),
        (entry(["tiles", 3, "sides"], "CFRX"), "tile BK4: Expected `str` matching regex"),
        (entry(["tiles", 3, "count"], 0), "tile BK4: Expected `int` >= 1 - at `$.count`"),
        (entry(["tiles", 3], 7), "tile number 3: Expected `object`, got `int`"),
        (entry(["tiles", 3, "tile"], "BK3"), "tiles, chips: a name is used twice"),
        (
            entry(["totals", "road_segments"], 15),
            "totals, road_segments: the file promises 15, it holds 16",
        ),
        (entry(["totals", "chips"], 7), "totals, chips: the file promises 7, it holds 6"),
        (entry(["start"], "D"), "start: there is no tile D"),
        (
            entry(["chips", 0, "faces"], [{"points": 8}]),
            "chip b4, faces: each needs either exactly or at_least",
        ),
        (
            entry(["chips", 1, "faces"], []),
            "chip b28: Expected `array` of length >= 1 - at `$.faces`",
        ),
        (
            entry(["chips", 1, "faces", 0, "points"], -1),
            "chip b28: Expected `int` >= 1 - at `$.faces[0].points`",
        ),
        (entry(["title"], 3), "the file: Expected `object`, got `int` - at `$.title`"),
        (entry(["colour"], "red"), "the file: Object contains unknown field `colour`"),
    ],
)
def test_a_wrong_file_is_refused_by_tile_and_field(
    change: Callable[[Any], None], problem: str
) -> None:
    with pytest.raises(TileError) as caught:
        load_set(a_box(change))
    assert str(caught.value).startswith(problem)


def test_a_host_may_bring_its_own_chips_and_tiles(tmp_path: Path) -> None:
    file = tmp_path / "bets.json"
    file.write_bytes(
        a_box(entry(["chips", 0], {"chip": "b9", "faces": [{"exactly": 9, "points": 18}]}))
    )
    rules = Carcassonne(bets=load_set(file))
    assert rules.edition(CarcassonneOptions()) != Carcassonne().edition(CarcassonneOptions())
    without = CarcassonneOptions(bets=False)
    assert rules.edition(without) == Carcassonne().edition(without), "the same base game"
    step = rules.start(2, CarcassonneOptions(), ScriptedChance([0, 0]))
    assert step.state.betting is not None
    assert step.state.betting.chips[0] == ["b9", "b28", "b37", "b36", "b45", "b56"]


def test_incompatible_sets_are_refused() -> None:
    with pytest.raises(TileError, match="start: a base set names its start tile"):
        Carcassonne(base=printed_set("bets"))
    with pytest.raises(TileError, match="tiles: both sets have"):
        Carcassonne(bets=printed_set("base"))


def test_a_game_of_more_tiles_than_the_board_can_hold_is_refused() -> None:
    def more(box: Any) -> None:
        for tile in box["tiles"]:
            tile["count"] = 6
        tiles = load_set(a_box()).tiles.values()
        box["totals"] = {name: 6 * value for name, value in box["totals"].items()} | {
            "kinds": len(tiles),
            "chips": 6,
        }

    with pytest.raises(TileError, match="totals, tiles: 132 tiles are more than 127"):
        Carcassonne(bets=load_set(a_box(more)))


def test_totals_count_every_copy_of_a_tile() -> None:
    base = printed_set("base")
    assert count_totals([base.tiles["C"], base.tiles["F"]]).pennants == 3
