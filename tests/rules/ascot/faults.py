"""Faults of the data files that a host may replace."""

from typing import Final

from railbird_engine.rules.ascot.data import load

read: Final = load
FILES: Final = (
    "colours.csv",
    "horses.csv",
    "offices.csv",
    "training.csv",
    "reports.csv",
    "inscriptions.csv",
    "field.txt",
    "tariff.json",
)

# File, text, its replacement, and what the error contains.
FAULTS: Final = [
    ("field.txt", "\n21 ", "\n99 ", "field.txt: line 22: expected row 21"),
    ("field.txt", " 1  N ", " 1  ?? ", "field.txt: line 2: ['??'] in neither"),
    ("field.txt", " 1  N ", " 1 ", "field.txt: line 2: 5 lanes instead of 6"),
    ("horses.csv", "1,black,36000", "1,black,dear", "horses.csv, line 2: "),
    ("horses.csv", "\n2,red", "\n1,red", "horses.csv, line 3: (1,) more than once"),
    ("horses.csv", "\n2,red", "\n2,blue", "horses.csv: expected horses 1 to 12"),
    ("horses.csv", "Midnight", '"Mid"night', "horses.csv: "),
    ("horses.csv", "Midnight,", "", "horses.csv, line 2: 4 cells instead of 5"),
    ("horses.csv", "colour", "color", "horses.csv, line 1: expected "),
    ("colours.csv", ",N,", ",R,", "colours.csv, inscriptions.csv: a code occurs twice"),
    ("training.csv", "\n1,forage,pay", "\n1,,pay", "training.csv, line 2: 'pay' under"),
    ("tariff.json", "{", '{"entry_fee": 1,', "tariff.json: ['entry_fee'] more than"),
    ("tariff.json", '"entry_fee": 10000', '"entry_fee": -1', "`$.entry_fee`"),
    ("tariff.json", '"entry_fee": 10000', '"entry_fee" 10000', "line 5 column"),
]

# File, index of the line that is left out, and what the error contains.
MISSING: Final[list[tuple[str, int, str]]] = [
    ("field.txt", -1, "field.txt: line 44 is the last: expected 44 rows"),
    ("training.csv", -1, "training.csv: expected squares 1 to 60"),
    ("horses.csv", -1, "horses.csv: expected horses 1 to 12, 3 of each colour"),
    ("offices.csv", -1, "offices.csv: expected"),
    ("colours.csv", -1, "colours.csv: expected"),
]
