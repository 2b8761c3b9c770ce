"""Whole games conform to the engine's contract."""

import pytest

from railbird_engine import SeededChance
from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import ask_bot, ask_random
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from tests.rules.carcassonne.planted import PLANTED, SHORT, sealed_chips
from tests.rules.carcassonne.scene import RULES


def test_a_game_of_bots_conforms() -> None:
    check_game(PLANTED, 3, CarcassonneOptions(turn_seconds=2), b"bots", secrets=sealed_chips)


def test_a_game_without_the_expansion_conforms() -> None:
    check_game(RULES, 2, CarcassonneOptions(bets=False, turn_seconds=0), b"base")


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_short_random_games_conform(seats: int) -> None:
    options = CarcassonneOptions(bets=seats != 3, fields=seats % 2 == 0, turn_seconds=seats % 2)
    check_game(SHORT, seats, options, b"short", secrets=sealed_chips, ask=ask_random)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(60))
def test_many_games_conform(number: int) -> None:
    """Seats, options and players follow from the number."""
    whims = SeededChance(b"many %d" % number)
    options = CarcassonneOptions(
        bets=whims.below(5) > 0,
        fields=whims.below(5) > 0,
        turn_seconds=whims.pick([0, 0, 1, 3]),
        bots=whims.pick(["casual", "regular", "expert"]),
    )
    seats = whims.pick(range(2, 7))
    ask = whims.pick([ask_bot, ask_bot, ask_random])
    key = b"many %d" % number
    check_game(PLANTED, seats, options, key, ask=ask, secrets=sealed_chips)
