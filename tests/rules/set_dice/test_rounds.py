"""Rounds: refill, reroll, general rethrow, deadlines and the end."""

from datetime import timedelta

import pytest

from railbird_engine import Alarm
from railbird_engine.rules.set_dice.commands import KeepDice, PassTurn, PlaceDice, Reroll
from railbird_engine.rules.set_dice.events import (
    DiceKept,
    DicePlaced,
    DiceThrown,
    GameEnded,
    RoundStarted,
    TurnPassed,
)
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.state import SetDiceState
from tests.rules.set_dice.scene import (
    EAGER,
    IDLE,
    RULES,
    act,
    at,
    kinds,
    opening,
    refusal,
    table,
    tick,
)


def round_end(
    *hands: tuple[str, ...], bag: int = 12, options: SetDiceOptions | None = None
) -> SetDiceState:
    """Seat 0 has played one die; all but the last seat have passed."""
    state = act(table(*hands, bag=bag, options=options), 0, PlaceDice((at(1, 5, 7),))).state
    for seat in range(1, len(hands) - 1):
        state = act(state, seat, PassTurn()).state
    return state


def test_a_round_ends_when_everybody_had_a_chance_and_hands_are_filled() -> None:
    """Rulebook G."""
    step = act(round_end(EAGER, IDLE), 1, PassTurn(), 0, 3)
    assert kinds(step) == [TurnPassed, DiceThrown]
    assert (step.state.phase, step.state.on_turn, len(step.state.bag)) == ("reroll", None, 11)
    assert [len(hand) for hand in step.state.hands] == [5, 5]
    assert step.state.hands[0][-1].number == 11, "the first of the bag"


@pytest.mark.parametrize(
    ("refill", "drawn"), [("by_hand", [2, 1, 0, 0]), ("one_each", [1, 1, 1, 0])]
)
def test_the_first_player_draws_first_from_the_last_dice(refill: str, drawn: list[int]) -> None:
    """Rulebook I, ruling D22: three dice left for needs of 2, 1, 1, 1."""
    three, four = IDLE[:3], IDLE[:4]
    options = SetDiceOptions(refill="by_hand" if refill == "by_hand" else "one_each")
    state = table(("R1O", *three), four, four, four, bag=3, options=options)
    state = act(state, 0, PlaceDice((at(1, 5, 7),))).state
    for seat in (1, 2):
        state = act(state, seat, PassTurn()).state
    step = act(state, 3, PassTurn(), 0, 0, 0, 0, 0, 0)
    assert [len(hand) for hand in step.state.hands] == [
        3 + drawn[0],
        *(4 + count for count in drawn[1:]),
    ]
    assert step.state.bag == []
    assert [draw.bound for draw in step.draws] == [3, 2, 1, 6, 6, 6], (
        "all draw before anybody throws"
    )


def reroll_phase() -> SetDiceState:
    return act(round_end(EAGER, IDLE), 1, PassTurn(), 0, 3).state


def test_everybody_may_reroll_some_or_all_dice_once_before_the_round_begins() -> None:
    """Rulebook H, ruling D13: after the refill, at the same time; the first player waits."""
    state = reroll_phase()
    assert refusal(state, 0, PassTurn()).code == "wrong_phase"
    state = act(state, 1, Reroll((6, 7, 8, 9, 10)), 5, 5, 5, 5, 5).state
    assert [die.shows for die in state.hands[1]] == ["WILD"] * 5
    assert refusal(state, 1, Reroll((6,))).code == "already_decided"
    assert refusal(state, 1, KeepDice()).code == "already_decided"
    step = act(state, 0, Reroll((3, 2)), 5, 5)
    assert kinds(step) == [DiceThrown, RoundStarted]
    assert [die.number for die in step.state.hands[0]] == [2, 3, 4, 5, 11], "dice keep their places"
    assert (step.state.round, step.state.on_turn) == (3, 0)


@pytest.mark.parametrize(
    ("dice", "code"),
    [((), "no_dice_named"), ((6, 6), "die_named_twice"), ((2,), "die_not_in_hand")],
)
def test_a_reroll_names_own_dice(dice: tuple[int, ...], code: str) -> None:
    assert refusal(reroll_phase(), 1, Reroll(dice)).code == code


def test_the_clock_keeps_the_dice_of_undecided_seats() -> None:
    state = act(reroll_phase(), 1, Reroll((6,)), 5).state
    step = tick(state)
    assert step.events == (DiceKept(seat=0, timed_out=True), RoundStarted(round=3, first=0))  # type: ignore[arg-type]  # literal seats
    assert kinds(tick(reroll_phase())) == [DiceKept, DiceKept, RoundStarted]


def test_when_no_seat_plays_all_throw_again_without_reroll() -> None:
    """Rulebook F, rulings D12 and D13."""
    state = act(table(IDLE, EAGER), 0, PassTurn()).state
    step = act(state, 1, PassTurn(), *[5] * 10)
    assert kinds(step) == [TurnPassed, DiceThrown, DiceThrown, RoundStarted]
    assert (step.state.phase, step.state.on_turn, step.state.idle) == ("turns", 0, 1)


def last_round() -> SetDiceState:
    """An empty bag; seat 0 has one die left, the others two."""
    return table(("R1O",), ("R2O", "R1O"), ("R1D", "R2O"), bag=0)


def test_after_an_empty_hand_the_others_finish_the_round() -> None:
    """Rulebook J."""
    step = act(last_round(), 0, PlaceDice((at(1, 5, 7),)))
    assert kinds(step) == [DicePlaced]
    assert step.state.on_turn == 1
    step = act(step.state, 1, PlaceDice((at(6, 5, 8),)))
    step = act(step.state, 2, PassTurn())
    assert kinds(step) == [TurnPassed, GameEnded]
    assert step.state.ending == "hand_empty"
    assert refusal(step.state, 0, PassTurn()).code == "game_over"
    assert list(RULES.legal(step.state, step.state.first or 0)) == []  # type: ignore[arg-type]  # a literal seat
    result = RULES.result(step.state)
    assert result is not None
    assert result.scores == (3, 5, 0), "dice in hand count nothing"
    assert result.ranking == ((1,), (0,), (2,))


def test_an_empty_hand_of_the_last_seat_ends_the_game_at_once() -> None:
    state = table(IDLE[:2], ("R1O",), bag=0)
    state = act(state, 0, PassTurn()).state
    assert kinds(act(state, 1, PlaceDice((at(6, 5, 7),)))) == [DicePlaced, GameEnded]


def test_deadlines_are_options_and_zero_means_none() -> None:
    timed = SetDiceOptions(opening_s=10, turn_s=20, reroll_s=30)
    assert RULES.alarm(opening(EAGER, IDLE, options=timed)) == Alarm(1, timedelta(seconds=10))
    assert RULES.alarm(table(EAGER, IDLE, options=timed)) == Alarm(1, timedelta(seconds=20))
    reroll = act(round_end(EAGER, IDLE, options=timed), 1, PassTurn(), 0, 3).state
    alarm = RULES.alarm(reroll)
    assert alarm is not None and alarm.after == timedelta(seconds=30)
    untimed = SetDiceOptions(opening_s=0, turn_s=0, reroll_s=0)
    assert RULES.alarm(opening(EAGER, IDLE, options=untimed)) is None
    assert RULES.alarm(table(EAGER, IDLE, options=untimed)) is None


def test_every_turn_and_phase_awaits_the_clock_under_a_number_of_its_own() -> None:
    state = table(EAGER, IDLE)
    numbers = [RULES.alarm(state)]
    for seat, draws in ((0, ()), (1, [5] * 10), (0, ()), (1, [5] * 10)):
        state = act(state, seat, PassTurn(), *draws).state
        numbers.append(RULES.alarm(state))
    assert len({alarm.number for alarm in numbers if alarm}) == 5
