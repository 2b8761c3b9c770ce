"""The money that events of L'Ascot tell."""

from collections.abc import Iterator
from typing import Any

from railbird_engine import BANK, BetPlaced, BetSettled, Event, Purse, Seat, seat_purse
from railbird_engine.rules.ascot.events import (
    AuctioneerNamed,
    HorseAssigned,
    HorseEntered,
    LotSold,
    MoneyPaid,
    OfferAccepted,
    OfferMade,
)
from railbird_engine.rules.ascot.race_events import (
    ContractAnswered,
    ContractSettled,
    PrizePaid,
    TotalisatorPaid,
)
from railbird_engine.rules.ascot.state import ESCROW, PRIZE_FUND, TOTALISATOR, AscotState, purse_of

Moved = Iterator[tuple[Purse, Purse, int]]


def moved(event: Event, known: dict[str, Any]) -> Moved:  # noqa: C901, PLR0912  (one case per event)
    match event:
        case AuctioneerNamed():
            known["auctioneer"] = event.seat
        case LotSold():
            buyer = seat_purse(event.buyer)
            yield buyer, purse_of(event.seller), event.price
            yield buyer, seat_purse(known["auctioneer"]), event.commission
        case MoneyPaid():
            yield purse_of(event.payer), purse_of(event.payee), event.amount
        case OfferMade(details=details):
            known[f"offer {details.number}"] = details
        case OfferAccepted():
            deal = known[f"offer {event.offer}"]
            yield seat_purse(deal.seat), seat_purse(event.seat), deal.pays
            yield seat_purse(event.seat), seat_purse(deal.seat), deal.asks
        case HorseAssigned():
            yield seat_purse(event.buyer), seat_purse(event.seller), event.price
        case HorseEntered():
            yield seat_purse(event.seat), PRIZE_FUND, event.fee
        case BetPlaced():
            yield seat_purse(event.seat), TOTALISATOR, event.stake
        case BetSettled():
            yield TOTALISATOR, seat_purse(event.seat), event.payout
        case PrizePaid():
            yield PRIZE_FUND, seat_purse(event.seat), event.amount
        case TotalisatorPaid(bookmaker=bookmaker):
            yield TOTALISATOR, BANK if bookmaker is None else seat_purse(bookmaker), event.rest
        case ContractAnswered(is_agreed=True):
            yield seat_purse(event.seat), ESCROW, event.stake
            yield seat_purse(event.bookmaker), ESCROW, event.payout - event.stake
        case ContractSettled():
            yield ESCROW, seat_purse(event.seat), event.paid


def seen(state: AscotState, viewer: Seat | None) -> list[Purse]:
    """With `private_cash`, a seat sees its own purse and the pots."""
    if not state.options.private_cash:
        return list(state.purses)
    own = [] if viewer is None else [seat_purse(viewer)]
    return [PRIZE_FUND, TOTALISATOR, *own]
