"""Every ruling of the README has a test that names it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
README = HERE.parents[2] / "engine/railbird_engine/rules/quitte_ou_double/README.md"
NUMBERS = re.compile(r"\bQ(\d+)(?:( to |-)Q(\d+))?")


def numbers_in(text: str) -> set[int]:
    """Return the rulings in a text; `Q6 to Q8` and `Q6-Q8` name three."""
    found: set[int] = set()
    for first, _, last in NUMBERS.findall(text):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def test_every_ruling_has_a_test() -> None:
    table = README.read_text(encoding="utf-8").partition("## Rulings")[2].partition("\n## ")[0]
    ruled = numbers_in(" ".join(re.findall(r"^- \*\*(.+?)\*\*", table, re.MULTILINE)))
    assert ruled == set(range(1, 24))
    others = sorted(set(HERE.glob("test_*.py")) - {Path(__file__)})
    tested = "".join(path.read_text(encoding="utf-8") for path in others)
    assert ruled - numbers_in(tested) == set()
