"""The bet and settlement rows that events write, and the events of a voided game."""

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from railbird_engine.kernel.events import BetPlaced, BetSettled, BetVoided, Event, Intervened
from railbird_engine.kernel.money import AMOUNT_MAX
from railbird_engine.kernel.server_commands import Voided

Count = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]
Amount = Annotated[int, Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]


class BetRow(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A bet as in the server's table of bets."""

    bet: Count
    seat: Count
    spot: str
    stake: Amount
    odds: str


class SettlementRow(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A settlement as in the server's table of settlements."""

    bet: Count
    outcome: str
    payout: Amount


def rows_of(events: Sequence[Event]) -> tuple[tuple[BetRow, ...], tuple[SettlementRow, ...]]:
    """Return the bets and settlements that these events write. Private events write no row yet."""
    bets, settlements = [], []
    for event in events:
        match event:
            case BetPlaced(only=None):
                bets.append(BetRow(event.bet, event.seat, event.spot, event.stake, event.odds))
            case BetSettled(only=None):
                settlements.append(SettlementRow(event.bet, event.outcome, event.payout))
            case BetVoided(only=None):
                settlements.append(SettlementRow(event.bet, "void", event.payout))
            case _:
                pass
    return tuple(bets), tuple(sorted(settlements, key=lambda row: row.bet))


def void_events(command: Voided, open_bets: Iterable[int]) -> tuple[Event, ...]:
    """Return the events of a game that is voided while these bets are open."""
    voided = (BetVoided(bet=number, payout=0, reason=command.reason) for number in open_bets)
    return (Intervened(by=command.by, reason=command.reason), *voided)
