"""The base game: the order of a turn, placing, scoring (vectors V1 to V8), the end, and every
refusal."""

import pytest

from railbird_engine import RuleViolation, Seat, SeededChance
from railbird_engine.rules.carcassonne.board import place_of
from railbird_engine.rules.carcassonne.commands import (
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.events import (
    BoxOpened,
    FeatureScored,
    GameEnded,
    TileDiscarded,
    TileDrawn,
)
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from tests.rules.carcassonne.scene import RULES, A, B, C, Scene

BASE_ONLY = CarcassonneOptions(bets=False)


def finish(scene: Scene, placement: str, meeple: str | None = None, seat: Seat = A) -> None:
    """Place this tile as the last of the game."""
    scene.put(placement, seat)
    scene.empty_stack()
    scene.play(seat, PlaceMeeple(meeple) if meeple else SkipMeeple())
    assert scene.state.stage == "over"


# Set-up and order of play


def test_the_start_tile_is_on_the_board_and_all_others_in_the_stack() -> None:
    for options, tiles in ((BASE_ONLY, 72), (CarcassonneOptions(), 82)):
        state = RULES.start(3, options, SeededChance(b"1")).state
        assert [
            (place_of(cell), it.tile, it.rotation) for cell, it in state.board.cells.items()
        ] == [((0, 0), "D", 0)]
        assert len(state.stack) + 2 == tiles
        assert state.meeples == [7, 7, 7]
        assert (state.betting is None) == (not options.bets)


def test_the_first_event_opens_the_box_and_the_first_tile_is_drawn_at_once() -> None:
    step = RULES.start(2, CarcassonneOptions(), SeededChance(b"1"))
    box, drawn = step.events
    assert isinstance(box, BoxOpened)
    assert sum(box.counts.values()) == 82
    assert box.tiles["BK8"] == ("O", "C1:N", "C2:S", "R1:E", "R2:W", "G1:EL WR>C1", "G2:ER WL>C2")
    assert box.chips["b28"] == "2:2 8+:8"
    assert drawn == TileDrawn(seat=box.first, tile=step.state.tile or "")
    assert step.state.active == box.first


def test_the_first_player_is_drawn_by_lot() -> None:
    firsts = {
        RULES.start(4, BASE_ONLY, SeededChance(b"%d" % seed)).state.active for seed in range(40)
    }
    assert firsts == {0, 1, 2, 3}


def test_turns_go_around_the_table() -> None:
    scene = Scene(3, BASE_ONLY)
    scene.lay("U@1,0r0", seat=B)
    assert scene.state.active == C
    scene.lay("U@2,0r0", seat=C)
    assert scene.state.active == A


def test_a_game_without_the_expansion_contains_no_part_of_it() -> None:
    scene = Scene(2, BASE_ONLY)
    assert not any(tile.startswith("BK") for tile in scene.state.stack)
    view = scene.view(A)
    assert (view.offices, view.chips, view.chip_counts) == ((), [], ())
    assert scene.refusal(A, PlaceBet("b4"))[0] == "not_in_this_game"


def test_a_meeple_stage_without_a_choice_is_skipped() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.state.meeples[A] = 0
    scene.put("U@1,0r0", A)
    assert (scene.state.stage, scene.state.active) == ("tile", B)


def test_a_meeple_that_comes_home_in_action_3_may_be_used_in_the_next_turn() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.state.meeples[A] = 1
    scene.lay("E@0,-1r2", "C1", A)
    assert scene.state.meeples == [1, 7]
    assert scene.points == (4, 0)


def test_a_tile_that_fits_nowhere_leaves_the_game_and_the_same_seat_draws_again() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("E@0,-1r2", seat=A)
    scene.put("U@1,0r0", B)
    scene.empty_stack("C", "C", "C")
    scene.play(B, SkipMeeple())
    assert [event.tile for event in scene.events_of(TileDiscarded)] == ["C", "C", "C"]
    assert [event.seat for event in scene.events_of(TileDrawn)] == [A, A, A]
    assert scene.state.discarded == ["C", "C", "C"]
    assert scene.state.stage == "over"


# Refusals


def test_refusals_of_a_tile() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.turn(A, "V")
    assert scene.refusal(B, PlaceTile(1, 0, 0)) == ("not_your_turn", {"active": A})
    assert scene.refusal(A, PlaceTile(0, 0, 0)) == ("cell_taken", {"x": 0, "y": 0})
    assert scene.refusal(A, PlaceTile(2, 0, 0)) == ("cell_not_adjacent", {"x": 2, "y": 0})
    assert scene.refusal(A, PlaceTile(1, 1, 0))[0] == "cell_not_adjacent"
    assert scene.refusal(A, PlaceTile(257, -1, 0))[0] == "cell_not_adjacent"
    assert scene.refusal(A, PlaceTile(1, 0, 4)) == ("unknown_rotation", {"rotation": 4})
    assert scene.refusal(A, PlaceTile(1, 0, 2)) == (
        "sides_do_not_match",
        {"x": 1, "y": 0, "sides": ["W"]},
    )
    assert scene.refusal(A, SkipMeeple()) == ("not_now", {"stage": "tile"})


def test_refusals_of_a_meeple() -> None:
    scene = Scene(2, CarcassonneOptions(bets=False, fields=False))
    scene.lay("U@1,0r0", "R1", A)
    scene.put("W@2,0r0", B)
    segments = ["R1", "R2", "R3", "G1", "G2", "G3"]
    assert scene.refusal(B, PlaceTile(3, 0, 0)) == ("not_now", {"stage": "meeple"})
    assert scene.refusal(B, PlaceMeeple("C1")) == (
        "unknown_segment",
        {"segment": "C1", "segments": segments},
    )
    assert scene.refusal(B, PlaceMeeple("R3")) == (
        "feature_occupied",
        {"segment": "R3", "seats": [A]},
    )
    assert scene.refusal(B, PlaceMeeple("G1")) == ("played_without_fields", {"segment": "G1"})
    assert scene.refusal(A, SkipMeeple()) == ("not_your_turn", {"active": B})


def test_refusals_outside_a_stage_of_bets() -> None:
    scene = Scene(2)
    assert scene.refusal(A, PlaceBet("b4")) == ("not_now", {"stage": "tile"})
    assert scene.refusal(A, PassBet())[0] == "not_now"
    assert scene.refusal(A, ChooseFeature(0, 0, 1))[0] == "not_now"


def test_a_finished_game_refuses_everything() -> None:
    scene = Scene(2, BASE_ONLY)
    finish(scene, "U@1,0r0")
    assert scene.refusal(A, PlaceTile(2, 0, 0)) == ("not_now", {"stage": "over"})
    assert scene.legal(A) == scene.legal(B) == []


def test_one_or_seven_players_are_refused() -> None:
    for seats in (1, 7):
        with pytest.raises(RuleViolation, match="wrong_number_of_seats"):
            RULES.start(seats, BASE_ONLY, SeededChance(b"1"))


# Meeples


def test_a_meeple_may_not_join_a_feature_with_a_meeple_on_another_tile() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("U@1,0r0", "G1", A)
    scene.put("V@2,0r0", B)
    assert {command.segment for command in scene.legal(B) if isinstance(command, PlaceMeeple)} == {
        "R1",
        "G2",
    }


def test_two_farmers_can_share_a_field_after_a_merger() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("V@1,0r0", "G1", A)
    scene.lay("U@-1,0r0", "G2", B)
    assert scene.number(1, 0, "G1") != scene.number(-1, 0, "G2")
    # The road ends at the monastery, and the fields meet behind it.
    scene.lay("A@1,1r2")
    assert scene.number(1, 0, "G1") == scene.number(-1, 0, "G2")
    assert sorted(seat for seat, _, _ in scene.feature(0, 0, "G1").meeples) == [A, B]
    scene.lay("E@0,-1r2")
    finish(scene, "U@2,0r1")
    assert scene.points == (3, 3)


# Scoring


def test_v1_two_fields_are_both_paid_for_the_city_between_them() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("E@0,-1r2", "G1")
    scene.lay("H@0,-2r1")
    finish(scene, "E@1,-2r3", "G1")
    first, second = scene.feature(0, -1, "G1"), scene.feature(1, -2, "G1")
    assert (len(first.cities), len(second.cities)) == (3, 1)
    fields = [event for event in scene.events_of(FeatureScored) if event.kind == "field"]
    assert sorted(event.points for event in fields) == [3, 6]
    assert scene.points == (9, 0)


def test_v2_a_monastery_pays_9_when_surrounded_and_its_neighbours_at_the_end() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("B@0,1r0", "M", A)
    for placement in ("V@1,0r0", "W@1,1r3", "V@1,2r1", "W@0,2r0"):
        scene.lay(placement)
    scene.lay("A@0,3r2", "M", B)
    for placement in ("V@-1,2r2", "U@-1,1r1"):
        scene.lay(placement)
    assert scene.points == (0, 0)
    finish(scene, "J@-1,0r0")
    assert scene.points == (9, 4)


def test_a_monastery_may_be_completed_from_a_corner_and_several_at_once() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("B@0,1r0", "M", A)
    scene.lay("B@1,1r0", "M", B)
    ring = ["U@1,0r0", "B@-1,1r0", "B@-1,2r0", "B@0,2r0", "B@1,2r0", "B@2,2r0", "B@2,1r0"]
    for placement in [*ring, "U@-1,0r0"]:
        scene.lay(placement)
    assert scene.points == (9, 0)
    scene.lay("V@2,0r1")
    assert scene.points == (9, 9)
    assert scene.state.meeples == [7, 7]


def test_v4_a_city_of_two_tiles_pays_4() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("E@0,-1r2", "C1")
    assert scene.points == (4, 0)


def test_v5_completed_cities_pay_2_for_each_tile_and_pennant() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("F@0,-1r1", "C1")
    scene.lay("E@0,-2r2")
    assert scene.points == (8, 0)
    scene = Scene(2, BASE_ONLY)
    scene.lay("G@0,-1r1", "C1")
    scene.lay("G@0,-2r1")
    scene.lay("E@0,-3r2")
    assert scene.points == (8, 0)


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [("C1", "C1", (10, 10)), (None, None, (0, 0)), ("C1", None, (10, 0))],
)
def test_v6_seats_tied_for_most_meeples_each_get_all_points(
    first: str | None, second: str | None, points: tuple[int, int]
) -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("F@0,-1r1", first, A)
    for placement in ("B@1,-1r0", "B@1,-2r0", "B@1,-3r0"):
        scene.lay(placement)
    scene.lay("E@0,-3r2", second, B)
    scene.lay("G@0,-2r1")
    assert scene.points == points
    assert scene.state.meeples == [7, 7]


def test_v6_one_meeple_more_wins_all_points() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("G@0,-1r1", "C1", A)
    for placement in ("B@1,-1r0", "B@1,-2r0", "B@1,-3r0", "B@-1,-1r0"):
        scene.lay(placement)
    scene.lay("E@0,-3r2", "C1", B)
    scene.lay("E@-1,-2r1", "C1", A)
    scene.lay("R@0,-2r3")
    assert scene.points == (10, 0)


def test_v7_open_features_pay_less_at_the_end() -> None:
    scene = Scene(3, BASE_ONLY)
    scene.lay("U@1,0r0", "R1", A)
    scene.lay("B@0,1r0", "M", B)
    scene.lay("B@1,1r0")
    scene.lay("F@0,-1r1", "C1", C)
    scene.lay("F@0,-2r1")
    scene.lay("C@0,-3r0")
    finish(scene, "G@0,-4r1")
    # A road of two tiles is not finished; the monastery has the start tile and two more around it.
    assert scene.points == (2, 4, 8)
    assert [event.kind for event in scene.events_of(FeatureScored)] == ["road", "city", "monastery"]


def test_v7_an_open_road_of_three_tiles_pays_3() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("U@1,0r0", "R1", A)
    finish(scene, "U@2,0r0")
    assert scene.points == (3, 0)


def test_v8_a_field_is_paid_only_for_complete_cities() -> None:
    scene = Scene(2, BASE_ONLY)
    finish(scene, "U@1,0r0", "G1", A)
    assert scene.points == (0, 0)
    scene = Scene(2, BASE_ONLY)
    scene.lay("U@1,0r0", "G2", A)
    finish(scene, "E@0,-1r2")
    assert scene.points == (0, 0)
    scene = Scene(2, BASE_ONLY)
    scene.lay("U@1,0r0", "G1", A)
    finish(scene, "E@0,-1r2")
    assert scene.points == (3, 0)


def test_a_road_that_is_a_loop_is_complete() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("V@1,0r0", "R1")
    for placement in ("V@1,1r1", "U@0,1r0", "V@-1,1r2"):
        scene.lay(placement)
    assert scene.points == (0, 0)
    scene.lay("V@-1,0r3")
    assert scene.points == (6, 0)


def test_a_tile_that_is_twice_in_a_feature_counts_once() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("I@0,1r2", "C1")
    scene.lay("N@1,1r3")
    scene.lay("N@0,2r1")
    assert scene.number(0, 1, "C1") != scene.number(0, 1, "C2")
    scene.lay("N@1,2r0")
    assert scene.number(0, 1, "C1") == scene.number(0, 1, "C2")
    assert scene.points == (8, 0)


def test_one_placement_may_complete_several_features() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.lay("W@-1,0r0", "R1", A)
    scene.lay("E@0,-1r2")
    scene.lay("E@1,-1r2", "C1", B)
    scene.lay("L@1,0r0")
    scored = {event.kind: (event.points, event.winners) for event in scene.events_of(FeatureScored)}
    assert scored == {"road": (3, (A,)), "city": (4, (B,))}


def test_transfers_name_their_reason() -> None:
    scene = Scene(2, BASE_ONLY)
    scene.put("E@0,-1r2", A)
    step = RULES.apply(scene.state, A, PlaceMeeple("C1"), SeededChance(b"1"))
    assert [(it.source, it.target, it.amount, it.reason) for it in step.transfers] == [
        ("bank", "seat:0", 4, "city")
    ]
    scene = Scene(2, BASE_ONLY)
    scene.put("U@1,0r0", A)
    scene.empty_stack()
    step = RULES.apply(scene.state, A, PlaceMeeple("R1"), SeededChance(b"1"))
    assert [(it.amount, it.reason) for it in step.transfers] == [(2, "unfinished road")]


# The end


def test_most_points_win_and_equal_points_share_their_rank() -> None:
    scene = Scene(3, BASE_ONLY)
    scene.lay("U@1,0r0", "R1", A)
    scene.lay("B@0,1r0", "M", B)
    scene.lay("F@0,-1r1", "C1", C)
    finish(scene, "B@1,1r0")
    assert scene.events_of(GameEnded) == [GameEnded(points=(2, 4, 3))]
    result = RULES.result(scene.state)
    assert result is not None
    assert result.ranking == ((B,), (C,), (A,))
    scene = Scene(3, BASE_ONLY)
    finish(scene, "U@1,0r0", "R1", A)
    result = RULES.result(scene.state)
    assert result is not None
    assert result.ranking == ((A,), (B, C))


def test_nothing_ends_before_the_last_tile_is_laid() -> None:
    scene = Scene(2, BASE_ONLY)
    assert RULES.result(scene.state) is None
    scene.put("U@1,0r0", A)
    scene.empty_stack("U")
    scene.play(A, SkipMeeple())
    assert scene.state.tile == "U"
    assert RULES.result(scene.state) is None
