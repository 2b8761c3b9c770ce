"""Trades, equal numbers, surplus horses and entries (Rulebook, "Préliminaires")."""

from railbird_engine import Seat
from railbird_engine.rules.ascot.bidding import bid_limit
from railbird_engine.rules.ascot.commands import (
    Accept,
    Bid,
    Decline,
    Enter,
    NotReady,
    Offer,
    Pass,
    Ready,
    Throw,
    Withdraw,
)
from railbird_engine.rules.ascot.events import (
    HorseAssigned,
    HorseEntered,
    HorseScratched,
    LotSold,
    OfferClosed,
    ReadyChanged,
)
from railbird_engine.rules.ascot.preliminaries import runners_each
from railbird_engine.rules.ascot.state import (
    CHANGES_MAX,
    PRIZE_FUND,
    AscotState,
    Horse,
    cash,
    horses_of,
)
from tests.rules.ascot.scene import (
    CASH,
    RULES,
    act,
    change,
    events_of,
    go_on,
    preliminaries,
    racing,
    refuse,
    set_cash,
    tick,
    training,
)


def close(state: AscotState) -> AscotState:
    for seat in range(state.seats):
        state = act(state, seat, Ready()).state
    return state


def test_a18_horses_and_reports_are_traded_before_the_race_and_only_reports_in_it() -> None:
    offer = Offer(None, gives=("horse:1",), asks=500)
    assert refuse(training({1: 0}), 0, offer).code == "no_trading_now"
    assert act(preliminaries({1: 0}), 0, offer).state.offers
    state = racing({1: (0, 0, 1), 2: (1, 0, 2)})
    state.kept[0] = ["bridle"]
    assert refuse(state, 0, offer).code == "not_tradeable"
    sold = Offer(None, gives=("report:bridle",), asks=500)
    assert sold in list(RULES.legal(state, Seat(0)))
    assert act(state, 0, sold).state.offers


def test_a_deal_moves_goods_and_money_at_once() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2})
    change(state, 1, advantages=2)
    state.kept[1] = ["bridle"]
    for seat, money in enumerate((0, 5_000)):  # just enough
        set_cash(state, seat, money)
    state = act(
        state, 0, Offer(Seat(1), gives=("horse:1",), takes=("horse:2", "report:bridle"), asks=5_000)
    ).state
    assert refuse(state, 2, Accept(1)).code == "offer_not_for_you"
    assert refuse(state, 0, Accept(1)).code == "own_offer"
    after = act(state, 1, Accept(1)).state
    assert (after.horses[1].owner, after.horses[1].advantages, after.horses[2].owner) == (1, 2, 0)
    assert (after.kept[0], after.kept[1]) == (["bridle"], [])
    assert (cash(after, Seat(0)), cash(after, Seat(1))) == (5_000, 0)
    assert refuse(after, 1, Accept(1)).code == "no_such_offer"


def test_offers_that_cannot_be_kept_are_refused() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2})
    refusals = {
        "not_owned": Offer(Seat(1), gives=("horse:2",)),
        "nothing_to_trade": Offer(Seat(1), pays=500),
        "pays_and_asks": Offer(Seat(1), gives=("horse:1",), pays=500, asks=500),
        "offer_to_oneself": Offer(Seat(0), gives=("horse:1",)),
        "no_such_seat": Offer(Seat(3), gives=("horse:1",)),
        "named_twice": Offer(Seat(1), gives=("horse:1", "horse:1")),
        "insufficient_funds": Offer(Seat(1), takes=("horse:2",), pays=CASH + 1),
        "not_tradeable": Offer(Seat(1), gives=("office:bookmaker",)),
    }
    assert {code: refuse(state, 0, command).code for code, command in refusals.items()} == {
        code: code for code in refusals
    }
    assert act(state, 0, Offer(Seat(1), takes=("horse:2",), pays=CASH)).state.offers, "all his cash"
    assert refuse(state, 0, Offer(None, takes=("horse:9",), pays=500)).code == "not_owned"
    assert refuse(state, 0, Offer(None, takes=("horse:1",), pays=500)).code == "not_owned", (
        "an own horse"
    )
    assert refuse(state, 0, Offer(None, takes=("office:club",), pays=500)).code == "not_tradeable"
    for _ in range(3):
        state = act(state, 0, Offer(None, gives=("horse:1",), asks=500)).state
    assert refuse(state, 0, Offer(None, gives=("horse:1",), asks=500)).code == "too_many_offers"
    state = act(state, 0, Withdraw(1)).state
    assert refuse(state, 1, Withdraw(2)).code == "not_your_offer"
    assert [deal.number for deal in state.offers] == [2, 3]


def test_b16_offers_and_changes_of_mind_are_bounded_in_each_phase() -> None:
    state = preliminaries({1: 0, 2: 0, 3: 1}, runners_each=1)
    state.changes = {0: CHANGES_MAX - 3}
    state = act(state, 0, Enter((1,))).state
    state = act(state, 0, Offer(None, gives=("horse:1",), asks=500)).state
    state = act(act(state, 0, Ready()).state, 0, NotReady()).state
    for command in (Enter((2,)), Offer(None, gives=("horse:2",), asks=500)):
        assert refuse(state, 0, command).code == "too_many_changes"
    assert set(RULES.legal(state, Seat(0))) == {Ready(), Withdraw(1)}
    state = act(state, 0, Ready()).state
    assert refuse(state, 0, NotReady()).code == "too_many_changes"
    state = tick(act(act(state, 1, Ready()).state, 2, Ready()).state).state
    assert (state.phase, state.changes) == ("betting", {}), "the count begins again"


def test_an_offer_lapses_without_its_goods_or_takers() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2})
    state = act(state, 0, Offer(None, gives=("horse:1",), asks=500)).state
    state = act(state, 0, Offer(Seat(1), gives=("horse:1",), asks=900)).state
    step = act(state, 2, Accept(1))
    assert events_of(step, OfferClosed) == [OfferClosed(offer=2, why="goods_gone")]
    state = act(state, 1, Decline(1)).state
    assert refuse(state, 1, Accept(1)).code == "offer_not_for_you"
    assert events_of(act(state, 2, Decline(1)), OfferClosed) == [
        OfferClosed(offer=1, why="declined")
    ]
    poor = RULES._draft(state)
    set_cash(poor, 2, 400)
    assert refuse(poor, 2, Accept(1)).code == "insufficient_funds"


def test_an_uncovered_offer_is_refused_without_revealing_the_sum() -> None:
    state = act(
        preliminaries({1: 0, 2: 1}), 0, Offer(Seat(1), takes=("horse:2",), pays=5_000)
    ).state
    set_cash(state, 0, 4_000)
    refusal = refuse(state, 1, Accept(1))
    assert (refusal.code, refusal.data) == ("offer_not_covered", {"offer": 1})
    set_cash(state, 0, 5_000)
    assert cash(act(state, 1, Accept(1)).state, Seat(0)) == 0


def test_no_trade_prolongs_the_window() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2})
    alarm = RULES.alarm(state)
    state = act(state, 0, Offer(None, gives=("horse:1",), asks=500)).state
    state = act(state, 1, Ready()).state
    assert RULES.alarm(state) == alarm
    assert refuse(state, 1, Ready()).code == "already_ready"
    step = tick(state)
    assert events_of(step, OfferClosed) == [OfferClosed(offer=1, why="too_late")]
    assert step.state.phase == "betting"


def test_a20_each_player_runs_an_equal_share() -> None:
    horses = {number: (number - 1) % 4 for number in range(1, 13)}
    assert runners_each(RULES.printed, preliminaries(horses, seats=4)) == 3
    assert runners_each(RULES.printed, preliminaries(horses, seats=2)) == 6
    assert runners_each(RULES.printed, preliminaries({1: 0, 2: 1}, seats=3)) == 1
    state = preliminaries(dict.fromkeys(range(1, 9), 0), seats=3)
    state.horses[9] = Horse(Seat(1), "eliminated")
    assert runners_each(RULES.printed, state) == 3, "a horse lost in training still counts"


def test_a20_the_owner_of_too_many_horses_chooses_the_runners() -> None:
    state = preliminaries({1: 0, 2: 0, 3: 1, 4: 2}, runners_each=1)
    assert refuse(state, 0, Enter((3,))).code == "not_your_horses"
    assert refuse(state, 0, Enter((1, 2))).code == "too_many_runners"
    chosen = close(act(state, 0, Enter((2,))).state)
    assert (chosen.horses[1].fate, chosen.horses[2].fate) == ("scratched", "running")
    assert close(state).horses[1].fate == "running", "without a word the dearest runs"


def test_a20_surplus_horses_are_auctioned_to_players_who_lack_horses() -> None:
    state = close(preliminaries({1: 0, 2: 0, 5: 0, 3: 1}, runners_each=1))
    assert state.lot is not None and (state.lot.asset, state.lot.open_to) == ("horse:2", [2])
    assert refuse(state, 1, Bid("horse:2", 500)).code == "not_bidding"
    step = act(state, 2, Bid("horse:2", 7_000))
    assert events_of(step, LotSold) == [
        LotSold(asset="horse:2", seller=Seat(0), buyer=Seat(2), price=7_000, commission=0)
    ]
    after = step.state
    assert (after.horses[2].owner, after.horses[2].fate) == (2, "running")
    assert (cash(after, Seat(0)), cash(after, Seat(2))) == (
        CASH + 7_000 - 10_000,
        CASH - 7_000 - 10_000,
    )
    assert after.horses[5].fate == "scratched"
    assert after.phase == "betting"


def test_b10_a_horse_that_did_not_enter_costs_its_buyer_the_entry_as_well() -> None:
    state = preliminaries({3: 2}, seats=3)
    state.phase = "entry"
    set_cash(state, 1, 10_500)
    limits = [
        bid_limit(RULES.printed, state, Seat(1), asset) for asset in ("horse:3", "office:farrier")
    ]
    assert limits == [500, 10_500], "the highest bid is all of the cash"
    change(state, 3, fate="running")
    assert bid_limit(RULES.printed, state, Seat(1), "horse:3") == 10_500


def test_a20_nobody_bids_for_a_surplus_horse_of_their_own() -> None:
    """A player who ran one less may have room again before all surplus horses are sold."""
    state = preliminaries({1: 0, 2: 0}, seats=2)
    change(state, 2, fate="surplus")
    state.phase, state.queue = "surplus", [2]
    set_cash(state, 1, 0)
    assert go_on(state).state.lot is None


def test_a20_a_player_short_of_horses_takes_the_cheapest_at_half_its_price() -> None:
    state = close(preliminaries({1: 0, 2: 0, 6: 0, 3: 1}, runners_each=1))
    state = act(state, 2, Pass("horse:2")).state
    step = act(state, 2, Pass("horse:6"))
    assert events_of(step, HorseAssigned) == [
        HorseAssigned(horse=6, seller=Seat(0), buyer=Seat(2), price=13_000)
    ]
    assert horses_of(step.state, Seat(2), "running") == [6]


def test_a20_cheap_horses_are_assigned_from_the_dealers_left() -> None:
    state = close(preliminaries({1: 0, 2: 0, 6: 0}, runners_each=1, dealer=1))
    for horse in ("horse:2", "horse:6"):
        state = act(state, 1, Pass(horse)).state
        step = act(state, 2, Pass(horse))
        state = step.state
    assert [(event.buyer, event.horse) for event in events_of(step, HorseAssigned)] == [
        (2, 6),
        (1, 2),
    ]


def test_a20_a_player_who_cannot_pay_or_lost_a_horse_runs_fewer() -> None:
    state = preliminaries({1: 0, 2: 0, 3: 1}, runners_each=1)
    set_cash(state, 2, 400)
    assert horses_of(close(state), Seat(2), "running") == []
    state = preliminaries({1: 0, 2: 0, 3: 1}, runners_each=1)
    state.horses[9] = Horse(Seat(2), "eliminated")
    state = close(state)
    assert state.lot is not None and state.lot.open_to == [2], "he may buy"
    after = act(state, 2, Pass("horse:2")).state
    assert horses_of(after, Seat(2), "running") == [], "but he need not"


def test_a20_a_player_who_lost_a_horse_runs_one_less_while_another_lacks_one() -> None:
    """Seat 0 lost a horse in training and has two; seat 1 lost none and has one."""
    state = preliminaries({1: 0, 2: 0, 3: 1}, seats=2, runners_each=2)
    state.horses[9] = Horse(Seat(0), "eliminated")
    assert refuse(state, 0, Enter((1, 2))).code == "too_many_runners"
    state = close(state)
    assert state.lot is not None and (state.lot.asset, state.lot.open_to) == ("horse:2", [1])
    assert state.answered == [], "nobody is shown as ready for what comes next"
    state = act(state, 1, Pass("horse:2")).state
    assert [horses_of(state, Seat(seat), "running") for seat in range(2)] == [[1], [2, 3]]


def test_a20_the_owner_names_as_many_runners_as_it_may_run() -> None:
    state = preliminaries({1: 0, 2: 0, 3: 0, 4: 1}, seats=2, runners_each=2)
    assert refuse(state, 0, Enter((3,))).data == {"least": 2}
    assert Enter((4,)) in list(RULES.legal(state, Seat(1)))


def test_b12_a_player_who_is_ready_may_trade_again() -> None:
    state = act(preliminaries({1: 0, 2: 1}), 0, Ready()).state
    assert refuse(state, 1, NotReady()).code == "not_ready_yet"
    step = act(state, 0, NotReady())
    assert events_of(step, ReadyChanged) == [ReadyChanged(seat=Seat(0), is_ready=False)]
    assert RULES.awaited(step.state) == {0, 1, 2}


def test_a46_the_small_cards_of_a_scratched_horse_leave_the_game() -> None:
    state = preliminaries({1: 0, 2: 0, 3: 1, 4: 2}, runners_each=1)
    change(state, 2, advantages=2, disadvantages=3)
    state.kept[0] = ["vessel"]
    after = close(state)
    assert (after.horses[2].fate, after.horses[2].advantages, after.horses[2].disadvantages) == (
        "scratched",
        0,
        0,
    )
    assert after.kept[0] == ["vessel"], "kept reports belong to the player"


def test_ten_thousand_francs_per_runner_go_to_the_bank() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2})
    for seat in range(2):
        state = act(state, seat, Ready()).state
    step = act(state, 2, Ready())
    assert events_of(step, HorseEntered) == [
        HorseEntered(horse=n, seat=Seat(s), fee=10_000) for n, s in ((2, 1), (3, 2), (1, 0))
    ]
    assert step.state.purses[PRIZE_FUND] == 30_000
    assert [(horse.row, horse.lane) for horse in step.state.horses.values()] == [
        (0, 1),
        (0, 2),
        (0, 3),
    ]
    assert events_of(step, HorseScratched) == []
    assert refuse(step.state, 0, Throw()).code == "not_now"
