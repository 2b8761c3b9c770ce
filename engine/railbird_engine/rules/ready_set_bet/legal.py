"""The legal commands of a seat: every command that the rules would accept."""

from collections import Counter
from collections.abc import Iterator

from railbird_engine import Seat
from railbird_engine.rules.ready_set_bet.announcer import is_pause, tokens_to_place
from railbird_engine.rules.ready_set_bet.betting import spots_refused_by_card
from railbird_engine.rules.ready_set_bet.commands import (
    AnswerOffer,
    GetReady,
    KeepVip,
    PlaceBet,
    RaceCommand,
    RollDice,
    SkipTokens,
    StartRace,
    TakeDice,
)
from railbird_engine.rules.ready_set_bet.data import TokenColour
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.state import (
    ReadySetBetState,
    bets_in_the_way,
    is_absent,
    spots_in_play,
)
from railbird_engine.rules.ready_set_bet.vip import (
    bonus_tokens_left,
    effects_in_race,
    still_choosing,
)
from railbird_engine.rules.ready_set_bet.vip_effects import VipEffects


def legal_commands(state: ReadySetBetState, box: Box, seat: Seat) -> Iterator[RaceCommand]:
    """Return every command that this seat may give now."""
    if state.vip and seat in still_choosing(state):
        yield from [KeepVip(card) for card in state.vip.hands[seat]]
    if seat == state.asked:
        yield from [AnswerOffer(accept=True), AnswerOffer(accept=False)]
    if seat == state.announcer:
        yield from _announcers_commands(state)
    if state.phase in (("paddock",) if seat == state.announcer else ("open", "closed")):
        yield from _bets(state, box, seat)
    if is_pause(state) and seat not in state.ready:
        yield GetReady()


def _announcers_commands(state: ReadySetBetState) -> Iterator[RaceCommand]:
    if tokens_to_place(state):
        yield SkipTokens()
    elif state.phase == "paddock" and not state.options.server_rolls:
        yield StartRace()
    if state.dice_ready:
        yield RollDice()
    is_racing = state.phase in ("open", "closed")
    if is_racing and is_absent(state) and not state.options.server_rolls:
        yield TakeDice()


def _bets(state: ReadySetBetState, box: Box, seat: Seat) -> Iterator[PlaceBet]:
    """Return every bet that `betting.place_bet` would accept from this seat."""
    effects = effects_in_race(state, box, seat)
    hand = _hand(state, box, seat, effects)
    if not hand:
        return
    refused = spots_refused_by_card(state, box, seat)
    holders = Counter(bet.spot for bet in bets_in_the_way(state, seat))
    mine = {bet.spot for bet in state.bets if bet.seat == seat}
    for spot in spots_in_play(state, box):
        if spot.spot in refused:
            continue
        if spot.spot not in holders:
            yield from [PlaceBet(spot.spot, token, bonus) for token, bonus in hand]
        elif effects.overlay and holders[spot.spot] == 1 and spot.spot not in mine:
            yield from [
                PlaceBet(spot.spot, token, bonus)
                for token, bonus in hand
                if token in effects.overlay
            ]


def _hand(
    state: ReadySetBetState, box: Box, seat: Seat, effects: VipEffects
) -> list[tuple[int, TokenColour | None]]:
    """The tokens that this seat may place now, by value and, for bonus tokens, colour."""
    hand: list[tuple[int, TokenColour | None]] = [
        (token, None) for token in sorted(set(state.tokens[seat]))
    ]
    hand.extend((token.value, token.colour) for token in bonus_tokens_left(state, box, seat))
    if state.phase == "closed":
        hand = [(token, bonus) for token, bonus in hand if token in effects.late]
    return hand
