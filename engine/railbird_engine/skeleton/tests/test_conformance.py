"""Whole games conform to the engine's contract.

A game with secrets passes `secrets=...`, which yields the texts that a viewer must not read.
"""

import pytest

from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import Ask, ask_bot, ask_random
from railbird_engine.skeleton.coin_toss.options import CoinTossOptions
from railbird_engine.skeleton.coin_toss.rules import CoinToss


@pytest.mark.parametrize("ask", [ask_bot, ask_random])
@pytest.mark.parametrize("round_s", [0, 1])
@pytest.mark.parametrize("seats", CoinToss.seats)
def test_the_game_conforms(seats: int, round_s: int, ask: Ask) -> None:
    check_game(CoinToss(), seats, CoinTossOptions(round_s=round_s), b"coin toss", ask=ask)
