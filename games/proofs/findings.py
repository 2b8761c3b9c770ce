"""Findings of checks: two values that should be equal and are not."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Finding(NamedTuple):
    """Two values that should be equal and are not."""

    what: str
    expected: object
    found: object


def unequal(what: str, expected: object, found: object) -> Iterator[Finding]:
    """Report two values, if they are not equal."""
    if expected != found:
        yield Finding(what, expected, found)


def differences(
    what: str, expected: Sequence[tuple[object, ...]], found: Sequence[tuple[object, ...]]
) -> Iterator[Finding]:
    """Report the first row in which the two lists differ."""
    for index in range(max(len(expected), len(found))):
        wanted = expected[index] if index < len(expected) else None
        row = found[index] if index < len(found) else None
        if wanted != row:
            yield Finding(f"{what} {index + 1}", wanted, row)
            return
