"""How a bot guesses: like people, roughly log-normally about the truth, and in round numbers."""

import math
from collections.abc import Mapping
from typing import Final

from railbird_engine import BotLevel, Chance
from railbird_engine.rules.quitte_ou_double.data.bank import Question
from railbird_engine.rules.quitte_ou_double.decimals import canonical

SPREAD: Final[Mapping[BotLevel, float]] = {"casual": 0.8, "regular": 0.45, "expert": 0.25}
"""The standard deviation of the logarithm of a guess: two casual guesses out of three are within a
factor of 2.2 of the truth, two expert guesses out of three within a factor of 1.3."""

THIS_YEAR: Final = 2026
"""People date events by how long ago they were, so the error of a year grows with its age."""

TEMPERATURES: Final = frozenset({"°C", "°F", "degrees"})
MEASURES: Final = frozenset({"m", "km", "cm", "mm", "l", "g", "mg", "kg", "s", "h", "m/s²"})
"""Units whose small numbers people give with decimals; all other units are counted."""

_STEPS: Final = 10_000
_LARGEST: Final = 10**15 - 1


def guess(question: Question, spread: float, chance: Chance) -> str:
    """Return a guess as a canonical number. `spread`: see SPREAD."""
    truth, error = float(question.answer), spread * _normal(chance)
    if question.is_year:
        age = max(THIS_YEAR - truth, 1) * math.exp(error / 2)
        return str(round(THIS_YEAR - age))
    if question.unit_en in TEMPERATURES:
        return str(round(truth + error * max(abs(truth) / 2, 20)))
    size = max(abs(truth), 0.5) * math.exp(error)
    return _rounded(math.copysign(size, truth), is_count=question.unit_en not in MEASURES)


def _normal(chance: Chance) -> float:
    """Draw from a normal distribution, cut off at six standard deviations."""
    return sum(chance.below(_STEPS + 1) for _ in range(12)) / _STEPS - 6


def _rounded(value: float, *, is_count: bool) -> str:
    """Round to two significant digits; counts have no decimals."""
    digits = 1 - math.floor(math.log10(abs(value)))
    places = min(digits, 0) if is_count else min(digits, 10)
    rounded = min(max(round(value, places), -_LARGEST), _LARGEST)
    plain = canonical(f"{rounded:.{max(places, 0)}f}")
    assert plain is not None
    return plain
