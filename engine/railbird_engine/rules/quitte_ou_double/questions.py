"""From the choice of the level to the row of tiles, and the end of the last round."""

from typing import Literal

from railbird_engine import RuleViolation, Seat
from railbird_engine.rules.quitte_ou_double.data import ROUNDS, UNANSWERED_MAX
from railbird_engine.rules.quitte_ou_double.data.bank import Bank, Question
from railbird_engine.rules.quitte_ou_double.decimals import canonical
from railbird_engine.rules.quitte_ou_double.events import (
    AnswerRevealed,
    AnswerWritten,
    GameEnded,
    GameTurn,
    LevelChosen,
    QuestionAsked,
    QuestionDiscarded,
    RoundSkipped,
    TeamLocked,
    TiebreakStarted,
    TilesRevealed,
)
from railbird_engine.rules.quitte_ou_double.payout import closest_teams, exact_teams, line_up
from railbird_engine.rules.quitte_ou_double.state import CHANGES_MAX, QuitteOuDoubleState
from railbird_engine.rules.quitte_ou_double.teams import (
    active_teams,
    may_change,
    may_lock_for_team,
    members,
    scores,
    stakes_allowed,
)
from railbird_engine.rules.quitte_ou_double.view import question_view


def choose_level(turn: GameTurn, bank: Bank, level: int, *, timed_out: bool) -> None:
    """Choose the level of the whole game, before any card is known (Q17).

    Rulebook, "Mise en place".
    """
    turn.state.level = level
    turn.emit(LevelChosen(level=level, timed_out=timed_out))
    next_round(turn, bank)


def next_round(turn: GameTurn, bank: Bank) -> None:
    """Begin the next of seven rounds, or end the game (rulebook 5 and 6)."""
    state = turn.state
    if state.round >= ROUNDS:
        _after_the_last_round(turn, bank)
        return
    state.round += 1
    state.unanswered = 0
    _ask(turn, bank)


def _ask(turn: GameTurn, bank: Bank) -> None:
    """Draw a card and ask its question (rulebook 1).

    The card is drawn only now, so that nobody can know it before.
    """
    state = turn.state
    assert state.level is not None
    state.answers, state.tiles, state.tokens, state.locked = {}, [], {}, []
    state.changes = {}
    state.gains, state.card = None, None
    if not state.cards:
        _skip_round(turn, bank, "no_cards")
        return
    state.card = turn.chance.take(state.cards)
    state.phase = "answer"
    state.moment += 1
    question = question_view(state, bank)
    turn.emit(
        QuestionAsked(
            round=state.round,
            question=question,
            has_unit=bool(question.unit.en),
            stakes_allowed=stakes_allowed(state),
        )
    )


def question_asked(state: QuitteOuDoubleState, bank: Bank) -> Question:
    """The question being asked, with the answer that stays hidden until the bets are closed."""
    assert state.card is not None and state.level is not None
    return bank.question(state.card, state.level)


def write_answer(turn: GameTurn, seat: Seat, text: str) -> None:
    """Write a team's answer: any member may, and the last one counts (rulebook 1, ruling Q15)."""
    state, team = turn.state, turn.state.teams[seat]
    require_unlocked(state, team)
    answer = canonical(text)
    if answer is None:
        raise RuleViolation("not_a_number", answer=text)
    if team in state.answers:
        count_change(state, team)
    state.answers[team] = answer
    turn.emit(AnswerWritten(seat=seat, answer=answer, only=members(state, team)))


def lock_answer(turn: GameTurn, bank: Bank, seat: Seat) -> None:
    """Lock a team's answer; the last team's lock reveals all tiles."""
    state, team = turn.state, turn.state.teams[seat]
    require_unlocked(state, team)
    require_captain(state, seat)
    if team not in state.answers:
        raise RuleViolation("nothing_written", team=team)
    if lock(turn, seat):
        close_answers(turn, bank)


def lock(turn: GameTurn, seat: Seat) -> bool:
    """Lock the seat's team, and return whether it was the last."""
    state, team = turn.state, turn.state.teams[seat]
    state.locked.append(team)
    turn.emit(TeamLocked(team=team, seat=seat))
    return len(state.locked) == len(active_teams(state))


def close_answers(turn: GameTurn, bank: Bank) -> None:
    """Reveal and sort the tiles (rulebook 2).

    A team without an answer has no tile (Q2); without any tile nobody can bet (Q3).
    """
    state = turn.state
    if not state.answers:
        _discard(turn, bank)
        return
    state.tiles = line_up(state.answers)
    turn.emit(TilesRevealed(tiles=state.tiles))
    if state.tiebreak:
        _decide_tiebreak(turn, bank)
        return
    state.phase, state.locked, state.changes = "bet", [], {}
    state.moment += 1


def _discard(turn: GameTurn, bank: Bank) -> None:
    state = turn.state
    assert state.card is not None
    answer = question_asked(state, bank).answer
    turn.emit(QuestionDiscarded(card=state.card, answer=answer))
    state.unanswered += 1
    if state.tiebreak:
        _finish(turn, state.tiebreak)
    elif state.unanswered < UNANSWERED_MAX:
        _ask(turn, bank)
    else:
        _skip_round(turn, bank, "unanswered")


def _skip_round(turn: GameTurn, bank: Bank, reason: Literal["unanswered", "no_cards"]) -> None:
    """Count the round as played, without payment (rulings Q3 and Q20)."""
    turn.emit(RoundSkipped(round=turn.state.round, reason=reason))
    next_round(turn, bank)


def _after_the_last_round(turn: GameTurn, bank: Bank) -> None:
    """Name the winners, or start the tie-break (rulebook 6, ruling Q16)."""
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


def _decide_tiebreak(turn: GameTurn, bank: Bank) -> None:
    state = turn.state
    question = question_asked(state, bank)
    turn.emit(
        AnswerRevealed(
            round=state.round,
            answer=question.answer,
            unit=question.unit,
            source=question.source,
            paying_zones=[],
            paid_tiles=[],
            exact_tiles=exact_teams(state.tiles, question.answer),
        )
    )
    state.gains = [0] * len(scores(state))
    _finish(turn, closest_teams(state.tiles, question.answer))


def _finish(turn: GameTurn, winners: list[int]) -> None:
    state = turn.state
    state.phase = "finished"
    state.winners = winners
    turn.emit(GameEnded(winners=winners, scores=scores(state)))


def require_unlocked(state: QuitteOuDoubleState, team: int) -> None:
    """Raise RuleViolation `not_in_the_tiebreak` or `team_locked`."""
    if team not in active_teams(state):
        raise RuleViolation("not_in_the_tiebreak", team=team, teams=state.tiebreak)
    if team in state.locked:
        raise RuleViolation("team_locked", team=team)


def count_change(state: QuitteOuDoubleState, team: int) -> None:
    """Count a change of an answer or a bet, or raise RuleViolation `too_many_changes` (Q23)."""
    if not may_change(state, team):
        raise RuleViolation("too_many_changes", most=CHANGES_MAX)
    state.changes[team] = state.changes.get(team, 0) + 1


def require_captain(state: QuitteOuDoubleState, seat: Seat) -> None:
    """Raise RuleViolation `not_the_captain` where only the captain may lock (Q15)."""
    if not may_lock_for_team(state, seat):
        captain = members(state, state.teams[seat])[0]
        raise RuleViolation("not_the_captain", seat=seat, captain=captain)
