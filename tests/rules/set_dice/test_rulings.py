"""The rulings of the README, with at least one test each, by number.

The other files test rulings D10, D12, D13, D15, D20 and D22.
"""

from railbird_engine import Seat, SeededChance
from railbird_engine.kernel.playout import play_out
from railbird_engine.rules.set_dice.commands import (
    CallSet,
    DeclareNoSet,
    KeepDice,
    NamedDie,
    PassTurn,
    PlaceDice,
    ReplaceWild,
    Reroll,
)
from railbird_engine.rules.set_dice.events import DiceThrown, GameEnded, TurnPassed
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.state import Die, SetDiceState
from tests.rules.set_dice.scene import (
    A_SET,
    IDLE,
    LINE,
    NO_SET,
    PLAIN,
    RULES,
    WITH_WILD,
    act,
    at,
    kinds,
    opening,
    refusal,
    score,
    table,
    tick,
)


def test_d1_two_dice_may_make_a_set_with_one_on_the_board() -> None:
    """They are judged together, because neither makes a SET alone."""
    step = act(table(("R1D", "R1S"), IDLE), 0, PlaceDice((at(1, 6, 4), at(2, 7, 4))))
    assert score(step.state, 0) == 3


def test_d2_a_set_of_new_dice_counts_beside_one_with_the_board() -> None:
    """The first die makes a SET with the board, and one with the two others."""
    step = act(
        table(("R1O", "R2D", "R3S"), IDLE), 0, PlaceDice((at(1, 5, 7), at(2, 6, 7), at(3, 7, 7)))
    )
    assert score(step.state, 0) == 6 + 3, "and the square in row 7 bears 3"


def test_d2_a_set_of_new_dice_alone_is_refused() -> None:
    violation = refusal(
        table(("R1O", "R2D", "R3S"), IDLE), 0, PlaceDice((at(1, 8, 2), at(2, 8, 3), at(3, 8, 4)))
    )
    assert violation.code == "no_set_with_the_board"


def test_d3_dice_of_one_turn_need_not_be_in_one_line() -> None:
    step = act(table(("R1O", "R3O"), IDLE), 0, PlaceDice((at(1, 5, 7), at(2, 5, 3))))
    assert score(step.state, 0) == 6


def test_d4_in_a_row_of_four_each_three_count_by_themselves() -> None:
    """The new die completes one SET and is in a longer row."""
    board = {**LINE, (5, 8): "G1D", (5, 9): "G1D"}
    step = act(table(("R1O", "G1D"), IDLE, board=board), 0, PlaceDice((at(1, 5, 7),)))
    assert score(step.state, 0) == 3


def test_d5_a_wild_counts_nothing_in_every_set_of_its_turn() -> None:
    """Two dice beside the Wild, two SETs of two points each."""
    step = act(table(("WILD", "R2O"), IDLE), 0, PlaceDice((at(1, 5, 7, "R1O"), at(2, 5, 8))))
    assert score(step.state, 0) == 2 + 2 + 2, "two SETs, and (5,8) bears 2"


def test_d6_the_player_may_pass_after_a_replacement() -> None:
    state = act(table(("R2O", "G2D"), IDLE, board=WITH_WILD), 0, ReplaceWild(5, 5, 1), 4).state
    assert state.hands[0][-1].shows == "R2D"
    assert act(state, 0, PassTurn()).state.on_turn == 1


def test_d6_one_replacement_a_turn_and_none_after_placing() -> None:
    board = {**WITH_WILD, (0, 0): "R2O*"}
    state = table(("R2O", "R2O", "R1O"), IDLE, board=board)
    replaced = act(state, 0, ReplaceWild(5, 5, 1), 0).state
    assert refusal(replaced, 0, ReplaceWild(0, 0, 2)).code == "wild_already_replaced"
    placed = act(state, 0, PlaceDice((at(3, 5, 7),))).state
    assert refusal(placed, 0, ReplaceWild(5, 5, 1)).code == "not_your_turn"


def test_d7_a_recovered_die_that_shows_wild_again_is_a_wild() -> None:
    board = {
        (5, 4): "R1O",
        (5, 5): "R2O",
        (5, 6): "R3O",
        **{(0, n): "G1D" for n in range(3)},
        (10, 0): "P1S*",
    }
    state = act(table(("P1S", "G2D"), IDLE, board=board), 0, ReplaceWild(10, 0, 1), 5).state
    assert state.hands[0][-1] == Die(36, "WILD")


def test_d9_a_wrong_call_names_the_broken_feature_and_costs_nothing() -> None:
    state = opening(("R1O", "G1O", "P1S", "R2O", "R3O"), NO_SET)
    violation = refusal(state, 0, PLAIN)
    assert violation.code == "not_a_set"
    assert violation.data == {"faces": ["R1O", "G1O", "P1S"], "broken": ["shape"]}
    act(state, 0, CallSet((NamedDie(1), NamedDie(4), NamedDie(5))))


def test_d10_the_clock_restarts_the_race() -> None:
    state = silence(opening(A_SET, NO_SET))
    assert state.phase == "opening"
    assert state.hands[0][0].shows == "WILD"


def silence(state: SetDiceState) -> SetDiceState:
    return tick(state, *[5] * 10).state


def idle_round(state: SetDiceState) -> SetDiceState:
    state = act(state, 0, PassTurn()).state
    return act(state, 1, PassTurn(), *[5] * 10).state


def test_d14_the_third_round_of_passes_in_a_row_ends_the_game() -> None:
    state = idle_round(idle_round(table(IDLE, IDLE)))
    step = act(act(state, 0, PassTurn()).state, 1, PassTurn())
    assert kinds(step) == [TurnPassed, GameEnded]
    assert step.state.ending == "rounds_passed"


def test_d14_a_round_with_a_die_resets_the_count() -> None:
    state = idle_round(idle_round(table(IDLE, IDLE)))
    state = act(state, 0, PlaceDice((at(1, 5, 7, "R1O"),))).state
    step = act(state, 1, PassTurn(), 0, 0)
    assert step.state.idle == 0


def test_d19_equal_scores_share_the_victory() -> None:
    state = act(table(("R1O",), ("R3O",), bag=0), 0, PlaceDice((at(1, 5, 7),))).state
    step = act(state, 1, PlaceDice((at(6, 5, 3),)))
    result = RULES.result(step.state)
    assert (score(step.state, 0), score(step.state, 1)) == (3, 3)
    assert result is not None and result.ranking == ((0, 1),)


def test_d23_three_unanswered_openings_end_the_game() -> None:
    state = silence(silence(opening(A_SET, NO_SET)))
    assert kinds(tick(state)) == [GameEnded]
    spoken = act(state, 1, DeclareNoSet()).state
    state = silence(silence(silence(spoken)))
    assert state.phase == "opening", "one answer resets the count"
    step = tick(state)
    result = RULES.result(step.state)
    assert step.state.ending == "openings_unanswered"
    assert result is not None and result.ranking == ((0, 1),)


def test_d23_the_tenth_opening_without_a_call_ends_the_game() -> None:
    state = opening(A_SET, NO_SET)
    for count in range(1, 11):
        assert (state.phase, state.openings) == ("opening", count - 1)
        state = RULES.apply(state, Seat(0), DeclareNoSet(), SeededChance(b"")).state
        state = RULES.apply(state, Seat(1), DeclareNoSet(), SeededChance(b"%d" % count)).state
    assert state.ending == "openings_uncalled"


def test_d13_by_option_dice_are_thrown_again_before_the_refill() -> None:
    options = SetDiceOptions(reroll="before_refill")
    rounds = [
        commit
        for commit in play_out(RULES, 2, options, b"before").commits
        if isinstance(commit.command, Reroll | KeepDice)
    ]
    drawn = [
        any(isinstance(event, DiceThrown) and event.cause == "drawn" for event in commit.events)
        for commit in rounds
    ]
    assert drawn[:4] == [False, True, False, True], "the last decision fills the hands"
