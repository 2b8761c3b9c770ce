"""As many games as you like: each passes the engine's conformance check and is counted again by the
slow referee.

    python -m tests.rules.carcassonne.many --games 1000 --seed 0

Seats, options and who plays (bots or random moves) follow from the number of the game, so one that
fails can be had again with `--games 1 --seed NUMBER`."""

import argparse
import sys

from games.engine import SeededChance
from games.engine.conformance import check_game
from games.engine.playout import ask_bot, ask_random
from games.rules.carcassonne.state import CarcassonneOptions
from tests.rules.carcassonne.planted import PLANTED, sealed_chips
from tests.rules.carcassonne.recount import recount_game


def check(number: int) -> int:
    """Play game `number` twice, once for each check; returns its commits."""
    whim = SeededChance(b"many %d" % number)
    options = CarcassonneOptions(
        bets=whim.below(5) > 0,
        fields=whim.below(5) > 0,
        turn_seconds=whim.pick([0, 0, 1, 3]),
        bots=whim.pick(["casual", "keen", "keen"]),
    )
    seats = whim.pick(range(2, 7))
    ask = whim.pick([ask_bot, ask_bot, ask_random])
    try:
        check_game(PLANTED, seats, options, b"many %d" % number, ask=ask, secrets=sealed_chips)
        return len(recount_game(seats, options, b"many %d" % number, ask).commits)
    except Exception:
        sys.stderr.write(f"game {number}: {seats} seats, {options}, {ask.__name__}\n")
        raise


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    commits = sum(check(number) for number in range(asked.seed, asked.seed + asked.games))
    sys.stdout.write(
        f"{asked.games} games, {commits} commits: all conform, every point counted again\n"
    )


if __name__ == "__main__":
    main()
