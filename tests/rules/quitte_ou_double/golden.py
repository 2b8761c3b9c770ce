"""The golden game of Quitte ou double. Write it anew with `uv run python -m
tests.rules.quitte_ou_double.golden`."""

from pathlib import Path

from games.rules.quitte_ou_double.rules import QuitteOuDouble
from games.rules.quitte_ou_double.table import QuitteOuDoubleOptions
from tests.rules import playthrough

COMMAND = "uv run python -m tests.rules.quitte_ou_double.golden"
PATH = Path(__file__).with_name("golden.jsonl")

if __name__ == "__main__":
    playthrough.record(
        QuitteOuDouble(),
        5,
        QuitteOuDoubleOptions(expert_bonus=True, tiebreak_question=True),
        "golden",
        PATH,
    )
