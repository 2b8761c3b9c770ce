"""A person who never pays more than the printed price, and otherwise plays like a regular bot."""

from typing import Any, Final

from bench.matches import at, bot_with_human_hands, person
from railbird_engine import AnyRules, Chance, Seat, State
from railbird_engine.kernel.playout import ask_bot
from railbird_engine.rules.ascot.commands import Bid, Pass
from railbird_engine.rules.ascot.rules import Ascot
from railbird_engine.rules.ascot.state import AscotState


def play(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Top a bid by one note up to the printed price."""
    assert isinstance(rules, Ascot)
    assert isinstance(state, AscotState)
    lot = rules.view(state, seat).lot
    if lot is None or seat not in rules.awaited(state):
        return ask_bot(rules, at("regular", state), seat, chance)
    legal = list(rules.legal(state, seat))
    bid = Bid(lot.asset, lot.least)
    return (
        bid
        if bid in legal and lot.least <= rules.printed.leases.get(lot.asset, 0)
        else Pass(lot.asset)
    )


PEOPLE: Final = {"never above print": person(play, bot_with_human_hands)}
