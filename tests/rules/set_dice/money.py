"""The money that events of SET Dice tell."""

from collections.abc import Iterator
from typing import Any

from railbird_engine import BANK, Event, Purse, Seat, State, seat_purse
from railbird_engine.rules.set_dice.events import DicePlaced, SetCalled


def moved(event: Event, known: dict[str, Any]) -> Iterator[tuple[Purse, Purse, int]]:
    match event:
        case SetCalled() | DicePlaced():
            yield BANK, seat_purse(event.seat), event.points


def seen(state: State, viewer: Seat | None) -> list[Purse]:
    """All purses: they are public."""
    return list(state.purses)
