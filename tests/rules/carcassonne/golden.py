"""The golden playthroughs of Carcassonne.

`bin/uv run python -m tests.rules.carcassonne.golden` rewrites them.
"""

from pathlib import Path

from railbird_engine.kernel import playthroughs
from railbird_engine.kernel.playout import ask_bot, ask_random
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from tests.rules.carcassonne.scene import RULES

COMMAND = "bin/uv run python -m tests.rules.carcassonne.golden"
FOLDER = Path(__file__).with_name("playthroughs")
GAMES = {
    "bets": (4, CarcassonneOptions(), ask_bot),
    "deadlines": (3, CarcassonneOptions(turn_seconds=1), ask_random),
    "base": (2, CarcassonneOptions(bets=False), ask_bot),
}

if __name__ == "__main__":
    for name, (seats, options, ask) in GAMES.items():
        key = f"golden {name}"
        playthroughs.record(RULES, seats, options, key, FOLDER / f"{name}.json", ask)
