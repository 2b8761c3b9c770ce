"""Favourites, the tickets of the totalisator, and private place bets (Rulebook, "Favori" and "Les paris")."""

from games.engine import BetPlaced, Seat, VoidedBet, seat_purse
from games.rules.ascot.data.printed import Printed
from games.rules.ascot.desk import Desk, require
from games.rules.ascot.race_events import (
    BetRefrained,
    ContractAnswered,
    ContractProposed,
    FavouriteNamed,
    RunnerCalled,
)
from games.rules.ascot.state import (
    ESCROW,
    TOTALISATOR,
    AscotState,
    Bet,
    Contract,
    cash,
    clockwise,
    horses_of,
)

ODDS = "totalisator"


def ask_for_favourites(desk: Desk) -> None:
    """Each player who runs a horse may name one of them his Favourite."""
    state = desk.state
    state.phase = "favourites"
    state.favourites = [None] * state.seats
    state.answered = [seat for seat in clockwise(state, 0) if not horses_of(state, seat, "running")]
    desk.wait(desk.options.favourite_s)


def name_favourite(desk: Desk, seat: Seat, horse: int | None) -> None:
    """Name a Favourite or none; everyone hears it."""
    state = desk.state
    desk.require_phase("favourites")
    require(seat not in state.answered, "favourite_named", horse=state.favourites[seat])
    runners = horses_of(state, seat, "running")
    require(horse is None or horse in runners, "not_your_runner", horse=horse, runners=runners)
    state.favourites[seat] = horse
    state.answered = sorted([*state.answered, seat])
    desk.emit(FavouriteNamed(seat=seat, horse=horse))


def open_bets(desk: Desk) -> None:
    """The Bookmaker calls the runners one by one."""
    state = desk.state
    state.phase = "betting"
    state.queue = sorted(
        number for number, horse in state.horses.items() if horse.fate == "running"
    )
    if state.queue:
        _call(desk)


def _call(desk: Desk) -> None:
    """Call the first of the queue; players without a note to stake are not waited for."""
    state = desk.state
    number = state.queue[0]
    favourite_of = state.horses[number].owner if number in state.favourites else None
    desk.emit(RunnerCalled(horse=number, favourite_of=favourite_of))
    state.answered = [
        seat
        for seat in clockwise(state, 0)
        if cash(state, seat) < desk.printed.tariff.smallest_note
    ]
    state.answered.sort()
    desk.wait(desk.options.bet_s)


def call_next(desk: Desk) -> None:
    """All bets on this runner are in: call the next one."""
    desk.state.queue.pop(0)
    if desk.state.queue:
        _call(desk)


def tickets_on(state: AscotState, horse: int) -> list[Bet]:
    """The tickets sold on a horse, in their order."""
    return [bet for bet in state.bets if bet.horse == horse]


def bets_are_in(printed: Printed, state: AscotState) -> bool:
    """Whether everyone has spoken on the runner that is called, or its tickets are sold out."""
    sold_out = len(tickets_on(state, state.queue[0])) >= printed.tariff.tickets_per_horse
    return sold_out or len(state.answered) == state.seats


def _speak(desk: Desk, seat: Seat, horse: int) -> None:
    desk.require_phase("betting")
    called = desk.state.queue[0]
    require(horse == called, "not_called", called=called, horse=horse)
    require(seat not in desk.state.answered, "already_answered", horse=horse)


def place_bet(desk: Desk, seat: Seat, horse: int, stake: int) -> None:
    """Buy the next ticket on the runner that is called: any sum in whole notes, to win (Ruling A21)."""
    _speak(desk, seat, horse)
    state, note = desk.state, desk.printed.tariff.smallest_note
    require(stake > 0 and stake % note == 0, "not_in_notes", note=note)
    desk.pay(seat_purse(seat), TOTALISATOR, stake, "bet")
    number = len(state.bets) + 1
    state.bets.append(Bet(number, seat, horse, stake))
    state.answered = sorted([*state.answered, seat])
    desk.emit(BetPlaced(bet=number, seat=seat, spot=f"horse:{horse}", stake=stake, odds=ODDS))


def void_bet(desk: Desk, void: VoidedBet) -> int:
    """Who runs the server calls a ticket off. It keeps its place among the horse's tickets, and has no stake any more; once the
    totalisator is paid out, the Bank makes good.
    """
    bet = next(bet for bet in desk.state.bets if bet.number == void.bet)
    if void.payout is not None:
        return desk.give_back(seat_purse(bet.seat), void.stake - void.payout)
    desk.pay(TOTALISATOR, seat_purse(bet.seat), bet.stake, "bet_void")
    bet.stake = 0
    return void.stake


def no_bet(desk: Desk, seat: Seat, horse: int) -> None:
    """No bet on this runner."""
    _speak(desk, seat, horse)
    desk.state.answered = sorted([*desk.state.answered, seat])
    desk.emit(BetRefrained(seat=seat, horse=horse))


def propose_contract(desk: Desk, seat: Seat, contract: Contract) -> None:
    """Propose a place bet to the Bookmaker; nobody else hears it (Ruling A22)."""
    state = desk.state
    desk.require_phase("betting")
    require(desk.options.place_bets, "no_place_bets")
    bookmaker = state.offices.get("bookmaker")
    require(bookmaker is not None, "no_bookmaker")
    assert bookmaker is not None
    require(seat != bookmaker, "own_offer", contract=None)
    require(state.horses.get(contract.horse) is not None, "not_a_runner", horse=contract.horse)
    require(state.horses[contract.horse].fate == "running", "not_a_runner", horse=contract.horse)
    require(
        0 < contract.stake < contract.payout,
        "no_gain",
        stake=contract.stake,
        payout=contract.payout,
    )
    require(
        cash(state, seat) >= contract.stake,
        "insufficient_funds",
        held=cash(state, seat),
        needed=contract.stake,
    )
    is_open = any(other.seat == seat and not other.is_agreed for other in state.contracts)
    require(not is_open, "too_many_offers", most=1)
    state.contract_count += 1
    contract.number = state.contract_count
    state.contracts.append(contract)
    desk.emit(
        ContractProposed(
            contract=contract.number,
            seat=seat,
            horse=contract.horse,
            stake=contract.stake,
            payout=contract.payout,
            only=tuple(sorted((seat, bookmaker))),
        )
    )


def answer_contract(desk: Desk, seat: Seat, number: int, *, agrees: bool) -> None:
    """The Bookmaker agrees, and both sides go to escrow, or he does not."""
    state = desk.state
    desk.require_phase("betting")
    contract = next(
        (open_ for open_ in state.contracts if open_.number == number and not open_.is_agreed), None
    )
    require(
        state.offices.get("bookmaker") == seat and contract is not None,
        "no_such_offer",
        contract=number,
    )
    assert contract is not None
    if agrees:
        require(cash(state, contract.seat) >= contract.stake, "offer_not_covered", contract=number)
        desk.pay(seat_purse(contract.seat), ESCROW, contract.stake, "place_bet")
        desk.pay(seat_purse(seat), ESCROW, contract.payout - contract.stake, "place_bet")
        contract.is_agreed = True
    else:
        state.contracts.remove(contract)
    desk.emit(
        ContractAnswered(
            contract=number, is_agreed=agrees, only=tuple(sorted((contract.seat, seat)))
        )
    )


def close_bets(desk: Desk) -> None:
    """Proposals that nobody answered lapse."""
    desk.state.contracts = [contract for contract in desk.state.contracts if contract.is_agreed]
    desk.state.answered = []
