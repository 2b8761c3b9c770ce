"""Chat: access, idempotence and limits, mutes, and erasure."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from accounts import people
from accounts.models import User
from games import lobbies
from games.models import Lobby, RoomEvent
from games.reads.changes import lobby_events_in, news_of_rooms
from games.reads.lobby_events import MessageErased, MessageSent
from tests.builders import NewUser, start_game
from tests.lobbies.scene import in_threads, refused
from tests.waiting import somebody_waits, until

TEXT = "Who has the seven?"


def unverified(lobby: Lobby) -> list[str]:
    lobby.refresh_from_db()
    return [
        received.event.text
        for received in lobby_events_in(lobby, 0, 1000, lobby.host_id)
        if isinstance(received.event, MessageSent)
    ]


def attempt(user: User, lobby: Lobby) -> str:
    return refused(lambda: lobbies.send_message(user, lobby.id, uuid4(), TEXT))


def room(new_user: NewUser, **choices: object) -> tuple[Lobby, User, User]:
    """A lobby of two users."""
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", **choices))  # type: ignore[arg-type]
    lobbies.join_by_code(guest, lobby.invite_code)
    return lobby, host, guest


def test_seated_users_chat_before_during_and_after_the_game(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user, visibility="invite", spectators="none")
    received = lobbies.send_message(guest, lobby.id, uuid4(), f"  {TEXT}\t")
    assert isinstance(received.event, MessageSent)
    assert (received.event.user, received.event.text, received.version) == (guest.id, TEXT, 4)
    lobbies.set_ready(guest, lobby.id, ready=True)
    start_game(host, lobby.id)
    lobbies.send_message(host, lobby.id, uuid4(), "Good luck")
    assert unverified(lobby) == [TEXT, "Good luck"]


def test_spectators_chat_if_the_host_allows_it(new_user: NewUser) -> None:
    lobby, _, _ = room(new_user, spectators="chat")
    lobbies.send_message(new_user(), lobby.id, uuid4(), TEXT)
    hidden, _, _ = room(new_user, spectators="chat", visibility="invite")
    assert attempt(new_user(), hidden) == "not_found"
    assert (unverified(lobby), unverified(hidden)) == ([TEXT], [])


def test_a_closed_lobby_has_no_chat(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.leave(host, lobby.id)
    assert attempt(host, lobby) == "lobby_not_open"


def test_a_repeated_message_is_sent_once(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user)
    said = uuid4()
    received = in_threads([lambda: lobbies.send_message(host, lobby.id, said, TEXT)] * 6)
    assert [answer for answer in received if answer != received[0]] == []
    lobbies.send_message(guest, lobby.id, said, "an id of somebody else")
    assert unverified(lobby) == [TEXT, "an id of somebody else"]


def test_the_number_of_messages_is_limited(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user)
    with override_settings(RATE_LIMITS={**settings.RATE_LIMITS, "chat": (2, 60)}):
        for _ in range(2):
            lobbies.send_message(host, lobby.id, uuid4(), TEXT)
        assert attempt(host, lobby) == "too_many_requests"
        lobbies.send_message(guest, lobby.id, uuid4(), TEXT)
    assert len(unverified(lobby)) == 3


def test_chat_does_not_change_lobby_lists(new_user: NewUser) -> None:
    lobby, host, _ = room(new_user)
    changed = Lobby.objects.get(id=lobby.id).changed_in
    lobbies.send_message(host, lobby.id, uuid4(), TEXT)
    assert Lobby.objects.get(id=lobby.id).changed_in == changed
    lobbies.add_bot(host, lobby.id)
    assert Lobby.objects.get(id=lobby.id).changed_in > changed


# Muting


def test_a_host_mutes_and_unmutes_also_during_the_game(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user)
    lobbies.set_ready(guest, lobby.id, ready=True)
    start_game(host, lobby.id)
    for _ in range(2):
        lobbies.mute(host, lobby.id, guest.id)
    assert attempt(guest, lobby) == "muted"
    for _ in range(2):
        lobbies.unmute(host, lobby.id, guest.id)
    lobbies.send_message(guest, lobby.id, uuid4(), TEXT)
    kinds = list(
        RoomEvent.objects.filter(lobby=lobby).order_by("version").values_list("kind", flat=True)
    )
    assert kinds[-3:] == ["muted", "unmuted", "message_sent"], "and nothing twice"


def test_only_the_host_mutes_and_never_themselves(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user)
    assert refused(lambda: lobbies.mute(guest, lobby.id, host.id)) == "not_the_host"
    assert refused(lambda: lobbies.mute(host, lobby.id, host.id)) == "forbidden"
    assert refused(lambda: lobbies.mute(host, lobby.id, UUID(int=1))) == "not_found"


def test_a_host_cannot_lift_a_mute_of_an_operator(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user)
    lobbies.mute(host, lobby.id, guest.id)
    for person in (guest, host):
        lobbies.mute_by_operator(lobby.id, person.id)
        assert attempt(person, lobby) == "muted"
    assert refused(lambda: lobbies.unmute(host, lobby.id, guest.id)) == "forbidden"
    lobbies.unmute_by_operator(lobby.id, guest.id)
    lobbies.send_message(guest, lobby.id, uuid4(), TEXT)


def test_a_banned_user_cannot_chat(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user, spectators="chat")
    lobbies.ban(host, lobby.id, guest.id)
    assert attempt(guest, lobby) == "banned"


# Names


def test_events_name_their_users_also_without_a_seat(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user, spectators="chat")
    watcher = new_user()
    lobbies.send_message(watcher, lobby.id, uuid4(), TEXT)
    lobbies.leave(guest, lobby.id)
    lobbies.mute(host, lobby.id, watcher.id)
    for person, name in ((host, "Ann"), (guest, "Ben"), (watcher, "Cleo")):
        User.objects.filter(id=person.id).update(display_name=name)
    lobby.refresh_from_db()
    received = [
        (type(one.event).__name__, one.name) for one in lobby_events_in(lobby, 1, 10, host.id)
    ]
    names = [
        ("SeatTaken", "Ann"),
        ("SeatTaken", "Ben"),
        ("MessageSent", "Cleo"),
        ("SeatLeft", "Ben"),
        ("Muted", "Cleo"),
    ]
    assert received == names
    (news,) = news_of_rooms({lobby.id: 1})
    assert [
        (type(one.event).__name__, one.name) for one in (each.event for each in news.events)
    ] == names


# Erasure


def test_old_messages_are_erased_without_gaps_in_the_versions(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user)
    lobbies.send_message(host, lobby.id, uuid4(), "long ago")
    RoomEvent.objects.filter(lobby=lobby, kind="message_sent").update(
        at=timezone.now() - timedelta(days=31)
    )
    lobbies.send_message(guest, lobby.id, uuid4(), TEXT)
    lobbies.forget_old()
    assert unverified(lobby) == [TEXT]
    received = lobby_events_in(lobby, 0, 1000, lobby.host_id)
    assert [event.version for event in received] == list(range(1, lobby.version + 1))
    assert received[-2].event == MessageErased()
    row = RoomEvent.objects.get(lobby=lobby, kind="message_erased")
    assert (row.user, row.message, b"long ago" in bytes(row.body)) == (None, None, False)


def test_erasing_a_user_erases_their_messages(new_user: NewUser) -> None:
    lobby, host, guest = room(new_user)
    lobbies.send_message(guest, lobby.id, uuid4(), "I am Ann from Ambleside")
    lobbies.send_message(host, lobby.id, uuid4(), TEXT)
    people.erase(guest)
    assert unverified(lobby) == [TEXT]
    assert not RoomEvent.objects.filter(user=guest, kind="message_sent").exists()
    assert [one.name for one in lobby_events_in(lobby, 2, 2, host.id)] == ["Erased", None], (
        "of who sat down, and of what was said"
    )


def test_a_message_of_a_user_who_is_being_erased_is_rejected(new_user: NewUser) -> None:
    lobby, _, guest = room(new_user)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            people.erase(guest)
            late = pool.submit(
                in_threads, [lambda: lobbies.send_message(guest, lobby.id, uuid4(), TEXT)]
            )
            until(somebody_waits, "the line to wait for the erasure")
        assert late.result(30) == ["unauthenticated"]
    assert unverified(lobby) == []
