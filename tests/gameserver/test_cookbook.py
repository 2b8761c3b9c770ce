"""The pages for authors of clients say what the games say."""

from pathlib import Path

import pytest

from games.engine import AnyRules
from tests.cookbook import LINE, PAGES, pages, reference


@pytest.mark.parametrize(
    ("page", "rules"), [pytest.param(*found, id=found[0].stem) for found in pages()]
)
def test_the_page_of_a_game_is_up_to_date(page: Path, rules: AnyRules) -> None:
    by_hand, _, rest = page.read_text().partition(LINE)
    assert rest == reference(rules), "write it anew: python -m tests.cookbook"
    for heading in ("## Phases", "## What to draw", "## What is hidden"):
        assert heading in by_hand


def test_there_are_pages_of_these_games_only() -> None:
    assert {page for page, _ in pages()} == set(PAGES.glob("*.md"))
