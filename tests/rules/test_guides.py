"""The guides of a game: texts for a form of its options, and terms that its page explains."""

import re
from pathlib import Path

import msgspec
import pytest

from tests.rules.golden import RULES


@pytest.mark.parametrize("slug", sorted(RULES))
def test_a_guide_explains_every_option_and_its_presets_are_options(slug: str) -> None:
    rules = RULES[slug]
    guide, fields = rules.options_guide, rules.options_type.__struct_fields__
    assert list(guide.help) == list(fields)
    for preset in guide.presets:
        msgspec.convert(preset.options, rules.options_type)
    for name, conditions in guide.when.items():
        assert {name, *conditions} <= {*fields}
        for other, values in conditions.items():
            for value in values:
                msgspec.convert({other: value}, rules.options_type)


TERM = re.compile(r"""(?:"data-term": |\["term"\] = |\bterm: |\bterm\()"(\w+)\"""")
MARKS = {"leader", "player", "press"}
"""The terms that all tables have."""


@pytest.mark.parametrize("slug", sorted(RULES))
def test_the_page_of_a_game_explains_terms_of_its_guide(slug: str) -> None:
    folder = Path("web/client") / slug
    used = {term for page in folder.glob("*.ts") for term in TERM.findall(page.read_text())}
    guide = RULES[slug].book().guide
    assert guide and used - MARKS <= guide.terms.keys()
