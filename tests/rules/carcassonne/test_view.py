"""No view and no event depends on secrets of other viewers."""

import msgspec

from railbird_engine import Seat, SeededChance
from railbird_engine.kernel.playout import Playout
from railbird_engine.rules.carcassonne.data import printed_set
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.rules import Carcassonne
from railbird_engine.rules.carcassonne.state import CarcassonneState
from tests.rules.carcassonne.scene import RULES


def with_other_secrets(state: CarcassonneState, viewer: Seat | None) -> CarcassonneState:
    """Return a state that differs in everything that is hidden from this viewer.

    These are the faces of chips, the order of the stack and secret choices.
    """
    other = msgspec.json.decode(msgspec.json.encode(state), type=CarcassonneState)
    other.stack.reverse()
    if other.betting is None:
        return other
    for stack in other.betting.stacks.values():
        for sealed in stack:
            sealed.chip = "b28" if sealed.chip == "b4" else "b4"
            if sealed.counts_for is not None:
                sealed.counts_for += 1
    for seat, chips in enumerate(other.betting.chips):
        if seat != viewer:
            chips[:] = ["b56"] * len(chips)
    for seat, chip in other.betting.decided.items():
        if chip is not None or other.betting.chips[seat]:
            other.betting.decided[seat] = None if chip else "b56"
    return other


def test_a_view_is_the_same_whatever_is_hidden_from_it() -> None:
    playout = Playout(RULES, 3, CarcassonneOptions(), b"hidden")
    compared = 0
    for _ in playout.run():
        state = playout.state
        assert isinstance(state, CarcassonneState)
        for viewer in (None, Seat(0), Seat(1)):
            other = with_other_secrets(state, viewer)
            compared += other != state
            assert RULES.view(other, viewer) == RULES.view(state, viewer)
    assert compared > 100


def test_no_event_of_a_bet_depends_on_its_face() -> None:
    playout = Playout(RULES, 3, CarcassonneOptions(), b"events")
    seen = 0
    for _ in playout.run():
        state = playout.state
        assert isinstance(state, CarcassonneState)
        if state.stage != "bets":
            continue
        for seat in range(3):
            bets = list(RULES.legal(state, Seat(seat)))[:-1]
            heard = {
                repr(RULES.apply(state, Seat(seat), bet, SeededChance(b"1")).events) for bet in bets
            }
            assert len(heard) <= 1
            seen += len(bets)
    assert seen > 20


def test_the_state_holds_no_order_of_the_stack() -> None:
    rules = Carcassonne(printed_set("base"), printed_set("bets"))
    first = rules.start(2, CarcassonneOptions(), SeededChance(b"one")).state
    second = rules.start(2, CarcassonneOptions(), SeededChance(b"two")).state
    assert first.tile is not None
    assert second.tile is not None
    assert sorted([*first.stack, first.tile]) == sorted([*second.stack, second.tile])
    untouched = [tile for tile in first.stack if tile not in {first.tile, second.tile}]
    assert untouched == [tile for tile in second.stack if tile not in {first.tile, second.tile}]
