"""Seats, options and players of the golden playthroughs (`tests/rules/golden.py`)."""

from railbird_engine.kernel.playout import ask_bot
from railbird_engine.rules.set_dice.options import SetDiceOptions

GAMES = {
    "expert": (3, SetDiceOptions(bots="expert"), ask_bot),
    "casual": (2, SetDiceOptions(refill="one_each"), ask_bot),
}
