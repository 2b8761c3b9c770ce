"""Faults of the data files that a host may replace."""

from typing import Final

from railbird_engine.rules.set_dice.data.printed import read_box

read: Final = read_box
FILES: Final = ("dice.csv", "board.csv")

# File, text, its replacement, and what the error contains.
FAULTS: Final = [
    ("dice.csv", "\n2,", "\n1,", "dice.csv, line 3: expected die 2, found '1'"),
    ("dice.csv", "R1O", "R4O", "dice.csv, line 2: "),
    ("dice.csv", "R1O,", "", "dice.csv, line 2: 6 cells instead of 7"),
    ("board.csv", "5", "five", "board.csv, line 1, column 1: 'five' is no number"),
    ("board.csv", "5", "²", "board.csv, line 1, column 1: '²' is no number"),
    ("board.csv", "5", "logo", "board.csv, line 1, column 1: the logo is elsewhere"),
]

# File, index of the line that is left out, and what the error contains.
MISSING: Final[list[tuple[str, int, str]]] = [
    ("dice.csv", -1, "dice.csv: 41 dice instead of 42"),
    ("board.csv", -1, "board.csv: 10 rows instead of 11"),
]
