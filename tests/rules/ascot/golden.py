"""Seats, options and players of the golden playthroughs (`tests/rules/golden.py`)."""

from railbird_engine.kernel.playout import ask_bot
from railbird_engine.rules.ascot.options import AscotOptions

GAMES = {
    "place_bets": (4, AscotOptions(place_bets=True), ask_bot),
    "objections": (
        3,
        AscotOptions(banker=1, dealer=2, manual_objection=True, private_cash=True),
        ask_bot,
    ),
}
