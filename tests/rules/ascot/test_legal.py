"""The commands offered to a seat in single positions; whole games are checked by conformance."""

from railbird_engine import Seat
from railbird_engine.rules.ascot.commands import (
    Accept,
    AcceptPlaceBet,
    AscotCommand,
    Bid,
    Decline,
    Move,
    NoBet,
    Offer,
    Pass,
    PlaceBet,
    ProposePlaceBet,
    TakeReport,
    Throw,
)
from railbird_engine.rules.ascot.events import OfferClosed
from railbird_engine.rules.ascot.race_events import ContractAnswered
from railbird_engine.rules.ascot.state import AscotState
from tests.rules.ascot.scene import (
    RULES,
    act,
    betting,
    dealt,
    dice,
    events_of,
    go_on,
    preliminaries,
    racing,
    set_cash,
    stack,
    training,
)


def legal(state: AscotState, seat: int) -> list[AscotCommand]:
    """The commands that are offered to a seat."""
    return list(RULES.legal(state, Seat(seat)))


def test_a_bidder_is_offered_the_least_bid_the_printed_price_and_all_his_means() -> None:
    state = go_on(dealt([[], [], []], ["horse:1", "horse:2"], "auction"), 0).state
    set_cash(state, 1, 50_000)
    bids = [command.amount for command in legal(state, 1) if isinstance(command, Bid)]
    assert bids == [500, 36_000, 45_000]
    assert Pass("horse:1") in legal(state, 1)
    set_cash(state, 1, 400)
    assert legal(state, 1) == [Pass("horse:1")]


def test_a_seat_may_refrain_from_a_bet_or_stake_a_note_a_tenth_or_all() -> None:
    state = betting({1: 0, 4: 1})
    set_cash(state, 0, 10_000)
    assert legal(state, 0) == [NoBet(1), *(PlaceBet(1, stake) for stake in (500, 1_000, 10_000))]
    assert legal(act(state, 0, NoBet(1)).state, 0) == []


def test_an_offer_that_is_not_covered_can_only_be_declined() -> None:
    offer = Offer(Seat(1), takes=("horse:2",), pays=5_000)
    state = act(preliminaries({1: 0, 2: 1}), 0, offer).state
    assert {Accept(1), Decline(1)} <= set(legal(state, 1))
    set_cash(state, 0, 4_000)
    assert Accept(1) not in legal(state, 1)
    assert Decline(1) in legal(state, 1)


def test_legal_commands_do_not_tell_hidden_cash() -> None:
    offer = Offer(Seat(1), takes=("horse:2",), pays=5_000)
    state = act(preliminaries({1: 0, 2: 1}, private_cash=True), 0, offer).state
    rich = legal(state, 1)
    set_cash(state, 0, 4_000)
    assert legal(state, 1) == rich
    step = act(state, 1, Accept(1))
    assert events_of(step, OfferClosed) == [OfferClosed(offer=1, why="not_covered")]
    assert step.transfers == ()


def test_legal_place_bets_do_not_tell_hidden_cash() -> None:
    state = betting({1: 0, 4: 1}, place_bets=True, private_cash=True)
    state.offices["bookmaker"] = Seat(2)
    state = act(state, 0, ProposePlaceBet(4, 5_000, 10_000)).state
    rich = legal(state, 2)
    set_cash(state, 0, 4_000)
    assert legal(state, 2) == rich
    step = act(state, 2, AcceptPlaceBet(1))
    assert [event.is_agreed for event in events_of(step, ContractAnswered)] == [False]
    assert step.transfers == ()


def test_only_a_member_with_a_report_to_take_is_asked_to_throw() -> None:
    state = training({4: 0, 8: 1}, {"club": 1})
    state = go_on(state, *dice(1, 2)).state
    assert state.training is not None and state.training.seat == 1, "seat 0 had no choice"
    assert legal(state, 1) == [Throw(), TakeReport("stevens"), TakeReport("veterinary")]
    stack(state, "stevens", "gain_1")
    step = act(state, 1, TakeReport("stevens"), *dice(2, 1))
    assert step.state.horses[8].progress == 3, "after the report the server throws"


def test_a_rider_is_asked_only_for_choices() -> None:
    state = racing({7: (0, 0, 1), 2: (1, 10, 2)})
    state = go_on(state, *dice(1, 2)).state
    assert state.horses[7].row == 1, "the first row is reached in one lane only"
    assert legal(state, 1) == [Move(lane) for lane in (1, 2, 3, 4)]
