"""Payments that are due, and the forced sale of a player who cannot pay (Rulebook, "Préparatifs").

A debt interrupts the game until it is closed.
"""

from railbird_engine import Seat, seat_purse
from railbird_engine.rules.ascot.bidding import may_bid, open_lot
from railbird_engine.rules.ascot.data.printed import Office, Printed
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.events import (
    DebtClosed,
    DebtEnd,
    DebtOpened,
    HorseScratched,
    LotSold,
    LotUnsold,
)
from railbird_engine.rules.ascot.state import (
    AscotState,
    Debt,
    DueReason,
    assets_of,
    cash,
    kind_and_name,
    may_hold,
    room,
)


def owe(
    desk: Desk,
    seat: Seat,
    payee: Seat | None,
    amount: int,
    reason: DueReason,
    *,
    office: Office | None = None,
) -> None:
    """Pay a seat or the Bank, or open a debt.

    It must be the last effect of its caller: a debt interrupts the game.
    """
    if payee == seat or not amount:
        return
    if cash(desk.state, seat) >= amount:
        desk.pay_due(office, seat, payee, amount, reason)
    else:
        _open(desk, Debt(seat, payee, office, amount, reason, None))


def owe_office(desk: Desk, seat: Seat, office: Office, amount: int, reason: DueReason) -> None:
    """Pay a fee to the holder of an office, or to the Bank if it has none (Ruling A10).

    The holder himself pays nothing.
    """
    owe(desk, seat, desk.state.offices.get(office), amount, reason, office=office)


def owe_entry(desk: Desk, seat: Seat, horse: int, amount: int) -> None:
    """Open a debt for the entry of a horse; if it cannot be paid, the horse is scratched."""
    _open(desk, Debt(seat, None, None, amount, "entry", horse))


def _open(desk: Desk, debt: Debt) -> None:
    desk.state.debt = debt
    desk.emit(
        DebtOpened(
            seat=debt.seat,
            payee=debt.payee,
            office=debt.office,
            amount=debt.amount,
            reason=debt.reason,
        )
    )
    _carry_on(desk, debt)


def _carry_on(desk: Desk, debt: Debt) -> None:
    """Close the debt if the money is there or nothing is left to sell; else ask for an asset."""
    state = desk.state
    if debt.entry is not None and state.horses[debt.entry].owner != debt.seat:
        _close(desk, debt, "horse_sold", 0)  # Its entry is due from the buyer.
        return
    if cash(state, debt.seat) >= debt.amount:
        _close(desk, debt, "paid", debt.amount)
        return
    assets = assets_for_sale(desk.printed, state, debt)
    if not assets:
        _fail(desk, debt)
    elif len(assets) == 1:
        put_up(desk, debt.seat, assets[0])
    else:
        desk.wait(desk.options.sale_s)


def _fail(desk: Desk, debt: Debt) -> None:
    """Pay the creditor as far as the money goes; an entry only in full (Ruling A19)."""
    if debt.entry is None:
        _close(desk, debt, "cancelled", cash(desk.state, debt.seat))
    else:
        scratch(desk, debt.entry)
        _close(desk, debt, "cancelled", 0)


def _close(desk: Desk, debt: Debt, how: DebtEnd, paid: int) -> None:
    """Pay the creditor, cancel the rest, and continue the game."""
    desk.state.debt = None
    desk.emit(DebtClosed(seat=debt.seat, how=how, paid=paid, cancelled=debt.amount - paid))
    if debt.entry is None:  # An entry is collected like any other, now that the money is there.
        desk.pay_due(debt.office, debt.seat, debt.payee, paid, debt.reason)


def scratch(desk: Desk, number: int) -> None:
    """Take a horse out of the race; its small cards leave the game with it (Ruling A46)."""
    desk.change_horse(number, fate="scratched", advantages=0, disadvantages=0)
    desk.emit(HorseScratched(horse=number))


def assets_for_sale(printed: Printed, state: AscotState, debt: Debt) -> list[str]:
    """The assets of a debtor that somebody could buy and that have not been refused yet."""
    return [
        asset
        for asset in assets_of(state, debt.seat)
        if asset not in debt.unsold and _buyers(printed, state, asset, debt.seat)
    ]


def _buyers(printed: Printed, state: AscotState, asset: str, seller: Seat) -> list[Seat]:
    """The other seats that, as far as everybody knows, have a note to spare and may hold the asset.

    At the entries no seat may get more horses than it runs.
    """
    note = printed.tariff.smallest_note
    is_runner = state.phase == "entry" and kind_and_name(asset)[0] == "horse"
    return [
        seat
        for seat in map(Seat, range(state.seats))
        if seat != seller
        and may_bid(printed, state, seat, asset, note)
        and may_hold(state, seat, asset)
        and not (is_runner and room(state, seat) <= 0)
    ]


def put_up(desk: Desk, seat: Seat, asset: str) -> None:
    """Offer an asset of the debtor to the highest bidder among the others."""
    debt = desk.state.debt
    require(debt is not None, "no_debt")
    assert debt is not None
    require(debt.seat == seat, "not_the_debtor", debtor=debt.seat)
    require(desk.state.lot is None, "lot_open", asset=asset)
    assets = assets_for_sale(desk.printed, desk.state, debt)
    require(asset in assets, "not_for_sale", asset=asset, for_sale=assets)
    buyers = _buyers(desk.printed, desk.state, asset, seat)
    open_lot(desk, asset, seat, buyers, desk.options.sale_s)


def put_up_cheapest(desk: Desk, debt: Debt) -> None:
    """Put up a kept report, which has no printed price, or else the cheapest lease."""
    leases = desk.printed.leases
    assets = assets_for_sale(desk.printed, desk.state, debt)
    put_up(desk, debt.seat, min(assets, key=lambda asset: (leases.get(asset, 0), asset)))


def close_lot(desk: Desk) -> None:
    """Sell the asset without commission; if nobody bid, the debtor keeps it (Ruling A19)."""
    state = desk.state
    lot, debt = state.lot, state.debt
    assert lot is not None and debt is not None
    state.lot = None
    if lot.bidder is None:
        debt.unsold.append(lot.asset)
        desk.emit(LotUnsold(asset=lot.asset))
    else:
        buyer, price = lot.bidder, lot.price
        desk.pay(seat_purse(buyer), seat_purse(debt.seat), price, "forced_sale")
        desk.hand_over(lot.asset, debt.seat, buyer)
        desk.emit(
            LotSold(asset=lot.asset, seller=debt.seat, buyer=buyer, price=price, commission=0)
        )
    _carry_on(desk, debt)
