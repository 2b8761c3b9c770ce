"""The commands that a seat may give now, with a few examples of sums and deals."""

from collections.abc import Iterator
from itertools import combinations

from railbird_engine import Seat
from railbird_engine.rules.ascot.betting import tickets_on
from railbird_engine.rules.ascot.bidding import bid_limit, least_bid
from railbird_engine.rules.ascot.commands import (
    Accept,
    AcceptPlaceBet,
    ApplyReport,
    AscotCommand,
    Assign,
    Bid,
    ChooseColour,
    Confirm,
    Decline,
    DeclineClub,
    DeclinePlaceBet,
    DeclineReport,
    Discard,
    Enter,
    Exchange,
    JoinClub,
    Move,
    NameFavourite,
    NoBet,
    Nominate,
    NotReady,
    Object,
    Offer,
    Pass,
    PlaceBet,
    ProposePlaceBet,
    PutUp,
    Ready,
    TakeReport,
    Throw,
    UseReport,
    Withdraw,
)
from railbird_engine.rules.ascot.data.printed import Printed
from railbird_engine.rules.ascot.deal import STABLES
from railbird_engine.rules.ascot.debts import assets_for_sale
from railbird_engine.rules.ascot.race import choices_to_assign
from railbird_engine.rules.ascot.reports import horses_for
from railbird_engine.rules.ascot.state import (
    AscotState,
    OpenOffer,
    Race,
    assets_of,
    cash,
    changes_left,
    horses_of,
    may_have,
    may_hold,
    share,
)
from railbird_engine.rules.ascot.trades import OPEN_OFFERS_MAX, tradeable_assets
from railbird_engine.rules.ascot.training import packs_to_draw_from


def legal_commands(  # noqa: C901  (one case per phase)
    printed: Printed, state: AscotState, seat: Seat
) -> Iterator[AscotCommand]:
    """List the commands of a seat."""
    if state.lot is not None:
        yield from _bidding(printed, state, seat)
        return
    if state.debt is not None:
        if state.debt.seat == seat:
            yield from map(PutUp, assets_for_sale(printed, state, state.debt))
        return
    match state.phase:
        case "nomination" | "exchange" | "discard":
            yield from _dealing(state, seat)
        case "training":
            yield from _training(printed, state, seat)
        case "preliminaries":
            yield from _preliminaries(state, seat)
            yield from _trading(printed, state, seat)
        case "favourites":
            if seat not in state.answered:
                yield from map(NameFavourite, [None, *horses_of(state, seat, "running")])
        case "betting":
            yield from _betting(printed, state, seat)
        case "race":
            yield from _racing(printed, state, seat)
            yield from _trading(printed, state, seat)
        case _:
            return


def _bidding(printed: Printed, state: AscotState, seat: Seat) -> Iterator[AscotCommand]:
    """Return a sample of bids: the lowest, the printed price and the highest affordable one."""
    lot = state.lot
    assert lot is not None
    if seat not in lot.rivals:
        return
    yield Pass(lot.asset)
    least, limit = least_bid(printed, lot), bid_limit(printed, state, seat, lot.asset)
    if least <= limit and may_hold(state, seat, lot.asset):
        note = printed.tariff.smallest_note
        sums = {least, limit, printed.leases.get(lot.asset, 0) // note * note}
        yield from (Bid(lot.asset, amount) for amount in sorted(sums) if least <= amount <= limit)


def _dealing(state: AscotState, seat: Seat) -> Iterator[AscotCommand]:
    hand = state.hands[seat]
    if state.phase == "nomination":
        if state.votes[seat] is None:
            yield from (Nominate(Seat(candidate)) for candidate in range(state.seats))
    elif state.phase == "exchange":
        if state.turn == seat:
            yield from map(Exchange, hand)
    elif state.discards[seat] is None:
        choices = (cards for size in range(len(hand) + 1) for cards in combinations(hand, size))
        for cards in choices:
            if not set(STABLES) <= set(hand) - set(cards):
                yield Discard(cards)


def _training(printed: Printed, state: AscotState, seat: Seat) -> Iterator[AscotCommand]:
    training = state.training
    if training is None or training.seat != seat:
        return
    if training.step == "before_throw":
        yield Throw()
        yield from map(TakeReport, packs_to_draw_from(printed, state, training))
    elif training.step == "target":
        assert training.pack is not None
        yield from map(ApplyReport, horses_for(printed, state, seat, training.pack))
    else:
        yield DeclineClub()
        if cash(state, seat) >= training.fee:
            yield JoinClub()


def _preliminaries(state: AscotState, seat: Seat) -> Iterator[AscotCommand]:
    if seat not in state.answered:
        yield Ready()
    if changes_left(state, seat):
        if seat in state.answered:
            yield NotReady()
        owned = horses_of(state, seat, "home")
        yield from map(Enter, combinations(owned, min(len(owned), share(state, seat))))


def _trading(printed: Printed, state: AscotState, seat: Seat) -> Iterator[AscotCommand]:
    """Answers to open offers; new offers are sampled: each asset at its printed price."""
    purse = cash(state, seat)
    for deal in state.offers:
        if deal.seat == seat:
            yield Withdraw(deal.number)
        elif deal.to in {None, seat} and seat not in deal.declined:
            yield Decline(deal.number)
            if _can_strike(state, deal, seat):
                yield Accept(deal.number)
    is_full = sum(deal.seat == seat for deal in state.offers) >= OPEN_OFFERS_MAX
    if is_full or not changes_left(state, seat):
        return
    for other in map(Seat, range(state.seats)):
        for asset in tradeable_assets(state, other):
            price = printed.leases.get(asset, printed.tariff.smallest_note)
            if other == seat:
                yield Offer(None, gives=(asset,), asks=price)
            elif price <= purse:
                yield Offer(other, takes=(asset,), pays=price)


def _can_strike(state: AscotState, deal: OpenOffer, seat: Seat) -> bool:
    """Whether both sides have the goods and, as far as the seat knows, the money of the deal."""
    can_keep = may_have(state, deal.seat, deal.pays) and set(deal.gives) <= set(
        assets_of(state, deal.seat)
    )
    return (
        can_keep
        and deal.asks <= cash(state, seat)
        and set(deal.takes) <= set(assets_of(state, seat))
    )


def _betting(printed: Printed, state: AscotState, seat: Seat) -> Iterator[AscotCommand]:
    """Return a sample of stakes: the smallest, a tenth of the cash and all of it."""
    note, horse = printed.tariff.smallest_note, state.queue[0]
    most = cash(state, seat) // note * note
    if seat not in state.answered:
        assert len(tickets_on(state, horse)) < printed.tariff.tickets_per_horse
        yield NoBet(horse)
        yield from (
            PlaceBet(horse, stake)
            for stake in sorted({note, most // (10 * note) * note, most})
            if 0 < stake <= most
        )
    bookmaker = state.offices.get("bookmaker")
    if not state.options.place_bets or bookmaker is None:
        return
    proposals = [contract for contract in state.contracts if not contract.is_agreed]
    if bookmaker == seat:
        for contract in proposals:
            yield DeclinePlaceBet(contract.contract)
            rest = contract.payout - contract.stake
            if may_have(state, contract.seat, contract.stake) and cash(state, seat) >= rest:
                yield AcceptPlaceBet(contract.contract)
    elif most and changes_left(state, seat) and all(each.seat != seat for each in proposals):
        yield ProposePlaceBet(horse, note, 2 * note)


def _racing(printed: Printed, state: AscotState, seat: Seat) -> Iterator[AscotCommand]:
    race = state.race
    assert race is not None
    for arrival in race.arrivals:
        if arrival.disadvantages and state.horses[arrival.horse].owner != seat:
            yield Object(arrival.horse)
    if race.step == "objections":
        if seat not in state.answered:
            yield Confirm()
    elif race.seat == seat:
        yield from _turn_of_race(printed, state, race)


def _turn_of_race(printed: Printed, state: AscotState, race: Race) -> Iterator[AscotCommand]:
    match race.step:
        case "assign":
            yield from map(Assign, choices_to_assign(state))
        case "move":
            yield from map(Move, race.ways)
        case "colour":
            yield from map(ChooseColour, race.choices)
        case _:
            yield DeclineReport()
            if race.hazard in state.kept[race.seat]:
                yield UseReport()
