"""The money that events of Ready Set Bet tell."""

from collections.abc import Iterator
from typing import Any

from railbird_engine import BANK, BetSettled, Event, Purse, Seat, State, seat_purse
from railbird_engine.rules.ready_set_bet.events import AnnouncerPaid, VipPaid


def moved(event: Event, known: dict[str, Any]) -> Iterator[tuple[Purse, Purse, int]]:
    match event:
        case BetSettled():
            yield BANK, seat_purse(event.seat), event.payout
        case AnnouncerPaid() | VipPaid():
            yield BANK, seat_purse(event.seat), event.amount


def seen(state: State, viewer: Seat | None) -> list[Purse]:
    """All purses: they are public."""
    return list(state.purses)
