"""Plays many bot games and says what became of them: `python -m tests.rules.ascot.many_games
--games 1000 --seats 2 3 4 6`."""

import argparse
import sys
import time
from collections import Counter

from games.engine.playout import Playout
from games.rules.ascot.events import (
    AdvantagesGained,
    DebtOpened,
    DisadvantagesGained,
    HorseEliminated,
    HorseEntered,
    ReportKept,
)
from games.rules.ascot.options import AscotOptions
from games.rules.ascot.printed import COLOURS
from games.rules.ascot.race_events import HorseDisqualified, HorseLost
from games.rules.ascot.rules import Ascot
from games.rules.ascot.state import PRIZE_FUND, AscotState

COUNTED = (
    AdvantagesGained,
    DebtOpened,
    DisadvantagesGained,
    HorseDisqualified,
    HorseEliminated,
    HorseEntered,
    HorseLost,
    ReportKept,
)


class Tally:
    """What many games of one number of seats add up to."""

    def __init__(self) -> None:
        self.games = 0
        self.commits = 0
        self.minutes = 0.0
        self.facts: Counter[str] = Counter()
        self.runners: Counter[str] = Counter()
        self.wins: Counter[str] = Counter()
        self.finishers: Counter[int] = Counter()
        self.prize_fund = 0
        self.staked = 0

    def add(self, rules: Ascot, seats: int, key: bytes) -> None:
        """Play one game to its end and check its money at every commit."""
        playout, fund = Playout(rules, seats, AscotOptions(), key), 0
        for commit in playout.run():
            assert sum(playout.state.purses.values()) == 0, (
                f"key {key!r}: the purses do not balance"
            )
            self.facts.update(
                type(event).__name__ for event in commit.events if isinstance(event, COUNTED)
            )
            if playout.result is None:
                fund = playout.state.purses[PRIZE_FUND]
        state = playout.state
        assert isinstance(state, AscotState)
        self.games += 1
        self.commits += len(playout.commits)
        self.minutes += playout.now_ms / 60_000
        self.prize_fund += fund
        self.staked += sum(bet.stake for bet in state.bets)
        self.finishers[len(state.placed)] += 1
        for number, horse in state.horses.items():
            if horse.fate in {"running", "lost", "passed", "disqualified"}:
                self.runners[rules.printed.colour(number)] += 1
        if state.placed:
            self.wins[rules.printed.colour(state.placed[0])] += 1

    def rates(self) -> dict[str, float]:
        """Wins per runner, in percent, by colour."""
        return {
            colour: 100 * self.wins[colour] / max(1, self.runners[colour]) for colour in COLOURS
        }

    def lines(self) -> list[str]:
        """What to tell."""
        rates = ", ".join(f"{colour} {rate:.1f} %" for colour, rate in self.rates().items())
        facts = ", ".join(
            f"{name} {count / self.games:.1f}" for name, count in sorted(self.facts.items())
        )
        return [
            f"  {self.games} games, {self.commits / self.games:.0f} commits and {self.minutes / self.games:.1f} minutes each",
            f"  wins per runner: {rates}",
            f"  per game: {facts}",
            f"  prize fund {self.prize_fund / self.games:.0f} F, stakes {self.staked / self.games:.0f} F",
            f"  horses placed: {dict(sorted(self.finishers.items()))}",
        ]


def main() -> int:
    """Play, print, and fail if the colours do not win in the order of their strength."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 6])
    arguments = parser.parse_args()
    rules, in_order = Ascot(), True
    for seats in arguments.seats:
        tally, begun = Tally(), time.perf_counter()
        for game in range(arguments.first, arguments.first + arguments.games):
            tally.add(rules, seats, b"ascot %d" % game)
        rates = list(tally.rates().values())
        is_ranked = rates == sorted(rates, reverse=True)
        in_order = in_order and is_ranked
        order = "kept" if is_ranked else "BROKEN"
        sys.stdout.write(
            f"{seats} seats, {time.perf_counter() - begun:.0f} s, strength order {order}\n"
        )
        sys.stdout.write("\n".join(tally.lines()) + "\n")
    return 0 if in_order else 1


if __name__ == "__main__":
    sys.exit(main())
