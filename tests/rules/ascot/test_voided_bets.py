"""A voided ticket: its stake goes back, and the game continues."""

from railbird_engine import Seat
from railbird_engine.rules.ascot.commands import NoBet, PlaceBet
from railbird_engine.rules.ascot.state import TOTALISATOR, cash
from tests.rules.ascot.scene import CASH, RULES, act, betting, refuse
from tests.rules.voiding import void_bet, went_back


def test_the_stake_of_a_voided_ticket_leaves_the_totalisator() -> None:
    state = betting({1: 0, 2: 1})
    bought = act(state, 2, PlaceBet(1, 5_000))
    state = act(bought.state, 0, PlaceBet(1, 500)).state
    step = void_bet(RULES, state, bought.events, 1)
    assert went_back(step) == 5_000
    state = step.state
    assert (state.purses[TOTALISATOR], cash(state, Seat(2))) == (500, CASH)
    view = RULES.view(state, Seat(0))
    assert [ticket.stake for ticket in view.tickets] == [0, 500]
    assert refuse(state, 2, PlaceBet(1, 500)).code == "already_answered"
    state = act(state, 1, NoBet(1)).state
    assert state.queue == [2], "the game continues"
