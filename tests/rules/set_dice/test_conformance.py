"""Whole games conform to the engine's contract."""

from itertools import product

import pytest

from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import Ask, ask_bot, ask_random
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.rules import SetDice

OPTIONS = [
    SetDiceOptions(),
    SetDiceOptions(bots="expert", refill="one_each"),
    SetDiceOptions(opening_s=0, turn_s=0, reroll_s=0),
    SetDiceOptions(opening_s=1, turn_s=1, reroll_s=1, bots="expert"),
]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("ask", [ask_bot, ask_random])
def test_the_game_conforms(ask: Ask, seats: int) -> None:
    check_game(SetDice(), seats, OPTIONS[seats - 1], b"set dice", ask=ask)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_games_conform(seed: int) -> None:
    key = b"set dice %d" % seed
    for ask, seats, options in product((ask_bot, ask_random), (2, 3, 4), OPTIONS):
        check_game(SetDice(), seats, options, key, ask=ask)
