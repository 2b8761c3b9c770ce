"""Printed facts. A game with cards or boards keeps them beside this file as `.csv` or `.json`."""

from typing import Final, Literal

Side = Literal["heads", "tails"]

SIDES: Final[tuple[Side, ...]] = ("heads", "tails")
CHIPS: Final = 20
STAKE_MAX: Final = 5
