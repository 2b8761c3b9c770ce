"""Quick estimates, in the middle of a race, of each horse's chances to win, place and show.

Every horse is expected to keep its average speed until the leader is nearly home. It wins, places
or shows when it passes the best, the second or the third of the others; a normal distribution gives
the chance."""

from math import erf, prod, sqrt
from typing import Final, assert_never

import msgspec

from railbird_engine.rules.ready_set_bet.data import BLACK_LANE, BONUS, FINISH, LANE_OF_HORSE, WAYS
from railbird_engine.rules.ready_set_bet.data.cards import (
    AllMoved,
    Condition,
    Prop,
    SecondBehind,
    SecondWithin,
    Stragglers,
    ThirdWithin,
)

SPEED: Final = tuple(
    ways / 36 + bonus * (ways / 36) ** 2 / (1 + ways / 36)
    for ways, bonus in zip(WAYS, BONUS, strict=True)
)
"""Spaces per roll in the long run, by lane."""

# Fitted to simulated races, 40 moments of 6,000 races each.
_HORIZON: Final = 0.8
_SPREAD_NOW, _SPREAD_PER_ROLL = 5.3, 0.46
_PAIR_NOW, _PAIR_PER_ROLL, _PAIR_LAG = 0.3, 0.8, 0.64
_GROUP = 0.46
_REACH_NOW, _REACH_PER_ROLL = 0.85, 0.48
_PAST_THE_BEST, _PAST_THE_SECOND, _PAST_THE_THIRD, _PAST_THE_FOURTH = 0.7, -0.6, 0.0, 0.6


class Forecast(msgspec.Struct, frozen=True):
    """By lane, the chances to win, to rank second or better, and third or better. `black` is the
    chance that 7 ranks fifth or worse. For cards: the `expected` positions when the race is nearly
    over, which is `rolls` rolls from now."""

    win: tuple[float, ...]
    place: tuple[float, ...]
    show: tuple[float, ...]
    black: float
    expected: tuple[float, ...]
    rolls: float


def forecast(positions: tuple[int, ...]) -> Forecast:
    """Return the forecast of a race with these positions; no horse has finished."""
    rolls = _HORIZON * min(
        [(FINISH - position) / speed for position, speed in zip(positions, SPEED, strict=True)]
    )
    spread = sqrt(_SPREAD_NOW + _SPREAD_PER_ROLL * rolls)
    expected = [position + speed * rolls for position, speed in zip(positions, SPEED, strict=True)]
    first, second, third, fourth, fifth = sorted(expected, reverse=True)[:5]

    def passing(lead: float, rival: float, next_rival: float) -> list[float]:
        """By lane, the chance to pass the rival, or the next one where the horse is the rival."""
        return [
            (1 + erf((reach + lead - (next_rival if reach >= rival else rival)) / spread)) / 2
            for reach in expected
        ]

    alone = passing(_PAST_THE_BEST, first, second)
    total = sum(alone)
    win = [chance / total for chance in alone]
    place = passing(_PAST_THE_SECOND, second, third)
    show = passing(_PAST_THE_THIRD, third, fourth)
    return Forecast(
        tuple(win),
        tuple(map(max, win, place)),
        tuple(map(max, win, place, show)),
        1 - passing(_PAST_THE_FOURTH, fourth, fifth)[BLACK_LANE],
        tuple(expected),
        rolls,
    )


def prop_chance(prop: Prop, ahead: Forecast) -> float:
    """The chance of a prop bet. For a group: the chance against the hardest rival, reduced by the
    others."""
    spread = sqrt(_PAIR_NOW + _PAIR_PER_ROLL * ahead.rolls)
    mine = ahead.expected[LANE_OF_HORSE[prop.front]] - _PAIR_LAG
    hardest, *others = sorted(
        [
            (1 + erf((mine - ahead.expected[LANE_OF_HORSE[horse]]) / spread)) / 2
            for horse in prop.behind
        ]
    )
    for chance in others:
        hardest *= chance**_GROUP
    return hardest


def exotic_chance(condition: Condition, positions: tuple[int, ...], ahead: Forecast) -> float:
    """The chance of an exotic finish."""
    match condition:
        case SecondWithin(spaces):
            return _at_least(2, _reaches(FINISH - spaces, positions, ahead))
        case ThirdWithin(spaces):
            return _at_least(3, _reaches(FINISH - spaces, positions, ahead))
        case SecondBehind(spaces):
            return 1 - _at_least(2, _reaches(FINISH - spaces + 1, positions, ahead))
        case AllMoved(spaces):
            return prod(_reaches(spaces, positions, ahead))
        case Stragglers(horses, spaces):
            return _at_least(
                horses, [1 - reaches for reaches in _reaches(spaces + 1, positions, ahead)]
            )
        case _:
            assert_never(condition)


def _reaches(space: int, positions: tuple[int, ...], ahead: Forecast) -> list[float]:
    """By lane, the chance to reach a space, as if horses were independent."""
    spread = sqrt(_REACH_NOW + _REACH_PER_ROLL * ahead.rolls)
    return [
        1.0 if position >= space else (1 + erf((expected - space) / spread)) / 2
        for position, expected in zip(positions, ahead.expected, strict=True)
    ]


def _at_least(count: int, chances: list[float]) -> float:
    """The chance that at least `count` of these independent chances come true."""
    happened = [1.0] + [0.0] * count
    fewer = range(count - 1, 0, -1)
    for chance in chances:
        happened[count] += happened[count - 1] * chance
        for number in fewer:
            happened[number] += (happened[number - 1] - happened[number]) * chance
        happened[0] *= 1 - chance
    return happened[count]
