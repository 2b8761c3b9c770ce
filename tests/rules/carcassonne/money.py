"""The money that events of Carcassonne tell."""

from collections.abc import Iterator
from typing import Any

from railbird_engine import BANK, BetSettled, Event, Purse, Seat, State, seat_purse
from railbird_engine.rules.carcassonne.events import FeatureScored


def moved(event: Event, known: dict[str, Any]) -> Iterator[tuple[Purse, Purse, int]]:
    match event:
        case FeatureScored():
            for seat in event.winners:
                yield BANK, seat_purse(seat), event.points
        case BetSettled():
            yield BANK, seat_purse(event.seat), event.payout


def seen(state: State, viewer: Seat | None) -> list[Purse]:
    """All purses: they are public."""
    return list(state.purses)
