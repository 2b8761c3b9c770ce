"""Draw, first throw and the race to call a SET."""

import pytest

from railbird_engine import RuleViolation, ScriptedChance, Seat
from railbird_engine.rules.set_dice.commands import CallSet, DeclareNoSet, NamedDie, PassTurn
from railbird_engine.rules.set_dice.events import (
    DiceThrown,
    NoSetDeclared,
    SetCalled,
    WildAnnounced,
)
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.state import BoardDie
from tests.rules.set_dice.scene import (
    A_SET,
    NO_SET,
    PLAIN,
    RULES,
    act,
    kinds,
    opening,
    refusal,
    score,
)

SHOWS_NOTHING = [0, 0, 0, 2, 1, 0, 0, 0, 0, 0]
"""A throw of dice 1 to 10 without a SET in either hand."""


def test_everybody_draws_five_dice_before_all_throw() -> None:
    """Rulebook B and C; digest: 4 players, 20 dice drawn first, 22 in the bag."""
    step = RULES.start(4, SetDiceOptions(), ScriptedChance([0] * 20 + [0] * 20))
    assert [draw.bound for draw in step.draws] == [*range(42, 22, -1), *[6] * 20]
    assert len(step.state.bag) == 22
    assert [[die.number for die in dice] for dice in step.state.hands] == [
        [*range(n, n + 5)] for n in (1, 6, 11, 16)
    ]
    assert kinds(step) == [DiceThrown] * 4


def test_without_a_set_on_the_table_all_throw_again_at_once() -> None:
    """Rulebook C, ruling D10."""
    step = RULES.start(2, SetDiceOptions(), ScriptedChance([0] * 10 + SHOWS_NOTHING + [5] * 10))
    assert kinds(step) == [DiceThrown] * 4
    causes = [event.cause for event in step.events if isinstance(event, DiceThrown)]
    assert causes == ["drawn", "drawn", "all_again", "all_again"]
    assert all(die.shows == "WILD" for dice in step.state.hands for die in dice)


def test_the_first_valid_call_is_on_the_logo_and_was_its_callers_turn() -> None:
    """Rulebook C and D; rulings D11, D15, D20."""
    race = opening(NO_SET, A_SET, NO_SET)
    race.idle = 2
    state = act(race, 1, CallSet((NamedDie(8), NamedDie(6), NamedDie(7)))).state
    assert state.idle == 0, "rounds without a die are counted from here"
    assert [state.board[cell].face for cell in (59, 60, 61)] == ["R3O", "R1O", "R2O"], (
        "the caller chooses the order"
    )
    assert (state.first, state.on_turn, state.phase, state.round) == (1, 2, "turns", 1)
    assert score(state, 1) == 3
    assert [die.number for die in state.hands[1]] == [9, 10]
    assert refusal(state, 0, PLAIN).code == "wrong_phase"


def test_a_wild_in_the_opening_set_scores_nothing() -> None:
    """R1O, a Wild as R2O, R3O: two points."""
    step = act(
        opening(("R1O", "WILD", "R3O"), NO_SET),
        0,
        CallSet((NamedDie(1), NamedDie(2, "R2O"), NamedDie(3))),
    )
    assert score(step.state, 0) == 2
    assert step.state.board[60] == BoardDie(2, "R2O", wild=True)


def test_an_opening_of_three_wilds_is_worth_nothing_and_starts_the_game() -> None:
    wilds = CallSet((NamedDie(1, "R1O"), NamedDie(2, "G2D"), NamedDie(3, "P3S")))
    step = act(opening(("WILD", "WILD", "WILD"), NO_SET), 0, wilds)
    assert kinds(step) == [*[WildAnnounced] * 3, SetCalled]
    assert step.transfers == ()
    assert step.state.on_turn == 1


@pytest.mark.parametrize(
    ("dice", "code"),
    [
        ((NamedDie(1), NamedDie(2)), "set_needs_three_dice"),
        ((NamedDie(1), NamedDie(2), NamedDie(2)), "die_named_twice"),
        ((NamedDie(1), NamedDie(2), NamedDie(6)), "die_not_in_hand"),
        ((NamedDie(1), NamedDie(2), NamedDie(4)), "wild_needs_a_face"),
        ((NamedDie(1), NamedDie(2), NamedDie(3, "R3O")), "die_is_not_wild"),
    ],
)
def test_a_call_needs_three_own_dice(dice: tuple[NamedDie, ...], code: str) -> None:
    assert refusal(opening(("R1O", "R2O", "R3O", "WILD"), NO_SET), 0, CallSet(dice)).code == code


def test_a_seat_that_saw_no_set_may_still_call() -> None:
    state = act(opening(A_SET, NO_SET), 0, DeclareNoSet()).state
    assert refusal(state, 0, DeclareNoSet()).code == "already_declared"
    assert act(state, 0, PLAIN).state.first == 0


def test_when_no_seat_sees_a_set_all_throw_again_and_the_race_restarts() -> None:
    """Rulebook C, ruling D10, although there was a SET."""
    state = act(opening(A_SET, NO_SET), 0, DeclareNoSet()).state
    step = act(state, 1, DeclareNoSet(), *SHOWS_NOTHING, *[5] * 10)
    assert kinds(step) == [NoSetDeclared, *[DiceThrown] * 4], "until somebody could win the race"
    assert step.state.answered == []
    assert step.state.moment == state.moment + 1


def test_no_turn_is_played_before_the_race_is_won() -> None:
    violation = refusal(opening(A_SET, NO_SET), 0, PassTurn())
    assert (violation.code, violation.data) == (
        "wrong_phase",
        {"phase": "opening", "needed": "turns"},
    )


def test_commands_of_unknown_seats_are_refused() -> None:
    for seat in (2, -1):
        with pytest.raises(RuleViolation, match="not_at_the_table"):
            RULES.apply(opening(A_SET, A_SET), Seat(seat), PLAIN, ScriptedChance([]))
