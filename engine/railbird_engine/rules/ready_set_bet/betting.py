"""Placing bets: which token may go where, and when."""

from typing import assert_never

from railbird_engine import BetPlaced, RuleViolation, Seat, VoidedBet, seat_purse
from railbird_engine.rules.ready_set_bet.commands import PlaceBet
from railbird_engine.rules.ready_set_bet.data.board import Spot
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.events import BonusTokenUsed
from railbird_engine.rules.ready_set_bet.settlement import Bet
from railbird_engine.rules.ready_set_bet.state import (
    RaceTurn,
    ReadySetBetState,
    active_players,
    bets_in_the_way,
    closed_columns,
    tokens_without,
    with_item,
)
from railbird_engine.rules.ready_set_bet.vip import bonus_tokens_left, effects_in_race
from railbird_engine.rules.ready_set_bet.vip_effects import VipEffects


def place_bet(turn: RaceTurn, box: Box, seat: Seat, command: PlaceBet) -> None:
    """Place a bet. Rulebook, "Placer des paris": no turns, one token per spot, and a placed token
    stays. Ruling 4.7: the order in which commands arrive decides."""
    state = turn.state
    effects = effects_in_race(state, box, seat)
    if seat == state.announcer:
        _require_announcers_turn(state)
    else:
        _require_open_bets(state, command.token, effects)
    spot = _spot_in_play(state, box, command.spot)
    _require_free(state, spot, seat, shares=command.token in effects.overlay)
    if spot.spot in spots_refused_by_card(state, box, seat):
        raise RuleViolation("one_token_per_exotic", spot=spot.spot, card=spot.card)
    _take_token(state, box, seat, command)
    state.bets_placed += 1
    state.bets += (Bet(state.bets_placed, seat, spot.spot, command.token, command.bonus),)
    turn.emit(
        BetPlaced(
            bet=state.bets_placed, seat=seat, spot=spot.spot, stake=command.token, odds=spot.odds
        )
    )
    if command.bonus:
        turn.emit(BonusTokenUsed(bet=state.bets_placed, colour=command.bonus))
    if seat == state.announcer:
        state.awaited += 1  # Time for each token (ruling 4.25).


def void_bet(turn: RaceTurn, void: VoidedBet) -> int:
    """Void a bet. Ruling 4.41: before the board is cleared, a voided bet frees its spot and its
    token returns to the hand. A token is not money: only the payout of a settled bet goes back."""
    state = turn.state
    for bet in [bet for bet in state.bets if bet.bet == void.bet]:
        state.bets = tuple(other for other in state.bets if other != bet)
        if bet.seat == state.announcer and state.phase == "paddock" and not state.tokens[bet.seat]:
            state.awaited += 1
        if bet.bonus is None:
            state.tokens = with_item(
                state.tokens, bet.seat, tuple(sorted((*state.tokens[bet.seat], bet.token)))
            )
    return turn.give_back(seat_purse(void.seat), -(void.payout or 0))


def _require_free(state: ReadySetBetState, spot: Spot, seat: Seat, *, shares: bool) -> None:
    """Require a free spot. Rulebook, "Placer des paris": one token per spot. A VIP card may let a
    token join one of another player."""
    holders = [bet.seat for bet in bets_in_the_way(state, seat) if bet.spot == spot.spot]
    if holders and not (shares and len(holders) == 1 and holders[0] != seat):
        raise RuleViolation("spot_taken", spot=spot.spot, seat=holders[0])


def _take_token(state: ReadySetBetState, box: Box, seat: Seat, command: PlaceBet) -> None:
    """Take the token from the hand. A bonus token is in use while it is on the board."""
    if command.bonus is None:
        if command.token not in state.tokens[seat]:
            raise RuleViolation("no_such_token", token=command.token, left=list(state.tokens[seat]))
        state.tokens = tokens_without(state.tokens, seat, command.token)
    else:
        left = [(token.colour, token.value) for token in bonus_tokens_left(state, box, seat)]
        if (command.bonus, command.token) not in left:
            raise RuleViolation(
                "no_such_bonus_token", token=command.token, colour=command.bonus, left=left
            )


def _require_announcers_turn(state: ReadySetBetState) -> None:
    """Rulebook, "Variante Speaker parieur": an announcer bets before the race; a neutral announcer
    never bets."""
    if state.options.mode == "standard":
        raise RuleViolation("announcer_cannot_bet", announcer=state.announcer)
    if state.phase != "paddock":
        raise RuleViolation("announcer_bets_before_the_race", race=state.race, phase=state.phase)


def _require_open_bets(state: ReadySetBetState, token: int, effects: VipEffects) -> None:
    """Require open bets. Ruling 4.6: no bets before the start call. Rulebook, "Clôture des paris"
    and "Fin de la course": no bets afterwards, unless a VIP card allows them."""
    match state.phase:
        case "open":
            return
        case "closed":
            if token in effects.late:
                return
            raise RuleViolation("betting_closed", race=state.race, crossed=state.course.crossed)
        case "paddock" | "finished" | "draft" | "offer":
            raise RuleViolation("race_not_running", race=state.race, phase=state.phase)
        case "over":
            raise RuleViolation("game_over", races=state.race)
        case _:
            assert_never(state.phase)


def _spot_in_play(state: ReadySetBetState, box: Box, name: str) -> Spot:
    spot = box.spots.get(name)
    if spot is None:
        raise RuleViolation("unknown_spot", spot=name)
    if spot.card and (
        state.cards is None or spot.card not in (*state.cards.props, *state.cards.exotics)
    ):
        raise RuleViolation("card_not_face_up", spot=name, card=spot.card)
    if spot.column in closed_columns(state):
        raise RuleViolation(
            "column_closed", spot=name, column=spot.column, players=active_players(state)
        )
    return spot


def spots_refused_by_card(state: ReadySetBetState, box: Box, seat: Seat) -> set[str]:
    """Return the spots closed to this seat by its own tokens. Rulebook, "Paris incroyables": at
    most one token of a player on each card."""
    spots = [
        box.spots[bet.spot]
        for bet in state.bets
        if bet.seat == seat and bet.spot.startswith("exotic:")
    ]
    return {other.spot for spot in spots for other in box.spots_of_card[str(spot.card)]}
