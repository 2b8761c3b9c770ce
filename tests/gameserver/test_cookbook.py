"""The generated pages of the games are up to date."""

from pathlib import Path

import pytest

from games.engine import AnyRules
from games.engine.cookbook import LINE, reference
from tests.cookbook import PAGES, pages


@pytest.mark.parametrize(
    ("page", "rules"), [pytest.param(*found, id=found[0].stem) for found in pages()]
)
def test_the_page_of_a_game_is_up_to_date(page: Path, rules: AnyRules) -> None:
    by_hand, _, rest = page.read_text().partition(LINE)
    assert rest == reference(rules), "run python -m tests.cookbook"
    for heading in ("## Phases", "## What to draw", "## Hidden information"):
        assert heading in by_hand


def test_only_games_of_the_catalogue_have_pages() -> None:
    assert {page for page, _ in pages()} == set(PAGES.glob("*.md"))
