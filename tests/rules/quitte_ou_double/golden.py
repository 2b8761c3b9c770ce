"""Seats, options and players of the golden playthroughs (`tests/rules/golden.py`)."""

from railbird_engine.kernel.playout import ask_bot
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions

GAMES = {
    "basic": (4, QuitteOuDoubleOptions(), ask_bot),
    "variants": (
        7,
        QuitteOuDoubleOptions(
            expert_bonus=True, permanent_double=True, hidden_bets=True, tiebreak_question=True
        ),
        ask_bot,
    ),
}
