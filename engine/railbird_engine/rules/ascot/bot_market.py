"""The bot's estimates of worth: for keeping, bidding, selling, trading and betting."""

from collections.abc import Iterable
from typing import Final

from railbird_engine import Chance, Seat
from railbird_engine.rules.ascot.commands import (
    Accept,
    AcceptPlaceBet,
    AscotCommand,
    Bid,
    Decline,
    DeclinePlaceBet,
    NoBet,
    Offer,
    Pass,
    PlaceBet,
    ProposePlaceBet,
    PutUp,
    Ready,
)
from railbird_engine.rules.ascot.data.printed import Colour, Printed, horse_asset
from railbird_engine.rules.ascot.deal import STABLES
from railbird_engine.rules.ascot.state import kind_and_name
from railbird_engine.rules.ascot.view import AscotView, LotView, OwnView

OFFICE_WORTH: Final = {
    "auctioneer": 0,
    "bookmaker": 20_000,
    "club": 18_000,
    "farrier": 24_000,
    "stevens": 18_000,
    "walroy": 18_000,
    "veterinary": 28_000,
    "forage": 21_000,
}
REPORT_WORTH: Final = 4_000
RESERVE, RESERVE_PER_HORSE = 20_000, 15_000
"""The cash that a bot keeps when it buys leases, for training and entries."""

PLACE_CHANCE: Final[dict[Colour, int]] = {"black": 38, "red": 28, "yellow": 18, "blue": 12}
"""Roughly how many percent of the runners of a colour finish among the first three."""
KEEP_PERCENT: Final[dict[Colour, int]] = {"black": 400, "red": 130, "yellow": 110, "blue": 100}
"""The price at which a bot sells a runner that it needs, in percent of its worth."""
BET_CHANCE: Final[dict[Colour, int]] = {"black": 50, "red": 35, "yellow": 18, "blue": 12}
"""In how many percent of the calls a bot backs a runner of a colour."""


def worth(printed: Printed, asset: str) -> int:
    """The worth of an asset to a player who needs it, in francs."""
    kind, name = kind_and_name(asset)
    if kind == "horse":
        return printed.horses[int(name)].price * 21 // 20
    return OFFICE_WORTH[name] if kind == "office" else REPORT_WORTH


def runners_wanted(printed: Printed, view: AscotView) -> int:
    """The number of horses that a bot wants to run: its share."""
    seats = len(view.players)
    most = printed.tariff.runners_max_of_two if seats == 2 else printed.tariff.runners_max
    return view.runners_each or min(most, len(printed.horses) // seats)


def horses_owned(view: AscotView, seat: Seat) -> list[int]:
    """The horses of a seat that may still run."""
    fates = {"training", "home", "running"}
    return [
        number
        for number, horse in view.horses.items()
        if horse.owner == seat and horse.fate in fates
    ]


def unwanted_cards(printed: Printed, view: AscotView, own: OwnView) -> list[str]:
    """Hidden cards to throw: the cheapest horses beyond the bot's share, one of two stables."""
    horses = [card for card in own.hand if kind_and_name(card)[0] == "horse"]
    horses.sort(key=lambda card: worth(printed, card))
    surplus = max(0, len(horses) - runners_wanted(printed, view))
    both = set(STABLES) <= set(own.hand)
    return horses[:surplus] + ([STABLES[0]] if both else [])


def sell(printed: Printed, view: AscotView, own: OwnView, chance: Chance) -> AscotCommand:
    """Bid for the lot, or put something up in the bot's own forced sale."""
    if view.lot is not None:
        return _bid_or_pass(printed, view, view.lot, own, chance)
    assert view.debt is not None
    return PutUp(min(view.debt.for_sale, key=lambda asset: worth(printed, asset)))


def _bid_or_pass(
    printed: Printed, view: AscotView, lot: LotView, own: OwnView, chance: Chance
) -> AscotCommand:
    """Bid up to the worth of the lot, give or take 15 %, within the bot's means; else pass. A raise
    goes most of the way, so that few are needed."""
    note = printed.tariff.smallest_note
    reserve = RESERVE + RESERVE_PER_HORSE * runners_wanted(printed, view)
    purse = own.bid_limit - (reserve if lot.seller is None else 0)
    value = _worth_to(printed, view, own, lot.asset) * (85 + chance.below(31)) // 100
    limit = min(purse, value)
    amount = max(limit * 7 // 10, (lot.least + 3 * limit) // 4) // note * note
    if lot.least > limit or not _may_hold(view, own, lot.asset):
        return Pass(lot.asset)
    return Bid(lot.asset, max(lot.least, amount))


def _worth_to(printed: Printed, view: AscotView, own: OwnView, asset: str) -> int:
    """The worth of an asset to this bot; a horse beyond its share counts a quarter."""
    full = worth(printed, asset)
    if kind_and_name(asset)[0] != "horse":
        return full
    hidden = sum(kind_and_name(card)[0] == "horse" for card in own.hand)
    horses = len(horses_owned(view, own.seat)) + hidden
    return full // 4 if horses >= runners_wanted(printed, view) else full


def _may_hold(view: AscotView, own: OwnView, asset: str) -> bool:
    if asset not in STABLES:
        return True
    other = STABLES[1 - STABLES.index(asset)]
    owner = view.offices.get("stevens" if other == STABLES[0] else "walroy")
    return other not in own.hand and owner != own.seat


def prepare(printed: Printed, view: AscotView, own: OwnView, chance: Chance) -> AscotCommand | None:
    """Before the race: try to buy missing horses from a player with too many, then be ready."""
    has_offer = any(offer.seat == own.seat for offer in view.offers)
    if not has_offer and own.changes_left and _is_short(view, own) and chance.below(3):
        offer = _offer_for_surplus_horse(printed, view, own)
        if offer is not None:
            return offer
    if has_offer and chance.below(4):
        return None
    return Ready()


def _is_short(view: AscotView, own: OwnView) -> bool:
    """Whether the bot owns fewer horses than it may run; eliminated ones need no replacement."""
    eliminated = sum(
        horse.owner == own.seat and horse.fate == "eliminated" for horse in view.horses.values()
    )
    return view.runners_each > len(horses_owned(view, own.seat)) + eliminated


def _offer_for_surplus_horse(printed: Printed, view: AscotView, own: OwnView) -> Offer | None:
    """Offer four fifths of its price for the cheapest horse of a player with too many."""
    cash = view.players[own.seat].cash or 0
    for seat in map(Seat, range(len(view.players))):
        theirs = horses_owned(view, seat)
        if seat != own.seat and len(theirs) > view.runners_each:
            cheapest = min(theirs, key=lambda number: printed.horses[number].price)
            price = printed.horses[cheapest].price * 4 // 5
            if cash >= price + view.runners_each * printed.tariff.entry_fee:
                return Offer(seat, takes=(horse_asset(cheapest),), pays=price)
    return None


def answer_offers(
    printed: Printed, view: AscotView, own: OwnView, legal: list[AscotCommand]
) -> AscotCommand | None:
    """Accept the first good offer that is legal to accept; decline the others.

    Only `legal` shows whether the deal is possible, because cash may be hidden.
    """
    for offer in view.offers:
        is_for_me = offer.to in {None, own.seat} and own.seat not in offer.declined
        if offer.seat == own.seat or not is_for_me:
            continue
        gain = sum(_keep_worth(printed, view, own, asset, is_mine=False) for asset in offer.gives)
        loss = sum(_keep_worth(printed, view, own, asset, is_mine=True) for asset in offer.takes)
        if gain + offer.pays > loss + offer.asks and Accept(offer.number) in legal:
            return Accept(offer.number)
        return Decline(offer.number)
    return None


def _keep_worth(
    printed: Printed, view: AscotView, own: OwnView, asset: str, *, is_mine: bool
) -> int:
    """The worth of an asset to the bot's game; a horse beyond its share counts a third."""
    full = worth(printed, asset)
    kind, name = kind_and_name(asset)
    if kind != "horse":
        return full * (3 if is_mine else 4) // 4
    have = len(horses_owned(view, own.seat)) - is_mine
    if have >= runners_wanted(printed, view):
        return full // 3
    return full * KEEP_PERCENT[printed.colour(int(name))] // 100 if is_mine else full


def bet(
    printed: Printed, view: AscotView, own: OwnView, legal: Iterable[AscotCommand], chance: Chance
) -> AscotCommand | None:
    """Answer a place bet as the Bookmaker, or stake a few percent of the cash on good runners."""
    called = view.called
    assert called is not None
    if view.offices.get("bookmaker") == own.seat:
        for contract in view.contracts or ():
            if not contract.is_agreed:
                chance_to_place = PLACE_CHANCE[printed.colour(contract.horse)]
                is_good = contract.payout * chance_to_place < contract.stake * 100
                accept = AcceptPlaceBet(contract.contract)
                agrees = is_good and accept in list(legal)
                return accept if agrees else DeclinePlaceBet(contract.contract)
    note, cash = printed.tariff.smallest_note, view.players[own.seat].cash or 0
    if _may_propose(view, own) and not chance.below(8) and cash >= 4 * note:
        return ProposePlaceBet(called, 2 * note, 4 * note)
    stake = cash * (2 + chance.below(5)) // 100 // note * note
    factor = 3 if view.horses[called].owner == own.seat else 2
    readiness = BET_CHANCE[printed.colour(called)] * factor // 2
    return PlaceBet(called, stake) if stake and chance.below(100) < readiness else NoBet(called)


def _may_propose(view: AscotView, own: OwnView) -> bool:
    bookmaker = view.offices.get("bookmaker")
    is_waiting = any(
        contract.seat == own.seat and not contract.is_agreed for contract in view.contracts or ()
    )
    return (
        view.options.place_bets
        and bookmaker is not None
        and bookmaker != own.seat
        and not is_waiting
        and own.changes_left > 0
    )
