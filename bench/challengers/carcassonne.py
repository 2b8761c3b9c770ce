"""A person who takes the choice after which the points would be best if the game ended now."""

from typing import Any, Final

from bench.matches import person
from railbird_engine import AnyRules, Chance, Seat, SeededChance, State
from railbird_engine.rules.carcassonne.commands import PassBet, PlaceBet
from railbird_engine.rules.carcassonne.view import CarcassonneView


def standing(view: CarcassonneView, seat: Seat) -> float:
    """Return the points of a seat, with those of open features that it holds."""
    points = float(view.points[seat])
    for feature in view.features:
        held = [meeple.seat for meeple in feature.meeples]
        if not held or held.count(seat) < max(map(held.count, held)) or feature.kind == "field":
            continue
        points += 9 - feature.open if feature.kind == "monastery" else feature.tiles
        points += feature.pennants - 0.1 * feature.open
    return points + 0.5 * view.meeples[seat]


def play(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Choose greedily; bet at random."""
    legal = list(rules.legal(state, seat))
    if any(isinstance(command, PlaceBet | PassBet) for command in legal):
        return chance.pick(legal)
    best = [(standing(_after(rules, state, seat, command), seat), command) for command in legal]
    most = max(points for points, _ in best)
    return chance.pick([command for points, command in best if points == most])


def _after(rules: AnyRules, state: State, seat: Seat, command: Any) -> CarcassonneView:
    after = rules.apply(state, seat, command, SeededChance(b"")).state
    view = rules.view(after, seat)
    assert isinstance(view, CarcassonneView)
    return view


def is_ready(rules: AnyRules, state: State, seat: Seat) -> bool:
    """Whether the seat has a choice."""
    return seat in rules.awaited(state)


PEOPLE: Final = {"greedy": person(play, is_ready)}
