"""Each ruling has a test."""

import re
from pathlib import Path

from railbird_engine.rules.ascot import rules

FOLDER = Path(rules.__file__).parent


def test_every_ruling_has_a_test_that_names_it() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")
    )
    named = {f"A{int(number)}" for number in re.findall(r"^def test_a(\d\d)_", text, re.MULTILINE)}
    rulings = set(
        re.findall(
            r"^- \*\*(A\d+)\*\* ", (FOLDER / "RULINGS.md").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    assert named == rulings == {f"A{number}" for number in range(1, 48)}
