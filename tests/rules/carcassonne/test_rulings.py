"""The rulings A1 to A26, with at least one test each, by number."""

import json

import pytest

from railbird_engine import ScriptedChance, Seat, SeededChance
from railbird_engine.kernel.playout import play_out
from railbird_engine.rules.carcassonne.commands import (
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.data import Chip, Face, load_set, printed_set
from railbird_engine.rules.carcassonne.events import (
    BettingOpened,
    ChipsSealed,
    ChipTurned,
    FeatureChosen,
    FeatureScored,
    TileDiscarded,
    TileDrawn,
)
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.rules import Carcassonne
from railbird_engine.rules.carcassonne.state import CarcassonneState
from tests.rules.carcassonne.scene import RULES, A, B, C, Scene, two_choices


def last(scene: Scene, placement: str, seat: Seat = A) -> None:
    """Place this tile as the last of the game."""
    scene.put(placement, seat)
    scene.empty_stack()
    scene.play(seat, SkipMeeple())


def test_a1_two_to_six_players_play() -> None:
    assert list(RULES.seats) == [2, 3, 4, 5, 6]


def test_a2_fields_are_on_unless_the_host_turns_them_off() -> None:
    for fields in (True, False):
        scene = Scene(2, CarcassonneOptions(fields=fields))
        scene.put("U@1,0r0", A)
        assert (PlaceMeeple("G1") in scene.legal(A)) == fields
    assert CarcassonneOptions().fields


def test_a3_only_the_roads_and_cities_of_the_bookmaker_tile_matter() -> None:
    scene = Scene(2)
    scene.lay("U@1,0r0")
    scene.lay("E@1,-1r3")
    # The road of the start tile is open, but BK10 has no part in it.
    scene.lay("BK10@0,-1r2")
    assert not scene.events_of(BettingOpened)


def test_a4_bets_are_settled_without_meeples() -> None:
    scene = Scene(2)
    scene.lay("BK3@0,-1r2")
    scene.bet(a="b28")
    scene.lay("E@1,-1r3")
    assert scene.events_of(FeatureScored)[0].winners == ()
    assert [(it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [(3, 0)]


def test_a5_a_road_that_does_not_touch_the_office_counts() -> None:
    scene = Scene(2)
    # The curve of BK6 runs past the office: its sides are south and west after a quarter turn.
    scene.lay("BK6@1,0r1")
    assert scene.number(1, 0, "R2") == scene.number(0, 0, "R1")
    scene.bet(a="b4")
    scene.lay("L@-1,0r0")
    scene.lay("A@1,1r2")
    assert [(it.kind, it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [
        ("road", 4, 8)
    ]


def test_a6_two_segments_in_one_feature_are_settled_once_and_count_as_one_tile() -> None:
    scene = Scene(2)
    scene.lay("V@1,0r0")
    scene.lay("V@1,1r1")
    scene.lay("BK7@0,1r0")
    scene.bet(a="b56")
    scene.lay("V@-1,0r3")
    scene.lay("V@-1,1r2")
    assert scene.number(0, 1, "R1") == scene.number(0, 1, "R2")
    assert [(it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [(6, 6)]


def test_a7_bettors_become_public_when_all_seats_have_decided() -> None:
    scene = Scene(3)
    scene.lay("BK7@1,0r0")
    assert scene.awaited == [A, B, C]
    scene.play(B, PlaceBet("b4"))
    assert scene.awaited == [A, C]
    for viewer in (None, A, B, C):
        view = scene.view(viewer)
        assert view.offices == ()
        assert view.chip_counts == (6, 6, 6)
    scene.play(C, PassBet())
    scene.play(A, PlaceBet("b4"))
    assert scene.events_of(ChipsSealed) == [ChipsSealed(x=1, y=0, seats=(A, B))]
    assert scene.view(None).chip_counts == (5, 5, 6)


def test_a8_a_seat_may_pass_and_a_choice_is_final() -> None:
    scene = Scene(2)
    scene.lay("BK7@1,0r0")
    assert PassBet() in scene.legal(A)
    scene.play(A, PlaceBet("b4"))
    assert scene.refusal(A, PlaceBet("b45"))[0] == "bet_already_decided"
    assert scene.refusal(A, PassBet())[0] == "bet_already_decided"


def test_a9_the_owner_cannot_look_at_a_sealed_chip() -> None:
    scene = Scene(2)
    scene.lay("BK7@1,0r0")
    scene.play(A, PlaceBet("b4"))
    other = Scene(2)
    other.lay("BK7@1,0r0")
    other.play(A, PlaceBet("b45"))
    # Until all have decided, not even the supply reveals the chip.
    assert scene.view(A) == other.view(A)
    scene.play(B, PassBet())
    assert scene.view(A).offices[0].seats == (A,)
    assert scene.view(A).chips[A] == ["b28", "b37", "b36", "b45", "b56"]


def test_a10_offices_are_settled_in_the_order_of_their_tiles() -> None:
    scene = two_choices()
    for office, segment in ((2, "R1"), (1, "C1")):
        scene.choose(B, office, 2 if office == 2 else 0, segment)
    assert [(it.x, it.y) for it in scene.events_of(ChipTurned)] == [(1, 0), (1, 0), (2, 2), (2, 2)]


def test_a11_the_active_player_answers_for_all_offices_before_any_chip_is_turned() -> None:
    scene = two_choices()
    assert (scene.state.stage, scene.awaited) == ("settlement", [B])
    assert len(scene.legal(B)) == 4
    assert scene.legal(A) == []
    scene.choose(B, 1, 0, "R1")
    assert not scene.events_of(ChipTurned)
    assert len(scene.legal(B)) == 2
    scene.choose(B, 2, 2, "R2")
    assert [(it.chip, it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [
        ("b28", 6, 0),
        ("b56", 6, 6),
        ("b37", 3, 3),
        ("b36", 3, 3),
    ]


def test_a12_the_whole_stack_counts_for_one_feature() -> None:
    scene = two_choices()
    scene.choose(B, 1, 0, "C1")
    assert scene.events_of(FeatureChosen)[0].only is None
    assert (
        scene.refusal(B, ChooseFeature(1, 0, scene.number(1, 0, "R1")))[0] == "no_chips_to_decide"
    )
    scene.choose(B, 2, 2, "R1")
    assert {(it.chip, it.tiles) for it in scene.events_of(ChipTurned)[:2]} == {
        ("b28", 2),
        ("b56", 2),
    }


def test_a13_a_settled_stack_leaves_the_board() -> None:
    scene = two_choices()
    scene.choose(B, 1, 0, "C1")
    scene.choose(B, 2, 2, "R1")
    assert scene.view(A).offices == ()
    assert scene.view(A).chip_counts == (6, 6)
    # The road of BK2 to the north is completed later: there is no bet on it any more.
    scene.lay("A@1,-1r0")
    assert scene.feature(1, 0, "R2").complete
    assert not scene.events_of(ChipTurned)


def test_a14_a_feature_that_was_complete_before_the_bet_never_counts() -> None:
    scene = Scene(2)
    scene.lay("BK4@0,-1r2")
    scene.bet(a="b28")
    assert scene.feature(0, -1, "C1").complete
    last(scene, "U@1,0r0")
    city = scene.number(0, -1, "C1")
    assert scene.refusal(A, ChooseFeature(0, -1, city))[0] == "feature_not_eligible"
    scene.choose(A, 0, -1, "R1")
    assert [it.tiles for it in scene.events_of(ChipTurned)] == [1]


def test_a14_it_does_not_count_when_another_feature_of_the_tile_is_settled_either() -> None:
    scene = Scene(2)
    scene.lay("BK4@0,-1r2")
    scene.bet(a="b28", b="b37")
    scene.lay("A@0,-2r0")
    assert [(it.kind, it.chip, it.points) for it in scene.events_of(ChipTurned)] == [
        ("road", "b28", 2),
        ("road", "b37", 0),
    ]


def test_a15_at_the_end_the_open_features_of_the_tile_are_candidates_each_once() -> None:
    scene = Scene(2)
    for placement in ("E@0,-1r2", "N@1,-1r2", "N@2,-1r3", "T@2,0r1", "N@2,1r0", "N@1,1r1"):
        scene.lay(placement)
    # Both cities of BK8 are one city, open to the east of T. Its eastern road ends at T.
    scene.lay("BK8@1,0r0")
    assert scene.feature(1, 0, "R1").complete
    scene.bet(a="b56")
    last(scene, "B@0,1r0")
    city, road = scene.number(1, 0, "C1"), scene.number(1, 0, "R2")
    assert scene.number(1, 0, "C2") == city
    assert scene.legal(A) == [ChooseFeature(1, 0, city), ChooseFeature(1, 0, road)]
    scene.play(A, ChooseFeature(1, 0, city))
    assert [(it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [(6, 6)]


def test_a15_one_candidate_needs_no_answer() -> None:
    scene = Scene(2)
    scene.lay("BK10@0,-1r2")
    scene.bet(a="b28", b="b37")
    last(scene, "U@1,0r0")
    assert scene.state.stage == "over"
    assert [(it.chip, it.tiles, it.points) for it in scene.events_of(ChipTurned)] == [
        ("b28", 2, 2),
        ("b37", 2, 0),
    ]


def test_a16_chips_always_have_an_open_feature_to_count_for() -> None:
    playout = play_out(RULES, 4, CarcassonneOptions(bots="casual"), b"a16")
    turned = [
        event
        for commit in playout.commits
        for event in commit.events
        if isinstance(event, ChipTurned)
    ]
    assert len(turned) > 10
    assert all(event.tiles >= 1 and event.kind in {"road", "city"} for event in turned)
    assert isinstance(playout.state, CarcassonneState)
    assert playout.state.betting is not None
    assert playout.state.betting.stacks == {}
    assert [len(chips) for chips in playout.state.betting.chips] == [6] * 4


def test_a17_choices_at_the_end_are_secret_until_all_are_made() -> None:
    scene = Scene(2)
    scene.lay("BK5@1,0r2")
    scene.bet(a="b28", b="b36")
    last(scene, "U@-1,0r0")
    scene.choose(A, 1, 0, "C1")
    chosen = scene.events_of(FeatureChosen)
    assert [event.only for event in chosen] == [(A,)]
    assert not scene.events_of(ChipTurned)
    before = scene.view(B)
    other = Scene(2)
    other.lay("BK5@1,0r2")
    other.bet(a="b28", b="b36")
    last(other, "U@-1,0r0")
    other.choose(A, 1, 0, "R1")
    assert other.view(B) == before


def test_a18_the_last_tile_is_the_one_after_which_the_stack_is_empty() -> None:
    scene = Scene(2)
    scene.lay("E@0,-1r2")
    scene.put("BK7@1,0r0", A)
    # One tile is left, and nobody knows yet that it fits nowhere.
    scene.empty_stack("C")
    scene.play(A, SkipMeeple())
    assert scene.events_of(BettingOpened)
    scene.bet(a="b28")
    assert scene.events_of(TileDiscarded)
    assert scene.state.stage == "evaluation"
    scene.choose(A, 1, 0, "R1")
    assert [(it.chip, it.tiles) for it in scene.events_of(ChipTurned)] == [("b28", 1)]


def test_a19_a_bookmaker_tile_that_fits_nowhere_brings_no_bets() -> None:
    city = {"tile": "Z", "count": 2, "sides": "CCCC", "segments": ["C1:NESW"]}
    base = {
        "title": {"en": "Only cities"},
        "source": "this test",
        "start": "Z",
        "tiles": [city],
    }
    office = {
        "tile": "BK7",
        "count": 1,
        "sides": "FRFR",
        "segments": ["O", "R1:EW", "G1:NL NR EL WR", "G2:ER SL SR WL"],
    }
    chip = {"chip": "b1", "faces": [{"exactly": 1, "points": 1}]}
    bets = {
        "title": {"en": "One office"},
        "source": "this test",
        "tiles": [office],
        "chips": [chip],
    }
    rules = Carcassonne(load_set(json.dumps(base).encode()), load_set(json.dumps(bets).encode()))
    step = rules.start(2, CarcassonneOptions(), ScriptedChance([0, 1, 0]))
    assert [type(event) for event in step.events[1:]] == [TileDrawn, TileDiscarded, TileDrawn]
    assert (step.state.discarded, step.state.tile, step.state.stage) == (["BK7"], "Z", "tile")


def test_a20_of_two_numbers_that_fit_the_higher_counts_once() -> None:
    chip = Chip("b", (Face(points=3, exactly=3), Face(points=2, at_least=2)))
    assert [chip.pays(tiles) for tiles in (1, 2, 3, 4)] == [0, 2, 3, 2]


@pytest.mark.parametrize("number", range(1, 11))
def test_a21_every_road_to_an_office_ends_there(number: int) -> None:
    tile = printed_set("bets").tiles[f"BK{number}"]
    through = [
        segment for segment in tile.segments if segment.kind == "road" and len(segment.sides) == 2
    ]
    # Only the curve of BK6 runs past its office.
    assert [segment.name for segment in through] == (["R2"] if number == 6 else [])


def test_a21_a_road_from_a_crossing_to_an_office_is_complete() -> None:
    scene = Scene(2)
    scene.lay("W@-1,0r0", "R1", A)
    scene.lay("BK7@1,0r0")
    assert scene.points == (3, 0)


def test_a22_a_city_of_two_tiles_pays_4() -> None:
    scene = Scene(2)
    scene.lay("BK4@0,-1r2", "C1", A)
    assert scene.points == (4, 0)


def test_a23_the_tile_is_drawn_at_the_start_of_a_turn_by_the_server() -> None:
    scene = Scene(2)
    assert scene.state.tile is not None
    scene.lay("U@1,0r0", seat=A)
    assert scene.events_of(TileDrawn) == [TileDrawn(seat=B, tile=scene.state.tile or "")]


DEADLINE = CarcassonneOptions(turn_seconds=30)


def test_a24_an_absent_player_passes_in_action_4() -> None:
    scene = Scene(3, DEADLINE)
    scene.lay("BK7@1,0r0")
    scene.play(B, PlaceBet("b4"))
    scene.tick()
    assert scene.events_of(ChipsSealed) == [ChipsSealed(x=1, y=0, seats=(B,))]
    assert scene.state.stage == "tile"


def test_a24_an_absent_active_player_gets_the_feature_with_most_tiles() -> None:
    scene = two_choices(options=DEADLINE)
    scene.tick()
    chosen = {(event.x, event.y): event.feature for event in scene.events_of(FeatureChosen)}
    assert chosen[1, 0] == scene.number(1, 0, "R1")
    # Both roads at 2, 2 have three tiles: the one over 1, 2 comes before the one over 2, 1.
    assert chosen[2, 2] == scene.number(2, 2, "R1")


def test_a24_among_equals_a_city_is_chosen() -> None:
    scene = Scene(2, DEADLINE)
    scene.lay("BK5@1,0r2")
    scene.bet(a="b28")
    scene.lay("F@2,0r0")
    last(scene, "E@0,-1r2")
    scene.tick()
    assert [(it.kind, it.tiles) for it in scene.events_of(ChipTurned)] == [("city", 2)]


def test_a24_an_absent_owner_gets_the_candidate_with_most_tiles_at_the_end() -> None:
    scene = Scene(2, DEADLINE)
    scene.lay("BK5@1,0r2")
    scene.bet(a="b28", b="b36")
    scene.lay("F@2,0r0")
    last(scene, "U@-1,0r0")
    scene.choose(A, 1, 0, "C1")
    scene.tick()
    assert [(it.seat, it.kind, it.tiles) for it in scene.events_of(ChipTurned)] == [
        (A, "city", 2),
        (B, "road", 3),
    ]


def test_a25_the_feature_is_scored_before_its_bets() -> None:
    scene = Scene(2)
    scene.lay("BK3@0,-1r2", "C1", A)
    scene.bet(a="b37")
    scene.put("E@1,-1r3", A)
    step = RULES.apply(scene.state, A, SkipMeeple(), SeededChance(b"1"))
    assert [(it.target, it.amount, it.reason) for it in step.transfers] == [
        ("seat:0", 6, "city"),
        ("seat:0", 3, "bet"),
    ]


def test_a26_every_office_of_the_feature_is_settled_by_its_own_stack() -> None:
    scene = Scene(2)
    scene.lay("BK3@0,-1r2")
    scene.bet(a="b4")
    scene.lay("BK10@1,-1r0")
    scene.bet(a="b45", b="b4")
    scene.lay("E@1,-2r2")
    assert [(it.seat, it.points) for it in scene.events_of(ChipTurned)] == [(A, 8), (A, 4), (B, 8)]
    assert scene.points == (12, 8)
