"""The documentation of a game continues its page with a reference that is made from its types."""

import json
import re
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

from railbird_engine import AnyRules
from railbird_engine.kernel.reference_pages import LINE, reference
from railbird_engine.rules import registry
from tests import contract

PAGES = Path(__file__).parent.parent.parent / "docs" / "games"
GAMES = {slug: rules for (slug, _), rules in sorted(registry().items())}


@pytest.mark.parametrize("slug", GAMES)
def test_the_page_of_a_game_is_written_by_hand(slug: str) -> None:
    page = (PAGES / f"{slug}.md").read_text()
    assert LINE not in page
    for heading in ("## Phases", "## What to draw", "## Hidden information"):
        assert heading in page


@pytest.mark.parametrize("slug", GAMES)
def test_the_examples_of_a_reference_match_the_schemas(slug: str) -> None:
    schemas = contract.openapi()["components"]["schemas"]
    blocks = re.findall(
        r"^```json (\S+)\n(.*?)^```$", reference(GAMES[slug]), re.MULTILINE | re.DOTALL
    )
    assert {name for name, _ in blocks} == {f"{slug}.command", f"{slug}.event"}
    for name, lines in blocks:
        validator = contract.validator(json.dumps(schemas[name]))
        for line in lines.splitlines():
            validator.validate(json.loads(line))


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_no_description_of_a_game_uses_terms_of_python(rules: AnyRules) -> None:
    types = (rules.options_type, rules.command_type, rules.event_type)
    views = get_type_hints(type(rules).view)["return"]
    _, components = msgspec.json.schema_components([*types, views, type(rules.book())])
    described = {name: schema.get("description", "") for name, schema in components.items()}
    assert [name for name, text in described.items() if re.search(r"\bNone\b", text)] == []


def test_only_games_of_the_catalogue_have_pages() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(GAMES)
