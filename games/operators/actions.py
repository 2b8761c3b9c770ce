"""Actions of operators on games and chat: logged, with a reason, and never an edit.

Listing needs no reason.
"""

import re
from datetime import datetime
from typing import Annotated, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet
from msgspec import Meta

from accounts import people
from accounts.models import User
from games import lobbies
from games.models import Game, Lobby
from games.play import corrections
from games.reads.filters import PAGED, AnyGameFilter, AnyLobbyFilter, Listing
from games.reads.games import all_games
from games.reads.lobbies import all_lobbies
from games.store.operator_log import record_action
from kit import event_loop
from kit.problems import Problem
from kit.validation import ONE_LINE, OneLine

REASON_MIN: Final = 5
REASON_MAX: Final = 300
Reason = Annotated[OneLine, Meta(min_length=REASON_MIN, max_length=REASON_MAX)]
BET_MAX: Final = 2**31 - 1
FOUND_MAX: Final = 20


class Found(NamedTuple):
    """The rows that a search found, at most `FOUND_MAX` of each."""

    users: list[User]
    games: list[Game]
    lobbies: list[Lobby]


def find_lobbies(operator: User, query: AnyLobbyFilter) -> QuerySet[Lobby]:
    """Return all lobbies that match, and log the filter. Needs no reason."""
    record_action(operator, "list_lobbies", _described("lobbies", query), "")
    return query.narrow(all_lobbies())


def find_games(operator: User, query: AnyGameFilter) -> QuerySet[Game]:
    """Return all games that match, and log the filter. Needs no reason."""
    record_action(operator, "list_games", _described("games", query), "")
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
    _record_about(operator, "void_game", Game, game, reason)
    if not event_loop.call(corrections.void(game, reason, operator.id)):
        raise Problem("game_voided")


def void_bet(operator: User, game: UUID, bet: int, reason: str) -> None:
    """Void one bet. Raises as `service.void_bet`."""
    if bet > BET_MAX:
        raise Problem("not_found", what="bet")
    _record_about(operator, "void_bet", Game, game, reason, f" bet {bet}")
    event_loop.call(corrections.void_bet(game, bet, reason, operator.id))


def annotate(operator: User, game: UUID, reason: str) -> None:
    """Add a note to the log of a game. Raises as `service.annotate`."""
    _record_about(operator, "annotate", Game, game, reason)
    event_loop.call(corrections.annotate(game, reason, operator.id))


def restore_log(operator: User, what: str, reason: str) -> None:
    """Log that an operator continues the public log after a restoration of the database."""
    _check(reason)
    record_action(operator, "restore_log", what, reason)


def restore_history(operator: User, game: UUID, reason: str) -> None:
    """Log that an operator puts damaged commits of a game back. Raises Problem `not_found`."""
    _check(reason)
    _record_about(operator, "restore_history", Game, game, reason)


def watch(operator: User, game: UUID, reason: str) -> None:
    """Log that an operator starts to watch a game, which may exclude spectators.

    Raises Problem `not_found`.
    """
    _record_about(operator, "watch", Game, game, reason)


def mute(operator: User, lobby: UUID, user: UUID, reason: str) -> None:
    """Mute a user in a lobby until an operator unmutes them. Raises Problem `not_found`."""
    _record_about(operator, "mute", Lobby, lobby, reason, f" person {user}")
    lobbies.mute_by_operator(lobby, user)


def unmute(operator: User, lobby: UUID, user: UUID, reason: str) -> None:
    """Unmute a user, whether an operator or the host muted them. Raises Problem `not_found`."""
    _record_about(operator, "unmute", Lobby, lobby, reason, f" person {user}")
    lobbies.unmute_by_operator(lobby, user)


def close_lobby(operator: User, lobby: UUID, reason: str) -> None:
    """Close a lobby that has not started. Raises Problem `not_found`, `lobby_not_open`."""
    _record_about(operator, "close_lobby", Lobby, lobby, reason)
    lobbies.close_by_operator(lobby)


def retitle_lobby(operator: User, lobby: UUID, title: str, reason: str) -> None:
    """Change the title of a lobby. Raises Problem `not_found`."""
    _record_about(operator, "retitle_lobby", Lobby, lobby, reason, f" title {title}")
    lobbies.retitle_by_operator(lobby, title)


def suspend(operator: User, user: UUID, until: datetime | None, reason: str) -> None:
    """Suspend a user until a time, or end the suspension. Raises as `people.suspend`."""
    _check(reason)
    end = "now" if until is None else until.isoformat()
    record_action(operator, "suspend", f"user {user} until {end}", reason)
    people.suspend(user, until)


def search(operator: User, text: str) -> Found:
    """Find users, games and lobbies by id, users and lobbies also by name. Logs the text."""
    record_action(operator, "search", text[:200], "")
    try:
        number = UUID(text)
    except ValueError:
        named = Q(username__istartswith=text) | Q(display_name__istartswith=text)
        return Found(
            list(User.objects.filter(named).order_by("-id")[:FOUND_MAX]),
            [],
            list(all_lobbies().filter(title__istartswith=text)[:FOUND_MAX]),
        )
    return Found(
        list(User.objects.filter(id=number)),
        list(all_games().filter(Q(id=number) | Q(lobby=number))),
        list(all_lobbies().filter(id=number)),
    )


def _record_about(
    operator: User, action: str, kind: type[Game | Lobby], row: UUID, reason: str, more: str = ""
) -> None:
    _check(reason)
    what = kind.__name__.lower()
    if not kind.objects.filter(id=row).exists():
        raise Problem("not_found", what=what)
    record_action(operator, action, f"{what} {row}{more}", reason)


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
