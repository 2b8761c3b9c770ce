"""Prizes, totalisator, place bets and the winner (Rulebook, "Les prix")."""

import msgspec
import pytest

from railbird_engine import BANK, BetSettled, Seat, Step
from railbird_engine.kernel.adversaries import spending
from railbird_engine.kernel.playout import Ask, ask_bot, play_out
from railbird_engine.rules.ascot.commands import Throw
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.prizes import prizes, result, tote_result
from railbird_engine.rules.ascot.race_events import (
    ContractSettled,
    FortunesPublished,
    PrizePaid,
    TotalisatorPaid,
)
from railbird_engine.rules.ascot.state import (
    ESCROW,
    PRIZE_FUND,
    TOTALISATOR,
    AscotState,
    Contract,
    cash,
)
from tests.rules.ascot.scene import (
    CASH,
    RULES,
    VARIANTS,
    dice,
    events_of,
    fill_bank,
    go_on,
    race_of,
    racing,
    refuse,
    with_bets,
)


def at_the_post(
    seats: int = 3, fund: int = 0, bookmaker: int | None = None, **options: object
) -> AscotState:
    """Horses 1, 2 and 3 of seats 0, 1 and 2 pass in this order by the throws of `finish`."""
    state = racing({1: (0, 44, 1), 2: (1, 44, 2), 3: (2, 44, 3)}, seats)
    state.options = msgspec.convert(options, AscotOptions)
    fill_bank(state, fund)
    if bookmaker is not None:
        state.offices["bookmaker"] = Seat(bookmaker)
    return state


def finish(state: AscotState) -> Step[AscotState]:
    for _ in range(2):
        state = go_on(state, *dice(1)).state
    return go_on(state, *dice(1))


def test_the_bank_pays_a_tenth_to_the_banker_and_a_half_and_two_quarters_to_the_owners() -> None:
    step = finish(at_the_post(fund=500_000, banker=2))
    assert [cash(step.state, Seat(seat)) - CASH for seat in range(3)] == [
        225_000,
        112_500,
        112_500 + 50_000,
    ]
    assert step.state.purses[PRIZE_FUND] == 0
    assert [
        (event.place, event.amount) for event in step.events if isinstance(event, PrizePaid)
    ] == [
        (1, 225_000),
        (2, 112_500),
        (3, 112_500),
    ]


def test_a38_prizes_without_a_finisher_go_to_the_first_or_stay_unpaid() -> None:
    assert prizes(RULES.printed, 500_000, 2) == (50_000, [337_500, 112_500])
    assert prizes(RULES.printed, 500_000, 1) == (50_000, [450_000])
    assert prizes(RULES.printed, 500_000, 0) == (0, [])
    state = with_bets(at_the_post(fund=100_000, bookmaker=1), (0, 1, 5_000))
    for hand in race_of(state).hands:
        hand.disadvantages = 1
    step = finish(state)
    assert step.state.placed == []
    assert step.state.purses[PRIZE_FUND] == 100_000
    assert cash(step.state, Seat(1)) == CASH + 5_000, "nobody backed the winner"
    assert step.state.phase == "finished"


def test_a39_the_bankers_tenth_is_rounded_and_the_remainder_goes_to_the_first() -> None:
    assert prizes(RULES.printed, 500_350, 3) == (50_000, [225_176, 112_587, 112_587])
    assert prizes(RULES.printed, 500_500, 3)[0] == 50_100


def test_the_totalisator_pays_whole_multiples_and_the_bookmaker_keeps_the_rest() -> None:
    state = with_bets(at_the_post(bookmaker=2), (0, 1, 20_000), (1, 1, 40_000), (0, 2, 90_000))
    step = finish(state)
    assert events_of(step, TotalisatorPaid) == [
        TotalisatorPaid(
            total=150_000,
            commission=15_000,
            backed=60_000,
            factor=2,
            how="paid",
            bookmaker=Seat(2),
            rest=30_000,
        )
    ]
    assert events_of(step, BetSettled) == [
        BetSettled(bet=1, seat=Seat(0), spot="horse:1", outcome="won", payout=40_000),
        BetSettled(bet=2, seat=Seat(1), spot="horse:1", outcome="won", payout=80_000),
        BetSettled(bet=3, seat=Seat(0), spot="horse:2", outcome="lost", payout=0),
    ]
    assert [cash(step.state, Seat(seat)) - cash(state, Seat(seat)) for seat in range(3)] == [
        40_000,
        80_000,
        30_000,
    ]
    assert step.state.purses[TOTALISATOR] == 0


def test_a40_the_commission_of_the_totalisator_is_a_round_sum() -> None:
    for total, backed, commission, factor in (
        (11_500, 10_000, 1_000, 1),
        (22_500, 20_000, 2_500, 1),  # 2,250 F, half up
        (22_500, 20_500, 2_500, 0),
    ):
        tote = tote_result(RULES.printed, total, backed, None, is_literal=True)
        assert (tote.commission, tote.factor) == (commission, factor)


def test_a41_winning_stakes_come_back_at_least_once() -> None:
    bets = ((0, 1, 95_000), (1, 2, 5_000))
    step = finish(with_bets(at_the_post(bookmaker=2), *bets))
    assert (cash(step.state, Seat(0)), cash(step.state, Seat(2))) == (CASH, CASH + 5_000)
    assert events_of(step, TotalisatorPaid)[0].how == "stakes_back"
    literal = finish(with_bets(at_the_post(bookmaker=2, literal_tote=True), *bets))
    assert (cash(literal.state, Seat(0)), cash(literal.state, Seat(2))) == (
        CASH - 95_000,
        CASH + 100_000,
    )
    assert events_of(literal, TotalisatorPaid)[0].how == "nothing"
    first = BetSettled(bet=1, seat=Seat(0), spot="horse:1", outcome="won", payout=0)
    assert events_of(literal, BetSettled)[0] == first


@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("ask", [ask_bot, spending])
def test_the_view_at_the_end_tells_each_payment_after_the_race(
    options: AscotOptions, ask: Ask
) -> None:
    playout = play_out(RULES, 3, options, b"the end", ask)
    assert isinstance(playout.state, AscotState)
    view = RULES.view(playout.state, None)
    assert view.tote is not None
    paid = [0, 0, 0]
    paid[options.banker] += view.banker_fee
    for number, prize in zip(view.placed, view.prizes, strict=True):
        paid[view.horses[number].owner] += prize
    for ticket in view.tickets:
        if ticket.horse == view.placed[0]:
            paid[ticket.seat] += ticket.stake * view.tote.factor
    if view.tote.bookmaker is not None:
        paid[view.tote.bookmaker] += view.tote.rest
    moved = [0, 0, 0]
    for transfer in playout.commits[-1].transfers:
        if transfer.target.startswith("seat:") and transfer.reason != "place_bet":
            moved[int(transfer.target.removeprefix("seat:"))] += transfer.amount
    assert paid == moved


def test_a43_an_unbacked_pot_goes_to_the_bookmaker_or_into_the_next_game() -> None:
    step = finish(with_bets(at_the_post(bookmaker=2), (0, 2, 5_000)))
    assert cash(step.state, Seat(2)) == CASH + 5_000
    assert events_of(step, TotalisatorPaid) == [
        TotalisatorPaid(
            total=5_000,
            commission=0,
            backed=0,
            factor=0,
            how="unbacked",
            bookmaker=Seat(2),
            rest=5_000,
        )
    ]
    carried = finish(
        with_bets(at_the_post(bookmaker=2, tote_no_winner="carry_over"), (0, 2, 5_000))
    )
    assert (cash(carried.state, Seat(2)), carried.state.purses[TOTALISATOR]) == (CASH, 5_000)


def test_a11_without_a_bookmaker_commission_and_remainder_leave_the_game() -> None:
    state = with_bets(at_the_post(), (0, 1, 20_000), (1, 2, 25_000))
    step = finish(state)
    assert cash(step.state, Seat(0)) == CASH + 20_000, "45,000 less 4,500 is twice 20,000"
    assert step.state.purses[BANK] - state.purses[BANK] == 5_000
    carried = finish(with_bets(at_the_post(tote_no_winner="carry_over"), (0, 2, 5_000)))
    assert carried.state.purses[TOTALISATOR] == 5_000


def test_a22_a_place_bet_is_won_by_any_of_the_first_three() -> None:
    for horse, winner in ((3, 0), (9, 2)):
        state = at_the_post(bookmaker=2)
        state.contracts = [Contract(1, Seat(0), horse, 5_000, 12_000, is_agreed=True)]
        state.purses[ESCROW], state.purses[BANK] = 12_000, state.purses[BANK] - 12_000
        step = finish(state)
        settled = ContractSettled(contract=1, seat=Seat(winner), is_won=winner == 0, paid=12_000)
        assert events_of(step, ContractSettled) == [settled]
        assert cash(step.state, Seat(winner)) == CASH + 12_000
        assert step.state.purses[ESCROW] == 0


def test_a42_the_owner_of_the_first_horse_wins_or_the_richest() -> None:
    state = at_the_post(4, fund=100_000)
    step = finish(state)
    ended = RULES.result(step.state)
    assert ended is not None
    assert ended.ranking == ((0,), (1,), (2,), (3,))
    assert ended.scores == (CASH + 45_000 + 10_000, CASH + 22_500, CASH + 22_500, CASH)
    assert events_of(step, FortunesPublished) == [FortunesPublished(fortunes=ended.scores)]
    rich = result(finish(at_the_post(4, fund=100_000, victory="money")).state)
    assert rich is not None and rich.ranking == ((0,), (1, 2), (3,)), "ties are shared"
    faults = (RULES.unfit_for_coins(AscotOptions(victory=how)) for how in ("money", "race"))
    assert [*faults] == ["collusion", None], "seats could sell all that they have to each other"


def test_owners_are_ranked_once_by_their_best_horse() -> None:
    state = at_the_post()
    state.phase, state.placed = "finished", [2, 1, 2]
    ended = RULES.result(state)
    assert ended is not None and ended.ranking == ((1,), (0,), (2,))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_finished_game_awaits_no_seat(seat: int) -> None:
    state = finish(at_the_post()).state
    assert RULES.alarm(state) is None
    assert refuse(state, seat, Throw()).code == "game_over"
    assert list(RULES.legal(state, Seat(seat))) == []
    assert RULES.view(state, Seat(seat)).awaited == ()
