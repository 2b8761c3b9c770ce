"""Lock a lobby with permission checks, and record lobby events."""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Final
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.models import User
from games.live import room_followers
from games.models import Ban, CurrentTransaction, Lobby, LobbyRequest, Mute, RoomEvent, Seat
from games.reads.lobbies import may_see
from games.reads.lobby_events import AnyLobbyFact, MessageSent
from kit.problems import Problem

BARRED_MAX: Final = 200


def locked(lobby_id: UUID) -> Lobby:
    """Lock a lobby. Raises Problem `not_found`."""
    try:
        return Lobby.objects.select_for_update().get(id=lobby_id)
    except Lobby.DoesNotExist:
        raise Problem("not_found", what="lobby") from None


def hosted_lobby(lobby_id: UUID, host: User) -> Lobby:
    """Lock a lobby for its host. Raises Problem `not_found`, `not_the_host`."""
    lobby = locked(lobby_id)
    if lobby.host_id != host.id:
        raise (
            Problem("not_the_host")
            if may_see(host.id, lobby)
            else Problem("not_found", what="lobby")
        )
    return lobby


def open_lobby(lobby_id: UUID, host: User | None = None) -> Lobby:
    """Lock an open lobby; if `host` is given, for that host only.

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`.
    """
    lobby = locked(lobby_id) if host is None else hosted_lobby(lobby_id, host)
    if not lobby.is_open:
        raise Problem("lobby_not_open", status=lobby.status)
    return lobby


def changeable_lobby(lobby_id: UUID, host: User | None = None) -> Lobby:
    """Lock a lobby whose seats may change; if `host` is given, for that host only.

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`, also for a lobby that is starting.
    """
    lobby = open_lobby(lobby_id, host)
    check_changeable(lobby)
    return lobby


def check_changeable(lobby: Lobby) -> None:
    """Check that the seats of a lobby are not frozen. Raises Problem `lobby_not_open`."""
    if lobby.status != Lobby.Status.OPEN:
        raise Problem("lobby_not_open", status=lobby.status)


def once(
    user: User,
    request: UUID | None,
    content: tuple[msgspec.Struct, bool],
    make: Callable[[], Lobby],
) -> Lobby:
    """Return what `make` returns, once for all requests of a user with the same id.

    Without an id, `make` runs each time. A refused request leaves its id free. Expects a
    transaction.

    Raises Problem `request_id_reused` for another content under the same id."""
    if request is None:
        return make()
    chosen, commits = content
    text = msgspec.json.encode((type(chosen).__name__, chosen, commits), order="sorted")
    digest = hashlib.sha256(text).digest()
    try:
        with transaction.atomic():
            row = LobbyRequest.objects.create(user=user, request=request, digest=digest)
    except IntegrityError:
        before = LobbyRequest.objects.select_related("lobby").get(user=user, request=request)
        if bytes(before.digest) != digest or before.lobby is None:
            raise Problem("request_id_reused") from None
        return before.lobby
    row.lobby = make()
    LobbyRequest.objects.filter(user=user, request=request).update(lobby=row.lobby)
    return row.lobby


def seat_of(lobby: Lobby, user: User) -> Seat:
    """Return a user's seat in a lobby. Raises Problem `not_found`."""
    seat = Seat.objects.filter(lobby=lobby, user=user).first()
    if seat is None:
        raise Problem("not_found", what="lobby")
    return seat


def check_few(barred: QuerySet[Ban] | QuerySet[Mute]) -> None:
    """Limit a lobby's bans or mutes. Raises Problem `too_many_barred`.

    Hosts read these lists whole, without pages.
    """
    if barred.count() > BARRED_MAX:
        raise Problem("too_many_barred", most=BARRED_MAX)


def record(
    lobby: Lobby, happening: AnyLobbyFact, *, readers: list[UUID] | None = None
) -> RoomEvent:
    """Record an event of a locked lobby, and notify followers after the transaction. Only these
    `readers` may read it; without any, everyone who sees the lobby."""
    lobby.version += 1
    changed = {"changed_in": CurrentTransaction()} if happening.listed else {}
    Lobby.objects.filter(id=lobby.id).update(version=lobby.version, **changed)
    event = RoomEvent.objects.create(
        lobby=lobby,
        version=lobby.version,
        kind=str(type(happening).__struct_config__.tag),
        user_id=getattr(happening, "user", None),
        message=happening.id if isinstance(happening, MessageSent) else None,
        readers=readers,
        body=msgspec.json.encode(happening),
    )
    transaction.on_commit(partial(room_followers.announce, lobby.id, lobby.version))
    return event
