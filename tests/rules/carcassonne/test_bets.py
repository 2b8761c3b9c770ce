"""The Bets on boards: vectors B1 to B14 (B13 and the pay table stand in test_tiles)."""

import msgspec

from games.engine import BetPlaced, BetSettled, Seat
from games.rules.carcassonne.messages import (
    BetDecided,
    BettingOpened,
    ChipsSealed,
    ChipTurned,
    ChooseFeature,
    FeatureChosen,
    FeatureScored,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    SkipMeeple,
)
from games.rules.carcassonne.view import OfficeView
from tests.rules.carcassonne.boards import board_b1, board_b2, board_b8
from tests.rules.carcassonne.table import A, B, C, Table

ALL_CHIPS = ["b4", "b28", "b37", "b36", "b45", "b56"]


def test_b1_the_example_of_the_rulebook() -> None:
    table = board_b1()
    table.lay("E@2,-1r3", seat=A)
    assert table.heard(FeatureScored)[0].points == 10
    turned = table.heard(ChipTurned)
    assert [(it.seat, it.chip, it.kind, it.tiles, it.points) for it in turned] == [
        (A, "b36", "city", 4, 0),
        (B, "b4", "city", 4, 8),
        (C, "b45", "city", 4, 4),
    ]
    assert table.points == (10, 8, 4)
    assert [table.chips(seat) for seat in (A, B, C)] == [ALL_CHIPS] * 3


def test_b1_becomes_rows_of_the_common_history_when_the_chips_are_turned() -> None:
    table = board_b1()
    assert not table.heard(BetPlaced)
    table.lay("E@2,-1r3", seat=A)
    assert table.heard(BetPlaced) == [
        BetPlaced(bet=1, seat=A, spot="BK3 b36", stake=0, odds="3:3 6:6"),
        BetPlaced(bet=2, seat=B, spot="BK3 b4", stake=0, odds="4:8"),
        BetPlaced(bet=3, seat=C, spot="BK3 b45", stake=0, odds="4:4 5:5"),
    ]
    assert table.heard(BetSettled) == [
        BetSettled(bet=1, seat=A, spot="BK3 b36", outcome="lost", payout=0),
        BetSettled(bet=2, seat=B, spot="BK3 b4", outcome="won", payout=8),
        BetSettled(bet=3, seat=C, spot="BK3 b45", outcome="won", payout=4),
    ]


def test_b2_no_bets_when_every_road_and_city_of_the_tile_is_complete() -> None:
    table = board_b2()
    table.lay("BK10@0,-1r2", "C1")
    assert table.points == (6, 0)
    assert table.state.stage == "tile"
    assert not table.heard(BettingOpened)


def test_b3_bets_on_what_is_still_open() -> None:
    table = Table(2)
    table.lay("BK4@0,-1r2", "C1", A)
    assert table.points == (4, 0)
    assert table.heard(BettingOpened) == [BettingOpened(x=0, y=-1, seats=(A, B))]
    table.bet(a="b28", b="b36")
    table.put("U@1,0r0")
    table.empty_stack()
    table.play(A, SkipMeeple())
    offered = [option for option in table.legal(A) if isinstance(option, ChooseFeature)]
    assert {option.feature for option in offered} == {
        table.number(0, -1, "R1"),
        table.number(0, -1, "R2"),
    }


def test_b6_two_offices_of_one_city_are_both_settled() -> None:
    table = Table(2)
    table.lay("BK3@0,-1r2", "C1", B)
    table.bet(a="b4")
    table.lay("BK10@1,-1r0")
    table.bet(a="b45", b="b36")
    table.lay("E@1,-2r2")
    assert table.points == (12, 8)
    assert [(it.seat, it.chip, it.points) for it in table.heard(ChipTurned)] == [
        (A, "b4", 8),
        (A, "b45", 4),
        (B, "b36", 0),
    ]


def test_b8_at_the_end_each_owner_chooses_before_any_chip_is_turned() -> None:
    table = board_b8()
    assert table.state.stage == "evaluation"
    assert table.awaited == [A, B, C]
    table.choose(A, 1, 0, "C1")
    table.choose(B, 1, 0, "R1")
    assert not table.heard(ChipTurned)
    table.choose(C, 1, 0, "R1")
    assert [(it.seat, it.tiles, it.points) for it in table.heard(ChipTurned)] == [
        (A, 2, 2),
        (B, 3, 3),
        (C, 3, 0),
    ]
    assert table.points == (2, 3, 0)


def test_b8_then_the_normal_final_scoring() -> None:
    table = Table(2)
    table.lay("BK5@1,0r2", "R1", A)
    table.bet(a="b28", b="b36")
    table.lay("U@-1,0r0")
    table.put("F@2,0r0", B)
    table.empty_stack()
    table.play(B, SkipMeeple())
    table.choose(A, 1, 0, "R1")
    table.choose(B, 1, 0, "C1")
    kinds = [type(event).__name__ for event in table.events]
    assert kinds.index("ChipTurned") < kinds.index("FeatureScored")
    assert [(it.kind, it.points) for it in table.heard(FeatureScored)] == [("road", 3)]
    assert (table.feature(1, 0, "C1").pennants, len(table.feature(1, 0, "C1").cells)) == (1, 2)
    assert table.points == (3, 0)


def test_b9_no_bets_on_the_last_tile_and_the_others_are_evaluated() -> None:
    table = Table(2)
    table.lay("BK5@1,0r2")
    table.bet(a="b28", b="b36")
    table.put("BK1@-1,0r0", A)
    table.empty_stack()
    table.play(A, SkipMeeple())
    assert not table.heard(BettingOpened)
    # The road of three tiles is complete: D between two offices. Its stack is settled; nothing is
    # left for the end.
    assert [(it.chip, it.tiles, it.points) for it in table.heard(ChipTurned)] == [
        ("b28", 3, 0),
        ("b36", 3, 3),
    ]
    assert table.state.stage == "over"


def test_b9_chips_on_other_offices_go_to_the_final_evaluation() -> None:
    table = Table(2)
    table.lay("BK7@1,0r0")
    table.bet(a="b28", b="b36")
    table.put("BK9@0,-1r1", A)
    table.empty_stack()
    table.play(A, SkipMeeple())
    assert (table.state.stage, table.awaited) == ("evaluation", [A, B])
    table.choose(A, 1, 0, "R1")
    table.choose(B, 1, 0, "R2")
    assert [it.tiles for it in table.heard(ChipTurned)] == [1, 2]


def test_b10_bets_are_settled_though_nobody_stands_in_the_city() -> None:
    table = board_b1(knight=None)
    table.lay("E@2,-1r3")
    assert table.heard(FeatureScored)[0].winners == ()
    assert table.points == (0, 8, 4)


def test_b11_turned_chips_may_be_bet_again_even_in_action_4_of_the_same_turn() -> None:
    table = board_b1()
    table.lay("E@2,-1r3")
    table.lay("BK7@1,0r0")
    assert PlaceBet("b4") in table.legal(B)
    table = board_b1()
    # BK5 completes the city of B1 itself and opens an office with an open road.
    table.lay("BK5@2,-1r0")
    assert table.heard(ChipTurned)[1].points == 8
    assert table.state.stage == "bets"
    assert PlaceBet("b4") in table.legal(B)


def test_b11_who_has_all_chips_on_tiles_is_not_asked() -> None:
    table = board_b1()
    table.chips(A).clear()
    table.lay("BK7@1,0r0")
    assert table.heard(BettingOpened)[0].seats == (B, C)
    assert table.awaited == [B, C]
    assert table.refusal(A, PassBet()) == ("bet_already_decided", {})


def test_no_bets_are_opened_when_nobody_has_a_chip() -> None:
    table = board_b1()
    for seat in (A, B, C):
        table.chips(seat).clear()
    table.lay("BK7@1,0r0")
    assert not table.heard(BettingOpened)
    assert table.state.stage == "tile"


def test_b12_the_office_parts_two_fields_that_count_the_same_city() -> None:
    table = board_b2()
    table.lay("BK10@0,-1r2", "G1", A)
    table.put("U@2,0r0", A)
    table.empty_stack()
    table.play(A, SkipMeeple())
    first, second = table.feature(0, -1, "G1"), table.feature(0, -1, "G2")
    assert first is not second
    assert first.cities == second.cities == [table.number(0, -1, "C1")]
    assert [(it.kind, it.points) for it in table.heard(FeatureScored)] == [("field", 3)]


def test_b14_nobody_sees_the_face_of_a_sealed_chip_not_even_its_owner() -> None:
    table = board_b1()
    sealed = {A: "b36", B: "b4", C: "b45"}
    for viewer in (None, A, B, C):
        view = table.view(viewer)
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


def test_events_of_a_bet_say_who_decided_and_then_who_bet_never_what() -> None:
    table = Table(3)
    table.lay("BK7@1,0r0")
    table.play(C, PlaceBet("b4"))
    assert list(table.events) == [BetDecided(seat=C)]
    table.play(A, PassBet())
    assert list(table.events) == [BetDecided(seat=A)]
    table.play(B, PlaceBet("b45"))
    assert list(table.events[:2]) == [BetDecided(seat=B), ChipsSealed(x=1, y=0, seats=(B, C))]


def test_an_office_where_all_passed_stays_empty() -> None:
    table = Table(2)
    table.lay("BK7@1,0r0")
    table.bet()
    assert not table.heard(ChipsSealed)
    assert table.view(A).offices == ()


def test_an_emptied_office_is_never_filled_again() -> None:
    table = board_b1()
    table.lay("E@2,-1r3")
    assert table.view(A).offices == ()
    table.lay("U@1,0r0")
    assert table.state.stage == "tile"


def test_refusals_of_bets() -> None:
    table = Table(2)
    table.lay("BK7@1,0r0")
    table.bet(a="b4")
    table.lay("BK1@-1,0r0")
    # The road between the two offices is complete: b4 went home. It is D between two offices, three
    # tiles.
    table.chips(A).remove("b4")
    assert table.refusal(A, PlaceBet("b4")) == ("chip_not_in_supply", {"chip": "b4"})
    assert table.refusal(A, PlaceBet("b9")) == ("unknown_chip", {"chip": "b9", "chips": ALL_CHIPS})
    assert table.refusal(A, PlaceMeeple("C1")) == ("not_now", {"stage": "bets"})
    assert table.refusal(A, ChooseFeature(1, 0, 1))[0] == "not_now"
    table.play(A, PassBet())
    assert table.refusal(A, PlaceBet("b45")) == ("bet_already_decided", {})


def test_refusals_of_a_choice() -> None:
    table = board_b8()
    wrong = table.number(0, 0, "C1")
    eligible = [table.number(1, 0, "C1"), table.number(1, 0, "R1")]
    assert table.refusal(A, ChooseFeature(1, 0, wrong)) == (
        "feature_not_eligible",
        {"feature": wrong, "eligible": eligible},
    )
    assert table.refusal(A, ChooseFeature(0, 0, wrong))[0] == "no_chips_to_decide"
    assert table.refusal(A, PassBet()) == ("not_now", {"stage": "evaluation"})
    table.choose(A, 1, 0, "C1")
    assert table.heard(FeatureChosen)[0].only == (A,)
    assert table.refusal(A, ChooseFeature(1, 0, eligible[1])) == (
        "no_chips_to_decide",
        {"x": 1, "y": 0, "offices": []},
    )
