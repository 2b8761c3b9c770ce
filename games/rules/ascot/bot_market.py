"""What a bot thinks things are worth: keeping, bidding, selling, trading and betting."""

from games.engine import Chance, Seat
from games.rules.ascot.commands import (
    Accept,
    AcceptPlaceBet,
    AscotCommand,
    Bid,
    Decline,
    DeclinePlaceBet,
    Hammer,
    NoBet,
    Offer,
    Pass,
    PlaceBet,
    ProposePlaceBet,
    PutUp,
    Ready,
)
from games.rules.ascot.data.printed import Colour, Printed, horse_asset
from games.rules.ascot.deal import STABLES
from games.rules.ascot.state import OpenOffer, kind_and_name
from games.rules.ascot.view import AscotView, LotView, OwnView

OFFICE_WORTH = {
    "auctioneer": 0,
    "bookmaker": 20_000,
    "club": 18_000,
    "farrier": 24_000,
    "stevens": 18_000,
    "walroy": 18_000,
    "veterinary": 28_000,
    "forage": 21_000,
}
REPORT_WORTH = 4_000
RESERVE, RESERVE_PER_HORSE = 20_000, 15_000
"""What a bot does not spend on leases, because training and entries are still to come."""

PLACE_CHANCE: dict[Colour, int] = {"black": 38, "red": 28, "yellow": 18, "blue": 12}
"""Percent of the runners of a colour that come in among the first three, roughly."""
BET_CHANCE: dict[Colour, int] = {"black": 50, "red": 35, "yellow": 18, "blue": 12}
"""How often in a hundred a bot backs a runner of a colour."""


def worth(printed: Printed, asset: str) -> int:
    """What an asset is worth to somebody who needs it."""
    kind, name = kind_and_name(asset)
    if kind == "horse":
        return printed.horses[int(name)].price * 21 // 20
    return OFFICE_WORTH[name] if kind == "office" else REPORT_WORTH


def runners_wanted(printed: Printed, view: AscotView) -> int:
    """How many horses a bot wants to run: its share."""
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
    """Hidden cards to throw away: horses beyond one's share, the cheapest first, and one of two
    stables."""
    horses = sorted(
        (card for card in own.hand if kind_and_name(card)[0] == "horse"),
        key=lambda card: worth(printed, card),
    )
    surplus = max(0, len(horses) - runners_wanted(printed, view))
    both = set(STABLES) <= set(own.hand)
    return horses[:surplus] + ([STABLES[0]] if both else [])


def sell(printed: Printed, view: AscotView, own: OwnView, chance: Chance) -> AscotCommand:
    """What to do about the thing on sale, or the debt that forces one to sell."""
    return (
        _put_up(printed, view)
        if view.lot is None
        else _bid_or_pass(printed, view, view.lot, own, chance)
    )


def _bid_or_pass(
    printed: Printed, view: AscotView, lot: LotView, own: OwnView, chance: Chance
) -> AscotCommand:
    """Bid up to what the lot is worth to this bot, with a whim of its own, within its means; or
    knock it down."""
    if own.seat not in lot.open_to or lot.bidder == own.seat:
        return Hammer()
    note = printed.tariff.smallest_note
    reserve = RESERVE + RESERVE_PER_HORSE * runners_wanted(printed, view)
    purse = own.bid_limit - (reserve if lot.seller is None else 0)
    limit = min(purse, _worth_to(printed, view, own, lot.asset) * (85 + chance.below(31)) // 100)
    amount = max(lot.least, limit * 6 // 10 // note * note)
    if lot.least > limit or not _may_hold(view, own, lot.asset):
        return Pass(lot.asset)
    return Bid(lot.asset, min(amount, limit // note * note))


def _worth_to(printed: Printed, view: AscotView, own: OwnView, asset: str) -> int:
    """A horse beyond one's share is only worth its resale."""
    full = worth(printed, asset)
    if kind_and_name(asset)[0] != "horse":
        return full
    hidden = sum(kind_and_name(card)[0] == "horse" for card in own.hand)
    has_enough = len(horses_owned(view, own.seat)) + hidden >= runners_wanted(printed, view)
    return full // 4 if has_enough else full


def _may_hold(view: AscotView, own: OwnView, asset: str) -> bool:
    if asset not in STABLES:
        return True
    other = STABLES[1 - STABLES.index(asset)]
    return (
        other not in own.hand
        and view.offices.get("stevens" if other == STABLES[0] else "walroy") != own.seat
    )


def _put_up(printed: Printed, view: AscotView) -> AscotCommand:
    """In a forced sale: the asset that is worth least."""
    assert view.debt is not None
    return PutUp(min(view.debt.for_sale, key=lambda asset: worth(printed, asset)))


def prepare(printed: Printed, view: AscotView, own: OwnView, chance: Chance) -> AscotCommand | None:
    """Before the race: try to buy what is missing to one's share from somebody who has too many,
    then be ready."""
    has_offer = any(offer.seat == own.seat for offer in view.offers)
    eliminated = sum(
        horse.owner == own.seat and horse.fate == "eliminated" for horse in view.horses.values()
    )
    missing = view.runners_each - len(horses_owned(view, own.seat)) - eliminated
    cash = view.players[own.seat].cash or 0
    if missing > 0 and not has_offer and chance.below(3):
        for seat in map(Seat, range(len(view.players))):
            theirs = sorted(
                horses_owned(view, seat), key=lambda number: printed.horses[number].price
            )
            if seat != own.seat and len(theirs) > view.runners_each:
                price = printed.horses[theirs[0]].price * 4 // 5
                if cash >= price + view.runners_each * printed.tariff.entry_fee:
                    return Offer(seat, takes=(horse_asset(theirs[0]),), pays=price)
    if has_offer and chance.below(4):
        return None
    return Ready()


def answer_offers(printed: Printed, view: AscotView, own: OwnView) -> AscotCommand | None:
    """Accept the first offer that leaves the bot better off and that it can afford; decline the
    others."""
    for offer in view.offers:
        if offer.seat == own.seat or offer.to not in {None, own.seat} or own.seat in offer.declined:
            continue
        cash = view.players[own.seat].cash or 0
        gain = (
            sum(_keep_worth(printed, view, own, asset, is_mine=False) for asset in offer.gives)
            + offer.pays
        )
        loss = (
            sum(_keep_worth(printed, view, own, asset, is_mine=True) for asset in offer.takes)
            + offer.asks
        )
        if gain > loss and offer.asks <= cash and _still_stands(view, offer, own):
            return Accept(offer.number)
        return Decline(offer.number)
    return None


def _still_stands(view: AscotView, offer: OpenOffer, own: OwnView) -> bool:
    """Whether both sides seem to have what the offer asks for."""
    payer = view.players[offer.seat].cash
    mine = {horse_asset(number) for number in horses_owned(view, own.seat)}
    mine |= {f"report:{report}" for report in view.players[own.seat].reports}
    return payer is not None and payer >= offer.pays and set(offer.takes) <= mine


def _keep_worth(
    printed: Printed, view: AscotView, own: OwnView, asset: str, *, is_mine: bool
) -> int:
    """What an asset adds to this bot's game: a horse within its share all its worth, one beyond it
    a fraction."""
    if kind_and_name(asset)[0] != "horse":
        return worth(printed, asset) * (3 if is_mine else 4) // 4
    have = len(horses_owned(view, own.seat)) - is_mine
    return (
        worth(printed, asset)
        if have < runners_wanted(printed, view)
        else worth(printed, asset) // 3
    )


def bet(printed: Printed, view: AscotView, own: OwnView, chance: Chance) -> AscotCommand | None:
    """Back good runners, one's own more readily, with a few percent of the cash; answer place bets
    as the Bookmaker."""
    called = view.called
    assert called is not None
    for contract in view.contracts or ():
        if not contract.is_agreed and view.offices.get("bookmaker") == own.seat:
            is_good = (
                contract.payout * PLACE_CHANCE[printed.colour(contract.horse)]
                < contract.stake * 100
            )
            payer, cash = view.players[contract.seat].cash, view.players[own.seat].cash or 0
            can_pay = (
                payer is not None
                and payer >= contract.stake
                and cash >= contract.payout - contract.stake
            )
            return (
                AcceptPlaceBet(contract.contract)
                if is_good and can_pay
                else DeclinePlaceBet(contract.contract)
            )
    note, colour, cash = (
        printed.tariff.smallest_note,
        printed.colour(called),
        view.players[own.seat].cash or 0,
    )
    if _may_propose(view, own) and not chance.below(8) and cash >= 4 * note:
        return ProposePlaceBet(called, 2 * note, 4 * note)
    stake = cash * (2 + chance.below(5)) // 100 // note * note
    readiness = BET_CHANCE[colour] * (3 if view.horses[called].owner == own.seat else 2) // 2
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
    )
