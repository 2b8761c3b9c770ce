"""The engine's conformance suite over whole games of bots and of random players."""

import pytest

from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import Ask, ask_bot, ask_random
from railbird_engine.rules.ascot.options import AscotOptions
from tests.rules.ascot.scene import RULES, VARIANTS
from tests.rules.ascot.secrets import secrets

WITHOUT_DEADLINES = AscotOptions(
    nomination_s=0,
    exchange_s=0,
    discard_s=0,
    bid_s=0,
    training_s=0,
    sale_s=0,
    trade_s=0,
    favourite_s=0,
    bet_s=0,
    race_s=0,
    hazard_s=0,
)
SEEDS = 50


def check(seats: int, options: AscotOptions, key: bytes, ask: Ask) -> None:
    """Play one game and check every commit."""
    check_game(RULES, seats, options, key, ask=ask, secrets=secrets)


@pytest.mark.parametrize(("seats", "options"), list(zip((2, 2, 4), VARIANTS, strict=True)))
def test_a_game_of_bots_conforms(seats: int, options: AscotOptions) -> None:
    check(seats, options, b"bots", ask_bot)


@pytest.mark.parametrize("seats", [3, 5])
def test_a_game_of_random_players_conforms(seats: int) -> None:
    check(seats, VARIANTS[(seats + 1) % len(VARIANTS)], b"random", ask_random)


def test_bots_finish_a_game_without_deadlines() -> None:
    check(2, WITHOUT_DEADLINES, b"no deadlines", ask_bot)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_many_games_conform_in_every_mode(seed: int) -> None:
    key = b"conformance %d" % seed
    for seats in range(2, 7):
        for options in (*VARIANTS, WITHOUT_DEADLINES):
            check(seats, options, key, ask_bot)
        check(seats, VARIANTS[seed % len(VARIANTS)], key, ask_random)
