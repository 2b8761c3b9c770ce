"""Private deals: horses and reports before the race, reports during it (Ruling A18)."""

from typing import Final

from msgspec.structs import replace

from railbird_engine import Seat, seat_purse
from railbird_engine.rules.ascot.commands import Offer
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.events import (
    DealKind,
    OfferAccepted,
    OfferClosed,
    OfferDeclined,
    OfferEnd,
    OfferMade,
)
from railbird_engine.rules.ascot.state import (
    AscotState,
    OpenOffer,
    assets_of,
    cash,
    clockwise,
    kind_and_name,
)

OPEN_OFFERS_MAX: Final = 3


def tradeable_kinds(state: AscotState) -> tuple[str, ...]:
    """The kinds of assets that may be traded in this phase."""
    return {"preliminaries": ("horse", "report"), "race": ("report",)}.get(state.phase, ())


def tradeable_assets(state: AscotState, seat: Seat) -> list[str]:
    """The assets of a seat that may be traded in this phase."""
    kinds = tradeable_kinds(state)
    return [asset for asset in assets_of(state, seat) if kind_and_name(asset)[0] in kinds]


def offer(desk: Desk, seat: Seat, command: Offer) -> None:
    """Propose a deal, in public."""
    state = desk.state
    require(bool(tradeable_kinds(state)), "no_trading_now", phase=state.phase)
    mine = sum(deal.seat == seat for deal in state.offers)
    require(mine < OPEN_OFFERS_MAX, "too_many_offers", most=OPEN_OFFERS_MAX)
    require(command.to is None or 0 <= command.to < state.seats, "no_such_seat", seat=command.to)
    require(command.to != seat, "offer_to_oneself")
    require(bool(command.gives or command.takes), "nothing_to_trade")
    require(not (command.pays and command.asks), "pays_and_asks")
    _require_goods(state, seat, command.gives, command.pays)
    if command.to is not None:
        _require_goods(state, command.to, command.takes, 0)
    else:
        _require_to_exist(state, seat, command.takes)
    desk.count_change(seat)
    state.offer_count += 1
    made = OpenOffer(
        number=state.offer_count,
        seat=seat,
        to=command.to,
        gives=command.gives,
        takes=command.takes,
        pays=command.pays,
        asks=command.asks,
    )
    state.offers.append(made)
    desk.emit(OfferMade(kind=_kind_of(command), details=made))


def _kind_of(command: Offer) -> DealKind:
    if command.gives and command.takes:
        return "exchange"
    return "sale" if command.gives else "purchase"


def _require_goods(state: AscotState, seat: Seat, goods: tuple[str, ...], money: int) -> None:
    """Refuse unless the seat owns these goods and the money, and the goods may be traded now."""
    owned = assets_of(state, seat)
    for asset in goods:
        require(kind_and_name(asset)[0] in tradeable_kinds(state), "not_tradeable", asset=asset)
        require(asset in owned, "not_owned", seat=seat, asset=asset)
    require(len(set(goods)) == len(goods), "named_twice", goods=goods)
    require(money <= cash(state, seat), "insufficient_funds", held=cash(state, seat), needed=money)


def _require_to_exist(state: AscotState, seat: Seat, goods: tuple[str, ...]) -> None:
    """Refuse unless another seat owns each of these goods and they may be traded now."""
    theirs = [
        asset
        for other in clockwise(state, seat + 1)
        if other != seat
        for asset in assets_of(state, other)
    ]
    for asset in goods:
        require(kind_and_name(asset)[0] in tradeable_kinds(state), "not_tradeable", asset=asset)
        require(asset in theirs, "not_owned", seat=None, asset=asset)
    require(len(set(goods)) == len(goods), "named_twice", goods=goods)


def find_offer(desk: Desk, number: int) -> OpenOffer:
    """The open offer of this number."""
    deal = next((deal for deal in desk.state.offers if deal.number == number), None)
    require(deal is not None, "no_such_offer", offer=number)
    assert deal is not None
    return deal


def _offer_for(desk: Desk, seat: Seat, number: int) -> OpenOffer:
    deal = find_offer(desk, number)
    require(deal.seat != seat, "own_offer", offer=number)
    require(
        deal.to in {None, seat} and seat not in deal.declined, "offer_not_for_you", offer=number
    )
    return deal


def accept(desk: Desk, seat: Seat, number: int) -> None:
    """Strike the deal: goods and money change hands at once.

    With hidden cash, a deal that the other seat cannot pay falls through in public: a refusal, or a
    missing `accept` in the legal commands, would tell what it has as often as somebody asks.
    """
    deal = _offer_for(desk, seat, number)
    state = desk.state
    _require_goods(state, deal.seat, deal.gives, 0)
    _require_goods(state, seat, deal.takes, deal.asks)
    if cash(state, deal.seat) < deal.pays:
        require(desk.options.private_cash, "offer_not_covered", offer=number)
        _close(desk, deal, "not_covered")
        return
    state.offers.remove(deal)
    desk.pay(seat_purse(deal.seat), seat_purse(seat), deal.pays, "private_sale")
    desk.pay(seat_purse(seat), seat_purse(deal.seat), deal.asks, "private_sale")
    for asset in deal.gives:
        desk.hand_over(asset, deal.seat, seat)
    for asset in deal.takes:
        desk.hand_over(asset, seat, deal.seat)
    desk.emit(OfferAccepted(offer=number, seat=seat))
    for other in list(state.offers):
        if not _can_be_kept(state, other):
            _close(desk, other, "goods_gone")


def _can_be_kept(state: AscotState, deal: OpenOffer) -> bool:
    """Whether both sides of an offer still own the goods."""
    owned = assets_of(state, deal.seat)
    wanted = assets_of(state, deal.to) if deal.to is not None else deal.takes
    return all(asset in owned for asset in deal.gives) and all(
        asset in wanted for asset in deal.takes
    )


def decline(desk: Desk, seat: Seat, number: int) -> None:
    """Decline an offer; it closes when no other seat can accept it."""
    state = desk.state
    deal = _offer_for(desk, seat, number)
    declined = replace(deal, declined=tuple(sorted([*deal.declined, seat])))
    state.offers[state.offers.index(deal)] = declined
    desk.emit(OfferDeclined(offer=number, seat=seat))
    if deal.to == seat or len(declined.declined) == state.seats - 1:
        _close(desk, declined, "declined")


def withdraw(desk: Desk, seat: Seat, number: int) -> None:
    """Withdraw the seat's own offer."""
    deal = find_offer(desk, number)
    require(deal.seat == seat, "not_your_offer", offer=number)
    _close(desk, deal, "withdrawn")


def close_all(desk: Desk) -> None:
    """Close the offers that are still open."""
    for deal in list(desk.state.offers):
        _close(desk, deal, "too_late")


def _close(desk: Desk, deal: OpenOffer, why: OfferEnd) -> None:
    desk.state.offers.remove(deal)
    desk.emit(OfferClosed(offer=deal.number, why=why))
