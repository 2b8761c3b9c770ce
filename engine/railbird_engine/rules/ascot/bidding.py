"""A sale to the highest bidder: of the dead pile, in forced sales and of surplus horses."""

from typing import Final

from railbird_engine import Seat
from railbird_engine.rules.ascot.data.printed import Printed
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.events import BidderLeft, BidMade, LotOpened
from railbird_engine.rules.ascot.state import (
    AscotState,
    Lot,
    cash,
    holds_office,
    kind_and_name,
    may_hold,
    reserved,
)

COMMISSION_ROUND: Final = 100


def commission(printed: Printed, price: int) -> int:
    """A tenth of the price, to the nearest 100 F, half up (Rulebook, "Vente"; Ruling A9)."""
    hundredths = price * printed.tariff.commission_percent + COMMISSION_ROUND * 50
    return hundredths // (COMMISSION_ROUND * 100) * COMMISSION_ROUND


def commission_due(printed: Printed, state: AscotState, buyer: Seat, price: int) -> int:
    """The Auctioneer's commission; none in private sales, nor when he buys himself."""
    if state.phase != "auction" or holds_office(state, buyer, "auctioneer"):
        return 0
    return commission(printed, price)


def least_bid(printed: Printed, lot: Lot) -> int:
    """The lowest bid that tops the highest one: one note more."""
    return lot.price + printed.tariff.smallest_note


def bid_limit(printed: Printed, state: AscotState, seat: Seat, asset: str | None) -> int:
    """The highest bid for an asset within a seat's means (Ruling A7).

    Its cash must also pay for its kept cards, the commission, and the entry of a horse that is
    sold for want of it (Ruling B10).
    """
    note = printed.tariff.smallest_note
    claims = reserved(printed, state, seat) + _entry_due(printed, state, asset)
    free = max(0, cash(state, seat) - claims)
    bid = free // note * note
    if not commission_due(printed, state, seat, bid):
        return bid
    # Begin just above the price that leaves the commission, which is rounded.
    bid = min(bid, (free * 100 // (100 + printed.tariff.commission_percent) // note + 1) * note)
    while bid and bid + commission(printed, bid) > free:
        bid -= note
    return bid


def may_bid(printed: Printed, state: AscotState, seat: Seat, asset: str, amount: int) -> bool:
    """Whether a seat can bid this amount for an asset as far as everybody knows."""
    return state.options.private_cash or bid_limit(printed, state, seat, asset) >= amount


def _entry_due(printed: Printed, state: AscotState, asset: str | None) -> int:
    """The entry that the buyer of a horse will owe at once."""
    if state.phase != "entry" or asset is None:
        return 0
    kind, name = kind_and_name(asset)
    is_due = kind == "horse" and state.horses[int(name)].fate == "home"
    return printed.tariff.entry_fee if is_due else 0


def open_lot(
    desk: Desk, asset: str, seller: Seat | None, open_to: list[Seat], seconds: int
) -> None:
    """Put something up for sale to these seats."""
    desk.state.lot = Lot(asset, seller, sorted(open_to))
    desk.emit(LotOpened(asset=asset, seller=seller))
    desk.wait(seconds)


def _lot_for(desk: Desk, seat: Seat, asset: str) -> Lot:
    """The lot that a seat names, if it is on sale and the seat may still bid for it."""
    lot = desk.state.lot
    require(lot is not None, "nothing_on_sale")
    assert lot is not None
    require(lot.asset == asset, "another_lot", on_sale=lot.asset, named=asset)
    require(seat in lot.open_to, "not_bidding", seat=seat, bidding=lot.open_to)
    return lot


def bid(desk: Desk, seat: Seat, asset: str, amount: int) -> None:
    """Bid in whole notes, above the highest bid; in the auction the clock starts again."""
    lot = _lot_for(desk, seat, asset)
    printed, state = desk.printed, desk.state
    note, least = printed.tariff.smallest_note, least_bid(printed, lot)
    limit = bid_limit(printed, state, seat, asset)
    require(lot.bidder != seat, "already_highest", amount=lot.price)
    require(amount % note == 0, "not_in_notes", note=note)
    require(amount >= least, "bid_too_low", least=least)
    require(may_hold(state, seat, asset), "both_stables", asset=asset)
    require(amount <= limit, "bid_beyond_means", limit=limit)
    lot.bidder, lot.price = seat, amount
    desk.emit(BidMade(seat=seat, asset=asset, amount=amount))
    if lot.seller is None:
        desk.wait(desk.options.bid_s)


def excuse(desk: Desk) -> None:
    """Let the seats leave that cannot bid more, where everybody knows it (Ruling B12)."""
    state, printed, lot = desk.state, desk.printed, desk.state.lot
    assert lot is not None
    if state.phase == "auction":
        return
    for seat in lot.rivals:
        if not may_bid(printed, state, seat, lot.asset, least_bid(printed, lot)):
            lot.open_to.remove(seat)
            desk.emit(BidderLeft(seat=seat, asset=lot.asset))


def leave(desk: Desk, seat: Seat, asset: str) -> None:
    """Leave the bidding for this lot; the highest bidder is bound by the bid."""
    lot = _lot_for(desk, seat, asset)
    require(lot.bidder != seat, "already_highest", amount=lot.price)
    lot.open_to.remove(seat)
    desk.emit(BidderLeft(seat=seat, asset=asset))
