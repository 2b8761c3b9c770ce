"""The view of a seat or a spectator: the only filter of the state."""

import msgspec

from railbird_engine import Seat, Text, View
from railbird_engine.rules.quitte_ou_double.data import TEAM_COLOURS
from railbird_engine.rules.quitte_ou_double.data.bank import Bank
from railbird_engine.rules.quitte_ou_double.decimals import Number
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions, Team
from railbird_engine.rules.quitte_ou_double.payout import Tile, paying_zones
from railbird_engine.rules.quitte_ou_double.state import (
    Level,
    Phase,
    QuitteOuDoubleState,
    Token,
    Zone,
)
from railbird_engine.rules.quitte_ou_double.teams import (
    members,
    stakes_allowed,
    team_count,
    team_purse,
)


class TeamView(msgspec.Struct, frozen=True):
    """A team as one viewer sees it. Only its own members see `answer` and, where bets are hidden,
    `tokens`.
    """

    team: Team
    colour: dict[str, str]
    seats: list[Seat]
    score: int
    locked: bool
    answer: Number | None
    tokens: list[Token] | None


class QuestionView(msgspec.Struct, frozen=True):
    """The question being asked and its unit, in both languages; a year has no unit."""

    card: int
    fr: str
    en: str
    unit: Text


class Reveal(msgspec.Struct, frozen=True):
    """The right answer, the zones that pay, and the gains and losses by team."""

    answer: Number
    source: str
    paying_zones: list[Zone]
    gains: list[int]


class QuitteOuDoubleView(View, frozen=True, kw_only=True):
    """The game as one viewer sees it. `reveal` is null until the right answer is shown."""

    phase: Phase
    round: int
    options: QuitteOuDoubleOptions
    presenter: Seat
    banker: Seat
    teams: list[TeamView]
    level: Level | None
    question: QuestionView | None
    tiles: list[Tile]
    stakes_allowed: bool
    reveal: Reveal | None
    tiebreak: list[Team]
    winners: list[Team]
    you: Seat | None
    your_team: Team | None


def view_of(state: QuitteOuDoubleState, viewer: Seat | None, bank: Bank) -> QuitteOuDoubleView:
    """Hide the right answer, other teams' answers and, if the options say so, their bets."""
    own = None if viewer is None else state.teams[viewer]
    return QuitteOuDoubleView(
        phase=state.phase,
        round=state.round,
        options=state.options,
        presenter=Seat(state.options.presenter),
        banker=Seat(state.options.banker),
        teams=[_team_view(state, team, is_own=team == own) for team in range(team_count(state))],
        level=state.level,
        question=question_view(state, bank) if state.card is not None else None,
        tiles=state.tiles,
        stakes_allowed=stakes_allowed(state),
        reveal=_reveal(state, bank),
        tiebreak=state.tiebreak,
        winners=state.winners,
        you=viewer,
        your_team=own,
    )


def question_view(state: QuitteOuDoubleState, bank: Bank) -> QuestionView:
    """The question being asked, without its answer."""
    assert state.card is not None and state.level is not None
    question = bank.question(state.card, state.level)
    return QuestionView(state.card, question.fr, question.en, question.unit)


def _team_view(state: QuitteOuDoubleState, team: int, *, is_own: bool) -> TeamView:
    tokens_shown = is_own or not state.options.hidden_bets or state.phase != "bet"
    return TeamView(
        team=team,
        colour=dict(TEAM_COLOURS[team]),
        seats=list(members(state, team)),
        score=state.purses[team_purse(team)],
        locked=team in state.locked,
        answer=state.answers.get(team) if is_own else None,
        tokens=state.tokens.get(team, []) if tokens_shown else None,
    )


def _reveal(state: QuitteOuDoubleState, bank: Bank) -> Reveal | None:
    if state.gains is None or state.card is None or state.level is None:
        return None
    question = bank.question(state.card, state.level)
    zones = [] if state.tiebreak else paying_zones(state.tiles, question.answer)
    return Reveal(question.answer, question.source, zones, state.gains)
