"""What who runs the server may do about games and talk: always for a reason, always written down, never an edit.

Looking at a game is such an act; finding out which lobbies and games there are is not: it shows nothing of their play.
"""

from typing import Final
from uuid import UUID

from accounts.models import User
from accounts.problems import Problem
from games import lobbies, loop, services
from games.models import Game, Lobby, OperatorAct

REASON_MIN: Final = 5
REASON_MAX: Final = 300
BET_MAX: Final = 2**31 - 1


def record(operator: User, act: str, subject: str, reason: str) -> None:
    """Write down that an operator asks for this."""
    OperatorAct.objects.create(operator=operator, act=act, subject=subject, reason=reason)


def void_game(operator: User, game: UUID, reason: str) -> None:
    """Call a game off. Raises Problem `not_found`, `game_voided`."""
    _record(operator, "void_game", game, f"game {game}", reason)
    if not loop.call(services.void(game, reason, operator.id)):
        raise Problem("game_voided")


def void_bet(operator: User, game: UUID, bet: int, reason: str) -> None:
    """Call one bet off. Raises as `services.void_bet`."""
    if bet > BET_MAX:
        raise Problem("not_found", what="bet")
    _record(operator, "void_bet", game, f"game {game} bet {bet}", reason)
    loop.call(services.void_bet(game, bet, reason, operator.id))


def annotate(operator: User, game: UUID, reason: str) -> None:
    """Add a note to the log of a game. Raises as `services.annotate`."""
    _record(operator, "annotate", game, f"game {game}", reason)
    loop.call(services.annotate(game, reason, operator.id))


def watch(operator: User, game: UUID, reason: str) -> None:
    """Before an operator looks at a game as its spectators see it, whether or not it has any. Raises Problem `not_found`."""
    _record(operator, "watch", game, f"game {game}", reason)


def mute(operator: User, lobby: UUID, user: UUID, reason: str) -> None:
    """Let a person talk no more in a lobby, until an operator lifts it. Raises Problem `not_found`."""
    _record_about_lobby(operator, "mute", lobby, user, reason)
    lobbies.mute_by_operator(lobby, user)


def unmute(operator: User, lobby: UUID, user: UUID, reason: str) -> None:
    """Let a person talk again, whoever muted them. Raises Problem `not_found`."""
    _record_about_lobby(operator, "unmute", lobby, user, reason)
    lobbies.unmute_by_operator(lobby, user)


def _record(operator: User, act: str, game: UUID, subject: str, reason: str) -> None:
    _check(reason)
    if not Game.objects.filter(id=game).exists():
        raise Problem("not_found", what="game")
    record(operator, act, subject, reason)


def _record_about_lobby(operator: User, act: str, lobby: UUID, user: UUID, reason: str) -> None:
    _check(reason)
    if not Lobby.objects.filter(id=lobby).exists():
        raise Problem("not_found", what="lobby")
    record(operator, act, f"lobby {lobby} person {user}", reason)


def _check(reason: str) -> None:
    if not REASON_MIN <= len(reason.strip()) <= len(reason) <= REASON_MAX:
        raise Problem("malformed", path="$.reason", reason=f"between {REASON_MIN} and {REASON_MAX} characters")
