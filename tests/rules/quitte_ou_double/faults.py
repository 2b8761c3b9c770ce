"""Faults of the data files that a host may replace."""

from pathlib import Path
from typing import Final

from railbird_engine.rules.quitte_ou_double.data.bank import load

FILES: Final = ("banks/house.csv",)

# File, text, its replacement, and what the error contains.
FAULTS: Final = [
    ("banks/house.csv", ",88,", ",many,", "house.csv: card 1, level 1, field"),
    ("banks/house.csv", "\n1,1,", "\none,1,", "house.csv: line 2, field card"),
    ("banks/house.csv", "\n1,1,", f"\n{'1' * 5000},1,", "house.csv: "),
]

# File, index of the line that is left out, and what the error contains.
MISSING: Final[list[tuple[str, int, str]]] = [
    ("banks/house.csv", 1, "house.csv: card 1, level 1: the question is missi"),
]


def read(folder: Path) -> object:
    """Read the files of a folder."""
    return load(folder / "banks/house.csv")
