"""Retention: each kind of data that is no history is deleted when its time has come."""

from datetime import timedelta
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import lobbies
from games.models import Ban, Head, Lobby, LobbyRequest, Mute, Presence, RoomEvent
from kit import row_batches
from tests.builders import NewGame, NewUser


def aged(lobby: Lobby, days: int) -> UUID:
    """Move a lobby, without seats and game, and its rows this many days into the past."""
    moment = timezone.now() - timedelta(days=days)
    old = UUID(int=(int(moment.timestamp() * 1000) << 80) | (lobby.id.int & (1 << 80) - 1))
    rows = [row for table in (RoomEvent, Ban, Mute) for row in table.objects.filter(lobby=lobby)]
    lobby.pk, lobby.log_name, lobby.invite_code = old, uuid4(), uuid4().hex[:10]
    lobby.save(force_insert=True)
    for row in rows:
        row.lobby_id = old
        if not isinstance(row, RoomEvent):
            row.pk = None
        row.save(force_insert=True)
    RoomEvent.objects.filter(lobby=old).update(at=moment)
    return old


def closed_lobby(new_user: NewUser) -> Lobby:
    host, *others = (new_user() for _ in range(3))
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.ban(host, lobby.id, others[0].id)
    lobbies.mute(host, lobby.id, others[1].id)
    lobbies.send_message(host, lobby.id, uuid4(), "Good evening")
    lobbies.leave(host, lobby.id)
    return Lobby.objects.get(id=lobby.id)


def left_of(lobby: UUID) -> list[int]:
    return [table.objects.filter(lobby=lobby).count() for table in (RoomEvent, Ban, Mute)]


def test_events_bans_and_mutes_of_closed_lobbies_are_deleted_after_a_year(
    new_user: NewUser,
) -> None:
    lobby = closed_lobby(new_user)
    old, newer = aged(lobby, 366), aged(lobby, 364)
    kept = left_of(newer)
    assert all(kept)
    lobbies.forget_old()
    assert left_of(old) == [0, 0, 0]
    assert left_of(newer) == kept
    assert Lobby.objects.filter(id=old).exists(), "lobbies stay: the public log has them"


@pytest.mark.parametrize(("settled", "is_kept"), [(True, False), (False, True)])
def test_events_of_a_game_are_deleted_a_year_later_once_it_is_settled(
    new_game: NewGame, settled: bool, is_kept: bool
) -> None:
    game = new_game(1)
    Head.objects.filter(game=game).update(settled=settled)
    RoomEvent.objects.filter(lobby=game.lobby).update(at=timezone.now() - timedelta(days=366))
    with patch("games.lobbies.retention.first_id_before", return_value=UUID(int=2**128 - 1)):
        lobbies.forget_old()
    assert RoomEvent.objects.filter(lobby=game.lobby).exists() == is_kept


def test_old_presence_and_request_ids_are_deleted_after_a_week(new_user: NewUser) -> None:
    user, lobby = new_user(), uuid4()
    for days in (6, 8):
        seen_at = timezone.now() - timedelta(days=days)
        Presence.objects.create(
            lobby_id=lobby, user_id=user.id, process=uuid4(), connected=True, seen_at=seen_at
        )
        request = LobbyRequest.objects.create(user=user, request=uuid4(), digest=b"")
        LobbyRequest.objects.filter(pk=request.pk).update(at=seen_at)
    lobbies.forget_old()
    for found in (Presence.objects.filter(lobby_id=lobby), LobbyRequest.objects.filter(user=user)):
        assert found.count() == 1


def test_each_statement_changes_a_bounded_number_of_rows(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobbies.forget_old()
    lobby, user = uuid4(), new_user()
    old = timezone.now() - timedelta(days=8)
    Presence.objects.bulk_create(
        Presence(lobby_id=lobby, user_id=user.id, process=uuid4(), connected=False, seen_at=old)
        for _ in range(7)
    )
    monkeypatch.setattr(row_batches, "ROWS_MAX", 3)
    with CaptureQueriesContext(connection) as sent:
        lobbies.forget_old()
    deletes = [query["sql"] for query in sent if "DELETE FROM games_presence" in query["sql"]]
    assert len(deletes) == 3
    assert not Presence.objects.filter(lobby_id=lobby).exists()
