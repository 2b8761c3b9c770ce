"""Faults of the data files that a host may replace."""

from pathlib import Path
from typing import Final

from railbird_engine.rules.carcassonne.data import read_set
from railbird_engine.rules.carcassonne.rules import Carcassonne

FILES: Final = ("base.json", "bets.json")

# File, text, its replacement, and what the error contains.
FAULTS: Final = [
    ("base.json", '"D",\n', '"ZZ",\n', "base.json: start: unknown tile"),
    ("base.json", '"start": "D",', "", "base: the set names no start tile"),
    ("base.json", '"tile": "A"', '"tile": "B"', "base.json: ['B'] more than once"),
    ("base.json", '"C1:NESW+"', '"C1:NES+"', "tile C: side W: segments ---"),
    ("base.json", '"C1:NESW+"', '"C1:NESWN"', "tile C: C1 covers what C1 covers"),
    ("base.json", '"C1:NESW+"', '"C1:Q"', "base.json: tile C: segment 'C1:Q': "),
    ("base.json", '"C1:NESW+"', '"C1"', "base.json: tile C: segment 'C1': "),
    ("base.json", ">C1", ">R1", "base.json: tile D: G1 borders what is no city"),
    ("base.json", '"B", "count": 4', '"B", "count": 99', "base and bets: 177 tiles"),
    ("bets.json", "BK1", "A", "base and bets: ['A'] more than once"),
    ("bets.json", '"exactly": 4', '"exactly": 4, "at_least": 4', "expected one of"),
]

# File, index of the line that is left out, and what the error contains.
MISSING: Final[list[tuple[str, int, str]]] = []


def read(folder: Path) -> object:
    """Read the files of a folder."""
    return Carcassonne(read_set(folder / "base.json"), read_set(folder / "bets.json"))
