"""Bets between the tiles, and how bets and tiles are paid."""

import msgspec

from railbird_engine import BANK, BetPlaced, BetSettled, RuleViolation, Seat, VoidedBet
from railbird_engine.rules.quitte_ou_double.commands import PlaceToken
from railbird_engine.rules.quitte_ou_double.data import EXPERT_BONUS, TOKENS_PER_TEAM
from railbird_engine.rules.quitte_ou_double.data.bank import Bank
from railbird_engine.rules.quitte_ou_double.events import (
    AnswerRevealed,
    GameTurn,
    TilePaid,
    TokenPlaced,
)
from railbird_engine.rules.quitte_ou_double.payout import (
    exact_teams,
    paid_teams,
    paying_zones,
    zone_name,
)
from railbird_engine.rules.quitte_ou_double.questions import (
    count_change,
    lock,
    question_asked,
    require_captain,
    require_unlocked,
)
from railbird_engine.rules.quitte_ou_double.state import QuitteOuDoubleState, Token
from railbird_engine.rules.quitte_ou_double.teams import (
    free_stake,
    members,
    scores,
    stakes_allowed,
    team_purse,
)


def place_token(turn: GameTurn, seat: Seat, command: PlaceToken) -> None:
    """Place or move a bet token, with gain tokens under it if the round allows (rulebook 3, 6)."""
    state, team = turn.state, turn.state.teams[seat]
    require_unlocked(state, team)
    if not 1 <= command.token <= TOKENS_PER_TEAM:
        raise RuleViolation("no_such_token", token=command.token, most=TOKENS_PER_TEAM)
    if not 0 <= command.zone <= len(state.tiles):
        raise RuleViolation("no_such_zone", zone=command.zone, most=len(state.tiles))
    if command.stake and not stakes_allowed(state):
        raise RuleViolation("stakes_not_allowed", round=state.round, stake=command.stake)
    free = free_stake(state, team, command.token)
    if not 0 <= command.stake <= free:
        raise RuleViolation("stake_not_owned", stake=command.stake, free=free)
    placed = state.tokens.get(team, [])
    others = [token for token in placed if token.number != command.token]
    if len(others) < len(placed):
        count_change(state, team)
    token = Token(command.token, command.zone, command.stake, seat)
    state.tokens[team] = sorted([*others, token], key=lambda token: token.number)
    only = members(state, team) if state.options.hidden_bets else None
    turn.emit(
        TokenPlaced(
            seat=seat,
            team=team,
            token=command.token,
            zone=command.zone,
            stake=command.stake,
            only=only,
        )
    )


def lock_bets(turn: GameTurn, bank: Bank, seat: Seat) -> None:
    """Lock a team's bets; both bet tokens must be placed (rulebook 3)."""
    state, team = turn.state, turn.state.teams[seat]
    require_unlocked(state, team)
    require_captain(state, seat)
    placed = [token.number for token in state.tokens.get(team, [])]
    if len(placed) < TOKENS_PER_TEAM:
        raise RuleViolation("token_not_placed", placed=placed, needed=TOKENS_PER_TEAM)
    if lock(turn, seat):
        close_bets(turn, bank)


def close_bets(turn: GameTurn, bank: Bank) -> None:
    """Show the answer and pay (rulebook 4).

    Bets are recorded only now. A token that was not placed is not bet (Q5).
    """
    state = turn.state
    question = question_asked(state, bank)
    zones = paying_zones(state.tiles, question.answer)
    before = scores(state)
    bets = _record_bets(turn)
    turn.emit(
        AnswerRevealed(
            round=state.round,
            answer=question.answer,
            unit=question.unit,
            source=question.source,
            paying_zones=zones,
            paid_tiles=paid_teams(state.tiles, question.answer),
            exact_tiles=exact_teams(state.tiles, question.answer),
        )
    )
    _pay_tiles(turn, question.answer)
    for bet, team, token in bets:
        _settle(turn, bet, team, token, won=token.zone in zones)
    state.gains = [after - held for held, after in zip(before, scores(state), strict=True)]
    state.phase = "reveal"
    state.moment += 1


def _record_bets(turn: GameTurn) -> list[tuple[int, int, Token]]:
    state = turn.state
    bets = []
    for team in sorted(state.tokens):
        for token in state.tokens[team]:
            state.bets += 1
            bets.append((state.bets, team, token))
            turn.emit(
                BetPlaced(
                    bet=state.bets,
                    seat=token.seat,
                    spot=zone_name(state.tiles, token.zone),
                    stake=token.stake,
                    odds="1:1",
                )
            )
    return bets


def _pay_tiles(turn: GameTurn, answer: str) -> None:
    exact = exact_teams(turn.state.tiles, answer)
    for team in paid_teams(turn.state.tiles, answer):
        turn.pay(BANK, team_purse(team), 1, "tile")
        bonus = EXPERT_BONUS if team in exact and turn.state.options.expert_bonus else 0
        if bonus:
            turn.pay(BANK, team_purse(team), bonus, "expert_bonus")
        turn.emit(TilePaid(team=team, amount=1 + bonus, is_exact=team in exact))


def _settle(turn: GameTurn, bet: int, team: int, token: Token, *, won: bool) -> None:
    """Pay or take one bet (rulebook 6).

    A winning stake is kept and earns as much again (Q10).
    """
    spot = zone_name(turn.state.tiles, token.zone)
    if won:
        turn.pay(BANK, team_purse(team), 1 + token.stake, "bet_won")
        turn.emit(
            BetSettled(bet=bet, seat=token.seat, spot=spot, outcome="won", payout=1 + token.stake)
        )
        return
    if token.stake:
        turn.pay(team_purse(team), BANK, token.stake, "bet_lost")
    turn.emit(BetSettled(bet=bet, seat=token.seat, spot=spot, outcome="lost", payout=-token.stake))


def void_bet(turn: GameTurn, void: VoidedBet) -> int:
    """Move back what a recorded bet moved, as far as the team's gain tokens go (ruling Q22).

    Gain tokens under bet tokens count as well.
    """
    state, team = turn.state, turn.state.teams[void.seat]
    assert void.payout is not None, "bets are settled by the commit that records them"
    returned = turn.give_back(team_purse(team), -void.payout)
    if state.phase == "bet":
        _cover_stakes(state, team)
    elif state.gains is not None and void.bet > state.bets - sum(map(len, state.tokens.values())):
        state.gains[team] += returned
    return returned


def _cover_stakes(state: QuitteOuDoubleState, team: int) -> None:
    """Cut stakes that the team can no longer pay; the first bet token keeps its stake longer."""
    held, covered = state.purses[team_purse(team)], []
    for token in state.tokens.get(team, []):
        covered.append(msgspec.structs.replace(token, stake=min(token.stake, held)))
        held -= covered[-1].stake
    if covered:
        state.tokens[team] = covered
