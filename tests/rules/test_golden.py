"""The golden playthroughs replay commit by commit."""

import pytest

from railbird_engine.kernel import playthroughs
from tests.rules.golden import COMMAND, GAMES, RULES, file_of


@pytest.mark.parametrize(("slug", "name"), GAMES)
def test_a_golden_playthrough_replays_to_the_same_bytes(slug: str, name: str) -> None:
    playthroughs.check(RULES[slug], file_of(slug, name), f"{COMMAND} {slug}")
