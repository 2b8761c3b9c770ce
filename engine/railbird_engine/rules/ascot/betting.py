"""Favourites, totalisator tickets and place bets (Rulebook, "Favori" and "Les paris")."""

from typing import Final

from msgspec.structs import replace

from railbird_engine import BetPlaced, Seat, VoidedBet, seat_purse
from railbird_engine.rules.ascot.commands import ProposePlaceBet
from railbird_engine.rules.ascot.data.printed import Printed, horse_asset
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.race_events import (
    BetRefrained,
    ContractAnswered,
    ContractProposed,
    FavouriteNamed,
    RunnerCalled,
)
from railbird_engine.rules.ascot.state import (
    ESCROW,
    TOTALISATOR,
    AscotState,
    Contract,
    Ticket,
    cash,
    clockwise,
    horses_of,
    may_have,
)

ODDS: Final = "totalisator"


def ask_for_favourites(desk: Desk) -> None:
    """Ask each player with more than one runner for a Favourite (Ruling B12)."""
    state = desk.state
    state.phase = "favourites"
    state.favourites = [None] * state.seats
    seats = clockwise(state, 0)
    state.answered = [seat for seat in seats if len(horses_of(state, seat, "running")) <= 1]
    desk.wait(desk.options.favourite_s)


def name_favourite(desk: Desk, seat: Seat, horse: int | None) -> None:
    """Name a Favourite or none, in public."""
    state = desk.state
    desk.require_phase("favourites")
    require(seat not in state.answered, "favourite_named", horse=state.favourites[seat])
    runners = horses_of(state, seat, "running")
    require(horse is None or horse in runners, "not_your_runner", horse=horse, runners=runners)
    state.favourites[seat] = horse
    state.answered = sorted([*state.answered, seat])
    desk.emit(FavouriteNamed(seat=seat, horse=horse))


def open_bets(desk: Desk) -> None:
    """Call the runners one by one."""
    state = desk.state
    state.phase, state.changes = "betting", {}
    runners = [number for number, horse in state.horses.items() if horse.fate == "running"]
    state.queue = sorted(runners)
    if state.queue:
        _call(desk)


def _call(desk: Desk) -> None:
    """Call the first of the queue. The bets do not wait for players without a note to stake."""
    state = desk.state
    number = state.queue[0]
    favourite_of = state.horses[number].owner if number in state.favourites else None
    desk.emit(RunnerCalled(horse=number, favourite_of=favourite_of))
    note = desk.printed.tariff.smallest_note
    state.answered = [seat for seat in clockwise(state, 0) if not may_have(state, seat, note)]
    desk.wait(desk.options.bet_s)


def call_next(desk: Desk) -> None:
    """Close the bets on this runner and call the next one."""
    desk.state.queue.pop(0)
    if desk.state.queue:
        _call(desk)


def tickets_on(state: AscotState, horse: int) -> list[Ticket]:
    """The tickets sold on a horse, in their order."""
    return [ticket for ticket in state.tickets if ticket.horse == horse]


def bets_are_in(printed: Printed, state: AscotState) -> bool:
    """Whether every seat has answered for the called runner, or its tickets are sold out."""
    sold = len(tickets_on(state, state.queue[0]))
    return sold >= printed.tariff.tickets_per_horse or len(state.answered) == state.seats


def _answer(desk: Desk, seat: Seat, horse: int) -> None:
    """Record that a seat has answered for the called runner, or refuse the answer."""
    desk.require_phase("betting")
    called = desk.state.queue[0]
    require(horse == called, "not_called", called=called, horse=horse)
    require(seat not in desk.state.answered, "already_answered", horse=horse)
    desk.state.answered = sorted([*desk.state.answered, seat])


def place_bet(desk: Desk, seat: Seat, horse: int, stake: int) -> None:
    """Buy the next ticket on the called runner: any sum in whole notes, to win (Ruling A21)."""
    _answer(desk, seat, horse)
    state, note = desk.state, desk.printed.tariff.smallest_note
    require(stake > 0 and stake % note == 0, "not_in_notes", note=note)
    desk.pay(seat_purse(seat), TOTALISATOR, stake, "bet")
    number = len(state.tickets) + 1
    state.tickets.append(Ticket(number, seat, horse, stake))
    desk.emit(BetPlaced(bet=number, seat=seat, spot=horse_asset(horse), stake=stake, odds=ODDS))


def void_bet(desk: Desk, void: VoidedBet) -> int:
    """Void a ticket by order of the operator; returns what goes back to the seat.

    The ticket keeps its place among those of its horse, without a stake. Once the totalisator is
    paid out, the engine's bank repays the stake.
    """
    tickets = desk.state.tickets
    index = next(index for index, ticket in enumerate(tickets) if ticket.bet == void.bet)
    ticket = tickets[index]
    if void.payout is not None:
        return desk.give_back(seat_purse(ticket.seat), void.stake - void.payout)
    desk.pay(TOTALISATOR, seat_purse(ticket.seat), ticket.stake, "bet_void")
    tickets[index] = replace(ticket, stake=0)
    return void.stake


def no_bet(desk: Desk, seat: Seat, horse: int) -> None:
    """Do not bet on this runner."""
    _answer(desk, seat, horse)
    desk.emit(BetRefrained(seat=seat, horse=horse))


def propose_contract(desk: Desk, seat: Seat, proposal: ProposePlaceBet) -> None:
    """Propose a place bet to the Bookmaker, in secret (Ruling A22)."""
    state = desk.state
    desk.require_phase("betting")
    require(desk.options.place_bets, "no_place_bets")
    bookmaker = state.offices.get("bookmaker")
    require(bookmaker is not None, "no_bookmaker")
    assert bookmaker is not None
    require(seat != bookmaker, "own_offer", contract=None)
    horse, stake, payout = proposal.horse, proposal.stake, proposal.payout
    is_runner = horse in state.horses and state.horses[horse].fate == "running"
    require(is_runner, "not_a_runner", horse=horse)
    require(0 < stake < payout, "no_gain", stake=stake, payout=payout)
    held = cash(state, seat)
    require(held >= stake, "insufficient_funds", held=held, needed=stake)
    is_waiting = any(other.seat == seat and not other.is_agreed for other in state.contracts)
    require(not is_waiting, "too_many_offers", most=1)
    desk.count_change(seat)
    state.contract_count += 1
    number = state.contract_count
    state.contracts.append(Contract(number, seat, horse, stake, payout))
    desk.emit(
        ContractProposed(
            contract=number,
            seat=seat,
            horse=horse,
            stake=stake,
            payout=payout,
            only=tuple(sorted((seat, bookmaker))),
        )
    )


def answer_contract(desk: Desk, seat: Seat, number: int, *, agrees: bool) -> None:
    """Agree to a place bet as the Bookmaker, by putting both sides in escrow, or turn it down.

    With hidden cash, a stake that the other seat cannot pay turns the bet down.
    """
    state = desk.state
    desk.require_phase("betting")
    waiting = (each for each in state.contracts if each.contract == number and not each.is_agreed)
    contract = next(waiting, None)
    is_bookmaker = state.offices.get("bookmaker") == seat
    require(is_bookmaker and contract is not None, "no_such_offer", contract=number)
    assert contract is not None
    if agrees and cash(state, contract.seat) < contract.stake:
        require(desk.options.private_cash, "offer_not_covered", contract=number)
        agrees = False
    state.contracts.remove(contract)
    if agrees:
        desk.pay(seat_purse(contract.seat), ESCROW, contract.stake, "place_bet")
        desk.pay(seat_purse(seat), ESCROW, contract.payout - contract.stake, "place_bet")
        state.contracts.append(replace(contract, is_agreed=True))
    desk.emit(
        ContractAnswered(
            contract=number,
            seat=contract.seat,
            bookmaker=seat,
            is_agreed=agrees,
            stake=contract.stake,
            payout=contract.payout,
            only=parties(state, contract) if agrees else tuple(sorted((contract.seat, seat))),
        )
    )


def parties(state: AscotState, contract: Contract) -> tuple[Seat, ...] | None:
    """The seats that learn which money a place bet moves: all if cash is public."""
    if not state.options.private_cash:
        return None
    return tuple(sorted((contract.seat, state.offices["bookmaker"])))


def close_bets(desk: Desk) -> None:
    """Drop the proposals that the Bookmaker did not answer."""
    desk.state.contracts = [contract for contract in desk.state.contracts if contract.is_agreed]
    desk.state.answered = []
