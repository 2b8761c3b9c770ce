"""The conformance suite, run on the load game and on rules that break one promise each."""

import pytest

from bench.free_spots import FreeSpots, FreeSpotsOptions
from games.engine.conformance import check_game
from games.engine.playout import ask_random


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_the_load_game_conforms(seed: int, seats: int) -> None:
    check_game(FreeSpots(), seats, FreeSpotsOptions(boards=1), b"%d" % seed)
    check_game(FreeSpots(), seats, FreeSpotsOptions(boards=1), b"%d" % seed, ask=ask_random)
