"""What a seat or a spectator may see of a table: the only filter of its state."""

from games.engine import Result, Seat
from games.rules.ready_set_bet.board import SPOTS
from games.rules.ready_set_bet.box import Box
from games.rules.ready_set_bet.data import HORSES
from games.rules.ready_set_bet.messages import ReadySetBetView
from games.rules.ready_set_bet.table import ReadySetBetState, card_spots, closed_columns
from games.rules.ready_set_bet.vip import bonus_tokens_left, perks_in_race, still_choosing


def view_of(state: ReadySetBetState, box: Box, viewer: Seat | None, result: Result | None) -> ReadySetBetView:
    """Everything but the VIP cards that others were dealt and what they chose; decks and discards are nobody's to see."""
    course, cards, vip = state.course, state.cards, state.vip
    seats = [Seat(seat) for seat in range(state.seats)]
    mine = viewer if vip and state.phase == "draft" and viewer in seats else None
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
        spots=SPOTS + card_spots(state, box),
        props=tuple(box.props[card] for card in cards.props) if cards else (),
        exotics=tuple(box.exotics[card] for card in cards.exotics) if cards else (),
        vip=tuple(tuple(box.vip[card] for card in kept) for kept in vip.kept) if vip else (),
        bonus_tokens=tuple(tuple(bonus_tokens_left(state, perks_in_race(state, box, seat), seat)) for seat in seats)
        if vip
        else (),
        hand=tuple(box.vip[card] for card in vip.hands[mine]) if vip and mine is not None else None,
        chosen=vip.chosen[mine] if vip and mine is not None else None,
        choosing=tuple(still_choosing(state)),
        announcer=state.announcer,
        asked=state.asked,
        dice_ready=state.dice_ready,
    )
