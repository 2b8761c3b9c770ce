"""The Bets on boards: vectors B1 to B14 (B13 and the pay table are in test_data)."""

import msgspec

from railbird_engine import BetPlaced, BetSettled, Seat
from railbird_engine.rules.carcassonne.commands import (
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.events import (
    BetDecided,
    BettingOpened,
    ChipsSealed,
    ChipTurned,
    FeatureChosen,
    FeatureScored,
)
from railbird_engine.rules.carcassonne.view import OfficeView
from tests.rules.carcassonne.scene import A, B, C, Scene, board_b1, board_b2, board_b8

ALL_CHIPS = ["b4", "b28", "b37", "b36", "b45", "b56"]


def test_b1_the_example_of_the_rulebook() -> None:
    scene = board_b1()
    scene.lay("E@2,-1r3", seat=A)
    assert scene.events_of(FeatureScored)[0].points == 10
    turned = scene.events_of(ChipTurned)
    assert [(it.seat, it.chip, it.kind, it.tiles, it.points) for it in turned] == [
        (A, "b36", "city", 4, 0),
        (B, "b4", "city", 4, 8),
        (C, "b45", "city", 4, 4),
    ]
    assert scene.points == (10, 8, 4)
    assert [scene.chips(seat) for seat in (A, B, C)] == [ALL_CHIPS] * 3


def test_b1_turned_chips_become_rows_of_the_common_history() -> None:
    scene = board_b1()
    assert not scene.events_of(BetPlaced)
    scene.lay("E@2,-1r3", seat=A)
    assert scene.events_of(BetPlaced) == [
        BetPlaced(bet=1, seat=A, spot="BK3 b36", stake=0, odds="3:3 6:6"),
        BetPlaced(bet=2, seat=B, spot="BK3 b4", stake=0, odds="4:8"),
        BetPlaced(bet=3, seat=C, spot="BK3 b45", stake=0, odds="4:4 5:5"),
    ]
    assert scene.events_of(BetSettled) == [
        BetSettled(bet=1, seat=A, spot="BK3 b36", outcome="lost", payout=0),
        BetSettled(bet=2, seat=B, spot="BK3 b4", outcome="won", payout=8),
        BetSettled(bet=3, seat=C, spot="BK3 b45", outcome="won", payout=4),
    ]


def test_b2_no_bets_when_every_road_and_city_of_the_tile_is_complete() -> None:
    scene = board_b2()
    scene.lay("BK10@0,-1r2", "C1")
    assert scene.points == (6, 0)
    assert scene.state.stage == "tile"
    assert not scene.events_of(BettingOpened)


def test_b3_open_features_receive_bets() -> None:
    scene = Scene(2)
    scene.lay("BK4@0,-1r2", "C1", A)
    assert scene.points == (4, 0)
    assert scene.events_of(BettingOpened) == [BettingOpened(x=0, y=-1, seats=(A, B))]
    scene.bet(a="b28", b="b36")
    scene.put("U@1,0r0")
    scene.empty_stack()
    scene.play(A, SkipMeeple())
    offered = [option for option in scene.legal(A) if isinstance(option, ChooseFeature)]
    assert {option.feature for option in offered} == {
        scene.number(0, -1, "R1"),
        scene.number(0, -1, "R2"),
    }


def test_b6_two_offices_of_one_city_are_both_settled() -> None:
    scene = Scene(2)
    scene.lay("BK3@0,-1r2", "C1", B)
    scene.bet(a="b4")
    scene.lay("BK10@1,-1r0")
    scene.bet(a="b45", b="b36")
    scene.lay("E@1,-2r2")
    assert scene.points == (12, 8)
    assert [(it.seat, it.chip, it.points) for it in scene.events_of(ChipTurned)] == [
        (A, "b4", 8),
        (A, "b45", 4),
        (B, "b36", 0),
    ]


def test_b8_at_the_end_each_owner_chooses_before_any_chip_is_turned() -> None:
    scene = board_b8()
    assert scene.state.stage == "evaluation"
    assert scene.awaited == [A, B, C]
    scene.choose(A, 1, 0, "C1")
    scene.choose(B, 1, 0, "R1")
    assert not scene.events_of(ChipTurned)
    scene.choose(C, 1, 0, "R1")
    assert [(it.seat, it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [
        (A, 2, 2),
        (B, 3, 3),
        (C, 3, 0),
    ]
    assert scene.points == (2, 3, 0)


def test_b8_the_normal_final_scoring_follows() -> None:
    scene = Scene(2)
    scene.lay("BK5@1,0r2", "R1", A)
    scene.bet(a="b28", b="b36")
    scene.lay("U@-1,0r0")
    scene.put("F@2,0r0", B)
    scene.empty_stack()
    scene.play(B, SkipMeeple())
    scene.choose(A, 1, 0, "R1")
    scene.choose(B, 1, 0, "C1")
    kinds = [type(event).__name__ for event in scene.events]
    assert kinds.index("ChipTurned") < kinds.index("FeatureScored")
    assert [(it.kind, it.points) for it in scene.events_of(FeatureScored)] == [("road", 3)]
    assert (scene.feature(1, 0, "C1").pennants, len(scene.feature(1, 0, "C1").cells)) == (1, 2)
    assert scene.points == (3, 0)


def test_b9_no_bets_on_the_last_tile_and_the_others_are_evaluated() -> None:
    scene = Scene(2)
    scene.lay("BK5@1,0r2")
    scene.bet(a="b28", b="b36")
    scene.put("BK1@-1,0r0", A)
    scene.empty_stack()
    scene.play(A, SkipMeeple())
    assert not scene.events_of(BettingOpened)
    # The road of three tiles, D between two offices, is complete. Its stack is settled.
    assert [(it.chip, it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [
        ("b28", 3, 0),
        ("b36", 3, 3),
    ]
    assert scene.state.stage == "over"


def test_b9_chips_on_other_offices_go_to_the_final_evaluation() -> None:
    scene = Scene(2)
    scene.lay("BK7@1,0r0")
    scene.bet(a="b28", b="b36")
    scene.put("BK9@0,-1r1", A)
    scene.empty_stack()
    scene.play(A, SkipMeeple())
    assert (scene.state.stage, scene.awaited) == ("evaluation", [A, B])
    scene.choose(A, 1, 0, "R1")
    scene.choose(B, 1, 0, "R2")
    assert [it.tiles for it in scene.events_of(ChipTurned)] == [1, 2]


def test_b10_bets_are_settled_without_a_meeple_in_the_city() -> None:
    scene = board_b1(knight=None)
    scene.lay("E@2,-1r3")
    assert scene.events_of(FeatureScored)[0].winners == ()
    assert scene.points == (0, 8, 4)


def test_b11_turned_chips_may_be_bet_again_even_in_action_4_of_the_same_turn() -> None:
    scene = board_b1()
    scene.lay("E@2,-1r3")
    scene.lay("BK7@1,0r0")
    assert PlaceBet("b4") in scene.legal(B)
    scene = board_b1()
    # BK5 completes the city of B1 itself and opens an office with an open road.
    scene.lay("BK5@2,-1r0")
    assert scene.events_of(ChipTurned)[1].points == 8
    assert scene.state.stage == "bets"
    assert PlaceBet("b4") in scene.legal(B)


def test_b11_a_seat_without_chips_in_supply_has_no_choice() -> None:
    scene = board_b1()
    scene.chips(A).clear()
    scene.lay("BK7@1,0r0")
    assert scene.events_of(BettingOpened)[0].seats == (B, C)
    assert scene.awaited == [B, C]
    assert scene.refusal(A, PassBet()) == ("bet_already_decided", {})


def test_no_bets_are_opened_when_no_seat_has_a_chip() -> None:
    scene = board_b1()
    for seat in (A, B, C):
        scene.chips(seat).clear()
    scene.lay("BK7@1,0r0")
    assert not scene.events_of(BettingOpened)
    assert scene.state.stage == "tile"


def test_b12_the_office_separates_two_fields_that_count_the_same_city() -> None:
    scene = board_b2()
    scene.lay("BK10@0,-1r2", "G1", A)
    scene.put("U@2,0r0", A)
    scene.empty_stack()
    scene.play(A, SkipMeeple())
    first, second = scene.feature(0, -1, "G1"), scene.feature(0, -1, "G2")
    assert first is not second
    assert first.cities == second.cities == (scene.number(0, -1, "C1"),)
    assert [(it.kind, it.points) for it in scene.events_of(FeatureScored)] == [("field", 3)]


def test_b14_no_viewer_sees_the_face_of_a_sealed_chip_even_its_owner() -> None:
    scene = board_b1()
    sealed = {A: "b36", B: "b4", C: "b45"}
    for viewer in (None, A, B, C):
        view = scene.view(viewer)
        assert view.offices == (OfficeView(0, -1, (A, B, C)),)
        assert view.chip_counts == (5, 5, 5)
        for seat, chips in enumerate(view.chips):
            assert chips == (
                [chip for chip in ALL_CHIPS if chip != sealed[Seat(seat)]]
                if seat == viewer
                else None
            )
        if viewer is not None:
            assert f'"{sealed[viewer]}"' not in msgspec.json.encode(view).decode()


def test_events_of_a_bet_reveal_deciders_then_bettors_and_never_faces() -> None:
    scene = Scene(3)
    scene.lay("BK7@1,0r0")
    scene.play(C, PlaceBet("b4"))
    assert list(scene.events) == [BetDecided(seat=C)]
    scene.play(A, PassBet())
    assert list(scene.events) == [BetDecided(seat=A)]
    scene.play(B, PlaceBet("b45"))
    assert list(scene.events[:2]) == [BetDecided(seat=B), ChipsSealed(x=1, y=0, seats=(B, C))]


def test_an_office_where_all_passed_stays_empty() -> None:
    scene = Scene(2)
    scene.lay("BK7@1,0r0")
    scene.bet()
    assert not scene.events_of(ChipsSealed)
    assert scene.view(A).offices == ()


def test_an_emptied_office_is_never_filled_again() -> None:
    scene = board_b1()
    scene.lay("E@2,-1r3")
    assert scene.view(A).offices == ()
    scene.lay("U@1,0r0")
    assert scene.state.stage == "tile"


def test_refusals_of_bets() -> None:
    scene = Scene(2)
    scene.lay("BK7@1,0r0")
    scene.bet(a="b4")
    scene.lay("BK1@-1,0r0")
    # The road between the two offices is complete, with three tiles: b4 went home.
    scene.chips(A).remove("b4")
    assert scene.refusal(A, PlaceBet("b4")) == ("chip_not_in_supply", {"chip": "b4"})
    assert scene.refusal(A, PlaceBet("b9")) == ("unknown_chip", {"chip": "b9", "chips": ALL_CHIPS})
    assert scene.refusal(A, PlaceMeeple("C1")) == ("not_now", {"stage": "bets"})
    assert scene.refusal(A, ChooseFeature(1, 0, 1))[0] == "not_now"
    scene.play(A, PassBet())
    assert scene.refusal(A, PlaceBet("b45")) == ("bet_already_decided", {})


def test_refusals_of_a_choice() -> None:
    scene = board_b8()
    wrong = scene.number(0, 0, "C1")
    eligible = [scene.number(1, 0, "C1"), scene.number(1, 0, "R1")]
    assert scene.refusal(A, ChooseFeature(1, 0, wrong)) == (
        "feature_not_eligible",
        {"feature": wrong, "eligible": eligible},
    )
    assert scene.refusal(A, ChooseFeature(0, 0, wrong))[0] == "no_chips_to_decide"
    assert scene.refusal(A, PassBet()) == ("not_now", {"stage": "evaluation"})
    scene.choose(A, 1, 0, "C1")
    assert scene.events_of(FeatureChosen)[0].only == (A,)
    assert scene.refusal(A, ChooseFeature(1, 0, eligible[1])) == (
        "no_chips_to_decide",
        {"x": 1, "y": 0, "offices": []},
    )
