"""Queries of games, limited to what the user may read."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import (
    Prefetch,
    Q,
    QuerySet,
)

from accounts.models import User
from accounts.tokens import Caller, Scope
from games.models import Game, Lobby, Seat
from games.reads.lobbies import bans_of
from kit.problems import Problem


def games_for(user: User) -> QuerySet[Game]:
    """Return the games that a user finds: of public lobbies, and their own. Newest first."""
    listed = Q(lobby__visibility=Lobby.Visibility.PUBLIC) & ~Q(
        lobby__spectators=Lobby.Spectators.NONE
    )
    return _games(listed & ~_is_banned(user) | _plays(user)).order_by("-id")


def all_games() -> QuerySet[Game]:
    """Return all games, newest first (operators only)."""
    return _games(Q()).order_by("-id")


def games_open_to(user: User) -> QuerySet[Game]:
    """Return the games that a user plays, or may watch if they know the id."""
    return _games(_open_to(user))


def game_for(user: User, game_id: UUID) -> Game:
    """Return a game that a user plays, or may watch. Raises Problem `not_found`."""
    game = games_open_to(user).filter(id=game_id).first()
    if game is None:
        raise Problem("not_found", what="game")
    return game


def open_to(user: User, games: Collection[UUID]) -> QuerySet[Game, Any]:
    """Return the ids of those games that a user plays, or may watch."""
    return Game.objects.filter(_open_to(user), id__in=games).values("id")


def _open_to(user: User) -> Q:
    watched = ~Q(lobby__visibility=Lobby.Visibility.INVITE) & ~Q(
        lobby__spectators=Lobby.Spectators.NONE
    )
    return watched & ~_is_banned(user) | _plays(user)


def game_to_audit(caller: Caller, game_id: UUID) -> Game:
    """Return a game that the caller may audit: any with scope `audit`, else visible ones.

    Raises Problem `not_found`.
    """
    if Scope.AUDIT not in caller.scopes:
        return game_for(caller.user, game_id)
    game = Game.objects.filter(id=game_id).select_related("head", "lobby").first()
    if game is None:
        raise Problem("not_found", what="game")
    return game


def own_seat(user: User, game_id: UUID) -> tuple[int, bytes]:
    """Return the number of the user's seat in a game, and its salt. Raises Problem `not_found`."""
    seat = Seat.objects.filter(lobby__game=game_id, user=user, salt__isnull=False).first()
    if seat is None:
        raise Problem("not_found", what="seat")
    return seat.number, bytes(seat.salt or b"")


def _is_banned(user: User) -> Q:
    return Q(lobby_id__in=bans_of(user.id).values("lobby_id"))


def _plays(user: User) -> Q:
    return Q(lobby_id__in=Seat.objects.filter(user=user).values("lobby_id"))


def _games(visible: Q) -> QuerySet[Game]:
    seats = Prefetch("lobby__seats", Seat.objects.select_related("user").order_by("number"))
    return Game.objects.filter(visible).select_related("head", "lobby").prefetch_related(seats)
