"""Void one bet of a game, as an operator may, and check what that moves."""

from typing import Any
from uuid import UUID

import msgspec

from railbird_engine import (
    AnyRules,
    BetPlaced,
    BetSettled,
    BetVoided,
    Event,
    SeededChance,
    VoidedBet,
)
from railbird_engine.kernel.contract import Step


def void_bet(
    rules: AnyRules, state: Any, events: tuple[Event, ...], number: int
) -> Step[Any]:  # the state of any game
    """Void the bet that these events report; the given state does not change."""
    placed = next(event for event in events if isinstance(event, BetPlaced) and event.bet == number)
    payout = next(
        (event.payout for event in events if isinstance(event, BetSettled) and event.bet == number),
        None,
    )
    before = msgspec.json.encode(state)
    void = VoidedBet(number, placed.seat, placed.stake, payout, "the die was cocked", UUID(int=1))
    step = rules.void(state, void, SeededChance(b"none"))
    assert msgspec.json.encode(state) == before
    assert step.draws == ()
    return step


def went_back(step: Step[Any]) -> int:
    (event,) = step.events
    assert isinstance(event, BetVoided)
    assert sum(transfer.amount for transfer in step.transfers) == abs(event.payout)
    return event.payout
