"""Forced sales: they interrupt the game, sell assets, and let it continue."""

from railbird_engine import Seat, Step
from railbird_engine.rules.ascot.commands import Bid, Pass, PutUp, Ready, TakeReport, Throw
from railbird_engine.rules.ascot.events import (
    BidderLeft,
    DebtClosed,
    DebtEnd,
    DebtOpened,
    HorseScratched,
    LotSold,
)
from railbird_engine.rules.ascot.state import PRIZE_FUND, AscotState, cash, horses_of
from tests.rules.ascot.scene import (
    RULES,
    act,
    change,
    dealt,
    dice,
    events_of,
    go_on,
    preliminaries,
    refuse,
    set_cash,
    stack,
    tick,
    training,
)


def closed(how: DebtEnd, paid: int) -> DebtClosed:
    """The end of a debt of seat 0 of 10,000 F."""
    return DebtClosed(seat=Seat(0), how=how, paid=paid, cancelled=10_000 - paid)


def in_debt() -> AscotState:
    """Seat 0 owes the Farrier 10,000 F for horse 4 and must still move horse 8."""
    state = training({4: 0, 8: 0, 1: 1}, {"farrier": 1, "forage": 0})
    set_cash(state, 0, 1_000)
    return go_on(state, *dice(2, 2)).state


def test_a_player_who_cannot_pay_must_sell_before_anything_else_happens() -> None:
    assert refuse(training({4: 0}), 0, PutUp("horse:4")).code == "no_debt"
    state = in_debt()
    assert state.debt is not None and (state.debt.seat, state.debt.amount) == (0, 10_000)
    assert refuse(state, 0, Throw()).code == "forced_sale_first"
    assert refuse(state, 1, PutUp("horse:1")).code == "not_the_debtor"
    assert refuse(state, 0, PutUp("horse:1")).code == "not_for_sale"
    state = act(state, 0, PutUp("horse:8")).state
    assert state.lot is not None and state.lot.open_to == [1, 2]
    assert refuse(state, 0, Bid("horse:8", 500)).code == "not_bidding"
    assert refuse(state, 0, PutUp("horse:4")).code == "lot_open"


def test_the_highest_bidder_pays_the_debtor_and_the_turn_continues() -> None:
    state = act(in_debt(), 0, PutUp("office:forage")).state
    state = act(state, 1, Bid("office:forage", 9_000)).state
    state = act(state, 2, Bid("office:forage", 12_000)).state
    step = act(state, 1, Pass("office:forage"))
    after = step.state
    assert events_of(step, DebtClosed) == [closed("paid", 10_000)]
    assert events_of(step, LotSold) == [
        LotSold(asset="office:forage", seller=Seat(0), buyer=Seat(2), price=12_000, commission=0)
    ]
    assert after.offices == {"farrier": 1, "forage": 2}
    assert cash(after, Seat(0)) == 1_000 + 12_000 - 10_000
    assert after.horses[8].progress == 4, "the horse that was waiting has moved too"
    assert after.debt is not None and after.debt.amount == 10_000, "and met the same square"


def test_a_horse_sold_in_mid_turn_keeps_its_place_and_its_cards() -> None:
    state = in_debt()
    change(state, 8, advantages=2)
    state = act(state, 0, PutUp("horse:8")).state
    state = act(state, 1, Bid("horse:8", 20_000)).state
    after = act(state, 2, Pass("horse:8")).state
    assert (after.horses[8].owner, after.horses[8].advantages, after.horses[8].progress) == (
        1,
        2,
        0,
    )
    assert after.training is not None and after.training.seat == 1, "the turn ended without it"


def test_a_slow_debtor_offers_the_cheapest_asset_and_slow_bidders_end_the_sale() -> None:
    state = tick(in_debt()).state
    assert state.lot is not None and state.lot.asset == "horse:8"
    alarm = RULES.alarm(state)
    state = act(state, 2, Bid("horse:8", 10_000)).state
    assert RULES.alarm(state) == alarm, "a bid does not prolong a private sale"
    assert tick(state).state.horses[8].owner == 2


def test_b12_a_seat_that_everybody_knows_to_be_too_poor_leaves_a_private_sale() -> None:
    state = in_debt()
    set_cash(state, 1, 5_000)
    state = act(state, 0, PutUp("horse:8")).state
    step = act(state, 2, Bid("horse:8", 6_000))
    assert events_of(step, BidderLeft) == [BidderLeft(seat=Seat(1), asset="horse:8")]
    assert events_of(step, LotSold)[0].price == 6_000, "nobody is left to top the bid"


def test_a19_without_a_buyer_the_creditor_gets_the_available_money() -> None:
    state = in_debt()
    for asset in ("horse:4", "horse:8", "office:forage"):
        state = act(state, 0, PutUp(asset)).state if state.lot is None else state
        state = act(state, 1, Pass(asset)).state
        step = act(state, 2, Pass(asset))
        state = step.state
    assert events_of(step, DebtClosed)[0] == closed("cancelled", 1_000)
    assert {horse.owner for number, horse in state.horses.items() if number in {4, 8}} == {0}


def test_a19_a_debtor_without_possible_buyers_does_not_wait() -> None:
    state = training({4: 0, 1: 1}, {"farrier": 1})
    for seat in range(3):
        set_cash(state, seat, 400)
    step = go_on(state, *dice(2, 2))
    assert [type(event) for event in step.events if isinstance(event, DebtOpened | DebtClosed)] == [
        DebtOpened,
        DebtClosed,
    ]
    assert cash(step.state, Seat(1)) == 800


def test_a06_a_debtor_finds_no_buyer_who_would_hold_both_stables() -> None:
    state = training({4: 0, 1: 1}, {"farrier": 1, "walroy": 0, "stevens": 1})
    set_cash(state, 0, 1_000)
    state = go_on(state, *dice(2, 2)).state
    state = act(state, 0, PutUp("office:walroy")).state
    assert state.lot is not None and state.lot.open_to == [2]


def owing_a_report(**horses: int) -> AscotState:
    """Seat 0 took a report as the Club Commissioner and cannot pay the 4,000 F that it asks for."""
    owners = {int(number.removeprefix("horse")): owner for number, owner in horses.items()}
    state = training(owners, {"club": 0, "stevens": 1, "forage": 0})
    set_cash(state, 0, 0)
    stack(state, "stevens", "pay_4000")
    return act(state, 0, TakeReport("stevens")).state


def test_a_member_in_debt_keeps_his_throw() -> None:
    state = act(owing_a_report(horse4=0, horse8=0, horse1=1), 0, PutUp("office:forage")).state
    state = act(state, 1, Bid("office:forage", 5_000)).state
    state = act(state, 2, Pass("office:forage"), *dice(1, 2)).state
    assert state.horses[4].progress == 3


def test_a_turn_ends_when_its_last_horse_is_sold_to_pay_a_report() -> None:
    state = act(owing_a_report(horse4=0, horse1=1), 0, PutUp("horse:4")).state
    state = act(state, 1, Bid("horse:4", 5_000)).state
    state = act(state, 2, Pass("horse:4")).state
    assert state.debt is None and state.training is not None
    assert state.training.seat == 1, "there is nothing left to throw for"


def test_a_player_who_cannot_pay_for_kept_cards_sells_too() -> None:
    state = dealt([[], ["horse:1", "office:forage"], []], ["horse:3"], "auction")
    set_cash(state, 1, 40_000)
    state = tick(go_on(state, 0).state).state
    assert (state.phase, state.debt is not None) == ("settlement", True)
    assert refuse(state, 1, PutUp("office:auctioneer")).code == "not_for_sale"
    state = act(state, 1, PutUp("office:forage")).state
    state = act(state, 2, Bid("office:forage", 15_000)).state
    after = act(state, 0, Pass("office:forage")).state
    assert (after.phase, cash(after, Seat(1)), after.purses[PRIZE_FUND]) == (
        "training",
        1_000,
        54_000,
    )


def test_a19_a_horse_whose_entry_cannot_be_paid_is_scratched() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2}, runners_each=1)
    set_cash(state, 0, 9_000)
    for seat in range(2):
        state = act(state, seat, Ready()).state
    step = act(state, 2, Ready())
    assert events_of(step, HorseScratched) == [HorseScratched(horse=1)]
    assert cash(step.state, Seat(0)) == 9_000, "what does not run is not paid for"
    assert step.state.horses[2].fate == "running"
    assert step.state.phase == "betting"


def test_b10_nobody_buys_a_horse_without_the_money_for_its_entry() -> None:
    """Two poor players once sold one horse to each other without end."""
    state = preliminaries({1: 0, 2: 1}, seats=2, runners_each=2)
    for seat in range(2):
        set_cash(state, seat, 6_000)
    step = act(act(state, 0, Ready()).state, 1, Ready())
    assert [event.horse for event in events_of(step, HorseScratched)] == [2, 1]
    set_cash(state, 1, 30_000)
    state = act(act(state, 0, Ready()).state, 1, Ready()).state
    assert state.lot is not None and state.lot.asset == "horse:1"
    assert refuse(state, 1, Bid("horse:1", 10_500)).data == {"limit": 10_000}
    state = act(state, 1, Bid("horse:1", 10_000)).state
    assert horses_of(state, Seat(1), "running") == [1, 2]


def test_a_report_may_be_sold_to_pay_for_the_entry() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2}, runners_each=1)
    state.kept[0] = ["bridle"]
    set_cash(state, 0, 9_000)
    for seat in range(3):
        state = act(state, seat, Ready()).state
    assert state.lot is not None and state.lot.asset == "report:bridle", (
        "the only thing he can sell is put up at once"
    )
    state = act(state, 1, Bid("report:bridle", 1_500)).state
    state = act(state, 2, Pass("report:bridle")).state
    assert (state.kept[0], state.kept[1]) == ([], ["bridle"])
    assert (state.horses[1].fate, cash(state, Seat(0))) == ("running", 500)


def entering(fortune: int, bid: int | None = None) -> Step[AscotState]:
    """Seat 0 cannot pay the entry of horse 1 and puts its report up; seat 1 bids or passes."""
    state = preliminaries({1: 0, 2: 1}, seats=2, runners_each=1)
    state.kept[0] = ["bridle"]
    set_cash(state, 0, fortune)
    state = act(act(state, 0, Ready()).state, 1, Ready()).state
    if bid is None:
        return act(state, 1, Pass("report:bridle"))
    return act(state, 1, Bid("report:bridle", bid))


def test_closing_a_debt_at_the_entries_is_public() -> None:
    paid = entering(9_000, bid=1_500)
    assert events_of(paid, DebtClosed) == [closed("paid", 10_000)]
    assert events_of(paid, HorseScratched) == []
    failed = entering(9_000)
    assert events_of(failed, DebtClosed) == [closed("cancelled", 0)]
    assert events_of(failed, HorseScratched) == [HorseScratched(horse=1)]


def test_a_debt_is_closed_when_the_horse_to_be_entered_is_sold() -> None:
    state = preliminaries({1: 0, 2: 1, 5: 1}, seats=3, runners_each=2)
    set_cash(state, 0, 9_000)
    for seat in range(3):
        state = act(state, seat, Ready()).state
    state = act(state, 2, Pass("horse:1")).state if state.debt is None else state
    assert state.lot is not None and state.lot.asset == "horse:1"
    step = act(state, 2, Bid("horse:1", 500))
    assert events_of(step, DebtClosed) == [closed("horse_sold", 0)]
    assert (step.state.horses[1].owner, step.state.horses[1].fate) == (2, "running")
