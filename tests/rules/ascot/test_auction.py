"""The auction and the settlement of kept cards (Rulebook, "Vente aux enchères")."""

import pytest

from railbird_engine import Seat, seat_purse
from railbird_engine.rules.ascot.bidding import bid_limit, commission
from railbird_engine.rules.ascot.commands import Bid, Pass
from railbird_engine.rules.ascot.events import HandShown, LotOpened, LotSold, LotUnsold
from railbird_engine.rules.ascot.state import PRIZE_FUND, AscotState, cash, office_purse
from tests.rules.ascot.scene import (
    CASH,
    RULES,
    act,
    dealt,
    events_of,
    go_on,
    refuse,
    set_cash,
    tick,
)


def auction(*pile: str, hands: list[list[str]] | None = None, **options: object) -> AscotState:
    """An auction with the first card of the pile on sale."""
    state = dealt(hands or [[], [], []], list(pile), "auction", **options)
    return go_on(state, sorted(pile).index(pile[0])).state


def sold(price: int, buyer: int = 1, card: str = "horse:3") -> AscotState:
    """An auction whose first card went to this buyer."""
    state = auction(card, "horse:5")
    state = act(state, buyer, Bid(card, price)).state
    for seat in {0, 1, 2} - {buyer}:
        state = act(state, seat, Pass(card)).state
    return state


def test_the_server_shows_one_card_at_a_time() -> None:
    state = dealt([["horse:9"], [], []], ["horse:1", "horse:2"], "auction")
    assert refuse(state, 1, Bid("horse:1", 500)).code == "nothing_on_sale"
    state = go_on(state, 1).state
    assert state.lot is not None and state.lot.asset == "horse:2"
    assert RULES.view(state, None).pile == 1


def test_a_card_is_sold_when_no_other_seat_is_bidding() -> None:
    state = auction("horse:3", "horse:5")
    state = act(state, 1, Bid("horse:3", 1_000)).state
    assert RULES.view(state, None).awaited == (0, 2)
    state = act(state, 0, Pass("horse:3")).state
    step = act(state, 2, Pass("horse:3"), 0)
    assert [event.buyer for event in step.events if isinstance(event, LotSold)] == [1]
    assert events_of(step, LotOpened) == [LotOpened(asset="horse:5", seller=None)]


def test_a_card_without_bidders_leaves_without_a_decision() -> None:
    state = auction("horse:3", "horse:5")
    for seat in range(2):
        state = act(state, seat, Pass("horse:3")).state
    step = act(state, 2, Pass("horse:3"), 0)
    assert events_of(step, LotUnsold) == [LotUnsold(asset="horse:3")]
    assert step.state.lot is not None and step.state.lot.asset == "horse:5"


def test_the_highest_bidder_pays_bank_and_auctioneer_at_once() -> None:
    state = sold(12_500)
    assert cash(state, Seat(1)) == CASH - 12_500 - 1_300
    assert cash(state, Seat(0)) == CASH + 1_300
    assert state.purses[PRIZE_FUND] == 12_500
    assert state.purses[office_purse("auctioneer")] == 0
    assert state.horses[3].owner == 1


def test_bids_rise_by_whole_notes() -> None:
    state = auction("horse:3", "horse:5")
    assert refuse(state, 1, Bid("horse:3", 700)).code == "not_in_notes"
    assert refuse(state, 1, Bid("horse:3", 0)).data == {"least": 500}
    assert refuse(state, 1, Bid("horse:5", 500)).code == "another_lot"
    state = act(state, 1, Bid("horse:3", 1_000)).state
    assert refuse(state, 1, Bid("horse:3", 2_000)).code == "already_highest"
    assert refuse(state, 1, Pass("horse:3")).code == "already_highest"
    assert refuse(state, 2, Bid("horse:3", 1_000)).data == {"least": 1_500}
    state = act(state, 2, Pass("horse:3")).state
    assert refuse(state, 2, Bid("horse:3", 1_500)).code == "not_bidding"


def test_the_auctioneer_may_bid_and_the_others_have_time_to_answer() -> None:
    state = auction("horse:3", "horse:5")
    state = act(state, 0, Bid("horse:3", 500)).state
    state = act(state, 1, Pass("horse:3")).state
    assert state.lot is not None and state.lot.rivals == [2]
    assert act(state, 2, Pass("horse:3")).state.horses[3].owner == 0


def test_a_card_is_sold_a_while_after_the_last_bid() -> None:
    state = auction("horse:3", "horse:5")
    first = RULES.alarm(state)
    passed = act(state, 2, Pass("horse:3")).state
    assert RULES.alarm(passed) == first, "leaving does not prolong the bidding"
    bid = act(state, 1, Bid("horse:3", 500)).state
    assert RULES.alarm(bid) != first
    assert tick(bid).state.horses[3].owner == 1
    lot = tick(bid, 0).state.lot
    assert lot is not None and lot.asset == "horse:5", "the next card is shown at once"


def test_an_unsold_card_leaves_the_game_with_its_horse() -> None:
    step = tick(auction("horse:3", "horse:5"))
    assert events_of(step, LotUnsold) == [LotUnsold(asset="horse:3")]
    assert 3 not in step.state.horses and step.state.dead == ["horse:5"]


def test_a06_a_bid_may_not_join_the_stables() -> None:
    state = auction("office:walroy", "horse:5", hands=[[], ["office:stevens"], []])
    assert refuse(state, 1, Bid("office:walroy", 500)).code == "both_stables"
    state = auction("office:walroy", "horse:5")
    state.offices["stevens"] = Seat(2)
    assert refuse(state, 2, Bid("office:walroy", 500)).code == "both_stables"
    assert act(state, 1, Bid("office:walroy", 500)).state.lot is not None


def test_a07_bids_stay_within_the_means() -> None:
    state = auction("horse:3", "horse:5", hands=[[], ["horse:1", "office:farrier"], []])
    set_cash(state, 1, 70_000)  # 56,000 of them are reserved for the kept cards.
    assert bid_limit(RULES.printed, state, Seat(1), None) == 12_500, (
        "12,500 and 1,300 commission fit into 14,000"
    )
    assert refuse(state, 1, Bid("horse:3", 13_000)).data == {"limit": 12_500}
    assert act(state, 1, Bid("horse:3", 12_500)).state.lot is not None


def test_a07_the_limit_is_the_highest_bid_that_fits() -> None:
    state = auction("horse:3", "horse:5")
    for fortune in range(0, 20_000, 100):
        set_cash(state, 1, fortune)
        fitting = [
            bid for bid in range(0, 20_500, 500) if bid + commission(RULES.printed, bid) <= fortune
        ]
        assert bid_limit(RULES.printed, state, Seat(1), None) == fitting[-1], fortune


def test_a08_cards_are_sold_one_by_one() -> None:
    state = auction("horse:3", "horse:5")
    state = act(state, 1, Bid("horse:3", 500)).state
    state = tick(state).state
    assert (list(state.horses), state.dead) == ([3], ["horse:5"])


@pytest.mark.parametrize(
    ("price", "due"), [(12_500, 1_300), (3_000, 300), (500, 100), (12_000, 1_200)]
)
def test_a09_the_commission_is_a_tenth_to_the_nearest_hundred(price: int, due: int) -> None:
    assert commission(RULES.printed, price) == due


def test_a09_the_auctioneer_pays_himself_no_commission() -> None:
    state = sold(12_500, buyer=0)
    assert cash(state, Seat(0)) == CASH - 12_500
    assert [
        transfer.reason for transfer in act(auction("horse:3"), 0, Bid("horse:3", 500)).transfers
    ] == []


def test_after_the_auction_players_show_and_pay_for_kept_cards() -> None:
    state = auction("horse:3", hands=[["horse:1"], [], ["office:forage", "horse:7"]])
    step = tick(state)
    assert events_of(step, HandShown) == [
        HandShown(seat=Seat(1), cards=(), price=0),
        HandShown(seat=Seat(2), cards=("horse:7", "office:forage"), price=36_000),
        HandShown(seat=Seat(0), cards=("horse:1",), price=36_000),
    ]
    after = step.state
    assert [cash(after, Seat(seat)) for seat in range(3)] == [CASH - 36_000, CASH, CASH - 36_000]
    assert after.purses[PRIZE_FUND] == 72_000
    assert (list(after.horses), after.offices["forage"]) == ([1, 7], 2)
    assert after.phase == "training"


def test_the_price_of_a_sale_is_public_and_the_reserve_is_not() -> None:
    state = auction("horse:3", "horse:5", hands=[[], ["horse:1"], []])
    view = RULES.view(state, Seat(1))
    assert view.own is not None and view.own.reserved == 36_000
    assert RULES.view(state, None).own is None
    sale = events_of(tick(act(state, 1, Bid("horse:3", 500)).state), LotSold)
    assert sale == [LotSold(asset="horse:3", seller=None, buyer=Seat(1), price=500, commission=100)]
    assert seat_purse(1) in state.purses
