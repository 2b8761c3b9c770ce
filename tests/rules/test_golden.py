"""The golden playthroughs replay commit by commit, and the bots still choose what they chose."""

from pathlib import Path

import pytest

from railbird_engine.kernel import playthroughs
from tests.rules.golden import COMMAND, GAMES, RULES, book_of, file_of, record, stored_book


@pytest.mark.parametrize(("slug", "name"), GAMES)
def test_a_golden_playthrough_replays_to_the_same_bytes(slug: str, name: str) -> None:
    playthroughs.check(RULES[slug], file_of(slug, name), f"{COMMAND} {slug}")


@pytest.mark.parametrize(("slug", "name"), GAMES)
def test_players_choose_what_they_chose(slug: str, name: str, tmp_path: Path) -> None:
    """If only this test fails, the bots have changed and not the rules: rewrite the files."""
    record(slug, name, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == file_of(slug, name).read_bytes()


@pytest.mark.parametrize("slug", RULES)
def test_the_book_is_the_stored_one(slug: str) -> None:
    """If only this test fails, look at the difference in a client, then rewrite the file."""
    assert book_of(slug) == stored_book(slug).read_bytes()
