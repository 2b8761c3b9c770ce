"""Crown and Anchor: whole games conform, and the examples of the README hold."""

import pytest
from crown_and_anchor.rules import CrownAndAnchor, CrownAndAnchorOptions, Done, PlaceBet

from railbird_engine import (
    RuleViolation,
    ScriptedChance,
    Seat,
    SeededChance,
    seat_purse,
)
from railbird_engine.kernel import acceptance
from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import Ask, ask_bot, ask_random

RULES = CrownAndAnchor()


@pytest.mark.parametrize("ask", [ask_bot, ask_random])
@pytest.mark.parametrize("seats", [2, 8])
def test_the_game_conforms(seats: int, ask: Ask) -> None:
    check_game(RULES, seats, CrownAndAnchorOptions(), b"crown", ask=ask)


def test_the_book_and_the_refusals_are_complete() -> None:
    acceptance.check_book(RULES)
    acceptance.check_refusals(RULES)


@pytest.mark.parametrize(
    ("dice", "pence"),
    [([0, 0, 0], 30 + 3 * 5), ([0, 0, 1], 30 + 2 * 5), ([1, 0, 2], 30 + 5), ([1, 2, 3], 30 - 5)],
)
def test_a_bet_wins_its_stake_once_for_each_die_that_shows_its_symbol(
    dice: list[int], pence: int
) -> None:
    state = RULES.start(2, CrownAndAnchorOptions(), SeededChance(b"start")).state
    state = RULES.apply(state, Seat(0), PlaceBet("crown", 5), SeededChance(b"bet")).state
    state = RULES.apply(state, Seat(0), Done(), SeededChance(b"done")).state
    state = RULES.apply(state, Seat(1), Done(), ScriptedChance(dice)).state
    assert state.purses[seat_purse(0)] == pence


def test_ruling_1_the_dice_are_thrown_when_time_is_up() -> None:
    state = RULES.start(2, CrownAndAnchorOptions(), SeededChance(b"start")).state
    assert RULES.advance(state, SeededChance(b"late")).state.round == 2


def test_ruling_2_who_is_done_places_no_further_bet() -> None:
    state = RULES.start(2, CrownAndAnchorOptions(), SeededChance(b"start")).state
    state = RULES.apply(state, Seat(0), Done(), SeededChance(b"done")).state
    with pytest.raises(RuleViolation) as refused:
        RULES.apply(state, Seat(0), PlaceBet("crown", 1), SeededChance(b"bet"))
    assert refused.value.code == "already_done"
