"""Seats, options and players of the golden playthroughs (`tests/rules/golden.py`)."""

from railbird_engine.kernel.playout import ask_bot
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions

GAMES = {
    "core": (4, ReadySetBetOptions(races=2, props=False, exotics=False, vip=False), ask_bot),
    "app": (4, ReadySetBetOptions(races=2), ask_bot),
    "standard": (4, ReadySetBetOptions(races=2, mode="standard"), ask_bot),
    "betting_announcer": (
        4,
        ReadySetBetOptions(races=2, mode="betting_announcer", auto_roll=True),
        ask_bot,
    ),
    "rotating_announcer": (4, ReadySetBetOptions(races=2, mode="rotating_announcer"), ask_bot),
}
