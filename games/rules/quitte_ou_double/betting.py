"""Bets between the tiles, and what they and the tiles earn."""

import msgspec

from games.engine import BANK, BetPlaced, BetSettled, RuleViolation, Seat
from games.engine.server import VoidedBet
from games.rules.quitte_ou_double.bank import Bank
from games.rules.quitte_ou_double.commands import PlaceToken
from games.rules.quitte_ou_double.data import EXPERT_BONUS, ROUNDS, TOKENS_PER_TEAM
from games.rules.quitte_ou_double.events import AnswerRevealed, TokenPlaced
from games.rules.quitte_ou_double.payout import exact_teams, paid_teams, paying_zones, zone_name
from games.rules.quitte_ou_double.questions import Table, lock, require_captain, require_unlocked
from games.rules.quitte_ou_double.table import QuitteOuDoubleState, Token
from games.rules.quitte_ou_double.teams import members, scores, team_purse


def stakes_allowed(state: QuitteOuDoubleState) -> bool:
    """Rulebook 6: in round seven; variant "Quitte ou double permanent": in every round after the
    first."""
    return state.round == ROUNDS or (state.options.permanent_double and state.round > 1)


def free_stake(state: QuitteOuDoubleState, team: int, token: int) -> int:
    """How many gain tokens a team may put under one bet token, given what lies under the other
    (Q12)."""
    if not stakes_allowed(state):
        return 0
    under_other = sum(other.stake for other in state.tokens.get(team, []) if other.number != token)
    return state.purses[team_purse(team)] - under_other


def place_token(turn: Table, seat: Seat, command: PlaceToken) -> None:
    """Rulebook 3 and 6: each bet token in a zone, never on a tile; gain tokens only under a bet
    token, if at all."""
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
    others = [token for token in state.tokens.get(team, []) if token.number != command.token]
    placed = Token(command.token, command.zone, command.stake, seat)
    state.tokens[team] = sorted([*others, placed], key=lambda token: token.number)
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


def lock_bets(turn: Table, bank: Bank, seat: Seat) -> None:
    """Rulebook 3: both bet tokens must lie."""
    state, team = turn.state, turn.state.teams[seat]
    require_unlocked(state, team)
    require_captain(state, seat)
    placed = [token.number for token in state.tokens.get(team, [])]
    if len(placed) < TOKENS_PER_TEAM:
        raise RuleViolation("token_not_placed", placed=placed, needed=TOKENS_PER_TEAM)
    if lock(turn, seat):
        close_bets(turn, bank)


def close_bets(turn: Table, bank: Bank) -> None:
    """Rulebook 4: show the answer and pay. Only now are bets final; a token that lies nowhere is
    not bet (Q5)."""
    state = turn.state
    assert state.card is not None and state.level is not None
    question = bank.question(state.card, state.level)
    zones = paying_zones(state.tiles, question.answer)
    before = scores(state)
    bets = _record_bets(turn)
    turn.emit(
        AnswerRevealed(
            round=state.round,
            answer=question.answer,
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


def _record_bets(turn: Table) -> list[tuple[int, int, Token]]:
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


def _pay_tiles(turn: Table, answer: str) -> None:
    for team in paid_teams(turn.state.tiles, answer):
        turn.pay(BANK, team_purse(team), 1, "tile")
    if turn.state.options.expert_bonus:
        for team in exact_teams(turn.state.tiles, answer):
            turn.pay(BANK, team_purse(team), EXPERT_BONUS, "expert_bonus")


def _settle(turn: Table, bet: int, team: int, token: Token, *, won: bool) -> None:
    """Rulebook 6: every gain token pays like the bet token above it and is kept (Q10), or is
    lost."""
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


def void_bet(turn: Table, void: VoidedBet) -> int:
    """Ruling Q22: what a recorded bet moved goes back as far as the team's gain tokens go, those
    under bet tokens too."""
    state, team = turn.state, turn.state.teams[void.seat]
    assert void.payout is not None, "bets are settled by the commit that records them"
    returned = turn.give_back(team_purse(team), -void.payout)
    if state.phase == "bet":
        _cover_stakes(state, team)
    elif state.gains is not None and void.bet > state.bets - sum(map(len, state.tokens.values())):
        state.gains[team] += returned
    return returned


def _cover_stakes(state: QuitteOuDoubleState, team: int) -> None:
    """Nobody bets with gain tokens that are gone: the first bet token keeps its stake before the
    second."""
    held, covered = state.purses[team_purse(team)], []
    for token in state.tokens.get(team, []):
        covered.append(msgspec.structs.replace(token, stake=min(token.stake, held)))
        held -= covered[-1].stake
    if covered:
        state.tokens[team] = covered
