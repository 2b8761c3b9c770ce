"""What a seat or a spectator may see of a table: the only filter of its state."""

from games.engine import Result, Seat
from games.rules.ready_set_bet.box import Box
from games.rules.ready_set_bet.data import HORSES
from games.rules.ready_set_bet.messages import ReadySetBetView, VipView
from games.rules.ready_set_bet.table import ReadySetBetState, VipTable, closed_columns, spots_shown
from games.rules.ready_set_bet.vip import bonus_tokens_of_all, cards_of_all, still_choosing, vip_cards


def view_of(state: ReadySetBetState, box: Box, viewer: Seat | None, result: Result | None) -> ReadySetBetView:
    """Everything but the VIP cards that others were dealt and what they chose; decks and discards are nobody's to see."""
    course, cards = state.course, state.cards
    return ReadySetBetView(
        seat=viewer,
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
        vip=_vip_view(state, state.vip, box, viewer) if state.vip else None,
        announcer=state.announcer,
        asked=state.asked,
        dice_ready=state.dice_ready,
    )


def _vip_view(state: ReadySetBetState, vip: VipTable, box: Box, viewer: Seat | None) -> VipView:
    drafts = state.phase == "draft"
    mine = viewer if drafts and viewer is not None and 0 <= viewer < state.seats else None
    return VipView(
        kept=cards_of_all(box, tuple(vip.kept)),
        bonus_tokens=bonus_tokens_of_all(state, box),
        hand=None if mine is None else vip_cards(box, vip.hands[mine]),
        chosen=None if mine is None else vip.chosen[mine],
        choosing=tuple(still_choosing(state)) if drafts else (),
    )
