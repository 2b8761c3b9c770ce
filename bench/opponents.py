"""Whether people have a chance against bots: see `bench.matches`."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench.matches import Match, has_people, matches
from games.store.registry import catalogue, newest_rules


def measure(console: Console, slug: str | None, games: int) -> list[Match]:
    """Play games of one game, or of all games whose people are described, and show the shares."""
    slugs = [slug] if slug else sorted(catalogue())
    found: list[Match] = []
    for rules in map(newest_rules, slugs):
        if has_people(rules):
            found += matches(rules, games)
    _show(console, found)
    return found


def _show(console: Console, found: Sequence[Match]) -> None:
    table = Table("game", "seats", "one", "against", "games", "fair shares", "too late")
    for match in found:
        share = f"{match.share:.2f} +- {match.error:.2f}"
        late = f"{match.refused:.1f}"
        one = (match.slug, str(match.seats), match.one, match.bots, str(match.games))
        table.add_row(*one, share, late)
    console.print(table)
