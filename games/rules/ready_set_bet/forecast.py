"""How likely each horse is to win, place and show, seen from the middle of a race: a quick estimate, not a simulation.

Every horse is expected to run on at its average speed until the foremost is nearly home. It wins, places or shows when it gets
past the best, the second or the third of the others; how likely that is, a bell curve says.
"""

from math import erf, sqrt
from typing import Final

import msgspec

from games.rules.ready_set_bet.data import BLACK_LANE, BONUS, FINISH, WAYS

SPEED: Final = tuple(ways / 36 + bonus * (ways / 36) ** 2 / (1 + ways / 36) for ways, bonus in zip(WAYS, BONUS, strict=True))
"""Spaces per roll in the long run, by lane."""

# Fitted to simulated races, 40 moments of 6,000 races each.
_HORIZON: Final = 0.8
_SPREAD_NOW, _SPREAD_PER_ROLL = 5.3, 0.46
_PAST_THE_BEST, _PAST_THE_SECOND, _PAST_THE_THIRD, _PAST_THE_FOURTH = 0.7, -0.6, 0.0, 0.6


class Forecast(msgspec.Struct, frozen=True):
    """By lane, the chance to win, to rank second or better, and third or better; `black`: that lane 7 ranks fifth or worse."""

    win: tuple[float, ...]
    place: tuple[float, ...]
    show: tuple[float, ...]
    black: float


def forecast(positions: tuple[int, ...]) -> Forecast:
    """What to expect of a race that goes on from here; no horse has finished."""
    rolls = _HORIZON * min([(FINISH - position) / speed for position, speed in zip(positions, SPEED, strict=True)])
    spread = sqrt(_SPREAD_NOW + _SPREAD_PER_ROLL * rolls)
    expected = [position + speed * rolls for position, speed in zip(positions, SPEED, strict=True)]
    first, second, third, fourth, fifth = sorted(expected, reverse=True)[:5]

    def passes(reach: float, rival: float) -> float:
        return (1 + erf((reach - rival) / spread)) / 2

    alone = [passes(reach + _PAST_THE_BEST, second if reach >= first else first) for reach in expected]
    total = sum(alone)
    win = [chance / total for chance in alone]
    place = [passes(reach + _PAST_THE_SECOND, third if reach >= second else second) for reach in expected]
    show = [passes(reach + _PAST_THE_THIRD, fourth if reach >= third else third) for reach in expected]
    black = expected[BLACK_LANE]
    return Forecast(
        tuple(win),
        tuple(map(max, win, place)),
        tuple(map(max, win, place, show)),
        1 - passes(black + _PAST_THE_FOURTH, fifth if black >= fourth else fourth),
    )
