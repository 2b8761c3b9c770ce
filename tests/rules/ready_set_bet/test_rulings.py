"""Every ruling that the README lists is named by the test that holds it."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[3] / "engine/railbird_engine/rules/ready_set_bet" / "README.md"
TESTS = "".join(
    path.read_text() for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)
)


def rulings() -> list[int]:
    """The numbers after `4.` in the README, ranges included."""
    text = README.read_text()
    found = {int(number) for number in re.findall(r"\b4\.(\d+)", text)}
    for first, last in re.findall(r"4\.(\d+) to 4\.(\d+)", text):
        found |= set(range(int(first), int(last) + 1))
    return sorted(found)


def test_the_rulings_are_numbered_without_a_gap() -> None:
    assert rulings() == list(range(1, 45))


@pytest.mark.parametrize("number", rulings())
def test_a_ruling_has_a_test(number: int) -> None:
    assert re.search(rf"\b4\.{number}\b", TESTS)
