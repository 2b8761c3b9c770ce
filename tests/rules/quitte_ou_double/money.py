"""The money that events of Quitte ou double tell."""

from collections.abc import Iterator
from typing import Any

from railbird_engine import BANK, BetSettled, Event, Purse, Seat, State
from railbird_engine.rules.quitte_ou_double.events import GameOpened, TilePaid
from railbird_engine.rules.quitte_ou_double.teams import team_purse


def moved(event: Event, known: dict[str, Any]) -> Iterator[tuple[Purse, Purse, int]]:
    match event:
        case GameOpened():
            known.update(
                (str(seat), team) for team, seats in enumerate(event.teams) for seat in seats
            )
        case TilePaid():
            yield BANK, team_purse(event.team), event.amount
        case BetSettled():
            yield BANK, team_purse(known[str(event.seat)]), event.payout


def seen(state: State, viewer: Seat | None) -> list[Purse]:
    """All purses: they are public."""
    return list(state.purses)
