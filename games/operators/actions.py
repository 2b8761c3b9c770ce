"""Actions of operators on games and chat: logged, with a reason, and never an edit.

Listing needs no reason.
"""

import re
from typing import Annotated, Final
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from msgspec import Meta

from accounts.models import User
from games import lobbies
from games.models import Game, Lobby, OperatorAction
from games.play import corrections
from games.reads.filters import PAGED, AnyGameFilter, AnyLobbyFilter, Listing
from games.reads.games import all_games
from games.reads.lobbies import all_lobbies
from kit import event_loop
from kit.problems import Problem
from kit.validation import ONE_LINE, OneLine

REASON_MIN: Final = 5
REASON_MAX: Final = 300
Reason = Annotated[OneLine, Meta(min_length=REASON_MIN, max_length=REASON_MAX)]
BET_MAX: Final = 2**31 - 1


def find_lobbies(operator: User, query: AnyLobbyFilter) -> QuerySet[Lobby]:
    """Return all lobbies that match, and log the filter. Needs no reason."""
    _record(operator, "list_lobbies", _described("lobbies", query), "")
    return query.narrow(all_lobbies())


def find_games(operator: User, query: AnyGameFilter) -> QuerySet[Game]:
    """Return all games that match, and log the filter. Needs no reason."""
    _record(operator, "list_games", _described("games", query), "")
    return query.narrow(all_games())


def _described(what: str, query: Listing) -> str:
    """Describe a filter for the log."""
    chosen = {
        name: value
        for name, value in msgspec.to_builtins(query).items()
        if name not in PAGED and value is not None
    }
    return " ".join([what, *(f"{name}={value}" for name, value in chosen.items())])


def void_game(operator: User, game: UUID, reason: str) -> None:
    """Void a game. Raises Problem `not_found`, `game_voided`."""
    _record_about_game(operator, "void_game", game, reason)
    if not event_loop.call(corrections.void(game, reason, operator.id)):
        raise Problem("game_voided")


def void_bet(operator: User, game: UUID, bet: int, reason: str) -> None:
    """Void one bet. Raises as `service.void_bet`."""
    if bet > BET_MAX:
        raise Problem("not_found", what="bet")
    _record_about_game(operator, "void_bet", game, reason, f" bet {bet}")
    event_loop.call(corrections.void_bet(game, bet, reason, operator.id))


def annotate(operator: User, game: UUID, reason: str) -> None:
    """Add a note to the log of a game. Raises as `service.annotate`."""
    _record_about_game(operator, "annotate", game, reason)
    event_loop.call(corrections.annotate(game, reason, operator.id))


def restore_log(operator: User, what: str, reason: str) -> None:
    """Log that an operator continues the public log after a restoration of the database."""
    _check(reason)
    _record(operator, "restore_log", what, reason)


def watch(operator: User, game: UUID, reason: str) -> None:
    """Log that an operator starts to watch a game, which may exclude spectators.

    Raises Problem `not_found`.
    """
    _record_about_game(operator, "watch", game, reason)


def mute(operator: User, lobby: UUID, user: UUID, reason: str) -> None:
    """Mute a user in a lobby until an operator unmutes them. Raises Problem `not_found`."""
    _record_about_lobby(operator, "mute", lobby, user, reason)
    lobbies.mute_by_operator(lobby, user)


def unmute(operator: User, lobby: UUID, user: UUID, reason: str) -> None:
    """Unmute a user, whether an operator or the host muted them. Raises Problem `not_found`."""
    _record_about_lobby(operator, "unmute", lobby, user, reason)
    lobbies.unmute_by_operator(lobby, user)


def _record_about_game(
    operator: User, action: str, game: UUID, reason: str, more: str = ""
) -> None:
    _check(reason)
    if not Game.objects.filter(id=game).exists():
        raise Problem("not_found", what="game")
    _record(operator, action, f"game {game}{more}", reason)


def _record_about_lobby(operator: User, action: str, lobby: UUID, user: UUID, reason: str) -> None:
    _check(reason)
    if not Lobby.objects.filter(id=lobby).exists():
        raise Problem("not_found", what="lobby")
    _record(operator, action, f"lobby {lobby} person {user}", reason)


def _record(operator: User, action: str, subject: str, reason: str) -> None:
    OperatorAction.objects.create(operator=operator, action=action, subject=subject, reason=reason)


def _check(reason: str) -> None:
    if not (
        REASON_MIN <= len(reason.strip()) <= len(reason) <= REASON_MAX
        and re.search(ONE_LINE, reason)
    ):
        raise Problem(
            "malformed",
            path="$.reason",
            reason=f"expected one line of {REASON_MIN} to {REASON_MAX} visible characters",
        )
