"""Conformance over many games, a mode at a time: `python -m tests.rules.ready_set_bet.many_games
app 500`.

Each game has another key, another table and, by turns, bots and players who do anything that is
legal."""

import sys

from games.engine.conformance import check_game
from games.engine.playout import ask_bot, ask_random
from games.rules.ready_set_bet.data import SEATS_OF_MODE, Mode
from games.rules.ready_set_bet.rules import ReadySetBet
from tests.rules.ready_set_bet.scene import plain
from tests.rules.ready_set_bet.test_conformance import secrets


def check_games(mode: Mode, games: int) -> int:
    """Check so many games of the whole box, two races each; returns how many commits that were."""
    commits = 0
    for number in range(games):
        seats = SEATS_OF_MODE[mode][number % len(SEATS_OF_MODE[mode])]
        options = plain(
            mode=mode,
            races=2,
            roll_ms=400,
            pause_ms=0,
            auto_roll=number % 3 == 0,
            props=True,
            exotics=True,
            vip=True,
        )
        key = b"%s %d" % (mode.encode(), number)
        ask = ask_random if number % 2 else ask_bot
        commits += len(
            check_game(ReadySetBet(), seats, options, key, ask=ask, secrets=secrets).commits
        )
    return commits


if __name__ == "__main__":
    chosen: Mode = next(mode for mode in SEATS_OF_MODE if mode == sys.argv[1])
    print(
        f"{sys.argv[2]} games in mode {chosen} conform, {check_games(chosen, int(sys.argv[2]))} commits"
    )
