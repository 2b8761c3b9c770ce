"""A fair opponent: it watches the race, bets small on a hunch and big on what it sees, and sees no more than its view."""

from functools import cache, lru_cache
from typing import Final

from games.engine import Chance
from games.rules.ready_set_bet.board import open_spots
from games.rules.ready_set_bet.data import HORSES, LANES
from games.rules.ready_set_bet.forecast import forecast
from games.rules.ready_set_bet.messages import KeepVip, PlaceBet, RaceCommand, ReadySetBetView

_PATIENCE: Final = (6, 18, 27, 35, 42)
"""How much of a race a bot watches before its first, second ... token. The closing comes at about 55 rolls."""

_HASTE_PER_CROSSING: Final = 8
"""A horse over the red line makes the race as much older in a bot's eyes: two more, and bets are closed."""

_SEEN_ENOUGH: Final = 32
"""From here on, a bot reaches for its largest token, not its smallest."""

_NEARLY: Final = 0.75
"""What is worth at least so much of the best is as good as the best."""


def choose(view: ReadySetBetView, chance: Chance) -> RaceCommand | None:
    """What this seat does now; None when it would rather wait."""
    if view.hand:
        return KeepVip(view.hand[0].card) if view.chosen is None else None
    return choose_bet(view, chance)


def choose_bet(view: ReadySetBetView, chance: Chance) -> PlaceBet | None:
    """The bet that this seat places now; None when it would rather watch."""
    assert view.seat is not None
    if view.phase != "open":
        return None
    tokens = view.tokens[view.seat]
    age = view.roll + _HASTE_PER_CROSSING * view.crossed
    if not tokens or age < _PATIENCE[-len(tokens)] + _temper(view.seat, view.race, len(tokens)):
        return None
    token = max(tokens) if age >= _SEEN_ENOUGH else min(tokens)
    values = _values(view, token)
    best = max(values, default=(0.0, ""))[0]
    if best <= 0:
        return None
    return PlaceBet(chance.pick([spot for value, spot in values if value >= best * _NEARLY]), token)


def _temper(seat: int, race: int, tokens: int) -> int:
    """Some are hasty today and some are slow, so that bots do not all reach for the board at once."""
    return (5 * seat + 3 * race + 4 * tokens) % 9


def _values(view: ReadySetBetView, token: int) -> list[tuple[float, str]]:
    """What a token can expect on each free spot: money won less money lost."""
    chances = _chances(view.positions)
    taken = {bet.spot for bet in view.bets}
    return [
        (chances[index] * (gain * token + loss) - loss, spot)
        for spot, index, gain, loss in _indexed_spots(view.closed_columns)
        if spot not in taken
    ]


@lru_cache(maxsize=256)
def _chances(positions: tuple[int, ...]) -> tuple[float, ...]:
    """The chances of all kinds of bets, in the order of `_INDEX_OF`."""
    expected = forecast(positions)
    colours = [sum([expected.win[lane] for lane in lanes]) for lanes in _LANES_OF_COLOUR.values()]
    return (*expected.win, *expected.place, *expected.show, *colours, expected.black)


_LANES_OF_COLOUR: Final = {
    colour: tuple(lane for lane in LANES if HORSES[lane].colour == colour) for colour in ("blue", "orange", "pink")
}
_INDEX_OF: Final = {
    name: index
    for index, name in enumerate(
        [f"{kind}:{horse.horse}" for kind in ("win", "place", "show") for horse in HORSES]
        + [f"colour:{colour}" for colour in (*_LANES_OF_COLOUR, "black")]
    )
}
"""Where a bet finds its chance."""


@cache
def _indexed_spots(closed_columns: tuple[str, ...]) -> tuple[tuple[str, int, int, int], ...]:
    """Open spots by name, with the index of their chance, gain and loss: looked up once, used at every bet."""
    return tuple(
        (spot.spot, _INDEX_OF[f"{spot.kind}:{spot.horse}" if spot.horse else spot.spot], spot.gain, spot.loss)
        for spot in open_spots(closed_columns)
    )
