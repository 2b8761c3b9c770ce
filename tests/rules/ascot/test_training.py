"""Throws, squares, offices, reports, Club, strangles and frost (Rulebook, part I)."""

import pytest

from railbird_engine import Seat
from railbird_engine.rules.ascot.commands import (
    ApplyReport,
    DeclineClub,
    JoinClub,
    TakeReport,
    Throw,
)
from railbird_engine.rules.ascot.data.printed import Office
from railbird_engine.rules.ascot.events import (
    HorseEliminated,
    HorseHeld,
    HorseTrained,
    MoneyPaid,
    ReportTaken,
    TurnSkipped,
)
from railbird_engine.rules.ascot.state import PRIZE_FUND, AscotState, Horse, cash, office_purse
from railbird_engine.rules.ascot.training import THROW_S
from tests.rules.ascot.scene import (
    CASH,
    RULES,
    act,
    change,
    dealt,
    dice,
    events_of,
    go_on,
    refuse,
    set_cash,
    stack,
    tick,
    training,
)


def at(state: AscotState, horse: int, square: int) -> AscotState:
    """Put a horse two points before a square of the loop."""
    gate = 30 if RULES.printed.stable(horse) == "walroy" else 0
    change(state, horse, progress=(square - gate - 1) % 60 + 1 - 2)
    assert state.horses[horse].progress >= 0
    return state


def land(state: AscotState, seat: int = 0, *draws: int) -> AscotState:
    return act(state, seat, Throw(), *dice(1, 1), *draws).state


def test_b15_a_player_throws_or_the_server_does_after_a_few_seconds() -> None:
    state = training({4: 0, 1: 1, 2: 1}, turn=1, training_s=30)
    state = act(state, 1, Throw(), *dice(1, 2)).state
    assert list(RULES.legal(state, Seat(0))) == [Throw()]
    assert (sorted(RULES.awaited(state)), state.clock.seconds) == ([0], THROW_S)
    state = tick(state, *dice(1, 2)).state
    assert (state.horses[4].progress, sorted(RULES.awaited(state))) == (3, [1])


def test_horses_move_in_number_order_by_the_same_throw() -> None:
    step = go_on(training({8: 0, 4: 0, 1: 1}), *dice(1, 2))
    assert events_of(step, HorseTrained) == [
        HorseTrained(horse=4, square=3),
        HorseTrained(horse=8, square=3),
    ]
    assert refuse(step.state, 0, Throw()).code == "not_your_turn"
    assert step.state.training is not None and step.state.training.seat == 1


def test_the_stables_open_on_opposite_sides_of_the_loop() -> None:
    assert [RULES.printed.square_of(4, progress) for progress in (1, 4, 60)] == [1, 4, 60]
    assert [RULES.printed.square_of(1, progress) for progress in (1, 4, 30, 31, 60)] == [
        31,
        34,
        60,
        1,
        30,
    ]


def test_special_shoes_are_paid_to_the_farrier() -> None:
    state = land(at(training({4: 0, 1: 1}, {"farrier": 2}), 4, 4))
    assert (cash(state, Seat(0)), cash(state, Seat(2))) == (CASH - 10_000, CASH + 10_000)
    assert state.purses[office_purse("farrier")] == 0


def test_the_farrier_does_not_pay_himself() -> None:
    step = go_on(at(training({4: 0, 1: 1}, {"farrier": 0}), 4, 4), *dice(1, 1))
    assert step.transfers == ()
    assert events_of(step, MoneyPaid) == []


def test_a_horse_deals_with_the_stable_it_comes_from() -> None:
    offices: dict[Office, int] = {"walroy": 1, "stevens": 2}
    state = land(at(training({1: 0, 2: 1}, offices), 1, 36))
    assert (cash(state, Seat(1)), cash(state, Seat(2))) == (CASH + 4_000, CASH)
    state = land(at(training({4: 0, 2: 1}, offices), 4, 36))
    assert (cash(state, Seat(1)), cash(state, Seat(2))) == (CASH, CASH + 4_000)


def test_a_stable_report_comes_from_the_horses_own_stable() -> None:
    state = at(training({1: 0, 2: 1}), 1, 32)
    stack(state, "walroy", "gain_1")
    step = go_on(state, *dice(1, 1))
    assert events_of(step, ReportTaken) == [ReportTaken(seat=Seat(0), pack="walroy", card="gain_1")]
    assert step.state.horses[1].advantages == 1
    assert step.state.stock["black"] == 14
    assert step.state.packs["walroy"].under[-1] == "gain_1", "it goes back under the pack"


def test_the_top_report_is_decided_when_it_is_drawn() -> None:
    state = at(training({1: 0, 2: 1}), 1, 32)
    fresh = state.packs["walroy"].fresh
    step = go_on(state, *dice(1, 1), fresh.index("white_1"))
    assert step.state.horses[1].disadvantages == 1
    assert len(step.state.packs["walroy"].fresh) == 15


def test_a10_the_fees_of_an_ownerless_office_go_to_the_bank() -> None:
    state = land(at(training({4: 0, 1: 1}), 4, 4))
    assert (cash(state, Seat(0)), state.purses[PRIZE_FUND]) == (CASH - 10_000, 10_000)
    stack(at(state, 1, 32), "walroy", "receive_4000")
    state = land(state, 1)
    assert (cash(state, Seat(1)), state.purses[PRIZE_FUND]) == (CASH + 4_000, 6_000)


def test_a_stable_pays_the_refund_of_a_report() -> None:
    state = at(training({1: 0, 2: 1}, {"walroy": 1}), 1, 32)
    stack(state, "walroy", "receive_4000")
    state = land(state)
    assert (cash(state, Seat(0)), cash(state, Seat(1))) == (CASH + 4_000, CASH - 4_000)


def finished_settlement(offices: dict[Office, int]) -> AscotState:
    """The last card falls: training begins."""
    state = dealt([["horse:1"], ["horse:2"], ["horse:3"]], ["horse:4"], "auction", dealer=1)
    state.offices.update({name: Seat(seat) for name, seat in offices.items()})
    return tick(go_on(state, 0).state).state


def test_the_club_commissioner_throws_first() -> None:
    state = finished_settlement({"club": 2})
    assert state.training is not None and state.training.seat == 2


def test_a11_without_a_commissioner_the_dealers_left_begins_and_the_bank_takes_the_dues() -> None:
    state = finished_settlement({})
    assert state.training is not None and state.training.seat == 2
    state = at(training({4: 0, 1: 1}), 4, 20)
    state.members = [Seat(0)]
    assert land(state).purses[PRIZE_FUND] == 4_000


def test_membership_is_offered_once_and_paid_to_the_commissioner() -> None:
    state = land(at(training({4: 0, 1: 1}, {"club": 2}), 4, 8))
    assert state.training is not None and state.training.step == "club"
    assert refuse(state, 0, Throw()).code == "not_before_throw"
    assert refuse(state, 1, JoinClub()).code == "not_your_turn"
    joined = act(state, 0, JoinClub()).state
    assert (joined.members, cash(joined, Seat(0)), cash(joined, Seat(2))) == (
        [0],
        CASH - 10_000,
        CASH + 10_000,
    )
    assert act(state, 0, DeclineClub()).state.members == []
    assert tick(state).state.members == []
    joined.training = training({4: 0}).training
    assert land(at(joined, 4, 34)).phase == "training", "a member is not asked again"


def test_a_player_who_cannot_pay_the_fee_is_not_asked() -> None:
    state = at(training({4: 0, 1: 1}, {"club": 2}), 4, 8)
    set_cash(state, 0, 9_500)
    after = land(state)
    assert after.training is not None and after.training.seat == 1


@pytest.mark.parametrize("square", [20, 43])
def test_a17_members_pay_dinner_and_charity_to_the_commissioner(square: int) -> None:
    state = at(training({4: 0, 1: 1}, {"club": 2}), 4, square)
    assert cash(land(state), Seat(0)) == CASH, "a non-member pays nothing"
    state.members = [Seat(0)]
    after = land(state)
    assert (cash(after, Seat(0)), cash(after, Seat(2))) == (CASH - 4_000, CASH + 4_000)
    state.offices["club"] = Seat(0)
    assert cash(land(state), Seat(0)) == CASH, "the Commissioner pays himself nothing"


def test_a12_a_member_takes_one_report_before_his_throw() -> None:
    state = training({4: 0, 1: 1}, {"club": 0})
    stack(state, "stevens", "gain_1")
    assert refuse(state, 1, TakeReport("walroy")).code == "not_your_turn"
    assert refuse(state, 0, TakeReport("walroy")).code == "no_horse_for_report"
    bare = training({4: 0}, {"club": 0})
    bare.packs["stevens"].fresh = []
    assert refuse(bare, 0, TakeReport("stevens")).code == "pack_empty"
    state = act(state, 0, TakeReport("stevens")).state
    assert state.horses[4].advantages == 1
    assert refuse(state, 0, TakeReport("stevens")).code == "one_report_a_turn"
    assert refuse(state, 0, JoinClub()).code == "club_not_open"
    state = go_on(state, *dice(1, 2)).state
    assert refuse(state, 1, TakeReport("walroy")).code == "not_a_member"


def test_a_member_chooses_the_horse_of_his_report() -> None:
    state = training({4: 0, 8: 0, 1: 0, 2: 1}, {"club": 0})
    stack(state, "stevens", "gain_2")
    state = act(state, 0, TakeReport("stevens")).state
    assert refuse(state, 0, ApplyReport(1)).data == {"horse": 1, "horses": [4, 8]}
    assert refuse(state, 0, Throw()).code == "not_before_throw"
    assert act(state, 0, ApplyReport(8)).state.horses[8].advantages == 2
    assert tick(state).state.horses[4].advantages == 2, "the clock takes the first horse"
    assert (
        refuse(act(state, 0, ApplyReport(8)).state, 0, ApplyReport(8)).code == "no_report_to_apply"
    )


def test_strangles_stop_the_horses_that_have_not_moved() -> None:
    state = at(at(training({4: 0, 8: 0, 1: 1}), 4, 5), 8, 5)
    stack(state, "veterinary", "strangles")
    state = land(state)
    assert (state.horses[4].progress, state.horses[8].progress) == (5, 3)
    step = go_on(state, *dice(1, 6))
    assert events_of(step, TurnSkipped) == [TurnSkipped(seat=Seat(0))]
    assert step.state.training is not None and step.state.training.seat == 1
    assert step.state.strangled == []


def test_a13_strangles_before_the_throw_cost_this_throw_and_the_next() -> None:
    state = training({4: 0, 1: 1}, {"club": 0})
    stack(state, "veterinary", "strangles")
    state = act(state, 0, TakeReport("veterinary")).state
    assert state.training is not None and state.training.seat == 1
    assert (state.horses[4].progress, state.strangled) == (0, [0])
    state = go_on(state, *dice(1, 6)).state
    assert state.training is not None and state.training.seat == 1, "seat 0 was skipped once more"


def test_a14_the_square_reached_by_a_report_is_not_obeyed() -> None:
    state = training({4: 0, 1: 1}, {"club": 0, "farrier": 2})
    change(state, 4, progress=1)
    stack(state, "stevens", "forward_3")
    step = act(state, 0, TakeReport("stevens"))
    assert step.state.horses[4].progress == 4
    assert step.transfers == ()


def test_a15_kept_reports_are_public() -> None:
    state = at(training({4: 0, 1: 1}), 4, 5)
    stack(state, "veterinary", "keep_vessel")
    state = land(state)
    assert state.kept[0] == ["vessel"]
    assert RULES.view(state, None).players[0].reports == ("vessel",)
    pack = state.packs["veterinary"]
    assert (pack.fresh + pack.under).count("keep_vessel") == 2, "a kept report leaves its pack"


def test_a16_frost_holds_the_horses_of_non_members() -> None:
    state = land(at(training({4: 0, 1: 1}), 4, 17))
    assert state.horses[4].is_frozen
    state = go_on(state, *dice(2, 6)).state
    step = go_on(state, *dice(1, 2))
    assert events_of(step, HorseHeld) == [HorseHeld(horse=4)]
    assert (step.state.horses[4].progress, step.state.horses[4].is_frozen) == (17, False)
    member = at(training({4: 0, 1: 1}), 4, 17)
    member.members = [Seat(0)]
    assert not land(member).horses[4].is_frozen


def test_small_cards_belong_to_the_horse_that_won_them() -> None:
    state = land(at(training({4: 0, 1: 1}), 4, 7))
    assert (state.horses[4].advantages, state.stock["blue"]) == (1, 14)
    state = land(at(training({4: 0, 1: 1}), 4, 13))
    assert (state.horses[4].disadvantages, state.stock["white"]) == (1, 39)


def test_an_empty_stock_gives_no_card() -> None:
    state = at(training({4: 0, 1: 1}), 4, 7)
    state.stock["blue"] = 0
    assert land(state).horses[4].advantages == 0


def test_other_reports_have_their_printed_effect() -> None:
    state = at(training({4: 0, 8: 0, 1: 1}, {"veterinary": 2}), 4, 5)
    change(state, 4, disadvantages=2)
    change(state, 8, fate="home")
    for code, owed in (("pay_2000_each", 4_000), ("pay_4000", 4_000), ("pay_2000", 2_000)):
        trial = RULES._draft(state)
        stack(trial, "veterinary", code)
        assert cash(land(trial), Seat(2)) == CASH + owed
    stack(state, "veterinary", "clear_1", "withdraw")
    cleared = land(state)
    assert (cleared.horses[4].disadvantages, cleared.stock["white"]) == (1, 41)
    cleared.training = training({4: 0}).training
    step = go_on(at(cleared, 4, 15), *dice(1, 1))
    assert events_of(step, HorseEliminated) == [HorseEliminated(horse=4)]
    assert (step.state.horses[4].fate, step.state.horses[4].disadvantages) == ("eliminated", 0)


def test_a44_a_horse_goes_home_by_itself_and_laps_once() -> None:
    state = training({4: 0, 1: 1})
    change(state, 4, progress=58)
    step = go_on(state, *dice(6, 6))
    assert events_of(step, HorseTrained) == [HorseTrained(horse=4, square=None)]
    assert step.state.horses[4].fate == "home"
    state = go_on(step.state, *dice(2, 6)).state
    assert state.training is not None and state.training.seat == 1, (
        "a seat without a horse in training has no turn"
    )
    change(state, 1, progress=60)
    done = go_on(state, *dice(1, 1)).state
    assert done.phase == "preliminaries"


def test_a_withdrawn_last_horse_ends_the_turn_of_a_member() -> None:
    state = training({4: 0, 1: 1}, {"club": 0})
    stack(state, "veterinary", "withdraw")
    after = act(state, 0, TakeReport("veterinary")).state
    assert after.training is not None and after.training.seat == 1


def test_offices_and_member_cards_are_withdrawn_after_the_training() -> None:
    state = training({4: 0}, {"club": 1, "bookmaker": 2, "farrier": 0})
    state.members = [Seat(0)]
    change(state, 4, progress=60)
    state.horses[9] = Horse(Seat(1), "eliminated")
    after = land(state)
    assert (after.offices, after.members, after.phase) == ({"bookmaker": 2}, [], "preliminaries")
    assert after.runners_each == 1
