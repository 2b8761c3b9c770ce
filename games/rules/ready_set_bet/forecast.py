"""How likely each horse is to win, place and show, seen from the middle of a race: a bounded estimate, not a simulation.

One horse alone is easy: how far it runs in t rolls is known exactly. The estimate takes the nine to be independent, looks at
a few moments when the race may end, and counts how many horses each one must expect ahead of it then.
"""

from bisect import bisect_left
from functools import cache, lru_cache
from math import comb, prod
from typing import Final

import msgspec

from games.rules.ready_set_bet.data import BLACK_LANE, BONUS, FINISH, LANES, WAYS

_LAST: Final = FINISH - 1
_ROLLS_AHEAD: Final = 112
"""The estimate looks no farther; hardly a race in ten thousand is longer."""

_MOMENTS: Final = (0.6, 0.9, 1.25)
"""Where the race may end, in units of the time in which the foremost horse would finish alone."""

_LUCKS: Final = (1 / 6, 1 / 2, 5 / 6)
"""A horse's own run is looked at three times: short, middling, long."""


class Forecast(msgspec.Struct, frozen=True):
    """By lane, the chance to win, to rank second or better, and third or better; `black`: that lane 7 ranks fifth or worse."""

    win: tuple[float, ...]
    place: tuple[float, ...]
    show: tuple[float, ...]
    black: float


@lru_cache(maxsize=256)
def forecast(positions: tuple[int, ...], armed_lane: int | None) -> Forecast:
    """What to expect of a race that goes on from here; `armed_lane` earns its bonus if it moves at the next roll."""
    reaches = [_reach(WAYS[lane], BONUS[lane], lane == armed_lane) for lane in LANES]
    win, rolls = _winners(positions, reaches)
    place, show, fifth = _followers(positions, [reach[rolls] for reach in reaches])
    return Forecast(
        win,
        tuple([first + (1 - first) * later for first, later in zip(win, place, strict=True)]),
        tuple([first + (1 - first) * later for first, later in zip(win, show, strict=True)]),
        (1 - win[BLACK_LANE]) * fifth[BLACK_LANE],
    )


def _winners(positions: tuple[int, ...], reaches: list[tuple[tuple[float, ...], ...]]) -> tuple[tuple[float, ...], int]:
    """Each lane's chance to finish first, and after how many rolls the race ends on average."""
    soonest = min(_rolls_alone(WAYS[lane], BONUS[lane], FINISH - positions[lane]) for lane in LANES)
    win = [0.0] * len(LANES)
    ended = rolls = 0.0
    before, none_before = [1.0] * len(LANES), 1.0
    for moment in _MOMENTS:
        roll = min(int(soonest * moment) + 1, _ROLLS_AHEAD)
        now = [reach[roll][_LAST - position] for reach, position in zip(reaches, positions, strict=True)]
        between = [(first + second) / 2 for first, second in zip(before, now, strict=True)]
        none_between, none_now = prod(between), prod(now)
        for lane in LANES:
            if before[lane] > now[lane]:
                win[lane] += (before[lane] - now[lane]) * none_between / between[lane]
        ended += none_before - none_now
        rolls += (none_before - none_now) * roll
        before, none_before = now, none_now
    total = sum(win)
    return tuple([chance / total for chance in win]), round(rolls / ended)


def _followers(positions: tuple[int, ...], runs: list[tuple[float, ...]]) -> tuple[list[float], list[float], list[float]]:
    """For horses that do not win: the chance to rank second, third or better, and fifth or worse, after these runs."""
    not_beyond = [(0.0,) * position + run for position, run in zip(positions, runs, strict=True)]
    ahead = [len(LANES) - sum(column) for column in zip(*[row[:FINISH] for row in not_beyond], strict=True)]
    place, show, fifth = [], [], []
    for lane in LANES:
        row = not_beyond[lane]
        second = third = behind = 0.0
        for luck in _LUCKS:
            position = bisect_left(row, luck * row[_LAST], positions[lane], _LAST)
            others = ahead[position] - 1 + row[position]
            chances = _RANKS[round(10 * others)]
            second, third, behind = second + chances[0], third + chances[1], behind + chances[2]
        place.append(second / len(_LUCKS))
        show.append(third / len(_LUCKS))
        fifth.append(behind / len(_LUCKS))
    return place, show, fifth


@cache
def _reach(ways: int, bonus: int, armed: bool) -> tuple[tuple[float, ...], ...]:
    """[rolls][spaces]: the chance that a horse with `ways` of 36 rolls runs at most so far in so many rolls. Exact."""
    moves = ways / 36
    calm, hot = [0.0] * (FINISH + 1), [0.0] * (FINISH + 1)
    (hot if armed else calm)[0] = 1.0
    table = []
    for _ in range(_ROLLS_AHEAD + 1):
        so_far = [calm[spaces] + hot[spaces] for spaces in range(FINISH)]
        table.append(tuple([sum(so_far[: spaces + 1]) for spaces in range(FINISH)]))
        next_calm, next_hot = [0.0] * (FINISH + 1), [0.0] * (FINISH + 1)
        for spaces in range(FINISH):
            next_calm[spaces] += so_far[spaces] * (1 - moves)
            next_hot[spaces + 1] += calm[spaces] * moves
            next_calm[min(spaces + 1 + bonus, FINISH)] += hot[spaces] * moves
        calm, hot = next_calm, next_hot
    return tuple(table)


@cache
def _rolls_alone(ways: int, bonus: int, spaces: int) -> int:
    """After how many rolls a horse has run so far with a chance of one half."""
    short = [run[spaces - 1] for run in _reach(ways, bonus, False)]
    return next((rolls for rolls, chance in enumerate(short) if chance <= 1 / 2), _ROLLS_AHEAD)


def _rank_chances(others: float) -> tuple[float, float, float]:
    """Second or better, third or better, fifth or worse, when so many are expected ahead, the winner among them."""
    each = max(0.0, others - 1) / 7
    exactly = [comb(7, count) * each**count * (1 - each) ** (7 - count) for count in range(3)]
    return exactly[0], exactly[0] + exactly[1], 1 - sum(exactly)


_RANKS: Final = tuple(_rank_chances(tenths / 10) for tenths in range(81))
