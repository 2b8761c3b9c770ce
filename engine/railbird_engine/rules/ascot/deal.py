"""Deal, Auctioneer, compulsory exchange and secret discards (Rulebook, "La donne")."""

from collections import Counter

from railbird_engine import BANK, Seat, seat_purse
from railbird_engine.rules.ascot.data.printed import Printed
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.events import (
    AuctioneerNamed,
    CardExchanged,
    CardTaken,
    DiscardsMade,
    GameOpened,
    HandDealt,
    Nominated,
)
from railbird_engine.rules.ascot.state import TOTALISATOR, clockwise

AUCTIONEER = "office:auctioneer"
STABLES = ("office:stevens", "office:walroy")


def hand_size(printed: Printed, seats: int) -> int:
    """The number of leases for each player; the rest is the dead pile (Ruling A2)."""
    return len(printed.leases) // (seats + 1)


def deal(desk: Desk) -> None:
    """Hand out money and leases. If nobody is dealt the Auctioneer's card, the players vote."""
    state, printed = desk.state, desk.printed
    desk.emit(
        GameOpened(
            edition=printed.edition,
            banker=Seat(desk.options.banker),
            dealer=Seat(desk.options.dealer),
        )
    )
    for seat in range(state.seats):
        desk.pay(BANK, seat_purse(seat), printed.tariff.start_cash, "start_cash")
    desk.pay(BANK, TOTALISATOR, desk.options.carried_in, "carried_in")
    cards = list(printed.leases)
    for seat in clockwise(state, desk.options.dealer + 1):
        hand = sorted(desk.chance.take(cards) for _ in range(hand_size(printed, state.seats)))
        state.hands[seat] = hand
        desk.emit(HandDealt(seat=seat, cards=tuple(hand), only=(seat,)))
    state.dead = sorted(cards)
    holder = next((seat for seat in clockwise(state, 0) if AUCTIONEER in state.hands[seat]), None)
    if holder is None:
        state.dead.remove(AUCTIONEER)  # Ruling A3: his card is never auctioned.
        state.phase = "nomination"
        state.votes = [None] * state.seats
        desk.wait(desk.options.nomination_s)
    else:
        state.hands[holder].remove(AUCTIONEER)
        _name_auctioneer(desk, holder, was_dealt=True)


def _name_auctioneer(desk: Desk, seat: Seat, *, was_dealt: bool) -> None:
    state = desk.state
    state.offices["auctioneer"] = seat
    state.votes = []
    desk.emit(AuctioneerNamed(seat=seat, was_dealt=was_dealt))
    state.phase = "exchange"
    state.turn = Seat((desk.options.dealer + 1) % state.seats)
    desk.wait(desk.options.exchange_s)


def nominate(desk: Desk, seat: Seat, candidate: Seat) -> None:
    """Vote for an Auctioneer; most votes decide, and a tie names the Dealer (Ruling A3)."""
    state = desk.state
    desk.require_phase("nomination")
    require(0 <= candidate < state.seats, "no_such_seat", seat=candidate)
    require(state.votes[seat] is None, "already_voted", candidate=state.votes[seat])
    state.votes[seat] = candidate
    desk.emit(Nominated(seat=seat, candidate=candidate))
    if None not in state.votes:
        (first, votes), *others = Counter(state.votes).most_common()
        assert first is not None
        is_tied = any(count == votes for _, count in others)
        _name_auctioneer(desk, Seat(desk.options.dealer) if is_tied else first, was_dealt=False)


def name_dealer(desk: Desk) -> None:
    """Make the Dealer the Auctioneer: the players did not agree in time (Ruling A3)."""
    _name_auctioneer(desk, Seat(desk.options.dealer), was_dealt=False)


def exchange(desk: Desk, seat: Seat, card: str) -> None:
    """Throw a card under the dead pile and take its top card, from the Dealer's left on."""
    state = desk.state
    desk.require_phase("exchange")
    require(state.turn == seat, "not_your_turn", turn=state.turn)
    require(card != AUCTIONEER, "auctioneer_stays")
    require(card in state.hands[seat], "not_in_hand", card=card)
    taken = desk.chance.take(state.dead) if state.dead else state.under.pop(0)
    state.under.append(card)
    state.hands[seat].remove(card)
    state.hands[seat] = sorted([*state.hands[seat], taken])
    desk.emit(CardExchanged(seat=seat))
    desk.emit(CardTaken(seat=seat, card=taken, only=(seat,)))
    if seat == desk.options.dealer:
        state.phase, state.turn = "discard", None
        state.discards = [None] * state.seats
        desk.wait(desk.options.discard_s)
    else:
        state.turn = Seat((seat + 1) % state.seats)
        desk.wait(desk.options.exchange_s)


def exchange_without_choice(desk: Desk) -> bool:
    """Throw the only card of the player whose turn it is (Ruling B15)."""
    seat = desk.state.turn
    assert seat is not None
    hand = desk.state.hands[seat]
    if len(hand) > 1:
        return False
    exchange(desk, seat, hand[0])
    return True


def exchange_cheapest(desk: Desk) -> None:
    """Throw the cheapest card of the player whose time is up."""
    seat = desk.state.turn
    assert seat is not None
    exchange(
        desk, seat, min(desk.state.hands[seat], key=lambda card: (desk.printed.leases[card], card))
    )


def discard(desk: Desk, seat: Seat, cards: tuple[str, ...]) -> None:
    """Choose the cards to throw into the dead pile, in secret (Ruling A5)."""
    state = desk.state
    desk.require_phase("discard")
    require(state.discards[seat] is None, "already_discarded")
    hand = state.hands[seat]
    require(AUCTIONEER not in cards, "auctioneer_stays")
    require(len(set(cards)) == len(cards) and set(cards) <= set(hand), "not_in_hand", cards=cards)
    rest = set(hand) - set(cards)
    require(not rest.issuperset(STABLES), "both_stables", stables=STABLES)
    state.discards[seat] = sorted(cards)
    if None not in state.discards:
        finish_discards(desk)


def forced_discards(printed: Printed, hand: list[str]) -> list[str]:
    """The discards of a player who does not answer: the cheaper of two stables (Ruling A6)."""
    return (
        [min(STABLES, key=lambda card: (printed.leases[card], card))]
        if set(STABLES) <= set(hand)
        else []
    )


def finish_discards(desk: Desk) -> None:
    """Mix all discards with the pile, so that nobody can trace a card (Ruling A47)."""
    state = desk.state
    for seat, chosen in enumerate(state.discards):
        cards = forced_discards(desk.printed, state.hands[seat]) if chosen is None else chosen
        state.hands[seat] = [card for card in state.hands[seat] if card not in cards]
        state.dead += cards
    state.dead = sorted(state.dead + state.under)
    state.under, state.discards = [], []
    desk.emit(DiscardsMade(cards=len(state.dead)))
    state.phase = "auction"
