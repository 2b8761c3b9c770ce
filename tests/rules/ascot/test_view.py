"""Seats and spectators see no hidden card, no reserve and no hidden cash."""

import msgspec
import pytest

from railbird_engine import Event, RuleViolation, Seat, SeededChance, Step
from railbird_engine.kernel.adversaries import allied, spending
from railbird_engine.kernel.playout import Ask, Commit, Playout, ask_bot, ask_random
from railbird_engine.rules.ascot.events import DebtClosed, DebtOpened, HorseAssigned, OfferClosed
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.race_events import ContractAnswered
from railbird_engine.rules.ascot.state import AscotState, reserved
from tests.rules.ascot.scene import RULES, dealt, set_cash
from tests.rules.ascot.secrets import secrets


def test_the_secrets_of_a_table_are_the_hidden_cards() -> None:
    state = dealt([["horse:1"], ["horse:2"]], ["horse:3"])
    state.under = ["horse:4"]
    assert list(secrets(state, Seat(0))) == [
        '"horse:2"',
        '"horse:3"',
        '"horse:4"',
        '"reserved":28000,',
    ]
    assert set(secrets(state, None)) >= {'"horse:1"', '"horse:2"', '"horse:3"', '"horse:4"'}
    view = msgspec.json.encode(RULES.view(state, Seat(0))).decode()
    assert f'"reserved":{reserved(RULES.printed, state, Seat(0))},' in view, (
        "the probe finds what the owner may see"
    )
    assert '"horse:1"' in view


def test_the_deal_shows_each_player_only_their_own_hand() -> None:
    for seats in range(2, 7):
        step = RULES.start(seats, AscotOptions(), SeededChance(b"deal"))
        for viewer in [None, *map(Seat, range(seats))]:
            read = [event for event in step.events if event.only is None or viewer in event.only]
            shown = msgspec.json.encode(read).decode()
            assert not any(secret in shown for secret in secrets(step.state, viewer))


def test_cash_is_public_unless_the_host_hides_it() -> None:
    state = dealt([["horse:1"], ["horse:2"]], ["horse:3"])
    assert [player.cash for player in RULES.view(state, None).players] == [281_000, 281_000]
    state = dealt([["horse:1"], ["horse:2"]], ["horse:3"], private_cash=True)
    assert [player.cash for player in RULES.view(state, Seat(1)).players] == [None, 281_000]
    assert [player.cash for player in RULES.view(state, None).players] == [None, None]


def seen(state: AscotState, others: list[Seat]) -> bytes:
    """All that these seats and the spectators can see or do."""
    views = [RULES.view(state, viewer) for viewer in (None, *others)]
    legal = [list(RULES.legal(state, seat)) for seat in others]
    return msgspec.json.encode([views, legal, sorted(RULES.awaited(state)), state.clock])


def told(step: Step[AscotState], others: list[Seat]) -> list[Event]:
    """The events that one of these seats or the spectators read."""
    return [event for event in step.events if event.only is None or {*event.only} & {*others}]


def follow(state: AscotState, commit: Commit, hider: Seat) -> Step[AscotState] | None:
    """Repeat a commit on another state; only the one who hides money may lack it there."""
    chance = SeededChance(b"the same")
    if commit.seat is None:
        return RULES.advance(state, chance)
    try:
        return RULES.apply(state, commit.seat, commit.command, chance)
    except RuleViolation:
        assert commit.seat == hider
        return None


def tells_means(step: Step[AscotState], hider: Seat) -> bool:
    """Whether the rules make public what a seat can pay: a debt, a promise, a forced purchase."""
    return step.state.phase == "finished" or any(
        (isinstance(event, DebtOpened | DebtClosed) and event.seat == hider)
        or (isinstance(event, OfferClosed) and event.why == "not_covered")
        or (isinstance(event, ContractAnswered) and not event.is_agreed)
        or (isinstance(event, HorseAssigned) and event.buyer == hider)
        for event in step.events
    )


@pytest.mark.parametrize("ask", [ask_bot, ask_random, spending, allied])
def test_b12_others_see_the_same_whatever_a_seat_hides(ask: Ask) -> None:
    """States that differ only in the cash of a seat look the same to all others, and go on so."""
    playout = Playout(RULES, 3, AscotOptions(private_cash=True, place_bets=True), b"hidden")
    before, compared = playout.state, 0
    assert isinstance(before, AscotState)
    for number, commit in enumerate(playout.run(ask)):
        hider = Seat(number // 2 % 3)
        promised = before.lot.price if before.lot and before.lot.bidder == hider else 0
        fortune = (2 * promised, 10_000_000)[number % 2]
        others = [seat for seat in map(Seat, range(3)) if seat != hider]
        other = RULES._draft(before)
        set_cash(other, hider, fortune)
        assert seen(other, others) == seen(before, others)
        steps = follow(before, commit, hider), follow(other, commit, hider)
        if all(step and not tells_means(step, hider) for step in steps):
            one, two = (step for step in steps if step)
            assert told(one, others) == told(two, others)
            assert seen(one.state, others) == seen(two.state, others)
            compared += 1
        assert isinstance(playout.state, AscotState)
        before = playout.state
    assert compared > len(playout.commits) // 2
