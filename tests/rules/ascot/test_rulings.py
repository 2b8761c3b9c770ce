"""Every ruling of the digest has a test that bears its number: `test_a07_...` is Ruling A7."""

import re
from pathlib import Path


def test_every_ruling_has_a_test_that_names_it() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    named = {int(number) for number in re.findall(r"^def test_a(\d\d)_", text, re.MULTILINE)}
    assert named == set(range(1, 48))
