"""Placing bets: who may put which token where, and when."""

from collections.abc import Iterator
from typing import assert_never

from games.engine import BetPlaced, RuleViolation, Seat
from games.rules.ready_set_bet.board import Spot
from games.rules.ready_set_bet.cards import Box
from games.rules.ready_set_bet.messages import PlaceBet
from games.rules.ready_set_bet.settlement import Bet
from games.rules.ready_set_bet.table import ReadySetBetState, Table, closed_columns, spots_in_play, tokens_without


def place_bet(turn: Table, box: Box, seat: Seat, command: PlaceBet) -> None:
    """Rulebook, "Placer des paris": no turns, one token per spot, and what lies there stays. Ruling 4.7: the order in which
    commands arrive decides.
    """
    state = turn.state
    _require_open_bets(state)
    spot = _spot_in_play(state, box, command.spot)
    for bet in state.bets:
        if bet.spot == spot.spot:
            raise RuleViolation("spot_taken", spot=spot.spot, seat=bet.seat)
    if spot.spot in _spots_refused_by_card(state, box, seat):
        raise RuleViolation("one_token_per_exotic", spot=spot.spot, card=spot.card)
    if command.token not in state.tokens[seat]:
        raise RuleViolation("no_such_token", token=command.token, left=list(state.tokens[seat]))
    state.tokens = tokens_without(state.tokens, seat, command.token)
    state.bets_placed += 1
    state.bets += (Bet(state.bets_placed, seat, spot.spot, command.token),)
    turn.emit(BetPlaced(bet=state.bets_placed, seat=seat, spot=spot.spot, stake=command.token, odds=spot.odds))


def legal_bets(state: ReadySetBetState, box: Box, seat: Seat) -> Iterator[PlaceBet]:
    """Every bet that `place_bet` would take from this seat."""
    if state.phase != "open":
        return
    refused = {bet.spot for bet in state.bets} | _spots_refused_by_card(state, box, seat)
    tokens = sorted(set(state.tokens[seat]))
    for spot in spots_in_play(state, box):
        if spot.spot not in refused:
            yield from [PlaceBet(spot.spot, token) for token in tokens]


def _require_open_bets(state: ReadySetBetState) -> None:
    """Ruling 4.6: no bets before the start call. Rulebook, "Clôture des paris" and "Fin de la course": none after."""
    match state.phase:
        case "open":
            return
        case "closed":
            raise RuleViolation("betting_closed", race=state.race, crossed=state.course.crossed)
        case "paddock" | "finished":
            raise RuleViolation("race_not_running", race=state.race, phase=state.phase)
        case "over":
            raise RuleViolation("game_over", races=state.race)
        case _:
            assert_never(state.phase)


def _spot_in_play(state: ReadySetBetState, box: Box, name: str) -> Spot:
    spot = box.spots.get(name)
    if spot is None:
        raise RuleViolation("unknown_spot", spot=name)
    if spot.card and (state.cards is None or spot.card not in (*state.cards.props, *state.cards.exotics)):
        raise RuleViolation("card_not_face_up", spot=name, card=spot.card)
    if spot.column in closed_columns(state):
        raise RuleViolation("column_closed", spot=name, column=spot.column, players=state.seats)
    return spot


def _spots_refused_by_card(state: ReadySetBetState, box: Box, seat: Seat) -> set[str]:
    """Rulebook, "Paris incroyables": a player puts one token at most on each of these cards."""
    spots = [box.spots[bet.spot] for bet in state.bets if bet.seat == seat and bet.spot.startswith("exotic:")]
    return {other.spot for spot in spots for other in box.spots_of_card[str(spot.card)]}
