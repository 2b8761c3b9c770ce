"""Prizes of the Bank, totalisator, place bets and the ranking (Rulebook, "Les prix")."""

from typing import Literal

from railbird_engine import BetSettled, Result, Seat, seat_purse
from railbird_engine.rules.ascot.betting import parties
from railbird_engine.rules.ascot.data.printed import Printed
from railbird_engine.rules.ascot.desk import Desk
from railbird_engine.rules.ascot.race_events import (
    ContractSettled,
    FortunesPublished,
    PrizePaid,
    RaceEnded,
    TotalisatorPaid,
)
from railbird_engine.rules.ascot.state import (
    ESCROW,
    PRIZE_FUND,
    TOTALISATOR,
    AscotState,
    Ticket,
    cash,
    clockwise,
)
from railbird_engine.rules.ascot.trades import close_all

BANKER_ROUND = 100


def award(desk: Desk) -> None:
    """End the game: pay out all pots and publish the fortunes."""
    state = desk.state
    assert state.race is not None
    state.placed = [arrival.horse for arrival in state.race.arrivals]
    state.phase = "finished"
    state.race.step = "served"
    state.answered = []
    close_all(desk)
    desk.wait(0)
    desk.emit(RaceEnded(placed=tuple(state.placed)))
    _pay_prizes(desk)
    _pay_totalisator(desk)
    _settle_contracts(desk)
    desk.emit(
        FortunesPublished(fortunes=tuple(cash(state, Seat(seat)) for seat in range(state.seats)))
    )


def rounded_share(amount: int, percent: int, unit: int) -> int:
    """A percentage rounded to the nearest unit, half up, without going beyond the amount."""
    return min(amount, (amount * percent + unit * 50) // (unit * 100) * unit)


def prizes(printed: Printed, fund: int, placed: int) -> tuple[int, list[int]]:
    """The Banker's tenth and the prizes of the placed horses: a half and two quarters.

    The first also gets all that cannot be awarded or divided (Rulings A38 and A39). Without a
    finisher nothing is paid.
    """
    if not placed:
        return 0, []
    fee = rounded_share(fund, printed.tariff.commission_percent, BANKER_ROUND)
    quarter = (fund - fee) // 4
    seconds = [quarter] * (placed - 1)
    return fee, [fund - fee - sum(seconds), *seconds]


def _pay_prizes(desk: Desk) -> None:
    state = desk.state
    fund = state.purses[PRIZE_FUND]
    state.banker_fee, state.prizes = prizes(desk.printed, fund, len(state.placed))
    desk.pay_due(None, None, Seat(desk.options.banker), state.banker_fee, "banker_fee")
    paid = zip(state.placed, state.prizes, strict=True)
    for place, (number, amount) in enumerate(paid, start=1):
        owner = state.horses[number].owner
        desk.pay(PRIZE_FUND, seat_purse(owner), amount, "prize")
        desk.emit(PrizePaid(seat=owner, place=place, amount=amount))


def tote_result(
    printed: Printed,
    total: int,
    backed: int,
    bookmaker: Seat | None,
    *,
    is_literal: bool = False,
    is_kept: bool = False,
) -> TotalisatorPaid:
    """How the totalisator is paid out: the net pot divided by the winning stakes.

    The commission is rounded to the smallest note (Ruling A40). The factor is at least 1 unless
    `is_literal` (Ruling A41). An unbacked pot `is_kept` for the next game or left to the Bookmaker
    (Ruling A43).
    """
    tariff = printed.tariff
    commission, factor = 0, 0
    how: Literal["paid", "stakes_back", "nothing", "unbacked"] = "unbacked"
    rest = 0 if is_kept else total
    if backed:
        commission = rounded_share(total, tariff.commission_percent, tariff.smallest_note)
        factor = (total - commission) // backed
        how = "paid" if factor else "nothing" if is_literal else "stakes_back"
        factor = factor if is_literal else max(1, factor)
        rest = total - factor * backed
    return TotalisatorPaid(
        total=total,
        commission=commission,
        backed=backed,
        factor=factor,
        how=how,
        bookmaker=bookmaker if rest else None,
        rest=rest,
    )


def _pay_totalisator(desk: Desk) -> None:
    """Pay the tickets on the winner; commission and remainder go to the Bookmaker."""
    state, options = desk.state, desk.options
    winner = state.placed[0] if state.placed else None
    winning: list[Ticket] = [bet for bet in state.tickets if bet.horse == winner]
    tote = tote_result(
        desk.printed,
        state.purses[TOTALISATOR],
        sum(bet.stake for bet in winning),
        state.offices.get("bookmaker"),
        is_literal=options.literal_tote,
        is_kept=options.tote_no_winner == "carry_over",
    )
    for bet in [bet for bet in state.tickets if bet.stake]:
        payout = bet.stake * tote.factor if bet in winning else 0
        desk.pay(TOTALISATOR, seat_purse(bet.seat), payout, "payout")
        desk.emit(
            BetSettled(
                bet=bet.bet,
                seat=bet.seat,
                spot=f"horse:{bet.horse}",
                outcome="won" if bet in winning else "lost",
                payout=payout,
            )
        )
    desk.pay_bookmaker(TOTALISATOR, tote.rest, "totalisator_rest")
    desk.emit(tote)
    state.tote = tote


def _settle_contracts(desk: Desk) -> None:
    """Pay each place bet to its winner: the seat, if the horse is among the first three."""
    state = desk.state
    bookmaker = state.offices.get("bookmaker")
    for contract in state.contracts:
        assert bookmaker is not None
        is_won = contract.horse in state.placed
        winner = contract.seat if is_won else bookmaker
        desk.pay(ESCROW, seat_purse(winner), contract.payout, "place_bet")
        desk.emit(
            ContractSettled(
                contract=contract.contract,
                seat=winner,
                is_won=is_won,
                paid=contract.payout,
                only=parties(state, contract),
            )
        )


def result(state: AscotState) -> Result | None:
    """Rank the owners of the first three, then all others; or the richest first (Ruling A42)."""
    if state.phase != "finished":
        return None
    fortunes = tuple(cash(state, Seat(seat)) for seat in range(state.seats))
    if state.options.victory == "money":
        sums = sorted(set(fortunes), reverse=True)
        groups = [
            [seat for seat in clockwise(state, 0) if fortunes[seat] == fortune] for fortune in sums
        ]
    else:
        owners = list(dict.fromkeys(state.horses[number].owner for number in state.placed))
        groups = [[owner] for owner in owners] + [
            [seat for seat in clockwise(state, 0) if seat not in owners]
        ]
    return Result(tuple(tuple(group) for group in groups if group), fortunes)
