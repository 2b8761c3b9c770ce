"""Many games of bots: stronger colours win more often."""

from collections import Counter

import pytest

from railbird_engine.kernel.playout import play_out
from railbird_engine.rules.ascot.data.printed import COLOURS
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.state import AscotState
from tests.rules.ascot.scene import RULES


class Tally:
    """Sums over games of bots."""

    def __init__(self) -> None:
        self.runners: Counter[str] = Counter()
        self.wins: Counter[str] = Counter()

    def add(self, seats: int, key: bytes) -> None:
        """Play one game to its end."""
        state = play_out(RULES, seats, AscotOptions(), key).state
        assert isinstance(state, AscotState)
        for number, horse in state.horses.items():
            if horse.fate in {"running", "lost", "passed", "disqualified"}:
                self.runners[RULES.printed.colour(number)] += 1
        if state.placed:
            self.wins[RULES.printed.colour(state.placed[0])] += 1

    def rates(self) -> list[float]:
        """Wins per runner in the order of COLOURS."""
        return [self.wins[colour] / max(1, self.runners[colour]) for colour in COLOURS]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_black_wins_most_per_runner_then_red_then_yellow_then_blue(seats: int) -> None:
    tally = Tally()
    for game in range(1_000):
        tally.add(seats, b"ascot %d" % game)
    assert tally.rates() == sorted(tally.rates(), reverse=True)
