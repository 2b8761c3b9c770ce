"""Regenerate the pages of all games: `python -m tests.reference_pages`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from railbird_engine import AnyRules
from railbird_engine.kernel.reference_pages import rewritten
from railbird_engine.rules import registry

PAGES: Final = Path(__file__).parent.parent / "docs" / "games"


def pages() -> Iterator[tuple[Path, AnyRules]]:
    """Return the page of every game."""
    newest = {slug: rules for (slug, _), rules in sorted(registry().items())}
    for slug, rules in newest.items():
        yield PAGES / f"{slug}.md", rules


if __name__ == "__main__":
    for page, rules in pages():
        page.write_text(rewritten(page.read_text(), rules))
