"""Equal numbers, surplus horses and entries (Rulebook, "Préliminaires"; Ruling A20)."""

from railbird_engine import Seat, seat_purse
from railbird_engine.rules.ascot.bidding import may_bid, open_lot
from railbird_engine.rules.ascot.data.printed import Printed, horse_asset
from railbird_engine.rules.ascot.debts import owe_entry, scratch
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.events import (
    EntryChosen,
    HorseAssigned,
    HorseEntered,
    LotSold,
    LotUnsold,
    PreliminariesOpened,
    ReadyChanged,
)
from railbird_engine.rules.ascot.state import (
    PRIZE_FUND,
    AscotState,
    cash,
    clockwise,
    horses_of,
    kind_and_name,
    room,
    share,
)
from railbird_engine.rules.ascot.trades import close_all


def runners_each(printed: Printed, state: AscotState) -> int:
    """The number of horses that each player runs: an equal share, up to the printed maximum."""
    tariff = printed.tariff
    most = tariff.runners_max_of_two if state.seats == 2 else tariff.runners_max
    return max(1, min(most, len(state.horses) // state.seats))


def begin(desk: Desk) -> None:
    """Withdraw member cards and all offices but the Bookmaker's; open the time for trades."""
    state = desk.state
    state.phase = "preliminaries"
    state.training, state.strangled, state.members = None, [], []
    state.packs, state.stock = {}, {}
    state.offices = {
        office: seat for office, seat in state.offices.items() if office == "bookmaker"
    }
    state.runners_each = runners_each(desk.printed, state)
    state.answered, state.changes = [], {}
    desk.emit(PreliminariesOpened(runners_each=state.runners_each))
    desk.wait(desk.options.trade_s)


def enter(desk: Desk, seat: Seat, horses: tuple[int, ...]) -> None:
    """Choose the horses that run if the seat owns too many in the end."""
    state = desk.state
    desk.require_phase("preliminaries")
    owned = horses_of(state, seat, "home")
    require(
        len(set(horses)) == len(horses) and set(horses) <= set(owned),
        "not_your_horses",
        horses=horses,
        owned=owned,
    )
    runners = min(len(owned), share(state, seat))
    require(len(horses) <= runners, "too_many_runners", most=runners)
    require(len(horses) == runners, "too_few_runners", least=runners)
    desk.count_change(seat)
    state.entries[seat] = sorted(horses)
    desk.emit(EntryChosen(seat=seat, horses=tuple(sorted(horses))))


def ready(desk: Desk, seat: Seat) -> None:
    """End the seat's trading; when all seats are ready, the time for trades is over."""
    state = desk.state
    desk.require_phase("preliminaries")
    require(seat not in state.answered, "already_ready")
    state.answered = sorted([*state.answered, seat])
    desk.emit(ReadyChanged(seat=seat, is_ready=True))
    if len(state.answered) == state.seats:
        close_window(desk)


def not_ready(desk: Desk, seat: Seat) -> None:
    """Take part in the trading again."""
    desk.require_phase("preliminaries")
    require(seat in desk.state.answered, "not_ready_yet")
    desk.count_change(seat)
    desk.state.answered.remove(seat)
    desk.emit(ReadyChanged(seat=seat, is_ready=False))


def close_window(desk: Desk) -> None:
    """Keep the chosen runners of each owner, or the dearest; the others are surplus."""
    state = desk.state
    close_all(desk)
    state.answered = []
    for seat in clockwise(state, 0):
        runners = chosen_runners(desk.printed, state, seat)
        for number in horses_of(state, seat, "home"):
            if number not in runners:
                desk.change_horse(number, fate="surplus")
    state.entries = {}
    state.queue = surplus(state)
    state.phase = "surplus"


def chosen_runners(printed: Printed, state: AscotState, seat: Seat) -> list[int]:
    """The horses that a seat runs: those it chose and still owns, then the dearest."""
    owned = horses_of(state, seat, "home")
    named = [number for number in state.entries.get(seat, []) if number in owned]
    others = sorted(
        set(owned) - set(named), key=lambda number: (-printed.horses[number].price, number)
    )
    return (named + others)[: share(state, seat)]


def surplus(state: AscotState) -> list[int]:
    """The horses beyond their owners' number of runners."""
    return [number for number, horse in state.horses.items() if horse.fate == "surplus"]


def shortage(state: AscotState, seat: Seat) -> int:
    """The number of horses that a seat lacks; one lost in training need not be replaced."""
    lost = len(horses_of(state, seat, "eliminated"))
    return state.runners_each - len(horses_of(state, seat, "home", "running")) - lost


def sell_next_surplus(desk: Desk) -> None:
    """Auction the next surplus horse to the seats with room; after the last begin the entries."""
    state = desk.state
    if not state.queue:
        _fill_up(desk)
        for number in surplus(state):
            scratch(desk, number)
        state.queue = [
            number
            for seat in clockwise(state, desk.options.dealer + 1)
            for number in horses_of(state, seat, "home")
        ]
        state.phase = "entry"
        return
    number = state.queue.pop(0)
    asset, owner = horse_asset(number), state.horses[number].owner
    note = desk.printed.tariff.smallest_note
    short = [
        seat
        for seat in clockwise(state, 0)
        if seat != owner
        and room(state, seat) > 0
        and may_bid(desk.printed, state, seat, asset, note)
    ]
    if short:
        open_lot(desk, asset, owner, short, desk.options.sale_s)


def close_lot(desk: Desk) -> None:
    """Sell the horse to the highest bidder; the price goes to its owner."""
    state = desk.state
    lot = state.lot
    assert lot is not None and lot.seller is not None
    state.lot = None
    if lot.bidder is None:
        desk.emit(LotUnsold(asset=lot.asset))
        return
    desk.pay(seat_purse(lot.bidder), seat_purse(lot.seller), lot.price, "surplus_sale")
    desk.hand_over(lot.asset, lot.seller, lot.bidder)
    desk.change_horse(int(kind_and_name(lot.asset)[1]), fate="home")
    desk.emit(
        LotSold(asset=lot.asset, seller=lot.seller, buyer=lot.bidder, price=lot.price, commission=0)
    )


def _fill_up(desk: Desk) -> None:
    """Assign the cheapest surplus horses at half price to seats that lack horses.

    The seat must be able to pay the price and all its entries.
    """
    state, printed = desk.state, desk.printed
    for seat in clockwise(state, desk.options.dealer + 1):
        while shortage(state, seat) > 0 and (others := _surplus_of_others(state, seat)):
            number = min(others, key=lambda horse: (printed.horses[horse].price, horse))
            price, seller = printed.horses[number].price // 2, state.horses[number].owner
            runners = len(horses_of(state, seat, "home")) + 1
            if cash(state, seat) < price + runners * printed.tariff.entry_fee:
                break
            desk.pay(seat_purse(seat), seat_purse(seller), price, "surplus_sale")
            desk.hand_over(horse_asset(number), seller, seat)
            desk.change_horse(number, fate="home")
            desk.emit(HorseAssigned(horse=number, seller=seller, buyer=seat, price=price))


def _surplus_of_others(state: AscotState, seat: Seat) -> list[int]:
    """The surplus horses that a seat may be assigned: it cannot buy its own."""
    return [number for number in surplus(state) if state.horses[number].owner != seat]


def enter_next(desk: Desk) -> None:
    """Collect the next entry for the Bank; a horse whose entry is not paid is scratched."""
    state, printed = desk.state, desk.printed
    number, fee = state.queue[0], printed.tariff.entry_fee
    horse = state.horses[number]
    if horse.fate != "home":
        state.queue.pop(0)  # It was scratched for want of money.
    elif cash(state, horse.owner) < fee:
        owe_entry(desk, horse.owner, number, fee)
    else:
        state.queue.pop(0)
        desk.pay(seat_purse(horse.owner), PRIZE_FUND, fee, "entry")
        desk.change_horse(number, fate="running", lane=printed.start_lane(number))
        desk.emit(HorseEntered(horse=number, seat=horse.owner, fee=fee))
