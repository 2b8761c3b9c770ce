"""The bots: they see only their view, play legal moves, and experts bet with sense."""

import msgspec
import pytest

from railbird_engine import AnyRules, Chance, Seat, SeededChance, State
from railbird_engine.kernel.playout import play_out
from railbird_engine.rules.carcassonne.bot_forecast import closing, expected_worth, sizes
from railbird_engine.rules.carcassonne.commands import (
    CarcassonneCommand,
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
)
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.state import CarcassonneState
from tests.rules.carcassonne.scene import RULES, A, B, Scene, two_choices

EXPERTS = CarcassonneOptions(bots="expert")


def bot_of(scene: Scene, seat: Seat) -> CarcassonneCommand | None:
    return RULES.bot(scene.view(seat), RULES.legal(scene.state, seat), SeededChance(b"bot"))


def test_a_bot_waits_while_it_has_no_choice() -> None:
    scene = Scene(2, options=EXPERTS)
    other = Seat(1 - scene.state.active)
    assert bot_of(scene, other) is None
    assert bot_of(scene, scene.state.active) is not None


def test_an_expert_completes_its_city_when_it_can() -> None:
    scene = Scene(2, options=EXPERTS)
    scene.lay("F@0,-1r1", "C1", A)
    scene.turn(A, "E")
    scene.play(A, bot_of(scene, A) or PassBet())
    assert scene.feature(0, -1, "C1").complete


def test_an_expert_completes_no_city_for_another() -> None:
    scene = Scene(2, options=EXPERTS)
    scene.lay("F@0,-1r1", "C1", A)
    scene.turn(B, "E")
    assert PlaceTile(0, -2, 2) in scene.legal(B)
    assert bot_of(scene, B) != PlaceTile(0, -2, 2)


def test_an_expert_prefers_a_meeple_that_comes_back_at_once() -> None:
    scene = Scene(2, options=EXPERTS)
    scene.lay("U@1,0r0", "R1", B)
    scene.turn(B, "E")
    assert bot_of(scene, B) == PlaceTile(0, -1, 2), "the one city that it completes"


def test_an_expert_completes_the_city_at_the_office_of_its_own_chip() -> None:
    scene = Scene(2, options=EXPERTS)
    scene.lay("BK1@1,0r0")
    scene.bet(b="b28")
    scene.lay("BK2@0,1r1")
    scene.bet(a="b28")
    scene.turn(B, "E")
    own, other, neither = PlaceTile(1, -1, 2), PlaceTile(1, 1, 3), PlaceTile(0, -1, 2)
    assert {own, other, neither} <= set(scene.legal(B))
    assert bot_of(scene, B) == own


def test_an_expert_puts_its_meeple_where_it_scores_at_once() -> None:
    scene = Scene(2, options=EXPERTS)
    scene.put("E@0,-1r2", A)
    assert bot_of(scene, A) == PlaceMeeple("C1")


def test_an_expert_bets_by_the_size_at_which_the_feature_is_likely_to_close() -> None:
    scene = Scene(2, options=EXPERTS)
    # The city of two tiles has one open end: three tiles or a few more are likely.
    scene.lay("BK10@0,-1r2")
    assert bot_of(scene, B) in {PlaceBet("b37"), PlaceBet("b36"), PlaceBet("b4")}
    scene.bet()
    scene = Scene(2, options=EXPERTS)
    for x in range(1, 8):
        scene.lay(f"U@{x},0r0")
    scene.lay("BK7@8,0r0")
    # The road behind the office has nine tiles already.
    assert bot_of(scene, B) == PlaceBet("b28")


def test_an_expert_lets_a_stack_count_where_it_gains_or_others_lose_most() -> None:
    def chosen(missing: str, stake_of: Seat) -> CarcassonneCommand | None:
        """Return the bot's choice, the city of 2 or the road of 6, when only this chip of B is
        placed."""
        scene = two_choices(options=EXPERTS)
        assert scene.state.betting is not None
        for stack in scene.state.betting.stacks.values():
            stack[:] = [sealed for sealed in stack if sealed.seat == stake_of]
        scene.chips(B)[:] = [
            chip for chip in ("b4", "b28", "b37", "b36", "b45", "b56") if chip != missing
        ]
        view = scene.view(B)
        choices = [it for it in scene.legal(B) if isinstance(it, ChooseFeature) and it.x == 1]
        first, last = (
            RULES.bot(view, offers, SeededChance(b"bot")) for offers in (choices, choices[::-1])
        )
        assert first == last, "it prefers one, in whatever order they are offered"
        return first

    scene = two_choices(options=EXPERTS)
    city, road = scene.number(1, 0, "C1"), scene.number(1, 0, "R1")
    assert chosen("b28", B) == ChooseFeature(1, 0, city)
    assert chosen("b56", B) == ChooseFeature(1, 0, road)
    # B has nothing there: a size of 2 is on one chip of six and pays 2, one of 6 is on two and pays
    # 6.
    assert chosen("b56", A) == ChooseFeature(1, 0, city)


def test_the_chance_to_close_falls_with_open_ends_and_with_an_emptying_stack() -> None:
    assert closing("city", 0, 0) == 1
    assert closing("city", 1, 0) == 0
    assert 1 > closing("road", 1, 60) > closing("road", 2, 60) > closing("road", 2, 10) > 0


def test_expected_worth_lies_between_open_and_complete() -> None:
    assert expected_worth("city", 2, 1, open_ends=0, left=50) == 6
    assert expected_worth("city", 2, 1, open_ends=3, left=0) == 3
    assert 3 < expected_worth("city", 2, 1, open_ends=1, left=50) < 8
    assert expected_worth("monastery", 1, 0, open_ends=8, left=0) == 1
    assert expected_worth("monastery", 1, 0, open_ends=0, left=0) == 9


@pytest.mark.parametrize("left", [0, 1, 40])
def test_the_chances_of_sizes_add_up_to_one(left: int) -> None:
    found = sizes("city", 3, open_ends=2, left=left)
    assert 0.95 < sum(found.values()) <= 1.000001
    assert min(found) == 3


def test_an_expert_beats_a_casual_bot() -> None:
    def ask(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> CarcassonneCommand | None:
        assert isinstance(state, CarcassonneState)
        view = RULES.view(state, seat)
        if seat == B:
            view = msgspec.structs.replace(
                view, options=msgspec.structs.replace(view.options, bots="casual")
            )
        return RULES.bot(view, RULES.legal(state, seat), chance)

    games = 3
    won = 0
    for seed in range(games):
        result = play_out(RULES, 2, EXPERTS, b"match %d" % seed, ask).result
        assert result is not None
        won += result.scores[A] > result.scores[B]
    assert won == games
