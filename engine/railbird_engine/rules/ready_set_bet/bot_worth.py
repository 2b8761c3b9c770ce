"""A bot's estimates: the worth of a token on a spot, and of a VIP card."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final, assert_never

import msgspec

from railbird_engine.rules.ready_set_bet.bot_forecast import exotic_chance, forecast, prop_chance
from railbird_engine.rules.ready_set_bet.data import HORSES, LANES
from railbird_engine.rules.ready_set_bet.data.board import open_spots
from railbird_engine.rules.ready_set_bet.data.cards import (
    BonusToken,
    DiceIncome,
    Exotic,
    FreeChips,
    Insurance,
    LateBet,
    Overlay,
    Prop,
    PropBoost,
    Twin,
    VipCard,
)
from railbird_engine.rules.ready_set_bet.view import ReadySetBetView
from railbird_engine.rules.ready_set_bet.vip_effects import VipEffects


class Stake(msgspec.Struct, frozen=True):
    """A token that may be placed; `bonus` is set for a bonus token."""

    value: int
    bonus: BonusToken | None = None


def spot_worths(
    view: ReadySetBetView, stake: Stake, effects: VipEffects, taken: Collection[str]
) -> dict[str, float]:
    """Return the expected money, gains less losses, of a token on each free spot."""
    free = effects.insured or (stake.bonus is not None and stake.bonus.cancels_spot_loss)
    share = 0 if free else 1
    extra = 0 if free or stake.bonus is None else stake.bonus.loss
    token = stake.value
    on_board, on_cards = _chances(view.positions, view.props, view.exotics)
    return {
        spot: chances[index] * swing - cost
        for chances, stakes in (
            (on_board, _stakes_on_board(view.closed_columns, token, share, extra)),
            (
                on_cards,
                _stakes_on_cards(view.props, view.exotics, effects.prop_gain, token, share, extra),
            ),
        )
        for spot, index, swing, cost in stakes
        if spot not in taken
    }


_Stakes = tuple[tuple[str, int, int, int], ...]
"""For each spot its name, the index of its chance, the difference between winning and losing with a
token, and the cost of losing."""


@lru_cache(maxsize=256)
def _stakes_on_board(
    closed_columns: tuple[str, ...], token: int, share: int, extra: int
) -> _Stakes:
    """The open spots of the board."""
    return tuple(
        (
            spot.spot,
            _INDEX_OF[f"{spot.kind}:{spot.horse}" if spot.horse else spot.spot],
            spot.gain * token + spot.loss * share + extra,
            spot.loss * share + extra,
        )
        for spot in open_spots(closed_columns)
    )


@lru_cache(maxsize=1024)
def _stakes_on_cards(
    props: tuple[Prop, ...],
    exotics: tuple[Exotic, ...],
    prop_gain: int,
    token: int,
    share: int,
    extra: int,
) -> _Stakes:
    """The spots on cards."""
    spots = [
        (f"prop:{prop.card}", index, prop.gain + prop_gain, prop.loss)
        for index, prop in enumerate(props)
    ] + [
        (f"exotic:{exotic.card}:{side}", index, odds.gain, odds.loss)
        for index, exotic in enumerate(exotics, len(props))
        for side, odds in zip("lmr", exotic.spots, strict=True)
    ]
    return tuple(
        (spot, index, gain * token + loss * share + extra, loss * share + extra)
        for spot, index, gain, loss in spots
    )


@lru_cache(maxsize=256)
def _chances(
    positions: tuple[int, ...], props: tuple[Prop, ...], exotics: tuple[Exotic, ...]
) -> tuple[list[float], list[float]]:
    """The chances of all bets on the board, in the order of `_INDEX_OF`, and of all cards."""
    ahead = forecast(positions)
    colours = [sum([ahead.win[lane] for lane in lanes]) for lanes in _LANES_OF_COLOUR.values()]
    return (
        [*ahead.win, *ahead.place, *ahead.show, *colours, ahead.black],
        [prop_chance(prop, ahead) for prop in props]
        + [exotic_chance(exotic.condition, positions, ahead) for exotic in exotics],
    )


_LANES_OF_COLOUR: Final = {
    colour: tuple(lane for lane in LANES if HORSES[lane].colour == colour)
    for colour in ("blue", "orange", "pink")
}
_INDEX_OF: Final = {
    name: index
    for index, name in enumerate(
        [f"{kind}:{horse.horse}" for kind in ("win", "place", "show") for horse in HORSES]
        + [f"colour:{colour}" for colour in (*_LANES_OF_COLOUR, "black")]
    )
}
"""The index of a bet in the chances."""


def vip_worth(card: VipCard, races_left: int) -> float:
    """Return the money that a card may earn by the end of the game. Figures: measured with bots."""
    effect = card.effect
    match effect:
        case FreeChips(amount):
            return amount
        case BonusToken():
            return races_left * (1.3 + 0.9 * effect.value)
        case DiceIncome(on, amount):
            return races_left * 1.777 * len(on) * amount
        case Overlay(token):
            return races_left * 0.9 * token
        case LateBet(token):
            return races_left * (0.4 + 0.4 * token)
        case Twin(reward=reward):
            return races_left * 0.33 * reward
        case Insurance():
            return races_left * 2.8
        case PropBoost(gain):
            return races_left * 1.2 * gain
        case _:
            assert_never(effect)
