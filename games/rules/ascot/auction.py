"""The auction of the dead pile, and the payment of the cards kept from the deal (Rulebook, "Vente
aux enchères")."""

from games.engine import Seat, seat_purse
from games.rules.ascot.bidding import commission_due, open_lot
from games.rules.ascot.debts import owe
from games.rules.ascot.events import HandShown, LotSold, LotUnsold
from games.rules.ascot.state import PRIZE_FUND, clockwise
from games.rules.ascot.table import Table, require


def _require_auctioneer(table: Table, seat: Seat) -> None:
    table.require_phase("auction")
    auctioneer = table.state.offices["auctioneer"]
    require(seat == auctioneer, "not_the_auctioneer", auctioneer=auctioneer)


def reveal(table: Table, seat: Seat) -> None:
    """The Auctioneer shows one card, drawn from the mixed pile, and never what remains."""
    _require_auctioneer(table, seat)
    require(table.state.lot is None, "lot_open")
    show_next_card(table)


def show_next_card(table: Table) -> None:
    """The next card of the pile is on sale to everybody."""
    card = table.chance.take(table.state.dead)
    open_lot(table, card, None, list(clockwise(table.state, 0)), table.options.bid_s)


def hammer(table: Table, seat: Seat) -> None:
    """Knock the card down; an impartial Auctioneer waits until nobody else is bidding."""
    _require_auctioneer(table, seat)
    lot = table.state.lot
    require(lot is not None, "nothing_on_sale")
    assert lot is not None
    require(not lot.rivals, "bidding_open", bidding=lot.rivals)
    close_lot(table)


def close_lot(table: Table) -> None:
    """The buyer pays the Bank and the Auctioneer at once; an unsold card leaves the game, with its
    horse."""
    state = table.state
    lot = state.lot
    assert lot is not None
    state.lot = None
    if lot.bidder is None:
        table.emit(LotUnsold(asset=lot.asset))
    else:
        buyer, fee = lot.bidder, commission_due(table.printed, state, lot.bidder, lot.price)
        table.pay(seat_purse(buyer), PRIZE_FUND, lot.price, "auction")
        table.pay_through(
            "auctioneer",
            seat_purse(buyer),
            table.purse_of_office("auctioneer"),
            fee,
            "auction_commission",
        )
        table.give(lot.asset, buyer)
        table.emit(
            LotSold(asset=lot.asset, seller=None, buyer=buyer, price=lot.price, commission=fee)
        )
    if state.dead:
        table.wait(table.options.bid_s)
    else:
        _show_hands(table)


def _show_hands(table: Table) -> None:
    """Everybody turns up the cards he kept; they are his, and their printed price is due."""
    state, printed = table.state, table.printed
    state.phase = "settlement"
    state.bills = [0] * state.seats
    for seat in clockwise(state, table.options.dealer + 1):
        cards = state.hands[seat]
        price = sum(printed.leases[card] for card in cards)
        table.emit(HandShown(seat=seat, cards=tuple(cards), price=price))
        state.hands[seat], state.bills[seat] = [], price
        for card in cards:
            table.give(card, seat)


def settle_next(table: Table) -> None:
    """Collect the next unpaid bill for kept cards."""
    state = table.state
    seat = next(seat for seat in clockwise(state, table.options.dealer + 1) if state.bills[seat])
    price, state.bills[seat] = state.bills[seat], 0
    owe(table, seat, PRIZE_FUND, price, "kept_cards")


def time_out(table: Table) -> None:
    """A slow Auctioneer shows the next card; a card on which nobody bids any more falls."""
    if table.state.lot is None:
        show_next_card(table)
    else:
        close_lot(table)
