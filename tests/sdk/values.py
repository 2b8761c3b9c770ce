"""Values of every game, as the server sends them."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from railbird_engine import AnyRules, Seat
from railbird_engine.kernel.playout import Playout

COMMITS_MAX: Final = 120
COMMANDS_MAX: Final = 40


def values_of(rules: AnyRules) -> Iterator[tuple[str, Any]]:
    """Yield values of a game as the server sends them, by the name of their type."""
    options = rules.options_type(**(rules.demo_options or {}))
    playout = Playout(rules, rules.seats.start, options, b"csharp")
    yield "Book", rules.book()
    yield "Options", options
    for commit in islice(playout.run(), COMMITS_MAX):
        yield from (("Event", event) for event in commit.events)
        for seat in (None, *map(Seat, range(playout.seats))):
            yield "View", rules.view(playout.state, seat)
            if seat is not None:
                legal = islice(rules.legal(playout.state, seat), COMMANDS_MAX)
                yield from (("Command", command) for command in legal)
