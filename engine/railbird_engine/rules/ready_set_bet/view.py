"""The view of a seat or a spectator: the only filter of the state."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from railbird_engine import Purse, Result, Seat, View
from railbird_engine.rules.ready_set_bet.announcer import is_pause
from railbird_engine.rules.ready_set_bet.card_results import exotic_wins, prop_wins
from railbird_engine.rules.ready_set_bet.data import HORSES, Horse
from railbird_engine.rules.ready_set_bet.data.board import Spot
from railbird_engine.rules.ready_set_bet.data.cards import BonusToken, Exotic, Prop, VipCard
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.race import Podium
from railbird_engine.rules.ready_set_bet.settlement import Bet
from railbird_engine.rules.ready_set_bet.state import (
    Phase,
    ReadySetBetState,
    closed_columns,
    is_absent,
    spots_shown,
)
from railbird_engine.rules.ready_set_bet.vip import (
    PlacedBonus,
    bonus_tokens_of_all,
    placed_bonuses,
    still_choosing,
    vip_cards,
)


class VipView(msgspec.Struct, frozen=True):
    """VIP cards as a viewer sees them. By seat: the cards `kept`, and the `bonus_tokens` still in
    hand, and the money that the cards have `paid` in this race. During a draft, `hand` is what the
    viewer was dealt, `chosen` what it has chosen, and `choosing` lists the seats that have not
    chosen yet."""

    kept: tuple[tuple[VipCard, ...], ...]
    bonus_tokens: tuple[tuple[BonusToken, ...], ...]
    paid: tuple[int, ...]
    hand: tuple[VipCard, ...] | None
    chosen: str | None
    choosing: tuple[Seat, ...]


class ReadySetBetView(View, frozen=True, kw_only=True):
    """A game as one viewer sees it; `seat` is the viewer's own (null for a spectator).

    `positions` are in the order of `horses`. `tokens` are those in hand, by seat. `bets` lie on the
    board until the next race is prepared; once their race is settled, each has its outcome and
    payout. `last_horse` moved last, for the `run`-th time in a row. `podium` is set from the finish
    until the next race is prepared. `spots` are those of the board and of the cards that lie face
    up. `vip` is null without VIP cards. `asked` may answer an offer to announce, and with
    `dice_ready` the announcer may roll. `announcer_absent`: the server rolls until the announcer
    acts. `ready`: the seats that want this pause to end; null when there is none.
    `came_true`: the prop bets and exotic finishes that won, from the finish on."""

    seat: Seat | None
    options: ReadySetBetOptions
    phase: Phase
    race: int
    roll: int
    dice: tuple[int, int] | None
    positions: tuple[int, ...]
    last_horse: str | None
    run: int
    crossed: int
    podium: Podium | None
    bets: tuple[Bet, ...]
    tokens: tuple[tuple[int, ...], ...]
    purses: Mapping[Purse, int]
    closed_columns: tuple[str, ...]
    ranking: tuple[tuple[Seat, ...], ...] | None
    horses: tuple[Horse, ...]
    spots: tuple[Spot, ...]
    props: tuple[Prop, ...]
    exotics: tuple[Exotic, ...]
    vip: VipView | None
    announcer: Seat | None
    asked: Seat | None
    dice_ready: bool
    announcer_absent: bool
    ready: tuple[Seat, ...] | None
    came_true: tuple[str, ...]


def public_view(state: ReadySetBetState, box: Box, result: Result | None) -> ReadySetBetView:
    """Return the public view: without the VIP cards dealt, the choices between them, decks and
    discards."""
    course, cards = state.course, state.cards
    return ReadySetBetView(
        seat=None,
        options=state.options,
        phase=state.phase,
        race=state.race,
        roll=course.rolls,
        dice=state.dice,
        positions=tuple(course.positions),
        last_horse=None if course.lane is None else HORSES[course.lane].horse,
        run=course.run,
        crossed=course.crossed,
        podium=state.podium,
        bets=state.bets,
        tokens=state.tokens,
        purses=state.purses,
        closed_columns=closed_columns(state),
        ranking=result.ranking if result else None,
        horses=HORSES,
        spots=spots_shown(state, box),
        props=_props(box, cards.props) if cards else (),
        exotics=_exotics(box, cards.exotics) if cards else (),
        vip=_public_vip(state, box),
        announcer=state.announcer,
        asked=state.asked,
        dice_ready=state.dice_ready,
        announcer_absent=is_absent(state),
        ready=state.ready if is_pause(state) else None,
        came_true=_came_true(state, box),
    )


def _came_true(state: ReadySetBetState, box: Box) -> tuple[str, ...]:
    if state.podium is None or state.cards is None:
        return ()
    positions, cards = state.course.positions, state.cards
    props = [card for card in cards.props if prop_wins(box.props[card], positions)]
    exotics = [
        card for card in cards.exotics if exotic_wins(box.exotics[card].condition, positions)
    ]
    return (*props, *exotics)


# Most of what everyone sees stays the same from roll to roll, so it is put together once.


@lru_cache(maxsize=256)
def _props(box: Box, cards: tuple[str, ...]) -> tuple[Prop, ...]:
    return tuple(box.props[card] for card in cards)


@lru_cache(maxsize=256)
def _exotics(box: Box, cards: tuple[str, ...]) -> tuple[Exotic, ...]:
    return tuple(box.exotics[card] for card in cards)


def _public_vip(state: ReadySetBetState, box: Box) -> VipView | None:
    if state.vip is None:
        return None
    return _vip_view(
        box,
        state.vip.kept,
        state.announcer,
        placed_bonuses(state.bets),
        state.vip.paid,
        tuple(still_choosing(state)),
    )


@lru_cache(maxsize=1024)
def _vip_view(
    box: Box,
    kept: tuple[tuple[str, ...], ...],
    announcer: Seat | None,
    placed: tuple[PlacedBonus, ...],
    paid: tuple[int, ...],
    choosing: tuple[Seat, ...],
) -> VipView:
    return VipView(
        kept=tuple(vip_cards(box, names) for names in kept),
        bonus_tokens=bonus_tokens_of_all(box, kept, announcer, placed),
        paid=paid,
        hand=None,
        chosen=None,
        choosing=choosing,
    )


def seen_from(
    seat: Seat, public: ReadySetBetView, state: ReadySetBetState, box: Box
) -> ReadySetBetView:
    """Return the view of a seat: the public view and, in a draft, its own cards and choice."""
    vip = public.vip
    if vip and state.vip and state.phase == "draft":
        vip = replace(
            vip, hand=vip_cards(box, state.vip.hands[seat]), chosen=state.vip.chosen[seat]
        )
    return replace(public, seat=seat, vip=vip)
