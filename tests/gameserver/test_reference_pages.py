"""The generated pages of the games are up to date."""

import re
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

from railbird_engine import AnyRules
from railbird_engine.kernel.reference_pages import LINE, reference
from tests.reference_pages import PAGES, pages


@pytest.mark.parametrize(
    ("page", "rules"), [pytest.param(*found, id=found[0].stem) for found in pages()]
)
def test_the_page_of_a_game_is_up_to_date(page: Path, rules: AnyRules) -> None:
    by_hand, _, rest = page.read_text().partition(LINE)
    assert rest == reference(rules), "run python -m tests.reference_pages"
    for heading in ("## Phases", "## What to draw", "## Hidden information"):
        assert heading in by_hand


@pytest.mark.parametrize("rules", [pytest.param(rules, id=rules.slug) for _, rules in pages()])
def test_no_description_of_a_game_uses_terms_of_python(rules: AnyRules) -> None:
    types = (rules.options_type, rules.command_type, rules.event_type)
    views = get_type_hints(type(rules).view)["return"]
    _, components = msgspec.json.schema_components([*types, views, type(rules.book())])
    described = {name: schema.get("description", "") for name, schema in components.items()}
    assert [name for name, text in described.items() if re.search(r"\bNone\b", text)] == []


def test_only_games_of_the_catalogue_have_pages() -> None:
    assert {page for page, _ in pages()} == set(PAGES.glob("*.md"))
