"""Queries of lobbies, limited to what the user may read."""

from collections.abc import Collection, Iterable
from typing import Final
from uuid import UUID

from django.db.models import (
    Count,
    F,
    Func,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from accounts.models import User
from games.models import OPEN_STATUSES, Ban, Lobby, LogEntry, Mute, Seat
from games.reads.readable import readable
from kit.problems import Problem
from railbird_engine.kernel import chain

IS_OVER: Final = """
(l.status = 'closed' OR l.status = 'started' AND EXISTS (
    SELECT 1 FROM games_game g JOIN games_head h ON h.game_id = g.id
    WHERE g.lobby_id = l.id AND h.settled
))
"""
"""Whether the lobby `l` closed, or its game ended and is paid out."""


HIDES_ROOM: Final = Q(spectators=Lobby.Spectators.NONE) & ~Q(status__in=OPEN_STATUSES)
"""The condition of `Lobby.hides_room`."""


def lobbies_for(user: User) -> QuerySet[Lobby]:
    """Return the lobbies that a user finds: public ones, and their own. Newest first."""
    listed = Q(visibility=Lobby.Visibility.PUBLIC) & ~HIDES_ROOM
    return in_full(Lobby.objects.filter(listed | _is_theirs(user))).order_by("-id")


def undamaged(found: Iterable[Lobby]) -> list[Lobby]:
    """Return the lobbies whose terms can be read."""
    read = readable(found, lambda lobby: chain.decode_terms(bytes(lobby.terms)))
    return [lobby for lobby, _ in read]


def lobbies_open_to(user: User) -> QuerySet[Lobby]:
    """Return the lobbies that a user may read if they know the id."""
    is_open = ~Q(visibility=Lobby.Visibility.INVITE) & ~HIDES_ROOM
    return in_full(Lobby.objects.filter(is_open | _is_theirs(user)))


def _is_theirs(user: User) -> Q:
    mine = Seat.objects.filter(user=user).values("lobby_id")
    return Q(host=user) | Q(id__in=mine) | Q(held_for__contains=[user.id])


def in_full(lobbies: QuerySet[Lobby]) -> QuerySet[Lobby]:
    """Return lobbies with all related rows that responses contain."""
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    opened = LogEntry.objects.filter(name=OuterRef("log_name"), place=0).values("index")
    return (
        lobbies.annotate(opened_index=Subquery(opened))
        .select_related("host", "game__head")
        .prefetch_related(seats)
    )


def opened_index(lobby: Lobby) -> int | None:
    """Return the place of a lobby's `opened` entry in the log, once the log has it.

    Queries the database unless `in_full` has.
    """
    if not hasattr(lobby, "opened_index"):
        entries = LogEntry.objects.filter(name=lobby.log_name, place=0)
        return entries.values_list("index", flat=True).first()
    index: int | None = lobby.opened_index
    return index


def as_changed(lobby: Lobby) -> Lobby:
    """Return a lobby that this transaction has changed, with related rows, without a new read."""
    getattr(lobby, "_prefetched_objects_cache", {}).pop("seats", None)
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    prefetch_related_objects([lobby], seats)
    return lobby


def with_free_seats(lobbies: QuerySet[Lobby], least: int) -> QuerySet[Lobby]:
    """Return the lobbies with at least this many seats that are neither taken nor reserved."""
    seats = (
        Seat.objects.filter(lobby=OuterRef("id"))
        .order_by()
        .values("lobby")
        .annotate(n=Count("*"))
        .values("n")
    )
    kept = Func(
        Func(F("held_for"), None, function="array_remove"),
        function="cardinality",
        output_field=IntegerField(),
    )
    return lobbies.alias(taken=Coalesce(Subquery(seats), 0) + kept).filter(
        capacity__gte=F("taken") + least
    )


def all_lobbies() -> QuerySet[Lobby]:
    """Return all lobbies, newest first (operators only)."""
    return in_full(Lobby.objects.all()).order_by("-id")


def lobby_for(user: User, lobby_id: UUID) -> Lobby:
    """Return a lobby that a user may read. Raises Problem `not_found`."""
    lobby = lobbies_open_to(user).filter(id=lobby_id).first()
    if lobby is None:
        raise Problem("not_found", what="lobby")
    return lobby


def room_for(user: User, lobby_id: UUID) -> Lobby:
    """Return a lobby whose events and messages a user may read. Raises Problem `not_found`."""
    lobby = lobby_for(user, lobby_id)
    if is_banned(user.id, lobby_id):
        raise Problem("not_found", what="lobby")
    return lobby


def bans_of(user: UUID) -> QuerySet[Ban]:
    """Return the bans of a user, or of the owner of a bot user."""
    return Ban.objects.filter(Q(user=user) | Q(user__bots=user))


def is_banned(user: UUID, lobby_id: UUID) -> bool:
    """Whether the host has banned a user from a lobby."""
    return bans_of(user).filter(lobby=lobby_id).exists()


def banned_among(watching: Collection[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """Return those of these pairs of a user and a lobby in which the user is banned."""
    users, lobbies = {user for user, _ in watching}, {lobby for _, lobby in watching}
    found = Ban.objects.filter(lobby__in=lobbies, user__in=users)
    return set(found.values_list("user_id", "lobby_id")) & set(watching)


def bans_in(lobby_id: UUID, host: User) -> QuerySet[Ban]:
    """Return the bans of a lobby, oldest first. Raises Problem `not_found`, `not_the_host`."""
    return _hosted(lobby_id, host).bans.select_related("user").order_by("id")


def mutes_in(lobby_id: UUID, host: User) -> QuerySet[Mute]:
    """Return the mutes of a lobby, oldest first. Raises Problem `not_found`, `not_the_host`."""
    return _hosted(lobby_id, host).mutes.select_related("user").order_by("id")


def _hosted(lobby_id: UUID, host: User) -> Lobby:
    lobby = lobby_for(host, lobby_id)
    if lobby.host_id != host.id:
        raise Problem("not_the_host")
    return lobby


def belongs_to(user: UUID, lobby: Lobby) -> bool:
    """Whether a user has a seat or a reservation in a lobby, or hosts it.

    Queries the database unless the seats are prefetched.
    """
    return (
        lobby.host_id == user
        or user in lobby.held_for
        or any(seat.user_id == user for seat in lobby.seats.all())
    )


def waits_in(user: UUID, lobby: Lobby) -> bool:
    """Whether a user has a seat in an open lobby. Expects the seats prefetched."""
    return lobby.is_open and any(seat.user_id == user for seat in lobby.seats.all())


def where_waits(user: UUID) -> set[UUID]:
    """Return the open lobbies in which a user has a seat."""
    return set(
        Seat.objects.filter(user=user, lobby__status__in=OPEN_STATUSES).values_list(
            "lobby_id", flat=True
        )
    )


def may_see(user: UUID, lobby: Lobby) -> bool:
    """Whether a user may read a lobby whose id they know. Queries as `belongs_to` does."""
    is_open = lobby.visibility != Lobby.Visibility.INVITE and not lobby.hides_room
    return is_open or belongs_to(user, lobby)


def is_listed_for(user: UUID, lobby: Lobby) -> bool:
    """Whether lobby lists show this lobby to a user. Queries as `belongs_to` does."""
    is_listed = lobby.visibility == Lobby.Visibility.PUBLIC and not lobby.hides_room
    return is_listed or belongs_to(user, lobby)
