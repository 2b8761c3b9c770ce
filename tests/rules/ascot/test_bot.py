"""The bots make sensible choices in single positions."""

from typing import Any

import pytest

from railbird_engine import Seat, SeededChance
from railbird_engine.rules.ascot.commands import (
    Accept,
    AcceptPlaceBet,
    Bid,
    Decline,
    DeclineReport,
    Discard,
    Offer,
    Pass,
    PlaceBet,
    ProposePlaceBet,
    Ready,
    UseReport,
)
from railbird_engine.rules.ascot.state import AscotState
from tests.rules.ascot.scene import (
    CASH,
    RULES,
    act,
    betting,
    dealt,
    go_on,
    preliminaries,
    racing,
    set_cash,
)


def bot(state: AscotState, seat: int, whim: bytes = b"whim") -> object:
    """The command that the bot of this seat chooses."""
    return RULES.bot(
        RULES.view(state, Seat(seat)), RULES.legal(state, Seat(seat)), SeededChance(whim)
    )


def test_a_bot_keeps_offices_and_its_share_of_horses() -> None:
    hand = ["horse:1", "horse:2", "horse:3", "horse:12", "office:farrier", "office:forage"]
    state = dealt([hand, [], [], []], ["horse:5"], "discard")
    assert bot(state, 0) == Discard(("horse:12",))


def test_a_bot_bids_within_its_means() -> None:
    state = dealt([[], ["horse:2", "horse:6"], []], ["horse:1", "horse:9"], "auction")
    state = go_on(state, 0).state
    command = bot(state, 1)
    assert isinstance(command, Bid)
    state = act(state, 1, command).state
    state.lot.price = 60_000  # type: ignore[union-attr]  # a card is on sale
    assert isinstance(bot(state, 2), Pass)


def test_a_bot_bets_and_uses_its_reports() -> None:
    commands = [bot(betting({1: 0, 2: 1}), 0, b"%d" % number) for number in range(20)]
    assert any(isinstance(command, PlaceBet) for command in commands)
    state = racing({2: (0, 6, 3), 12: (1, 44, 6)})
    state.kept[0] = ["bridle"]
    assert state.race is not None
    state.race.step, state.race.horse, state.race.hazard = "hazard", 2, "bridle"
    assert bot(state, 0) == UseReport()


def test_a_bot_does_not_wait_for_ever_for_a_report() -> None:
    state = racing({2: (0, 6, 3), 12: (1, 44, 6)}, hazard_s=0)
    state.kept[1] = ["bridle"]
    assert state.race is not None
    state.race.step, state.race.horse, state.race.hazard = "hazard", 2, "bridle"
    state = act(state, 0, Offer(None, takes=("report:bridle",), pays=3_000)).state
    commands = [bot(state, 0, b"%d" % number) for number in range(20)]
    assert set(commands) == {None, DeclineReport()}


def test_a_bot_accepts_a_good_offer_although_cash_is_hidden() -> None:
    offer = Offer(Seat(1), takes=("horse:2",), pays=60_000)
    state = act(preliminaries({1: 0, 2: 1}, private_cash=True), 0, offer).state
    assert bot(state, 1) == Accept(1)
    set_cash(state, 0, 4_000)
    assert bot(state, 1) == Accept(1), "the bot cannot know that it is not covered"


@pytest.mark.parametrize(
    ("owners", "offer", "worth"),
    [
        (
            {1: 0, 2: 1},
            {"takes": ("horse:2",), "pays": 38_220},
            "the price of a red horse",
        ),
        ({1: 0, 2: 1, 3: 1, 4: 1, 5: 1}, {"takes": ("horse:2",), "pays": 9_800}, "a third of it"),
        ({1: 0, 2: 1}, {"takes": ("report:vessel",), "pays": 3_000}, "three quarters of a report"),
    ],
)
def test_a_bot_sells_for_more_than_the_worth(
    owners: dict[int, int], offer: dict[str, Any], worth: str
) -> None:
    for more, answer in ((0, Decline(1)), (1, Accept(1))):
        state = preliminaries(owners)
        state.kept[1] = ["vessel"]
        command = Offer(Seat(1), **offer | {"pays": offer["pays"] + more})
        assert bot(act(state, 0, command).state, 1) == answer, worth


def test_a_bot_buys_for_less_than_the_worth() -> None:
    for asks, answer in ((4_000, Decline(1)), (3_999, Accept(1))):
        state = preliminaries({1: 0, 2: 1})
        state.kept[0] = ["bridle"]
        offer = Offer(Seat(1), gives=("report:bridle",), asks=asks)
        assert bot(act(state, 0, offer).state, 1) == answer


def test_a_bot_answers_an_offer_once_and_none_for_another() -> None:
    state = preliminaries({1: 0, 2: 1, 3: 2})
    state = act(state, 0, Offer(None, gives=("horse:1",), asks=CASH)).state
    assert bot(state, 1) == Decline(1)
    state = act(act(state, 1, Decline(1)).state, 0, Offer(Seat(2), takes=("horse:3",))).state
    assert isinstance(bot(state, 1), Offer | Ready)


def test_a_bot_short_of_horses_asks_who_has_too_many_for_the_cheapest() -> None:
    state = preliminaries({3: 0, 1: 1, 2: 1, 6: 1}, runners_each=1)
    offers = {bot(state, 2, b"%d" % number) for number in range(20)}
    assert offers == {Offer(Seat(1), takes=("horse:6",), pays=20_800), Ready()}


def test_the_bookmaker_bot_agrees_to_a_good_place_bet_although_cash_is_hidden() -> None:
    state = betting({1: 0, 4: 1}, place_bets=True, private_cash=True)
    state.offices["bookmaker"] = Seat(2)
    state = act(state, 0, ProposePlaceBet(4, 5_000, 10_000)).state
    assert bot(state, 2) == AcceptPlaceBet(1)
