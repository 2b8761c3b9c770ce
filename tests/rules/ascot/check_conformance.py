"""The conformance suite over many games: `python -m tests.rules.ascot.check_conformance --games
50`."""

import argparse
import sys

from games.engine.conformance import check_game
from games.engine.playout import Ask, ask_bot, ask_random
from games.rules.ascot.options import AscotOptions
from tests.rules.ascot.desk import RULES
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
VARIANTS = (
    AscotOptions(),
    AscotOptions(banker=1, dealer=1, manual_objection=True, place_bets=True, private_cash=True),
    AscotOptions(
        victory="money", tote_no_winner="carry_over", carried_in=12_500, literal_tote=True
    ),
)


def check(seats: int, options: AscotOptions, key: bytes, ask: Ask) -> int:
    """Play and check one game; returns the number of its commits."""
    return len(check_game(RULES, seats, options, key, ask=ask, secrets=secrets).commits)


def main() -> None:
    """Check bots and random players at every number of seats and with every variant of the
    options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seats", type=int, nargs="+", default=list(RULES.seats))
    arguments = parser.parse_args()
    for seats in arguments.seats:
        games = commits = 0
        for game in range(arguments.first, arguments.first + arguments.games):
            key = b"conformance %d" % game
            for ask, variants in (
                (ask_bot, (*VARIANTS, WITHOUT_DEADLINES)),
                (ask_random, VARIANTS),
            ):
                options = variants[game % len(variants)]
                commits += check(seats, options, key, ask)
                games += 1
        sys.stdout.write(f"{seats} seats: {games} games, {commits} commits conform\n")


if __name__ == "__main__":
    main()
