"""A person who watches the race, and from roll 20 on bets on the horses to win, place or show."""

from typing import Any, Final

from bench.matches import person
from railbird_engine import AnyRules, Chance, Seat, State
from railbird_engine.kernel.playout import ask_random
from railbird_engine.rules.ready_set_bet.bot_worth import Stake, spot_worths
from railbird_engine.rules.ready_set_bet.commands import PlaceBet
from railbird_engine.rules.ready_set_bet.state import ReadySetBetState
from railbird_engine.rules.ready_set_bet.vip_effects import NO_EFFECTS

WATCHES: Final = 20


def is_ready(rules: AnyRules, state: State, seat: Seat) -> bool:
    """Whether the race can be read, or a VIP card must be chosen."""
    assert isinstance(state, ReadySetBetState)
    if state.phase == "open":
        return state.course.rolls >= WATCHES and bool(state.tokens[seat])
    return state.phase == "draft" and next(iter(rules.legal(state, seat)), None) is not None


def read(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Place the largest token on the best free spot to win, place or show."""
    view: Any = rules.view(state, seat)
    if view.phase != "open":
        return ask_random(rules, state, seat, chance)
    token = max(view.tokens[seat])
    taken = {bet.spot for bet in view.bets}
    worths = {
        spot: worth
        for spot, worth in spot_worths(view, Stake(token), NO_EFFECTS, taken).items()
        if spot.startswith(("win", "place", "show"))
    }
    best = max(worths, key=worths.__getitem__, default=None)
    return PlaceBet(best, token) if best is not None and worths[best] > 0 else None


PEOPLE: Final = {"reader": person(read, is_ready)}
