"""The bots: they guess as people do and trust the crowd when they bet.

A bot sees only its view. `bot_guess` models its knowledge by guesses around the right answer; no
other decision of a bot depends on that answer.
"""

from collections.abc import Sequence
from typing import Final

from railbird_engine import Chance
from railbird_engine.rules.quitte_ou_double.bot_guess import guess
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
from railbird_engine.rules.quitte_ou_double.data.bank import Bank
from railbird_engine.rules.quitte_ou_double.payout import Tile
from railbird_engine.rules.quitte_ou_double.view import QuitteOuDoubleView, TeamView

PATIENCE: Final = 4
"""A bot looks this often, on average, before it locks for its team or asks for the next question,
so that the others have time to change their minds."""


def choose(view: QuitteOuDoubleView, bank: Bank, chance: Chance) -> QuitteOuDoubleCommand | None:
    """Return the bot's command in this seat, or None to wait."""
    assert view.your_team is not None, "a spectator has no bot"
    team = view.teams[view.your_team]
    presents = view.you == view.presenter
    may_lock = not view.options.captain_locks or view.you == team.seats[0]
    plays = not team.locked and (not view.tiebreak or team.team in view.tiebreak)
    match view.phase:
        case "level" if presents:
            return ChooseLevel(chance.pick(LEVELS))
        case "answer" if plays and team.answer is None:
            assert view.question is not None and view.level is not None
            question = bank.question(view.question.card, view.level)
            return WriteAnswer(guess(question, view.options.bots, chance))
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
    """Whether the bot is ready to lock; a bot that is alone in its team is always ready."""
    return len(team.seats) == 1 or chance.below(PATIENCE) == 0


def _bet(view: QuitteOuDoubleView, team: TeamView, chance: Chance) -> PlaceToken:
    """Place the next bet token, and stake at most half of the team's free gain tokens."""
    placed = team.tokens or []
    taken = {token.number for token in placed}
    number = min(set(range(1, TOKENS_PER_TEAM + 1)) - taken)
    free = team.score - sum(token.stake for token in placed)
    stake = chance.below(free // 2 + 1) if view.stakes_allowed else 0
    return PlaceToken(number, _zone(view.tiles, chance), stake)


def _zone(tiles: Sequence[Tile], chance: Chance) -> int:
    """Pick a zone, preferably with many answers on both sides: the truth is rarely extreme."""
    above = sum(len(tile.teams) for tile in tiles)
    below = 0
    zones = [0]
    for zone, tile in enumerate(tiles, 1):
        below, above = below + len(tile.teams), above - len(tile.teams)
        zones += [zone] * (1 + min(below, above))
    return chance.pick(zones)
