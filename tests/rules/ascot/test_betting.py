"""Favourites, totalisator tickets and place bets (Rulebook, "Favori" and "Les paris")."""

from railbird_engine import BetPlaced, Seat
from railbird_engine.rules.ascot.commands import (
    AcceptPlaceBet,
    DeclinePlaceBet,
    NameFavourite,
    NoBet,
    PlaceBet,
    ProposePlaceBet,
    Ready,
)
from railbird_engine.rules.ascot.race_events import ContractAnswered, ContractProposed, RunnerCalled
from railbird_engine.rules.ascot.state import ESCROW, TOTALISATOR, AscotState, cash
from tests.rules.ascot.scene import (
    CASH,
    RULES,
    act,
    betting,
    dice,
    events_of,
    preliminaries,
    refuse,
    set_cash,
    tick,
)


def test_each_player_may_name_one_of_his_runners_his_favourite() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2, 4: 0, 5: 1}, seats=3, runners_each=2)
    for seat in range(3):
        state = act(state, seat, Ready()).state
    assert state.answered == [2], "the game does not wait for a seat with one runner"
    assert refuse(state, 0, NameFavourite(2)).code == "not_your_runner"
    state = act(state, 0, NameFavourite(1)).state
    assert refuse(state, 0, NameFavourite(None)).code == "favourite_named"
    step = act(state, 1, NameFavourite(None))
    assert step.state.favourites == [1, None, None]
    assert events_of(step, RunnerCalled) == [RunnerCalled(horse=1, favourite_of=Seat(0))]
    assert tick(state).state.favourites == [1, None, None], "silence names none"


def test_a_ticket_costs_any_sum_and_fills_the_next_slot() -> None:
    state = betting({1: 0, 2: 1})
    assert refuse(state, 0, PlaceBet(2, 500)).data == {"called": 1, "horse": 2}
    assert refuse(state, 0, PlaceBet(1, 0)).code == "not_in_notes"
    assert refuse(state, 0, PlaceBet(1, 750)).data == {"note": 500}
    assert refuse(state, 0, PlaceBet(1, 300_000)).code == "insufficient_funds"
    step = act(state, 2, PlaceBet(1, 5_000))
    assert events_of(step, BetPlaced) == [
        BetPlaced(bet=1, seat=Seat(2), spot="horse:1", stake=5_000, odds="totalisator")
    ]
    assert (step.state.purses[TOTALISATOR], cash(step.state, Seat(2))) == (5_000, CASH - 5_000)


def test_the_next_runner_is_called_when_all_have_answered_or_time_expires() -> None:
    state = betting({1: 0, 2: 1})
    alarm = RULES.alarm(state)
    state = act(state, 0, PlaceBet(1, 500)).state
    state = act(state, 1, NoBet(1)).state
    assert RULES.alarm(state) == alarm
    assert refuse(state, 1, PlaceBet(1, 500)).code == "already_answered"
    called = act(state, 2, NoBet(1)).state
    assert (called.queue, called.answered) == ([2], [])
    assert tick(state).state.queue == [2]
    assert RULES.alarm(called) != alarm


def test_a21_one_ticket_per_player_and_four_per_horse() -> None:
    state = betting({1: 0, 2: 1}, seats=6)
    for seat in (5, 0, 3):
        state = act(state, seat, PlaceBet(1, 500)).state
        assert refuse(state, seat, PlaceBet(1, 500)).code == "already_answered"
    state.offices["bookmaker"] = Seat(2)
    after = act(state, 2, PlaceBet(1, 500)).state
    assert [bet.seat for bet in after.tickets] == [5, 0, 3, 2], (
        "first come, first served, the Bookmaker too"
    )
    assert after.queue == [2], "the tickets are sold out"
    assert refuse(after, 1, PlaceBet(1, 500)).code == "not_called"


def test_the_game_does_not_wait_for_a_player_without_a_note() -> None:
    state = betting({1: 0, 2: 1})
    set_cash(state, 2, 400)
    state = tick(state).state
    assert state.answered == [2]
    assert act(act(state, 0, NoBet(2)).state, 1, NoBet(2), *dice(1, 2)).state.phase == "race"


def betting_with_bookmaker() -> AscotState:
    """Place bets are allowed, and seat 2 is the Bookmaker."""
    state = betting({1: 0, 2: 1}, place_bets=True)
    state.offices["bookmaker"] = Seat(2)
    return state


def proposed() -> AscotState:
    """Seat 0 proposed a place bet to the Bookmaker, who is seat 2."""
    return act(betting_with_bookmaker(), 0, ProposePlaceBet(1, 5_000, 12_000)).state


def test_a22_place_bets_are_off_unless_the_host_wants_them() -> None:
    state = betting({1: 0, 2: 1})
    assert refuse(state, 0, ProposePlaceBet(1, 500, 1_000)).code == "no_place_bets"
    state = betting({1: 0, 2: 1}, place_bets=True)
    assert refuse(state, 0, ProposePlaceBet(1, 500, 1_000)).code == "no_bookmaker"


def test_a22_a_place_bet_is_a_private_contract_with_the_bookmaker() -> None:
    state = proposed()
    assert refuse(state, 0, ProposePlaceBet(2, 500, 1_000)).code == "too_many_offers"
    assert refuse(state, 2, ProposePlaceBet(2, 500, 1_000)).code == "own_offer"
    assert refuse(state, 1, ProposePlaceBet(2, 500, 500)).code == "no_gain"
    assert refuse(state, 1, ProposePlaceBet(3, 500, 900)).code == "not_a_runner"
    assert refuse(state, 1, AcceptPlaceBet(1)).code == "no_such_offer"
    poor = RULES._draft(state)
    set_cash(poor, 0, 4_000)
    assert refuse(poor, 2, AcceptPlaceBet(1)).data == {"contract": 1}
    step = act(state, 2, AcceptPlaceBet(1))
    assert events_of(step, ContractAnswered) == [
        ContractAnswered(
            contract=1,
            seat=Seat(0),
            bookmaker=Seat(2),
            is_agreed=True,
            stake=5_000,
            payout=12_000,
        )
    ], "with open cash, everybody learns which money moved"
    declined = events_of(act(state, 2, DeclinePlaceBet(1)), ContractAnswered)
    assert [event.only for event in declined] == [(0, 2)]
    assert step.state.purses[ESCROW] == 12_000
    assert (cash(step.state, Seat(0)), cash(step.state, Seat(2))) == (CASH - 5_000, CASH - 7_000)
    assert act(state, 2, DeclinePlaceBet(1)).state.contracts == []
    assert [len(RULES.view(step.state, Seat(seat)).contracts or ()) for seat in range(3)] == [
        1,
        0,
        1,
    ]
    assert RULES.view(step.state, None).contracts is None
    proposals = events_of(
        act(betting_with_bookmaker(), 0, ProposePlaceBet(1, 500, 900)), ContractProposed
    )
    assert [event.only for event in proposals] == [(0, 2)]


def test_an_unanswered_proposal_lapses() -> None:
    state = tick(proposed()).state
    after = tick(state, *dice(1, 2)).state
    assert (after.phase, after.contracts, after.purses[ESCROW]) == ("race", [], 0)
