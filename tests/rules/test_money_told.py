"""An auditor who keeps the money of each game from its events alone finds it in every purse."""

from importlib import import_module
from typing import Any, Final

import pytest

from railbird_engine import Seat
from railbird_engine.kernel.playout import Playout
from tests.rules.golden import GAMES, RULES

TELLERS: Final = {slug: import_module(f"tests.rules.{slug}.money") for slug in RULES}
"""By game: `moved(event, known)` yields the transfers that an event tells, `known` is what the
reader keeps of earlier events, and `seen(state, viewer)` are the purses that a viewer sees."""


def check(playout: Playout, viewer: Seat | None, ask: Any) -> None:
    teller, known = TELLERS[playout.rules.slug], dict[str, Any]()
    purses = dict(playout.state.purses)
    for event in playout.commits[0].events:
        list(teller.moved(event, known))  # The auditor begins with the money after the deal.
    for commit in playout.run(ask):
        for event in commit.events:
            if event.only is None or viewer in event.only:
                for source, target, amount in teller.moved(event, known):
                    purses[source] -= amount
                    purses[target] += amount
        found = {purse: purses[purse] for purse in teller.seen(playout.state, viewer)}
        held = {purse: playout.state.purses[purse] for purse in found}
        assert found == held, f"{viewer} counts other money after {commit.events}"


@pytest.mark.parametrize("viewer", [None, Seat(0), Seat(1)])
@pytest.mark.parametrize(("slug", "name"), GAMES)
def test_events_tell_all_money_that_moves(slug: str, name: str, viewer: Seat | None) -> None:
    seats, options, ask = GAMES[slug, name]
    check(Playout(RULES[slug], seats, options, b"money"), viewer, ask)
