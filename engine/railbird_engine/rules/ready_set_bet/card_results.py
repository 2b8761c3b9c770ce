"""Which prop bets and exotic finishes have come true at the end of a race."""

from collections.abc import Sequence
from typing import assert_never

from railbird_engine.rules.ready_set_bet.data import FINISH, LANE_OF_HORSE
from railbird_engine.rules.ready_set_bet.data.cards import (
    AllMoved,
    Condition,
    Prop,
    SecondBehind,
    SecondWithin,
    Stragglers,
    ThirdWithin,
)


def prop_wins(prop: Prop, positions: Sequence[int]) -> bool:
    """Rulebook, "Paris spécifiques": a tie loses. Ruling 4.10: a group must be beaten as a whole,
    each of its horses."""
    mine = positions[LANE_OF_HORSE[prop.front]]
    return all(mine > positions[LANE_OF_HORSE[horse]] for horse in prop.behind)


def exotic_wins(condition: Condition, positions: Sequence[int]) -> bool:
    """Ruling 4.11: horses that tie for second are second and third at the same time."""
    _, second, third = sorted(positions, reverse=True)[:3]
    match condition:
        case SecondWithin(spaces):
            return FINISH - second <= spaces
        case SecondBehind(spaces):
            return FINISH - second >= spaces
        case ThirdWithin(spaces):
            return FINISH - third <= spaces
        case AllMoved(spaces):
            return min(positions) >= spaces
        case Stragglers(horses, spaces):
            return sum(position <= spaces for position in positions) >= horses
        case _:
            assert_never(condition)
