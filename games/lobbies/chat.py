"""Chat in a lobby, before, during and after the game: sending, muting and erasing messages."""

from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import prefetch_related_objects

from accounts.models import User
from games.lobbies.access import check_few, hosted_lobby, locked, record
from games.lobbies.options import teams_of
from games.models import Ban, Lobby, Mute, RoomEvent
from games.reads.changes import LobbyEvent, lobby_event_of
from games.reads.lobbies import belongs_to, may_see
from games.reads.lobby_events import Audience, MessageErased, MessageSent, Muted, Unmuted
from kit import rate_limits
from kit.problems import Problem
from kit.rate_limits import Spent

TEXT_MAX: Final = 500
ERASED: Final = msgspec.json.encode(MessageErased())
"""The body of a message after its erasure."""


def send_message(
    user: User, lobby_id: UUID, message: UUID, text: str, *, audience: Audience = "everyone"
) -> LobbyEvent:
    """Send a chat message under an id that the client chose.

    A repeated id returns the first message and sends nothing. Users without a seat or reservation
    may chat where the host allows spectators to. Raises Problem `malformed`, `too_many_requests`,
    `not_found`, `lobby_not_open`, `banned`, `muted`, `spectators_only_watch`, `no_team`;
    `unauthenticated` for a user who was erased meanwhile.
    """
    text = text.strip()
    if not 1 <= len(text) <= TEXT_MAX:
        raise Problem("malformed", path="$.text", reason=f"between 1 and {TEXT_MAX} characters")
    rate_limits.spend(Spent("chat", str(user.id)))
    with transaction.atomic():
        lobby = locked(lobby_id)
        # The lock orders this message and an erasure of its user: either comes first, and no
        # message outlives its user.
        user.locked()
        _check_may_chat(lobby, user)
        before = RoomEvent.objects.filter(lobby=lobby, user=user, message=message).first()
        if before is None:
            readers = _team_of(user, lobby) if audience == "team" else None
            said = MessageSent(user=user.id, id=message, text=text, audience=audience)
            before = record(lobby, said, readers=readers)
        return lobby_event_of(before, user.id)


def _team_of(user: User, lobby: Lobby) -> list[UUID]:
    """Return the users who play in a user's team. Expects the seats prefetched. Raises Problem
    `no_team`.

    Messages name their readers, so that nobody reads earlier ones by a later change of seats.
    """
    users = {seat.number: seat.user_id for seat in lobby.seats.all()}
    for team in teams_of(lobby) or ():
        mates = [mate for number in team if (mate := users[number]) is not None]
        if user.id in mates:
            return mates
    raise Problem("no_team")


def _check_may_chat(lobby: Lobby, user: User) -> None:
    prefetch_related_objects([lobby], "seats")
    if not may_see(user.id, lobby):
        raise Problem("not_found", what="lobby")
    if lobby.status == Lobby.Status.CLOSED:
        raise Problem("lobby_not_open", status=lobby.status)
    if Ban.objects.filter(lobby=lobby, user=user).exists():
        raise Problem("banned")
    if Mute.objects.filter(lobby=lobby, user=user).exists():
        raise Problem("muted")
    if lobby.spectators != Lobby.Spectators.CHAT and not belongs_to(user.id, lobby):
        raise Problem("spectators_only_watch")


# Muting


def mute(host: User, lobby_id: UUID, user_id: UUID) -> None:
    """Mute a user in this lobby, before, during and after the game.

    Raises Problem `not_found`, `not_the_host`, `too_many_barred`, `forbidden` for the host.
    """
    with transaction.atomic():
        lobby = hosted_lobby(lobby_id, host)
        if user_id == host.id:
            raise Problem("forbidden")
        _mute(lobby, user_id)
        check_few(lobby.mutes.filter(by_operator=False))


def unmute(host: User, lobby_id: UUID, user_id: UUID) -> None:
    """Unmute a user (host only).

    Raises Problem `not_found`, `not_the_host`, `forbidden` after an operator's mute.
    """
    with transaction.atomic():
        lobby = hosted_lobby(lobby_id, host)
        if Mute.objects.filter(lobby=lobby, user=user_id, by_operator=True).exists():
            raise Problem("forbidden")
        _unmute(lobby, user_id)


def mute_by_operator(lobby_id: UUID, user_id: UUID) -> None:
    """Mute a user, host or not, until an operator unmutes them. Raises Problem `not_found`."""
    with transaction.atomic():
        lobby = locked(lobby_id)
        _mute(lobby, user_id)
        Mute.objects.filter(lobby=lobby, user=user_id).update(by_operator=True)


def unmute_by_operator(lobby_id: UUID, user_id: UUID) -> None:
    """Unmute a user, whether an operator or the host muted them. Raises Problem `not_found`."""
    with transaction.atomic():
        _unmute(locked(lobby_id), user_id)


def _mute(lobby: Lobby, user_id: UUID) -> None:
    if not User.objects.filter(id=user_id).exists():
        raise Problem("not_found", what="user")
    _, is_new = Mute.objects.get_or_create(lobby=lobby, user_id=user_id)
    if is_new:
        record(lobby, Muted(user=user_id))


def _unmute(lobby: Lobby, user_id: UUID) -> None:
    lifted, _ = Mute.objects.filter(lobby=lobby, user=user_id).delete()
    if lifted:
        record(lobby, Unmuted(user=user_id))


# Erasure. The event keeps its number, so that versions have no gaps; user and text are removed.


def erase_messages_of(user: User) -> None:
    """Erase all messages of a user."""
    events = RoomEvent.objects.filter(user=user, kind="message_sent")
    events.update(kind="message_erased", user=None, message=None, readers=None, body=ERASED)
