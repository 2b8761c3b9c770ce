"""Operators close a lobby that has not started, or change the title of any."""

from uuid import UUID

from django.db import transaction

from games.lobbies.access import locked, open_lobby, record
from games.lobbies.seats import empty_seat
from games.models import Lobby, Seat
from games.reads.lobby_events import TitleChanged


def close_by_operator(lobby_id: UUID) -> None:
    """Close a lobby that has not started: everybody leaves and gets the buy-in back.

    Raises Problem `not_found`, `lobby_not_open`.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id)
        # Its host last: the lobby closes with its last user.
        people = Seat.objects.filter(lobby=lobby, user__isnull=False).select_related("user")
        for seat in sorted(people, key=lambda seat: seat.user_id == lobby.host_id):
            empty_seat(lobby, seat, "kicked", by=None)


def retitle_by_operator(lobby_id: UUID, title: str) -> None:
    """Change the title of a lobby, even of one that has ended. Raises Problem `not_found`."""
    with transaction.atomic():
        lobby = locked(lobby_id)
        Lobby.objects.filter(id=lobby.id).update(title=title)
        record(lobby, TitleChanged(title=title))
