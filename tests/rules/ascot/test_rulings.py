"""Each ruling has a test, and the README lists every refusal."""

import re
from pathlib import Path

from railbird_engine.kernel.acceptance import refusals_in
from railbird_engine.rules.ascot import rules

FOLDER = Path(rules.__file__).parent


def test_every_ruling_has_a_test_that_names_it() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")
    )
    named = {f"A{int(number)}" for number in re.findall(r"^def test_a(\d\d)_", text, re.MULTILINE)}
    rulings = set(
        re.findall(
            r"^\| (A\d+) \|", (FOLDER / "RULINGS.md").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    assert named == rulings == {f"A{number}" for number in range(1, 48)}


def test_the_readme_lists_every_refusal() -> None:
    raised = {code for path in FOLDER.glob("*.py") for code in refusals_in(path)}
    section = (
        (FOLDER / "README.md")
        .read_text(encoding="utf-8")
        .split("**Refusals.**")[1]
        .split("**Commands")[0]
    )
    listed = re.findall(r"`(\w+)`", section)
    assert len(listed) == len(set(listed))
    assert set(listed) == raised
