"""The server's players. A bot knows no answers: it guesses a plausible number and trusts the crowd
when it bets."""

from collections.abc import Sequence
from typing import Final

from games.engine import Chance
from games.rules.quitte_ou_double.commands import (
    ChooseLevel,
    LockAnswer,
    LockBets,
    NextQuestion,
    PlaceToken,
    QuitteOuDoubleCommand,
    WriteAnswer,
)
from games.rules.quitte_ou_double.data import LEVELS, TOKENS_PER_TEAM
from games.rules.quitte_ou_double.payout import Tile
from games.rules.quitte_ou_double.table import QuestionView, QuitteOuDoubleView, TeamView

PATIENCE: Final = 4
"""On average a bot looks this often before it locks or goes on, so that its team mates may change
their minds."""


def choose(view: QuitteOuDoubleView, chance: Chance) -> QuitteOuDoubleCommand | None:
    """What a player at this seat does now, or None to wait."""
    assert view.your_team is not None, "a spectator has no bot"
    team = view.teams[view.your_team]
    presents = view.you == view.presenter
    may_lock = not view.options.captain_locks or view.you == team.seats[0]
    plays = not team.locked and (not view.tiebreak or team.team in view.tiebreak)
    match view.phase:
        case "level" if presents:
            return ChooseLevel(chance.pick(LEVELS))
        case "answer" if plays and team.answer is None:
            assert view.question is not None
            return WriteAnswer(_guess(view.question, chance))
        case "answer" if plays and may_lock and _is_content(team, chance):
            return LockAnswer()
        case "bet" if plays and len(team.tokens or []) < TOKENS_PER_TEAM:
            return _bet(view, team, chance)
        case "bet" if plays and may_lock and _is_content(team, chance):
            return LockBets()
        case "reveal" if presents and chance.below(PATIENCE) == 0:
            return NextQuestion()
        case _:
            return None


def _is_content(team: TeamView, chance: Chance) -> bool:
    """Alone in a team there is nobody to wait for."""
    return len(team.seats) == 1 or chance.below(PATIENCE) == 0


def _guess(question: QuestionView, chance: Chance) -> str:
    """A year of the last centuries, or a number of one to five digits, small ones as likely as
    large ones."""
    if question.unit_en == "year":
        return str(1450 + chance.below(570))
    digits = 1 + chance.below(5)
    return str(10 ** (digits - 1) + chance.below(9 * 10 ** (digits - 1)))


def _bet(view: QuitteOuDoubleView, team: TeamView, chance: Chance) -> PlaceToken:
    """The next bet token, in a zone between answers of many; with luck some of the gain tokens
    under it."""
    placed = team.tokens or []
    number = next(
        number
        for number in range(1, TOKENS_PER_TEAM + 1)
        if all(token.number != number for token in placed)
    )
    free = team.score - sum(token.stake for token in placed)
    stake = chance.below(free // 2 + 1) if view.stakes_allowed else 0
    return PlaceToken(number, _zone(view.tiles, chance), stake)


def _zone(tiles: Sequence[Tile], chance: Chance) -> int:
    """A zone, as likely as there are answers on its thinner side: the truth is seldom at the
    edge."""
    above = sum(len(tile.teams) for tile in tiles)
    below = 0
    zones = [0]
    for zone, tile in enumerate(tiles, 1):
        below, above = below + len(tile.teams), above - len(tile.teams)
        zones += [zone] * (1 + min(below, above))
    return chance.pick(zones)
