"""What the draws of ended games look like: pure statistics, on nothing but the standard library.

Tests of uniformity and of order, with the odds that so odd a result, or an odder one, comes from honest dice. Many tests
find something odd by luck alone: Holm's correction takes that into account.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Final

import msgspec

from games.engine import Draw

SIDES_MAX: Final = 64
"""Draws with more outcomes are tested by the sixteenth of their range."""

EXPECTED_MIN: Final = 5
"""A chi-square wants so many of each outcome to be expected."""

ALPHA: Final = 0.01
POWER: Final = 0.9


class Test(msgspec.Struct, frozen=True):
    """A test: `p` is how often honest dice would look at least as odd; `holm` when all tests of a report count."""

    name: str
    draws: int
    statistic: float
    freedom: int
    p: float
    holm: float = 1.0


class Face(msgspec.Struct, frozen=True):
    """How often an outcome came, and how often one expects it."""

    label: str
    count: int
    expected: float


class Sample(msgspec.Struct, frozen=True):
    """All draws with one number of outcomes, of one game or of all."""

    bound: int
    draws: int
    faces: tuple[Face, ...]
    sums: tuple[Face, ...]
    tests: tuple[Test, ...]
    visible_bias: float
    """How much likelier one face would have to be, as a part of its share, for such a sample to show it nine times in ten."""


def chi_square_tail(statistic: float, freedom: int) -> float:
    """How often a chi-square with so many degrees of freedom is at least this large: the upper regularised gamma function
    Q(k/2, x/2), by its series below the mean and its continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31).
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


def chi_square(name: str, faces: Sequence[Face]) -> Test | None:
    """Whether outcomes come as often as expected; None when too few were drawn to tell."""
    if len(faces) < 2 or min(face.expected for face in faces) < EXPECTED_MIN:
        return None
    statistic = sum((face.count - face.expected) ** 2 / face.expected for face in faces)
    freedom = len(faces) - 1
    draws = sum(face.count for face in faces)
    return Test(name, draws, statistic, freedom, chi_square_tail(statistic, freedom))


def runs(values: Sequence[int], bound: int) -> Test | None:
    """Whether high and low draws follow one another as by luck (Wald and Wolfowitz); the middle of an odd range is left out."""
    sides = [value * 2 + 1 > bound for value in values if value * 2 + 1 != bound]
    high = sum(sides)
    low = len(sides) - high
    if min(high, low) < 2 * EXPECTED_MIN:
        return None
    found = 1 + sum(one != other for one, other in itertools.pairwise(sides))
    expected = 1 + 2 * high * low / (high + low)
    deviation = math.sqrt((expected - 1) * (expected - 2) / (high + low - 1))
    z = (found - expected) / deviation
    return Test("runs of high and low", len(sides), z, 0, 2 * NormalDist().cdf(-abs(z)))


def faces_of(values: Sequence[int], bound: int) -> tuple[Face, ...]:
    """How often each outcome came, in sixteen parts of the range when there are too many."""
    if bound <= SIDES_MAX:
        counts = Counter(values)
        return tuple(Face(str(value + 1), counts[value], len(values) / bound) for value in range(bound))
    edges = [bound * part // 16 for part in range(17)]
    counts = Counter(next(part for part in range(16) if value < edges[part + 1]) for value in values)
    return tuple(
        Face(f"{low + 1}..{high}", counts[part], len(values) * (high - low) / bound)
        for part, (low, high) in enumerate(itertools.pairwise(edges))
    )


def sums_of(values: Sequence[int], bound: int) -> tuple[Face, ...]:
    """How often the sums of two draws in a row came, pair by pair; for dice of up to twelve sides."""
    if not 2 <= bound <= 12:
        return ()
    pairs = list(zip(values[::2], values[1::2], strict=False))
    counts = Counter(one + other + 2 for one, other in pairs)
    ways = Counter(one + other + 2 for one in range(bound) for other in range(bound))
    return tuple(Face(str(total), counts[total], len(pairs) * ways[total] / bound**2) for total in sorted(ways))


def visible_bias(draws: int, bound: int) -> float:
    """The bias of one face, as a part of its share, that so many draws show nine times in ten at one in a hundred."""
    share = 1 / bound
    z = NormalDist().inv_cdf(1 - ALPHA / 2) + NormalDist().inv_cdf(POWER)
    return z * math.sqrt(share * (1 - share) / draws) / share if draws and bound > 1 else math.inf


def sample_of(values: Sequence[int], bound: int) -> Sample:
    """What the draws with this many outcomes look like, in the order in which they were drawn."""
    faces, sums = faces_of(values, bound), sums_of(values, bound)
    tests = (chi_square("faces", faces), chi_square("sums of two", sums) if sums else None, runs(values, bound))
    found = tuple(test for test in tests if test is not None)
    return Sample(bound, len(values), faces, sums, found, visible_bias(len(values), bound))


def samples_of(draws: Iterable[Draw]) -> list[Sample]:
    """One sample for every number of outcomes that there was a choice of, the fewest first."""
    values: dict[int, list[int]] = {}
    for draw in draws:
        if draw.bound > 1:
            values.setdefault(draw.bound, []).append(draw.value)
    return [sample_of(found, bound) for bound, found in sorted(values.items())]


def corrected(groups: dict[str, list[Sample]]) -> dict[str, list[Sample]]:
    """The same samples, with `holm` of every test counted over all of them (Holm 1979)."""
    tests = [test for samples in groups.values() for sample in samples for test in sample.tests]
    holm: dict[int, float] = {}
    reached = 0.0
    for rank, test in enumerate(sorted(tests, key=lambda test: test.p)):
        reached = max(reached, min(1.0, test.p * (len(tests) - rank)))
        holm[id(test)] = reached
    return {
        name: [
            msgspec.structs.replace(
                sample, tests=tuple(msgspec.structs.replace(test, holm=holm[id(test)]) for test in sample.tests)
            )
            for sample in samples
        ]
        for name, samples in groups.items()
    }


# The report


def report(groups: dict[str, list[Sample]]) -> dict[str, object]:
    """What a page shows of these samples: figures as texts, and plots as the places of their bars."""
    tests = [test for samples in groups.values() for sample in samples for test in sample.tests]
    return {
        "tests": len(tests),
        "odd": sum(test.holm < ALPHA for test in tests),
        "alpha": ALPHA,
        "groups": [{"name": name, "samples": [_shown(sample) for sample in samples]} for name, samples in groups.items()],
    }


def _shown(sample: Sample) -> dict[str, object]:
    plots = (("faces", sample.faces), ("sums of two draws", sample.sums))
    return {
        "bound": sample.bound,
        "draws": sample.draws,
        "bias": f"{sample.visible_bias:.1%}" if sample.visible_bias < 1 else "",
        "plots": [_plot(name, faces) for name, faces in plots if faces],
        "tests": [
            {
                "name": test.name,
                "draws": test.draws,
                "statistic": f"{test.statistic:.2f}",
                "p": f"{test.p:.4f}",
                "holm": f"{test.holm:.3f}",
                "odd": test.holm < ALPHA,
            }
            for test in sample.tests
        ],
    }


def _plot(name: str, faces: Sequence[Face]) -> dict[str, object]:
    """A bar for each face, what is expected of it, and how far luck strays from that nineteen times in twenty."""
    width, height, head = 460.0, 132.0, 16.0
    total = sum(face.count for face in faces) or 1
    strays = [1.96 * math.sqrt(face.expected * (1 - min(1.0, face.expected / total))) for face in faces]
    top = max(max(face.count, face.expected + stray) for face, stray in zip(faces, strays, strict=True)) or 1

    def y(count: float) -> float:
        return round(head + (height - head) * (1 - max(0.0, count) / top), 1)

    step = width / len(faces)
    every = max(1, math.ceil(len(faces) * max(len(face.label) for face in faces) * 6.5 / width))
    bars = [
        {
            "x": round(index * step + step * 0.1, 1),
            "width": round(step * 0.8, 1),
            "middle": round((index + 0.5) * step, 1),
            "y": y(face.count),
            "height": round(height - y(face.count), 1),
            "mark": y(face.expected),
            "top": y(face.expected + stray),
            "bottom": y(face.expected - stray),
            "label": face.label if index % every == 0 else "",
            "count": face.count,
            "expected": f"{face.expected:.1f}",
        }
        for index, (face, stray) in enumerate(zip(faces, strays, strict=True))
    ]
    return {"name": name, "bars": bars, "height": height + 16, "foot": height + 12}
