"""The golden game of SET Dice. Write it anew with `uv run python -m
tests.rules.set_dice.golden`."""

from pathlib import Path

from games.rules.set_dice.rules import SetDice
from games.rules.set_dice.table import SetDiceOptions
from tests.rules import playthrough

COMMAND = "uv run python -m tests.rules.set_dice.golden"
PATH = Path(__file__).with_name("golden.jsonl")

if __name__ == "__main__":
    playthrough.record(SetDice(), 3, SetDiceOptions(bots="expert"), "golden", PATH)
