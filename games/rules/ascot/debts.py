"""Payments that must be made, and the forced sale that interrupts the game when somebody cannot (Rulebook, "Préparatifs")."""

from games.engine import Purse, Seat, seat_purse
from games.rules.ascot.bidding import bid_limit, open_lot
from games.rules.ascot.data.printed import Office, Printed
from games.rules.ascot.desk import Desk, require
from games.rules.ascot.events import (
    DebtClosed,
    DebtOpened,
    FeeCharged,
    HorseScratched,
    LotSold,
    LotUnsold,
)
from games.rules.ascot.state import (
    PRIZE_FUND,
    AscotState,
    Debt,
    assets_of,
    cash,
    horses_of,
    kind_and_name,
    may_hold,
)


def owe(
    desk: Desk, seat: Seat, target: Purse, amount: int, reason: str, *, office: Office | None = None
) -> None:
    """Pay now, or open a debt: then the caller must stop until it is closed."""
    if target == seat_purse(seat) or not amount:
        return
    if cash(desk.state, seat) >= amount:
        desk.pay_through(office, seat_purse(seat), target, amount, reason)
    else:
        _open(desk, Debt(seat, target, office, amount, reason, None))


def owe_office(desk: Desk, seat: Seat, office: Office, amount: int, reason: str) -> None:
    """Pay a fee to the holder of an office, who pays himself nothing; without a holder to the Bank (Ruling A10)."""
    holder = desk.state.offices.get(office)
    if holder != seat:
        desk.emit(FeeCharged(seat=seat, office=office, holder=holder, amount=amount))
        owe(desk, seat, desk.purse_of_office(office), amount, reason, office=office)


def owe_entry(desk: Desk, seat: Seat, horse: int, amount: int) -> None:
    """Sell what can be sold until the entry of a horse can be paid; if that fails, it is scratched (Ruling A19)."""
    _open(desk, Debt(seat, PRIZE_FUND, None, amount, "entry", horse))


def _open(desk: Desk, debt: Debt) -> None:
    desk.state.debt = debt
    desk.emit(DebtOpened(seat=debt.seat, amount=debt.amount, reason=debt.reason))
    _carry_on(desk, debt)


def _carry_on(desk: Desk, debt: Debt) -> None:
    """Pay if the money is there; else the next asset comes up; when none is left, the debt is cut down to what there is."""
    state = desk.state
    if debt.entry is not None and state.horses[debt.entry].owner != debt.seat:
        state.debt = None  # The horse itself was sold: its entry is the buyer's business.
        return
    if cash(state, debt.seat) >= debt.amount:
        _close(desk, debt, debt.amount)
        return
    assets = assets_for_sale(desk.printed, state, debt)
    if not assets:
        _close(desk, debt, cash(state, debt.seat))
    elif len(assets) == 1:
        put_up(desk, debt.seat, assets[0])
    else:
        desk.wait(desk.options.sale_s)


def _close(desk: Desk, debt: Debt, paid: int) -> None:
    """The creditor gets what there is and the rest is cancelled; an entry is paid in full or not at all (Ruling A19)."""
    desk.state.debt = None
    if desk.state.training and desk.state.training.step == "before_throw":
        desk.wait(desk.options.training_s)  # The turn that was interrupted gets its time anew.
    if debt.entry is None:
        desk.pay_through(debt.office, seat_purse(debt.seat), debt.target, paid, debt.reason)
    elif paid < debt.amount:
        scratch(desk, debt.entry)
        paid = 0
    else:
        return
    desk.emit(DebtClosed(seat=debt.seat, paid=paid, cancelled=debt.amount - paid))


def scratch(desk: Desk, number: int) -> None:
    """A horse does not run; its small cards leave the game with it (Ruling A46)."""
    horse = desk.state.horses[number]
    horse.fate, horse.advantages, horse.disadvantages = "scratched", 0, 0
    desk.emit(HorseScratched(horse=number))


def assets_for_sale(printed: Printed, state: AscotState, debt: Debt) -> list[str]:
    """What a debtor still has to offer: all he owns that somebody could buy and that nobody has refused yet."""
    return [
        asset
        for asset in assets_of(state, debt.seat)
        if asset not in debt.unsold and buyers(printed, state, asset, debt.seat)
    ]


def cheapest(printed: Printed, assets: list[str]) -> str:
    """The asset a slow debtor puts up: kept reports, which have no printed price, then the cheapest lease."""
    return min(assets, key=lambda asset: (printed.leases.get(asset, 0), asset))


def buyers(printed: Printed, state: AscotState, asset: str, seller: Seat) -> list[Seat]:
    """Who may bid: the others who have a note to spare and may hold it; at the entries nobody gets more than his runners."""
    note = printed.tariff.smallest_note
    is_runner = state.phase == "entry" and kind_and_name(asset)[0] == "horse"
    return [
        seat
        for seat in map(Seat, range(state.seats))
        if seat != seller
        and bid_limit(printed, state, seat) >= note
        and may_hold(state, seat, asset)
        and not (is_runner and len(horses_of(state, seat, "home", "running")) >= state.runners_each)
    ]


def put_up(desk: Desk, seat: Seat, asset: str) -> None:
    """The debtor offers an asset to the highest bidder among the others."""
    debt = desk.state.debt
    require(debt is not None, "no_debt")
    assert debt is not None
    require(debt.seat == seat, "not_the_debtor", debtor=debt.seat)
    require(desk.state.lot is None, "lot_open", asset=asset)
    assets = assets_for_sale(desk.printed, desk.state, debt)
    require(asset in assets, "not_for_sale", asset=asset, for_sale=assets)
    open_lot(desk, asset, seat, buyers(desk.printed, desk.state, asset, seat), desk.options.sale_s)


def close_lot(desk: Desk) -> None:
    """The asset goes to the highest bidder, without commission; if nobody bid, it stays (Ruling A19)."""
    state = desk.state
    lot, debt = state.lot, state.debt
    assert lot is not None and debt is not None
    state.lot = None
    if lot.bidder is None:
        debt.unsold.append(lot.asset)
        desk.emit(LotUnsold(asset=lot.asset))
    else:
        desk.pay(seat_purse(lot.bidder), seat_purse(debt.seat), lot.price, "forced_sale")
        desk.hand_over(lot.asset, debt.seat, lot.bidder)
        desk.emit(
            LotSold(
                asset=lot.asset, seller=debt.seat, buyer=lot.bidder, price=lot.price, commission=0
            )
        )
    _carry_on(desk, debt)


def time_out(desk: Desk) -> None:
    """A debtor who is too slow puts up the cheapest; bidding that lasts too long ends."""
    state = desk.state
    assert state.debt is not None
    if state.lot is not None:
        close_lot(desk)
    else:
        assets = assets_for_sale(desk.printed, state, state.debt)
        put_up(desk, state.debt.seat, cheapest(desk.printed, assets))
