"""The texts for a form of options: they fit the options of their game, and leave none out."""

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
