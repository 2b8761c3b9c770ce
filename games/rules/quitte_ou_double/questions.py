"""From the choice of the level to the row of tiles: questions, answers, discarded questions, the
end of the last round."""

from typing import Literal

from games.engine import RuleViolation, Seat, Turn
from games.rules.quitte_ou_double.bank import Bank
from games.rules.quitte_ou_double.data import ROUNDS, UNANSWERED_MAX
from games.rules.quitte_ou_double.decimals import canonical
from games.rules.quitte_ou_double.events import (
    AnswerRevealed,
    AnswerWritten,
    GameEnded,
    LevelChosen,
    QuestionAsked,
    QuestionDiscarded,
    QuitteOuDoubleEvent,
    RoundSkipped,
    TeamLocked,
    TiebreakStarted,
    TilesRevealed,
)
from games.rules.quitte_ou_double.payout import closest_teams, exact_teams, line_up
from games.rules.quitte_ou_double.table import QuestionView, QuitteOuDoubleState
from games.rules.quitte_ou_double.teams import active_teams, members, scores

Table = Turn[QuitteOuDoubleState, QuitteOuDoubleEvent]


def choose_level(turn: Table, bank: Bank, level: int, *, timed_out: bool) -> None:
    """Rulebook, "Mise en place": once for the whole game, before any card is known (Q17)."""
    turn.state.level = level
    turn.emit(LevelChosen(level=level, timed_out=timed_out))
    next_round(turn, bank)


def next_round(turn: Table, bank: Bank) -> None:
    """Rulebook 5 and 6: seven rounds, then the end."""
    state = turn.state
    if state.round >= ROUNDS:
        _after_the_last_round(turn, bank)
        return
    state.round += 1
    state.unanswered = 0
    _ask(turn, bank)


def _ask(turn: Table, bank: Bank) -> None:
    """Rulebook 1: draw a card now, so that nobody could have known it, and ask its question."""
    state = turn.state
    assert state.level is not None
    state.answers, state.tiles, state.tokens, state.locked, state.gains, state.card = (
        {},
        [],
        {},
        [],
        None,
        None,
    )
    if not state.cards:
        _skip_round(turn, bank, "no_cards")
        return
    state.card = turn.chance.take(state.cards)
    state.phase = "answer"
    state.moment += 1
    turn.emit(QuestionAsked(round=state.round, question=question_view(state, bank)))


def question_view(state: QuitteOuDoubleState, bank: Bank) -> QuestionView:
    """The question on the table, without its answer."""
    assert state.card is not None and state.level is not None
    question = bank.question(state.card, state.level)
    return QuestionView(state.card, question.fr, question.en, question.unit_fr, question.unit_en)


def right_answer(state: QuitteOuDoubleState, bank: Bank) -> str:
    """What nobody may see before all bets lie."""
    assert state.card is not None and state.level is not None
    return bank.question(state.card, state.level).answer


def write_answer(turn: Table, seat: Seat, text: str) -> None:
    """Rulebook 1; ruling Q15: any member writes, the last answer counts."""
    state, team = turn.state, turn.state.teams[seat]
    require_unlocked(state, team)
    answer = canonical(text)
    if answer is None:
        raise RuleViolation("not_a_number", answer=text)
    state.answers[team] = answer
    turn.emit(AnswerWritten(seat=seat, answer=answer, only=members(state, team)))


def lock_answer(turn: Table, bank: Bank, seat: Seat) -> None:
    """The tile lies face down; when all do, they are turned."""
    state, team = turn.state, turn.state.teams[seat]
    require_unlocked(state, team)
    require_captain(state, seat)
    if team not in state.answers:
        raise RuleViolation("nothing_written", team=team)
    if lock(turn, seat):
        close_answers(turn, bank)


def lock(turn: Table, seat: Seat) -> bool:
    """Lock the seat's team; True when it was the last."""
    state, team = turn.state, turn.state.teams[seat]
    state.locked.append(team)
    turn.emit(TeamLocked(team=team, seat=seat))
    return len(state.locked) == len(active_teams(state))


def close_answers(turn: Table, bank: Bank) -> None:
    """Rulebook 2: turn and sort the tiles. A team without an answer has none (Q2); without any tile
    nobody can bet (Q3)."""
    state = turn.state
    if not state.answers:
        _discard(turn, bank)
        return
    state.tiles = line_up(state.answers)
    turn.emit(TilesRevealed(tiles=state.tiles))
    if state.tiebreak:
        _decide_tiebreak(turn, bank)
        return
    state.phase, state.locked = "bet", []
    state.moment += 1


def _discard(turn: Table, bank: Bank) -> None:
    state = turn.state
    assert state.card is not None
    turn.emit(QuestionDiscarded(card=state.card, answer=right_answer(state, bank)))
    state.unanswered += 1
    if state.tiebreak:
        _finish(turn, state.tiebreak)
    elif state.unanswered < UNANSWERED_MAX:
        _ask(turn, bank)
    else:
        _skip_round(turn, bank, "unanswered")


def _skip_round(turn: Table, bank: Bank, reason: Literal["unanswered", "no_cards"]) -> None:
    """Rulings Q3 and Q20: the round counts as played."""
    turn.emit(RoundSkipped(round=turn.state.round, reason=reason))
    next_round(turn, bank)


def _after_the_last_round(turn: Table, bank: Bank) -> None:
    """Rulebook 6: most gain tokens win; ruling Q16: together, or after one more question."""
    state = turn.state
    totals = scores(state)
    leaders = [team for team, total in enumerate(totals) if total == max(totals)]
    if state.options.tiebreak_question and len(leaders) > 1 and state.cards:
        state.tiebreak = leaders
        state.round += 1
        turn.emit(TiebreakStarted(teams=leaders))
        _ask(turn, bank)
    else:
        _finish(turn, leaders)


def _decide_tiebreak(turn: Table, bank: Bank) -> None:
    state = turn.state
    answer = right_answer(state, bank)
    assert state.card is not None and state.level is not None
    turn.emit(
        AnswerRevealed(
            round=state.round,
            answer=answer,
            source=bank.question(state.card, state.level).source,
            paying_zones=[],
            paid_tiles=[],
            exact_tiles=exact_teams(state.tiles, answer),
        )
    )
    state.gains = [0] * len(scores(state))
    _finish(turn, closest_teams(state.tiles, answer))


def _finish(turn: Table, winners: list[int]) -> None:
    state = turn.state
    state.phase = "finished"
    state.winners = winners
    turn.emit(GameEnded(winners=winners, scores=scores(state)))


def require_unlocked(state: QuitteOuDoubleState, team: int) -> None:
    """Raises RuleViolation `not_in_the_tiebreak` or `team_locked`."""
    if team not in active_teams(state):
        raise RuleViolation("not_in_the_tiebreak", team=team, teams=state.tiebreak)
    if team in state.locked:
        raise RuleViolation("team_locked", team=team)


def require_captain(state: QuitteOuDoubleState, seat: Seat) -> None:
    """Option `captain_locks` (Q15). Raises RuleViolation `not_the_captain`."""
    captain = members(state, state.teams[seat])[0]
    if state.options.captain_locks and seat != captain:
        raise RuleViolation("not_the_captain", seat=seat, captain=captain)
