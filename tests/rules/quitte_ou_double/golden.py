"""The golden playthroughs: `uv run python -m tests.rules.quitte_ou_double.golden` rewrites them."""

from pathlib import Path
from typing import Final

from railbird_engine.kernel import playthroughs
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble

COMMAND: Final = "uv run python -m tests.rules.quitte_ou_double.golden"
FOLDER: Final = Path(__file__).with_name("playthroughs")
GAMES: Final = {
    "basic": (4, QuitteOuDoubleOptions()),
    "variants": (
        7,
        QuitteOuDoubleOptions(
            expert_bonus=True, permanent_double=True, hidden_bets=True, tiebreak_question=True
        ),
    ),
}

if __name__ == "__main__":
    for name, (seats, options) in GAMES.items():
        playthroughs.record(QuitteOuDouble(), seats, options, "golden", FOLDER / f"{name}.json")
