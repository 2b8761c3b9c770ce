"""Faults of the data files that a host may replace."""

from typing import Final

from railbird_engine.rules.ready_set_bet.data.decks import read_box

read: Final = read_box
FILES: Final = ("props.json", "exotics.json", "vip.json")

# File, text, its replacement, and what the error contains.
FAULTS: Final = [
    ("props.json", '"P02"', '"P01"', "props.json: ['P01'] more than once"),
    ("props.json", '"behind": ["6"]', '"behind": ["13"]', "`$[0].behind[0]`"),
    ("props.json", '"behind": ["6"]', '"behind": ["2/3"]', "`$[0]`"),
    ("exotics.json", '"E1"', '"P01"', "exotics.json, beside props.json: ['P01']"),
    ("vip.json", '"white"', '"black"', "vip.json, bonus tokens: [('black', 2)]"),
]

# File, index of the line that is left out, and what the error contains.
MISSING: Final[list[tuple[str, int, str]]] = [
    ("vip.json", 1, "vip.json: 31 cards, where a game needs 32"),
]
