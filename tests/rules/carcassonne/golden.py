"""Seats, options and players of the golden playthroughs (`tests/rules/golden.py`)."""

from railbird_engine.kernel.playout import ask_bot, ask_random
from railbird_engine.rules.carcassonne.options import CarcassonneOptions

GAMES = {
    "bets": (4, CarcassonneOptions(), ask_bot),
    "deadlines": (3, CarcassonneOptions(turn_seconds=1), ask_random),
    "base": (2, CarcassonneOptions(bets=False, bots="casual"), ask_bot),
}
