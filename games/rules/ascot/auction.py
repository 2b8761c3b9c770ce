"""The auction of the dead pile, and the payment of the cards kept from the deal (Rulebook, "Vente aux enchères")."""

from games.engine import Seat, seat_purse
from games.rules.ascot.bidding import commission_due, open_lot
from games.rules.ascot.debts import owe
from games.rules.ascot.desk import Desk, require
from games.rules.ascot.events import HandShown, LotSold, LotUnsold
from games.rules.ascot.state import PRIZE_FUND, clockwise


def _require_auctioneer(desk: Desk, seat: Seat) -> None:
    desk.require_phase("auction")
    auctioneer = desk.state.offices["auctioneer"]
    require(seat == auctioneer, "not_the_auctioneer", auctioneer=auctioneer)


def reveal(desk: Desk, seat: Seat) -> None:
    """The Auctioneer shows one card, drawn from the mixed pile, and never what remains."""
    _require_auctioneer(desk, seat)
    require(desk.state.lot is None, "lot_open")
    show_next_card(desk)


def show_next_card(desk: Desk) -> None:
    """The next card of the pile is on sale to everybody."""
    card = desk.chance.take(desk.state.dead)
    open_lot(desk, card, None, list(clockwise(desk.state, 0)), desk.options.bid_s)


def hammer(desk: Desk, seat: Seat) -> None:
    """Knock the card down; an impartial Auctioneer waits until nobody else is bidding."""
    _require_auctioneer(desk, seat)
    lot = desk.state.lot
    require(lot is not None, "nothing_on_sale")
    assert lot is not None
    require(not lot.rivals, "bidding_open", bidding=lot.rivals)
    close_lot(desk)


def close_lot(desk: Desk) -> None:
    """The buyer pays the Bank and the Auctioneer at once; an unsold card leaves the game, with its horse."""
    state = desk.state
    lot = state.lot
    assert lot is not None
    state.lot = None
    if lot.bidder is None:
        desk.emit(LotUnsold(asset=lot.asset))
    else:
        buyer, fee = lot.bidder, commission_due(desk.printed, state, lot.bidder, lot.price)
        desk.pay(seat_purse(buyer), PRIZE_FUND, lot.price, "auction")
        desk.pay_through(
            "auctioneer",
            seat_purse(buyer),
            desk.purse_of_office("auctioneer"),
            fee,
            "auction_commission",
        )
        desk.give(lot.asset, buyer)
        desk.emit(
            LotSold(asset=lot.asset, seller=None, buyer=buyer, price=lot.price, commission=fee)
        )
    if state.dead:
        desk.wait(desk.options.bid_s)
    else:
        _show_hands(desk)


def _show_hands(desk: Desk) -> None:
    """Everybody turns up the cards he kept; they are his, and their printed price is due."""
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
    seat = next(seat for seat in clockwise(state, desk.options.dealer + 1) if state.bills[seat])
    price, state.bills[seat] = state.bills[seat], 0
    owe(desk, seat, PRIZE_FUND, price, "kept_cards")


def time_out(desk: Desk) -> None:
    """A slow Auctioneer shows the next card; a card on which nobody bids any more falls."""
    if desk.state.lot is None:
        show_next_card(desk)
    else:
        close_lot(desk)
