"""The legal commands of a seat: a sample of answers, and the stakes 0, half and all."""

from collections.abc import Iterator
from typing import Final

from railbird_engine import Seat
from railbird_engine.rules.quitte_ou_double.commands import (
    ChooseLevel,
    LockAnswer,
    LockBets,
    NextQuestion,
    PlaceToken,
    QuitteOuDoubleCommand,
    WriteAnswer,
)
from railbird_engine.rules.quitte_ou_double.data import LEVELS, TOKENS_PER_TEAM
from railbird_engine.rules.quitte_ou_double.state import QuitteOuDoubleState
from railbird_engine.rules.quitte_ou_double.teams import (
    active_teams,
    free_stake,
    may_change,
    may_lock_for_team,
)

SAMPLE_ANSWERS: Final = tuple(
    "-1 0 0.5 1 7 12 50 100 366 1000 1789 1969 40000 1000000".split()  # noqa: SIM905
)


def legal_commands(state: QuitteOuDoubleState, seat: Seat) -> Iterator[QuitteOuDoubleCommand]:
    """Return the commands that this seat may give, with a fair sample of answers and stakes."""
    team = state.teams[seat]
    presents = seat == state.options.presenter
    free = team in active_teams(state) and team not in state.locked
    may_lock = may_lock_for_team(state, seat)
    match state.phase:
        case "level" if presents:
            yield from (ChooseLevel(level) for level in LEVELS)
        case "answer" if free:
            if team not in state.answers or may_change(state, team):
                yield from (WriteAnswer(answer) for answer in SAMPLE_ANSWERS)
            if may_lock and team in state.answers:
                yield LockAnswer()
        case "bet" if free:
            yield from _placements(state, team)
            if may_lock and len(state.tokens.get(team, [])) == TOKENS_PER_TEAM:
                yield LockBets()
        case "reveal" if presents:
            yield NextQuestion()


def awaited_seats(state: QuitteOuDoubleState) -> frozenset[Seat]:
    """The presenter, or the seats that may lock for a team that has not."""
    match state.phase:
        case "level" | "reveal":
            return frozenset({Seat(state.options.presenter)})
        case "answer" | "bet":
            open_teams = set(active_teams(state)) - set(state.locked)
            seats = (Seat(seat) for seat, team in enumerate(state.teams) if team in open_teams)
            return frozenset(seat for seat in seats if may_lock_for_team(state, seat))
        case "finished":
            return frozenset()


def _placements(state: QuitteOuDoubleState, team: int) -> Iterator[PlaceToken]:
    placed = {token.number for token in state.tokens.get(team, [])}
    for token in range(1, TOKENS_PER_TEAM + 1):
        if token in placed and not may_change(state, team):
            continue
        most = free_stake(state, team, token)
        for zone in range(len(state.tiles) + 1):
            yield from (PlaceToken(token, zone, stake) for stake in sorted({0, most // 2, most}))
