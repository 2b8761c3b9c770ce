"""The auction of the dead pile, and the payment of kept cards (Rulebook, "Vente aux enchères")."""

from railbird_engine import seat_purse
from railbird_engine.rules.ascot.bidding import commission_due, open_lot
from railbird_engine.rules.ascot.debts import owe
from railbird_engine.rules.ascot.desk import Desk
from railbird_engine.rules.ascot.events import HandShown, LotSold, LotUnsold
from railbird_engine.rules.ascot.state import PRIZE_FUND, clockwise


def show_next_card(desk: Desk) -> None:
    """Put one card of the mixed pile on sale to everybody."""
    card = desk.chance.take(desk.state.dead)
    open_lot(desk, card, None, list(clockwise(desk.state, 0)), desk.options.bid_s)


def close_lot(desk: Desk) -> None:
    """Sell the card: the buyer pays the Bank and the Auctioneer's commission at once.

    A card without a bid leaves the game with its horse.
    """
    state = desk.state
    lot = state.lot
    assert lot is not None
    state.lot = None
    if lot.bidder is None:
        desk.emit(LotUnsold(asset=lot.asset))
    else:
        buyer, price = lot.bidder, lot.price
        fee = commission_due(desk.printed, state, buyer, price)
        payer, auctioneer = seat_purse(buyer), desk.purse_of_office("auctioneer")
        desk.pay(payer, PRIZE_FUND, price, "auction")
        desk.pay_through("auctioneer", payer, auctioneer, fee, "auction_commission")
        desk.give(lot.asset, buyer)
        desk.emit(LotSold(asset=lot.asset, seller=None, buyer=buyer, price=price, commission=fee))
    if not state.dead:
        _show_hands(desk)


def _show_hands(desk: Desk) -> None:
    """Turn up all kept cards: they belong to their players now, and their price is due."""
    state, printed = desk.state, desk.printed
    state.phase = "settlement"
    state.bills = [0] * state.seats
    for seat in clockwise(state, desk.options.dealer + 1):
        cards = state.hands[seat]
        price = sum(printed.leases[card] for card in cards)
        desk.emit(HandShown(seat=seat, cards=tuple(cards), price=price))
        state.hands[seat], state.bills[seat] = [], price
        for card in cards:
            desk.give(card, seat)


def settle_next(desk: Desk) -> None:
    """Collect the next unpaid bill for kept cards."""
    state = desk.state
    seats = clockwise(state, desk.options.dealer + 1)
    seat = next(seat for seat in seats if state.bills[seat])
    price, state.bills[seat] = state.bills[seat], 0
    owe(desk, seat, None, price, "kept_cards")
