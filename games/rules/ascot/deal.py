"""The deal, the Auctioneer, the compulsory exchange and the secret discards (Rulebook, "La
donne")."""

from collections import Counter

from games.engine import BANK, Seat, seat_purse
from games.rules.ascot.events import (
    AuctioneerNamed,
    CardExchanged,
    CardTaken,
    DiscardsMade,
    HandDealt,
    Nominated,
    TableOpened,
)
from games.rules.ascot.printed import Printed
from games.rules.ascot.state import TOTALISATOR, clockwise
from games.rules.ascot.table import Table, require

AUCTIONEER = "office:auctioneer"
STABLES = ("office:stevens", "office:walroy")


def hand_size(printed: Printed, seats: int) -> int:
    """How many leases each player gets: as many piles as players and one more, the rest to the dead
    pile (Ruling A2)."""
    return len(printed.leases) // (seats + 1)


def deal(table: Table) -> None:
    """Hand out money and leases; a dealt Auctioneer's card is shown at once, otherwise the players
    must name one."""
    state, printed = table.state, table.printed
    table.emit(
        TableOpened(
            edition=printed.edition,
            banker=Seat(table.options.banker),
            dealer=Seat(table.options.dealer),
        )
    )
    for seat in range(state.seats):
        table.pay(BANK, seat_purse(seat), printed.tariff.start_cash, "start_cash")
    table.pay(BANK, TOTALISATOR, table.options.carried_in, "carried_in")
    cards = list(printed.leases)
    for seat in clockwise(state, table.options.dealer + 1):
        hand = sorted(table.chance.take(cards) for _ in range(hand_size(printed, state.seats)))
        state.hands[seat] = hand
        table.emit(HandDealt(seat=seat, cards=tuple(hand), only=(seat,)))
    state.dead = sorted(cards)
    holder = next((seat for seat in clockwise(state, 0) if AUCTIONEER in state.hands[seat]), None)
    if holder is None:
        state.dead.remove(AUCTIONEER)  # Ruling A3: his card is never auctioned.
        state.phase = "nomination"
        state.votes = [None] * state.seats
        table.wait(table.options.nomination_s)
    else:
        state.hands[holder].remove(AUCTIONEER)
        _name_auctioneer(table, holder, was_dealt=True)


def _name_auctioneer(table: Table, seat: Seat, *, was_dealt: bool) -> None:
    state = table.state
    state.offices["auctioneer"] = seat
    state.votes = []
    table.emit(AuctioneerNamed(seat=seat, was_dealt=was_dealt))
    state.phase = "exchange"
    state.turn = Seat((table.options.dealer + 1) % state.seats)
    table.wait(table.options.exchange_s)


def nominate(table: Table, seat: Seat, candidate: Seat) -> None:
    """Vote for an Auctioneer; the last vote decides, and a tie makes it the Dealer (Ruling A3)."""
    state = table.state
    table.require_phase("nomination")
    require(0 <= candidate < state.seats, "no_such_seat", seat=candidate)
    require(state.votes[seat] is None, "already_voted", candidate=state.votes[seat])
    state.votes[seat] = candidate
    table.emit(Nominated(seat=seat, candidate=candidate))
    if None not in state.votes:
        (first, votes), *others = Counter(state.votes).most_common()
        assert first is not None
        is_tied = any(count == votes for _, count in others)
        _name_auctioneer(table, Seat(table.options.dealer) if is_tied else first, was_dealt=False)


def nobody_nominated(table: Table) -> None:
    """Without agreement in time the Dealer is the Auctioneer (Ruling A3)."""
    _name_auctioneer(table, Seat(table.options.dealer), was_dealt=False)


def exchange(table: Table, seat: Seat, card: str) -> None:
    """Throw a card under the dead pile and take its top card; compulsory, from the Dealer's
    left."""
    state = table.state
    table.require_phase("exchange")
    require(state.turn == seat, "not_your_turn", turn=state.turn)
    require(card != AUCTIONEER, "auctioneer_stays")
    require(card in state.hands[seat], "not_in_hand", card=card)
    taken = table.chance.take(state.dead) if state.dead else state.under.pop(0)
    state.under.append(card)
    state.hands[seat].remove(card)
    state.hands[seat] = sorted([*state.hands[seat], taken])
    table.emit(CardExchanged(seat=seat))
    table.emit(CardTaken(seat=seat, card=taken, only=(seat,)))
    if seat == table.options.dealer:
        state.phase, state.turn = "discard", None
        state.discards = [None] * state.seats
        table.wait(table.options.discard_s)
    else:
        state.turn = Seat((seat + 1) % state.seats)
        table.wait(table.options.exchange_s)


def exchange_cheapest(table: Table) -> None:
    """A slow player throws his cheapest card."""
    seat = table.state.turn
    assert seat is not None
    exchange(
        table,
        seat,
        min(table.state.hands[seat], key=lambda card: (table.printed.leases[card], card)),
    )


def discard(table: Table, seat: Seat, cards: tuple[str, ...]) -> None:
    """Choose the cards to throw into the dead pile; secret until all have chosen (Ruling A5)."""
    state = table.state
    table.require_phase("discard")
    require(state.discards[seat] is None, "already_discarded")
    hand = state.hands[seat]
    require(AUCTIONEER not in cards, "auctioneer_stays")
    require(len(set(cards)) == len(cards) and set(cards) <= set(hand), "not_in_hand", cards=cards)
    rest = set(hand) - set(cards)
    require(not rest.issuperset(STABLES), "both_stables", stables=STABLES)
    state.discards[seat] = sorted(cards)
    if None not in state.discards:
        finish_discards(table)


def forced_discards(printed: Printed, hand: list[str]) -> list[str]:
    """What a silent player throws: nothing, or the cheaper of two stables (Ruling A6)."""
    return (
        [min(STABLES, key=lambda card: (printed.leases[card], card))]
        if set(STABLES) <= set(hand)
        else []
    )


def finish_discards(table: Table) -> None:
    """All discards join the pile, which nobody may trace: it is mixed before the auction (Ruling
    A47)."""
    state = table.state
    for seat, chosen in enumerate(state.discards):
        cards = forced_discards(table.printed, state.hands[seat]) if chosen is None else chosen
        state.hands[seat] = [card for card in state.hands[seat] if card not in cards]
        state.dead += cards
    state.dead = sorted(state.dead + state.under)
    state.under, state.discards = [], []
    table.emit(DiscardsMade(cards=len(state.dead)))
    state.phase = "auction"
    table.wait(table.options.bid_s)
