"""Statistical tests of the draws of ended games, on the standard library alone.

Tests of uniformity and order, each with the probability of a result at least as extreme from fair
dice. With many tests, some results are extreme by chance; Holm's correction accounts for that.
"""

import itertools
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Final

import msgspec

from railbird_engine import Draw

SIDES_MAX: Final = 64
"""Draws with more outcomes are tested in sixteen intervals of their range."""

SUMS_MAX: Final = 12
"""Dice with more sides are not tested for sums."""

EXPECTED_MIN: Final = 5
"""The least expected count per outcome for a chi-square test."""

ALPHA: Final = 0.01
POWER: Final = 0.9


class Test(msgspec.Struct, frozen=True):
    """A test result.

    `p` is the probability that fair dice look at least as extreme; `holm` is `p` corrected for all
    tests of the report.
    """

    name: str
    p: float
    holm: float = 1.0


class Sample(msgspec.Struct, frozen=True):
    """The tests of all draws with one number of outcomes, of one game or of all."""

    bound: int
    draws: int
    tests: tuple[Test, ...]
    visible_bias: float
    """The bias of one face, relative to its share, that the sample detects with 90 % power."""


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-square variable is at least this large.

    The upper regularized gamma function Q(k/2, x/2), by its series below the mean and its continued
    fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31).
    """
    if statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - scale * total)
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return min(1.0, scale * fraction)


def chi_square(name: str, counts: Sequence[int], expected: Sequence[float]) -> Test | None:
    """Test whether outcomes are as frequent as expected; None for too few draws."""
    if len(counts) < 2 or min(expected) < EXPECTED_MIN:
        return None
    pairs = zip(counts, expected, strict=True)
    statistic = sum((count - mean) ** 2 / mean for count, mean in pairs)
    return Test(name, chi_square_tail(statistic, len(counts) - 1))


def visible_bias(draws: int, bound: int) -> float:
    """Return the bias of one face, relative to its share, that so many draws detect.

    At 90 % power and the significance level `ALPHA`.
    """
    share = 1 / bound
    z = NormalDist().inv_cdf(1 - ALPHA / 2) + NormalDist().inv_cdf(POWER)
    return z * math.sqrt(share * (1 - share) / draws) / share if draws and bound > 1 else math.inf


class Tally:
    """Running counts of the draws with one number of outcomes. Memory is constant."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._parts = bound if bound <= SIDES_MAX else 16
        self._edges = [bound * part // self._parts for part in range(self._parts + 1)]
        self._draws = 0
        self._faces = [0] * self._parts
        self._sums: Counter[int] = Counter()
        self._waits: int | None = None
        self._sides = [0, 0]
        self._runs = 0
        self._side: bool | None = None

    def add(self, value: int) -> None:
        """Count the next draw."""
        self._draws += 1
        self._faces[bisect_right(self._edges, value) - 1] += 1
        if self._waits is None:
            self._waits = value
        else:
            if self._bound <= SUMS_MAX:
                self._sums[self._waits + value + 2] += 1
            self._waits = None
        if value * 2 + 1 != self._bound:
            side = value * 2 + 1 > self._bound
            self._sides[side] += 1
            self._runs += side != self._side
            self._side = side

    def sample(self) -> Sample:
        """Summarize and test the draws so far."""
        tests = (self._face_test(), self._sum_test(), self._run_test())
        found = tuple(test for test in tests if test is not None)
        return Sample(self._bound, self._draws, found, visible_bias(self._draws, self._bound))

    def _face_test(self) -> Test | None:
        """Test each outcome, in sixteen intervals if there are many."""
        sizes = [high - low for low, high in itertools.pairwise(self._edges)]
        expected = [self._draws * size / self._bound for size in sizes]
        return chi_square("faces", self._faces, expected)

    def _sum_test(self) -> Test | None:
        """Test the sums of consecutive pairs, for dice of up to `SUMS_MAX` sides."""
        bound, pairs = self._bound, self._draws // 2
        if bound > SUMS_MAX:
            return None
        ways = Counter(one + other + 2 for one in range(bound) for other in range(bound))
        expected = [pairs * number / bound**2 for number in ways.values()]
        return chi_square("sums of two", [self._sums[total] for total in ways], expected)

    def _run_test(self) -> Test | None:
        """Test whether high and low draws alternate at random (Wald and Wolfowitz).

        The middle of an odd range counts as neither.
        """
        low, high = self._sides
        if min(high, low) < 2 * EXPECTED_MIN:
            return None
        expected = 1 + 2 * high * low / (high + low)
        deviation = math.sqrt((expected - 1) * (expected - 2) / (high + low - 1))
        z = (self._runs - expected) / deviation
        return Test("runs of high and low", 2 * NormalDist().cdf(-abs(z)))


class Tallies:
    """The draws of one game or of all: a tally for each number of outcomes."""

    def __init__(self) -> None:
        self._by_bound: dict[int, Tally] = {}
        self.draws = 0

    def add(self, draws: Iterable[Draw]) -> None:
        """Count these draws, in the order in which they were drawn."""
        for draw in draws:
            self.draws += 1
            if draw.bound > 1:
                if draw.bound not in self._by_bound:
                    self._by_bound[draw.bound] = Tally(draw.bound)
                self._by_bound[draw.bound].add(draw.value)

    def samples(self) -> list[Sample]:
        """Return a sample for each tally, fewest outcomes first."""
        return [tally.sample() for _, tally in sorted(self._by_bound.items())]


def corrected(groups: dict[str, list[Sample]]) -> dict[str, list[Sample]]:
    """Fill in `holm` of every test, corrected over all of them (Holm 1979)."""
    tests = [test for samples in groups.values() for sample in samples for test in sample.tests]
    holm: dict[int, float] = {}
    reached = 0.0
    for rank, test in enumerate(sorted(tests, key=lambda test: test.p)):
        reached = max(reached, min(1.0, test.p * (len(tests) - rank)))
        holm[id(test)] = reached
    return {
        name: [
            msgspec.structs.replace(
                sample,
                tests=tuple(
                    msgspec.structs.replace(test, holm=holm[id(test)]) for test in sample.tests
                ),
            )
            for sample in samples
        ]
        for name, samples in groups.items()
    }
