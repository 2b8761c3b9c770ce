"""What a seat or a spectator may see of a table: the only filter of its state."""

from msgspec.structs import replace

from games.engine import Result, Seat
from games.rules.ready_set_bet.box import Box
from games.rules.ready_set_bet.data import HORSES
from games.rules.ready_set_bet.messages import ReadySetBetView, VipView
from games.rules.ready_set_bet.table import ReadySetBetState, closed_columns, spots_shown
from games.rules.ready_set_bet.vip import (
    bonus_tokens_of_all,
    cards_of_all,
    still_choosing,
    vip_cards,
)


def public_view(state: ReadySetBetState, box: Box, result: Result | None) -> ReadySetBetView:
    """Everything but the VIP cards that seats were dealt and what they chose; decks and discards
    are nobody's to see."""
    course, cards, vip = state.course, state.cards, state.vip
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
        props=tuple([box.props[card] for card in cards.props]) if cards else (),
        exotics=tuple([box.exotics[card] for card in cards.exotics]) if cards else (),
        vip=VipView(
            kept=cards_of_all(box, tuple(vip.kept)),
            bonus_tokens=bonus_tokens_of_all(state, box),
            hand=None,
            chosen=None,
            choosing=tuple(still_choosing(state)),
        )
        if vip
        else None,
        announcer=state.announcer,
        asked=state.asked,
        dice_ready=state.dice_ready,
    )


def seen_from(
    seat: Seat, public: ReadySetBetView, state: ReadySetBetState, box: Box
) -> ReadySetBetView:
    """What everybody sees, and in a draft the seat's own cards and choice."""
    vip = public.vip
    if vip and state.vip and state.phase == "draft":
        vip = replace(
            vip, hand=vip_cards(box, state.vip.hands[seat]), chosen=state.vip.chosen[seat]
        )
    return replace(public, seat=seat, vip=vip)
