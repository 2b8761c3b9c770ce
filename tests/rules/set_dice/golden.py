"""The golden playthroughs of SET Dice.

`bin/uv run python -m tests.rules.set_dice.golden` rewrites them.
"""

from pathlib import Path

from railbird_engine.kernel import playthroughs
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.rules import SetDice

COMMAND = "bin/uv run python -m tests.rules.set_dice.golden"
FOLDER = Path(__file__).with_name("playthroughs")
GAMES = {
    "expert": (3, SetDiceOptions(bots="expert")),
    "casual": (2, SetDiceOptions(refill="one_each")),
}

if __name__ == "__main__":
    for name, (seats, options) in GAMES.items():
        playthroughs.record(SetDice(), seats, options, "golden", FOLDER / f"{name}.json")
