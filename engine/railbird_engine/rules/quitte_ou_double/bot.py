"""The bots: they guess as people do and trust the crowd when they bet.

A bot sees only its view. `bot_guess` models its knowledge by guesses around the right answer; no
other decision of a bot depends on that answer.
"""

from collections.abc import Hashable, Sequence
from typing import Final

from railbird_engine import Chance, Cue, Seat
from railbird_engine.rules.quitte_ou_double.bot_guess import SPREAD, guess
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
from railbird_engine.rules.quitte_ou_double.state import QuitteOuDoubleState
from railbird_engine.rules.quitte_ou_double.teams import may_lock_for_team
from railbird_engine.rules.quitte_ou_double.view import QuitteOuDoubleView, TeamView

LEVEL_MS: Final = (3_000, 6_000)
ANSWER_MS: Final = (6_000, 12_000)
TOKEN_MS: Final = (3_000, 6_000)
LOCK_MS: Final = (4_000, 7_000)
"""Bots leave a team some time to change its mind before they lock for it."""
LOCK_ALONE_MS: Final = (1_500, 3_000)
REVEAL_MS: Final = (7_000, 11_000)
"""An answer, its source and what it pays take time to read."""


def cue(state: QuitteOuDoubleState, seat: Seat) -> Cue | None:
    """Return what the bot in this seat reacts to: a question, the tiles, or what its team did."""
    options, team = state.options, state.teams[seat]
    what = state.phase, state.moment
    is_in = team not in state.locked and (not state.tiebreak or team in state.tiebreak)
    presents, locks = seat == options.presenter, may_lock_for_team(state, seat)
    match state.phase:
        case "level" if presents:
            return Cue(what, *LEVEL_MS).within(options.level_s)
        case "reveal" if presents:
            return Cue(what, *REVEAL_MS)
        case "answer" if is_in and team not in state.answers:
            return Cue(what, *ANSWER_MS).within(options.hourglass_s)
        case "answer" if is_in and locks:
            return _locking(state, (*what, state.answers[team]), team)
        case "bet" if is_in:
            placed = tuple(state.tokens.get(team, ()))
            if len(placed) < TOKENS_PER_TEAM:
                return Cue((*what, len(placed)), *TOKEN_MS).within(options.hourglass_s / 2)
            return _locking(state, (*what, placed), team) if locks else None
        case _:
            return None


def _locking(state: QuitteOuDoubleState, what: Hashable, team: int) -> Cue:
    is_alone = state.teams.count(team) == 1
    limit_s = state.options.hourglass_s / 3
    return Cue(what, *(LOCK_ALONE_MS if is_alone else LOCK_MS)).within(limit_s)


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
            return WriteAnswer(guess(question, SPREAD[view.options.bots], chance))
        case "answer" if plays and may_lock:
            return LockAnswer()
        case "bet" if plays and len(team.tokens or []) < TOKENS_PER_TEAM:
            return _bet(view, team, chance)
        case "bet" if plays and may_lock:
            return LockBets()
        case "reveal" if presents:
            return NextQuestion()
        case _:
            return None


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
