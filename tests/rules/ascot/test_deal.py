"""Deal, Auctioneer, exchange and discards (Rulebook, "La donne")."""

import pytest

from railbird_engine import BANK, RuleViolation, ScriptedChance, Seat, SeededChance, seat_purse
from railbird_engine.rules.ascot.commands import Discard, Exchange, Nominate
from railbird_engine.rules.ascot.deal import hand_size
from railbird_engine.rules.ascot.events import (
    AuctioneerNamed,
    CardExchanged,
    CardTaken,
    DiscardsMade,
    HandDealt,
    LotOpened,
)
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.state import TOTALISATOR
from tests.rules.ascot.scene import CASH, RULES, act, dealt, events_of, go_on, refuse, tick


def test_everybody_starts_with_the_printed_notes() -> None:
    state = RULES.start(3, AscotOptions(), SeededChance(b"notes")).state
    assert CASH == 10 * 20_000 + 6 * 10_000 + 8 * 2_000 + 10 * 500
    assert [state.purses[seat_purse(seat)] for seat in range(3)] == [CASH] * 3
    assert state.purses[BANK] == -3 * CASH


def test_a_pot_from_an_earlier_game_is_in_the_totalisator() -> None:
    state = RULES.start(3, AscotOptions(carried_in=7_500), SeededChance(b"series")).state
    assert (state.purses[TOTALISATOR], state.purses[BANK]) == (7_500, -3 * CASH - 7_500)


def test_a01_two_to_six_players_play() -> None:
    assert list(RULES.seats) == [2, 3, 4, 5, 6]
    for seats in (1, 7):
        with pytest.raises(RuleViolation) as refusal:
            RULES.start(seats, AscotOptions(), SeededChance(b"seats"))
        assert refusal.value.code == "wrong_number_of_seats"


def test_the_banker_and_the_dealer_must_be_seats_of_the_game() -> None:
    with pytest.raises(RuleViolation) as refusal:
        RULES.setup(3, AscotOptions(dealer=3))
    assert (refusal.value.code, refusal.value.data) == (
        "no_such_seat",
        {"role": "dealer", "seat": 3},
    )


def test_a02_the_remainder_goes_to_the_dead_pile() -> None:
    assert [hand_size(RULES.printed, seats) for seats in range(2, 7)] == [6, 5, 4, 3, 2]
    for seats in range(2, 7):
        state = RULES.start(seats, AscotOptions(), SeededChance(b"%d" % seats)).state
        in_hands = sum(len(hand) for hand in state.hands)
        assert in_hands + len(state.dead) + 1 == 20, (
            "the Auctioneer's card lies open or waits for its holder"
        )
        assert len(state.dead) in {
            20 - seats * hand_size(RULES.printed, seats) - missing for missing in (0, 1)
        }


def test_a_dealt_auctioneer_is_shown_at_once() -> None:
    cards = list(RULES.printed.leases)
    first = cards.index("office:auctioneer")
    step = RULES.start(2, AscotOptions(), ScriptedChance([first] + [0] * 11))
    assert events_of(step, AuctioneerNamed) == [AuctioneerNamed(seat=Seat(1), was_dealt=True)]
    assert step.state.offices == {"auctioneer": 1}
    assert [len(hand) for hand in step.state.hands] == [6, 5]
    assert step.state.phase == "exchange"
    assert [event.only for event in step.events if isinstance(event, HandDealt)] == [(1,), (0,)]


def test_a03_without_a_dealt_auctioneer_the_players_elect_one() -> None:
    state = RULES.start(3, AscotOptions(dealer=2), ScriptedChance([0] * 12 + [1] * 3)).state
    assert state.phase == "nomination"
    assert "office:auctioneer" not in state.dead
    assert refuse(state, 0, Nominate(Seat(3))).code == "no_such_seat"
    state = act(state, 0, Nominate(Seat(1))).state
    assert refuse(state, 0, Nominate(Seat(1))).code == "already_voted"
    state = act(state, 1, Nominate(Seat(1))).state
    state = act(state, 2, Nominate(Seat(0))).state
    assert (state.offices, state.phase, state.turn) == ({"auctioneer": 1}, "exchange", 0)


def test_a03_a_tie_or_silence_makes_the_dealer_auctioneer() -> None:
    state = RULES.start(3, AscotOptions(dealer=2), ScriptedChance([0] * 12 + [1] * 3)).state
    tied = state
    for seat, candidate in enumerate((0, 1, 2)):
        tied = act(tied, seat, Nominate(Seat(candidate))).state
    assert tied.offices == {"auctioneer": 2}
    assert tick(state).state.offices == {"auctioneer": 2}


def test_a04_the_shown_auctioneer_card_stays() -> None:
    state = dealt([["horse:1"], ["horse:2", "horse:3"]], ["horse:4", "horse:5"])
    assert refuse(state, 1, Exchange("office:auctioneer")).code == "auctioneer_stays"
    state = dealt([["horse:1"], ["horse:2"]], ["horse:4"], "discard")
    assert refuse(state, 0, Discard(("office:auctioneer",))).code == "auctioneer_stays"


def test_the_exchange_goes_round_from_the_dealers_left() -> None:
    state = dealt([["horse:1"], ["horse:2", "horse:3"]], ["horse:4", "horse:5", "horse:6"])
    assert refuse(state, 0, Exchange("horse:1")).code == "not_your_turn"
    assert refuse(state, 1, Exchange("horse:1")).code == "not_in_hand"
    step = act(state, 1, Exchange("horse:2"), 1)
    assert step.state.hands[1] == ["horse:3", "horse:5"]
    assert events_of(step, CardExchanged) == [CardExchanged(seat=Seat(1))]
    assert events_of(step, CardTaken) == [CardTaken(seat=Seat(1), card="horse:5", only=(Seat(1),))]
    step = act(step.state, 0, Exchange("horse:1"), 0)
    assert (step.state.dead, step.state.under) == (["horse:6"], ["horse:2", "horse:1"])
    assert step.state.phase == "discard"


def test_when_the_pile_is_used_up_the_first_card_thrown_comes_up() -> None:
    state = dealt([["horse:1"], ["horse:2"]], ["horse:4"])
    state = act(state, 1, Exchange("horse:2"), 0).state
    assert state.hands == [["horse:2"], ["horse:4"]], "an only card is exchanged at once"
    assert (state.dead, state.under) == ([], ["horse:1"])


def test_a_slow_player_throws_his_cheapest_card() -> None:
    state = dealt([["horse:1"], ["horse:1", "horse:12", "office:forage"]], ["horse:4", "horse:5"])
    assert tick(state, 0).state.under == ["horse:12"]


def test_a05_discards_are_secret_and_simultaneous() -> None:
    state = dealt([["horse:1", "horse:2"], ["horse:3"]], ["horse:4"], "discard")
    step = act(state, 1, Discard(("horse:3",)))
    assert step.events == ()
    assert step.state.hands == state.hands, "nothing leaves a hand before all have chosen"
    view = RULES.view(step.state, Seat(0))
    assert view.players[1].hand == 1
    assert view.own is not None and view.own.discards is None
    assert refuse(step.state, 1, Discard(())).code == "already_discarded"
    assert refuse(step.state, 0, Discard(("horse:3",))).code == "not_in_hand"
    assert refuse(step.state, 0, Discard(("horse:1", "horse:1"))).code == "not_in_hand"
    step = act(step.state, 0, Discard(()))
    assert events_of(step, DiscardsMade) == [DiscardsMade(cards=2)]
    assert step.state.hands == [["horse:1", "horse:2"], []]
    assert step.state.phase == "auction"


def test_a06_nobody_keeps_both_stables() -> None:
    state = dealt([["office:stevens", "office:walroy"], ["horse:3"]], ["horse:4"], "discard")
    refusal = refuse(state, 0, Discard(()))
    assert (refusal.code, refusal.data["stables"]) == (
        "both_stables",
        ("office:stevens", "office:walroy"),
    )
    assert act(state, 0, Discard(("office:walroy",))).state.discards[0] == ["office:walroy"]
    assert tick(state).state.hands[0] == ["office:walroy"], (
        "of two at the same price the first by name goes"
    )


def test_a47_discards_are_mixed_with_the_pile_before_the_auction() -> None:
    state = dealt([["horse:9"], ["horse:3"]], ["horse:4"], "discard")
    state.under = ["horse:7"]
    state = act(state, 0, Discard(("horse:9",))).state
    state = act(state, 1, Discard(("horse:3",))).state
    assert state.dead == ["horse:3", "horse:4", "horse:7", "horse:9"], "in alphabetical order"
    shown = set()
    for draw in range(4):
        opened = go_on(state, draw).events[-1]
        assert isinstance(opened, LotOpened)
        shown.add(opened.asset)
    assert shown == set(state.dead), "any of them may come first"
