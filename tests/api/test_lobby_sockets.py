"""The lobby sockets over real web processes: who receives what, and no gaps."""

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection, transaction

from accounts.models import User
from accounts.tokens import caller_with, revoke
from games import lobbies
from games.api import types
from games.api.sockets.frames import CloseCode
from games.api.sockets.lobbies import EVENTS_PER_FRAME
from games.live import room_followers
from games.models import Game, Lobby, RoomEvent
from games.play import absence, corrections
from games.reads.games import game_for
from kit import event_loop
from railbird_engine import Seat
from tests.api.sockets import Client, connected, token_of
from tests.builders import NewUser, start_game

pytestmark = pytest.mark.xdist_group("elsewhere")


class Person:
    """A user with a token."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.token = token_of(user)


@pytest.fixture
def new_person(new_user: NewUser) -> Callable[[], Person]:
    return lambda: Person(new_user())


NewPerson = Callable[[], Person]


def opened(host: Person, **choices: Any) -> Lobby:
    return lobbies.create(host.user, lobbies.LobbyChoices(slug="free_spots", **choices))


async def received(client: Client, lobby: UUID, status: str = "open") -> dict[str, Any]:
    """The frame of the list that shows a lobby in this status."""
    while True:
        for found in (await client.next("changes"))["lobbies"]:
            if found["id"] == str(lobby) and found["status"] == status:
                return dict(found)


async def listed(client: Client) -> tuple[int, set[str]]:
    """The cursor and the ids of the first list."""
    found: set[str] = set()
    while True:
        frame = await client.next("lobbies")
        found |= {lobby["id"] for lobby in frame["lobbies"]}
        if frame["complete"]:
            return frame["cursor"], found


async def happened(client: Client, kind: str) -> dict[str, Any]:
    """The next event of this kind, with the lobby after it."""
    while True:
        frame = await client.next("lobby_events")
        for numbered in frame["events"]:
            if numbered["event"]["type"] == kind:
                return {
                    **numbered["event"],
                    "lobby": frame["lobby"],
                    "version": numbered["version"],
                    "name": numbered["name"],
                }


# The list


async def test_the_list_comes_first_then_what_changes(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, onlooker = await sync_to_async(lambda: (new_person(), new_person()))()
    before = await sync_to_async(opened)(host)
    for place in (address, elsewhere):
        async with connected(place, "lobbies", onlooker.token) as client:
            _, ids = await listed(client)
            assert str(before.id) in ids
            lobby = await sync_to_async(opened)(host, title="new")
            assert (await received(client, lobby.id))["title"] == "new"
            await sync_to_async(start_game)(host.user, lobby.id)
            assert (await received(client, lobby.id, "started"))["game"]


async def test_only_members_see_a_hidden_lobby_in_the_list(
    address: str, new_person: NewPerson
) -> None:
    host, guest, stranger = await sync_to_async(
        lambda: (new_person(), new_person(), new_person())
    )()
    async with (
        connected(address, "lobbies", guest.token) as client,
        connected(address, "lobbies", stranger.token) as outside,
    ):
        await listed(client)
        await listed(outside)
        hidden = await sync_to_async(opened)(host, visibility="invite")
        await sync_to_async(lobbies.join_by_code)(guest.user, hidden.invite_code)
        seen = await received(client, hidden.id)
        assert (seen["your_seat"], seen["invite_code"]) == (1, hidden.invite_code)
        await sync_to_async(lobbies.leave)(guest.user, hidden.id)
        while str(hidden.id) not in (frame := await client.next("changes"))["gone"]:
            pass
        public = await sync_to_async(opened)(host)
        while True:
            frame = await outside.next("changes")
            assert str(hidden.id) not in {lobby["id"] for lobby in frame["lobbies"]} | set(
                frame["gone"]
            )
            if str(public.id) in {lobby["id"] for lobby in frame["lobbies"]}:
                break


async def test_only_members_see_the_invite_code_of_a_public_lobby(
    address: str, new_person: NewPerson
) -> None:
    host, onlooker = await sync_to_async(lambda: (new_person(), new_person()))()
    async with (
        connected(address, "lobbies", host.token) as inside,
        connected(address, "lobbies", onlooker.token) as outside,
    ):
        await listed(inside)
        await listed(outside)
        lobby = await sync_to_async(opened)(host)
        assert (await received(inside, lobby.id))["invite_code"] == lobby.invite_code
        assert (await received(outside, lobby.id))["invite_code"] is None


async def test_a_client_that_resumes_with_a_cursor_receives_all_changes(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    hidden = await sync_to_async(opened)(host, visibility="invite")
    await sync_to_async(lobbies.join_by_code)(guest.user, hidden.invite_code)
    async with connected(address, "lobbies", guest.token) as client:
        cursor, ids = await listed(client)
        assert str(hidden.id) in ids
    await sync_to_async(lobbies.leave)(guest.user, hidden.id)
    fresh = await sync_to_async(opened)(host)
    async with connected(elsewhere, f"lobbies?after={cursor}", guest.token) as client:
        frame = await client.frame()
        assert frame["type"] == "changes"
        assert str(fresh.id) in {lobby["id"] for lobby in frame["lobbies"]}
        assert frame["gone"] == [str(hidden.id)]


async def test_a_change_that_is_committed_late_is_not_missed(
    address: str, new_person: NewPerson
) -> None:
    """Its transaction begins first and ends last, so a cursor that only counted would miss it."""
    host, other, onlooker = await sync_to_async(
        lambda: (new_person(), new_person(), new_person())
    )()
    go_on, written = threading.Event(), threading.Event()

    def slowly() -> UUID:
        try:
            with transaction.atomic():
                lobby = opened(host)
                written.set()
                assert go_on.wait(20)
            return lobby.id
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(slowly)
        assert await sync_to_async(written.wait, thread_sensitive=False)(10)
        async with connected(address, "lobbies", onlooker.token) as client:
            cursor, ids = await listed(client)
            early = await sync_to_async(opened)(other)
            await received(client, early.id)
        async with connected(address, f"lobbies?after={cursor}", onlooker.token) as client:
            await received(client, early.id)
            go_on.set()
            lobby = await sync_to_async(late.result, thread_sensitive=False)()
            assert str(lobby) not in ids
            await received(client, lobby)


async def test_a_change_without_hint_is_found_despite_many_hints_of_others(
    address: str, new_person: NewPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await sync_to_async(new_person)()
    lobby = await sync_to_async(opened)(host)
    async with (
        connected(address, "lobbies", host.token) as everything,
        connected(address, f"lobbies/{lobby.id}", host.token) as room,
    ):
        await listed(everything)
        await room.next("room")
        monkeypatch.setattr(room_followers, "announce", lambda *_: None)
        hinting = asyncio.create_task(hint_at_others())
        await sync_to_async(lobbies.leave)(host.user, lobby.id)
        await received(everything, lobby.id, "closed")
        assert (await happened(room, "lobby_closed"))["lobby"]["status"] == "closed"
        hinting.cancel()


async def hint_at_others() -> None:
    while True:
        event_loop.store_loop().call_soon_threadsafe(
            lambda: room_followers.room_followers().refresh(uuid4())
        )
        await asyncio.sleep(0.3)


async def test_the_list_can_be_filtered_by_game(address: str, new_person: NewPerson) -> None:
    host = await sync_to_async(new_person)()
    other = await sync_to_async(
        partial(lobbies.create, host.user, lobbies.LobbyChoices(slug="set_dice"))
    )()
    wanted = await sync_to_async(opened)(host)
    async with connected(address, "lobbies?slug=free_spots", host.token) as client:
        _, ids = await listed(client)
        assert str(wanted.id) in ids
        assert str(other.id) not in ids


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("after=x", "malformed"),
        ("after=-1", "malformed"),
        ("after=9007199254740991", "version_ahead"),
        ("colour=1", "malformed"),
    ],
)
async def test_an_invalid_cursor_is_rejected(
    address: str, new_person: NewPerson, query: str, code: str
) -> None:
    person = await sync_to_async(new_person)()
    async with connected(address, f"lobbies?{query}", person.token) as client:
        closed, last = await client.closed()
    assert (closed, last["code"]) == (4404, code)


# A room


async def test_a_room_sends_its_events_until_the_game(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host)
    async with (
        connected(address, f"lobbies/{lobby.id}", host.token) as here,
        connected(elsewhere, f"lobbies/{lobby.id}", guest.token) as there,
    ):
        assert (await here.next("room"))["lobby"]["your_seat"] == 0
        assert (await there.next("room"))["lobby"]["your_seat"] is None
        await sync_to_async(lobbies.join)(guest.user, lobby.id)
        for client, seat in ((here, 0), (there, 1)):
            event = await happened(client, "seat_taken")
            assert (event["seat"], event["user"], event["lobby"]["your_seat"]) == (
                1,
                str(guest.user.id),
                seat,
            )
        await sync_to_async(partial(lobbies.set_ready, ready=True))(guest.user, lobby.id)
        assert (await happened(here, "ready_changed"))["ready"] is True
        game = await sync_to_async(start_game)(host.user, lobby.id)
        for client in (here, there):
            assert (await happened(client, "game_started"))["game"] == str(game.id)


async def test_a_room_resumes_from_any_version_without_a_gap(
    address: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host)
    for _ in range(3):
        await sync_to_async(lobbies.join)(guest.user, lobby.id)
        await sync_to_async(lobbies.leave)(guest.user, lobby.id)
    async with connected(address, f"lobbies/{lobby.id}?after=3", host.token) as client:
        frame = await client.frame()
        assert [event["version"] for event in frame["events"]] == [4, 5, 6, 7, 8]
        assert (frame["version"], frame["events"][-1]["event"]["reason"]) == (8, "left")
        await sync_to_async(lobbies.join)(guest.user, lobby.id)
        assert (await happened(client, "seat_taken"))["version"] == 9
    async with connected(address, f"lobbies/{lobby.id}?after=9", host.token) as client:
        assert (await client.frame())["type"] == "room"
    async with connected(address, f"lobbies/{lobby.id}?after=10", host.token) as client:
        assert (await client.closed())[1]["code"] == "version_ahead"


async def test_a_hidden_room_is_not_found_by_strangers_and_closes_for_removed_users(
    address: str, new_person: NewPerson
) -> None:
    host, guest, stranger = await sync_to_async(
        lambda: (new_person(), new_person(), new_person())
    )()
    lobby = await sync_to_async(opened)(host, visibility="invite")
    async with connected(address, f"lobbies/{lobby.id}", stranger.token) as client:
        hidden = await client.closed()
    async with connected(address, f"lobbies/{UUID(int=1)}", stranger.token) as client:
        assert await client.closed() == hidden
    await sync_to_async(lobbies.join_by_code)(guest.user, lobby.invite_code)
    async with connected(address, f"lobbies/{lobby.id}", guest.token) as client:
        await client.next("room")
        await sync_to_async(lobbies.remove_seat)(host.user, lobby.id, 1)
        assert (await happened(client, "seat_left"))["reason"] == "kicked"
        assert (await client.closed())[0] == 4404


@pytest.mark.parametrize("path", ["lobbies/{lobby}", "games/{game}"])
async def test_a_ban_closes_the_sockets_of_a_spectator_and_so_does_a_start_without_spectators(
    address: str, new_person: NewPerson, path: str
) -> None:
    host, stranger, other = await sync_to_async(lambda: [new_person() for _ in range(3)])()
    lobby = await sync_to_async(opened)(host)
    game = await sync_to_async(start_game)(host.user, lobby.id)
    place = path.format(lobby=lobby.id, game=game.id)
    async with (
        connected(address, place, stranger.token) as client,
        connected(address, place, other.token) as left_alone,
    ):
        await client.frame()
        await sync_to_async(lobbies.ban)(host.user, lobby.id, stranger.user.id)
        assert (await client.closed())[0] == 4404
        await left_alone.frame()
    async with connected(address, place, stranger.token) as client:
        assert (await client.closed())[0] == 4404
    closed = await sync_to_async(opened)(host, spectators="none")
    async with connected(address, f"lobbies/{closed.id}", stranger.token) as client:
        await client.next("room")
        await sync_to_async(start_game)(host.user, closed.id)
        assert (await client.closed())[0] == 4404


async def test_a_look_shows_the_room_again(address: str, new_person: NewPerson) -> None:
    host = await sync_to_async(new_person)()
    lobby = await sync_to_async(opened)(host)
    async with connected(address, f"lobbies/{lobby.id}", host.token) as client:
        first = await client.next("room")
        id_ = str(UUID(int=7))
        await client.connection.send(json.dumps({"type": "look", "id": id_}))
        assert await client.next("room") == {**first, "id": id_}
        await client.connection.send('{"type": "play"}')
        assert (await client.next("error"))["code"] == "malformed"


async def test_former_players_are_notified_of_a_rematch_and_have_reserved_seats(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host, visibility="invite", capacity=2, start_when_full=True)
    await sync_to_async(lobbies.join_by_code)(guest.user, lobby.invite_code)
    game = await sync_to_async(Game.objects.get)(lobby=lobby)
    await sync_to_async(lambda: event_loop.call(corrections.void(game.id, "the lights went out")))()
    async with (
        connected(address, f"games/{game.id}?room=0", guest.token) as table,
        connected(elsewhere, "lobbies", guest.token) as everything,
    ):
        await listed(everything)
        again = await sync_to_async(lobbies.rematch)(host.user, lobby.id)
        event = await happened(table, "rematch_opened")
        assert (event["lobby"]["rematch"], event["user"]) == (str(again.id), str(host.user.id))
        seen = await received(everything, again.id)
        assert (seen["held"], seen["invite_code"]) == (
            [{"number": 1, "user": str(guest.user.id)}],
            None,
        )
        async with connected(elsewhere, f"lobbies/{again.id}", guest.token) as room:
            assert (await room.next("room"))["lobby"]["held_until"] == seen["held_until"]
            await sync_to_async(lobbies.remove_seat)(host.user, again.id, 1)
            assert (await happened(room, "seat_released"))["user"] == str(guest.user.id)
            assert (await room.closed())[0] == 4404
        while str(again.id) not in (await everything.next("changes"))["gone"]:
            pass


# Chat


async def say(client: Client, text: str) -> str:
    """Send a message and return its id."""
    line = str(uuid4())
    await client.connection.send(json.dumps({"type": "send_message", "id": line, "text": text}))
    return line


async def test_all_followers_of_a_room_receive_its_messages(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host, capacity=2, start_when_full=True)
    await sync_to_async(lobbies.join)(guest.user, lobby.id)
    game = await sync_to_async(Game.objects.get)(lobby=lobby)
    async with (
        connected(address, f"games/{game.id}?room=0", host.token) as table,
        connected(elsewhere, f"lobbies/{lobby.id}", guest.token) as room,
        connected(address, f"games/{game.id}", guest.token) as deaf,
    ):
        assert (await table.frame())["type"] == "view", "before anything of the room"
        await room.next("room")
        for speaker, person in ((table, host), (room, guest), (deaf, guest)):
            line = await say(speaker, "Good evening")
            heard = await speaker.next("message_accepted")
            assert heard["id"] == line
            for listener in (table, room):
                event = await happened(listener, "message_sent")
                assert (event["id"], event["user"], event["version"]) == (
                    line,
                    str(person.user.id),
                    heard["version"],
                )
                assert event["name"] == person.user.display_name
        line = await say(room, "two\nlines")
        refused = await room.next("refused")
        assert (refused["id"], refused["data"]["path"]) == (line, "$.text")


async def test_a_client_that_resumes_receives_each_message_once_and_in_order(
    address: str, new_person: NewPerson
) -> None:
    host = await sync_to_async(new_person)()
    lobby = await sync_to_async(opened)(host)

    lines = EVENTS_PER_FRAME + 10

    def talk() -> None:
        lobbies.send_message(host.user, lobby.id, uuid4(), "0")
        said = RoomEvent.objects.get(lobby=lobby, kind="message_sent")
        first, body = said.version, bytes(said.body)
        for number in range(1, lines):
            said.version, said.message = first + number, uuid4()
            said.body = body.replace(b'"0"', b'"%d"' % number)
            said.save(force_insert=True)
        Lobby.objects.filter(id=lobby.id).update(version=said.version)

    await sync_to_async(talk)()
    async with connected(address, f"lobbies/{lobby.id}?after=1", host.token) as client:
        received: list[dict[str, Any]] = []
        while len(received) <= lines:
            frame = await client.frame()
            received += frame["events"]
            assert frame["version"] == received[-1]["version"]
        assert [event["version"] for event in received] == list(range(2, lines + 3))
        assert received[-1]["event"]["text"] == str(lines - 1)
        line = await say(client, "and now")
        assert (await happened(client, "message_sent"))["id"] == line


async def test_no_version_is_missing_although_this_build_cannot_read_its_event(
    address: str, new_person: NewPerson
) -> None:
    """Clients that miss a version connect again."""
    host = await sync_to_async(new_person)()
    lobby = await sync_to_async(opened)(host)

    def write() -> None:
        with transaction.atomic():
            lobby.refresh_from_db()
            version, body = lobby.version + 1, b'{"type":"from_the_future"}'
            RoomEvent.objects.create(lobby=lobby, version=version, body=body)
            Lobby.objects.filter(id=lobby.id).update(version=version)

    await sync_to_async(write)()
    async with connected(address, f"lobbies/{lobby.id}?after=1", host.token) as client:
        received = (await client.next("lobby_events"))["events"]
        await sync_to_async(write)()
        await sync_to_async(lobbies.send_message)(host.user, lobby.id, uuid4(), "here")
        while received[-1]["event"]["type"] != "message_sent":
            received += (await client.next("lobby_events"))["events"]
    assert [event["version"] for event in received] == list(range(2, len(received) + 2))
    kinds = [event["event"]["type"] for event in received]
    assert kinds.count("message_hidden") == 2, kinds


# Presence


async def people(client: Client, **wanted: bool) -> dict[str, dict[str, Any]]:
    """The users of a room once they are connected, or not, as wanted."""
    while True:
        frame = await client.next("presence")
        found = {person["user"]: person for person in frame["people"]}
        if {user: found[user]["connected"] for user in wanted if user in found} == wanted:
            return found


async def test_a_room_reports_presence_across_processes(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, guest, watcher = await sync_to_async(lambda: [new_person() for _ in range(3)])()
    lobby = await sync_to_async(opened)(host)
    await sync_to_async(lobbies.join)(guest.user, lobby.id)
    me, other = str(host.user.id), str(guest.user.id)
    async with connected(address, f"lobbies/{lobby.id}", host.token) as client:
        found = {person["user"]: person for person in (await client.next("presence"))["people"]}
        assert (found[me]["gone_since"], found[me]["seat_until"]) == (None, None), "sent at first"
        assert (found[other]["connected"], found[other]["gone_since"]) == (False, None), (
            "never seen"
        )
        async with connected(elsewhere, f"lobbies/{lobby.id}", guest.token):
            await people(client, **{me: True, other: True})
        gone = (await people(client, **{other: False}))[other]
        since, until = (datetime.fromisoformat(gone[key]) for key in ("gone_since", "seat_until"))
        assert until - since == timedelta(seconds=settings.LOBBY_ABSENT_S)
        async with connected(elsewhere, f"lobbies/{lobby.id}", watcher.token):
            while (await client.next("presence"))["spectators"] == 0:
                pass
    async with connected(elsewhere, f"lobbies/{lobby.id}?after=1", host.token) as client:
        assert other in await people(client), "sent again after a resume"


async def test_a_room_reports_the_disconnect_reason(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host)
    await sync_to_async(lobbies.join)(guest.user, lobby.id)
    other, room = str(guest.user.id), f"lobbies/{lobby.id}"
    async with connected(address, room, host.token) as client:

        async def here() -> None:
            assert (await people(client, **{other: True}))[other]["disconnect_reason"] is None

        async def gone() -> str:
            return str((await people(client, **{other: False}))[other]["disconnect_reason"])

        async with connected(elsewhere, room, guest.token):
            await here()
        assert await gone() == "left"
        async with connected(elsewhere, "lobbies", guest.token) as torn:
            await here()
            torn.connection.transport.abort()
            assert await gone() == "lost"
        async with connected(elsewhere, room, guest.token) as cut:
            await here()
            caller = await sync_to_async(caller_with)(guest.token)
            assert caller is not None
            await sync_to_async(revoke)(caller)
            assert (await cut.closed())[0] == CloseCode.UNAUTHENTICATED
            assert await gone() == "closed"
    async with connected(elsewhere, f"{room}?after=1", host.token) as client:
        assert (await people(client))[other]["disconnect_reason"] == "closed", (
            "sent again after a resume"
        )


async def test_a_user_who_follows_the_list_is_present_in_their_lobbies(
    address: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host)
    me, other = str(host.user.id), str(guest.user.id)
    async with connected(address, f"lobbies/{lobby.id}", host.token) as client:
        async with connected(address, "lobbies", guest.token) as feed:
            await listed(feed)
            await sync_to_async(lobbies.join)(guest.user, lobby.id)
            await people(client, **{me: True, other: True})
        assert (await people(client, **{other: False}))[other]["gone_since"] is not None
        async with connected(address, "lobbies", guest.token):
            await people(client, **{me: True, other: True})


@pytest.mark.parametrize("face", ["rest", "graphql"])
async def test_a_request_for_the_users_lobby_counts_as_presence(
    address: str, new_person: NewPerson, face: str
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host)
    await sync_to_async(lobbies.join)(guest.user, lobby.id)
    other = str(guest.user.id)
    async with (
        connected(address, f"lobbies/{lobby.id}", host.token) as client,
        httpx.AsyncClient(
            base_url=f"http://{address}",
            headers={"Authorization": f"Bearer {guest.token}"},
            timeout=60,
            verify=False,
        ) as asking,
    ):
        await people(client, **{other: False})
        if face == "rest":
            await asking.get(f"/api/v1/lobbies/{lobby.id}/")
        else:
            await asking.post(
                "/graphql/", json={"query": f'{{ lobby(id: "{lobby.id}") {{ id }} }}'}
            )
        await people(client, **{other: True})


async def test_a_game_reports_presence_and_which_seats_bots_play_meanwhile(
    address: str, elsewhere: str, new_person: NewPerson
) -> None:
    host, guest = await sync_to_async(lambda: (new_person(), new_person()))()
    lobby = await sync_to_async(opened)(host, capacity=2, start_when_full=True)
    await sync_to_async(lobbies.join)(guest.user, lobby.id)
    game = await sync_to_async(Game.objects.get)(lobby=lobby)
    other = str(guest.user.id)
    async with connected(address, f"games/{game.id}?room=0", host.token) as client:
        assert (await happened(client, "game_started"))["game"] == str(game.id)
        await sync_to_async(
            lambda: event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))
        )()
        while not (await people(client, **{other: False}))[other]["bot_plays"]:
            pass
        async with connected(elsewhere, f"games/{game.id}", guest.token) as back:
            assert [commit["version"] for commit in await back.commits(until=3)] == [3]
            while (found := await people(client, **{other: True}))[other]["bot_plays"]:
                pass
            assert not found[other]["forfeited"]
            await sync_to_async(lambda: event_loop.call(absence.resign(game.id, Seat(1))))()
            while not (await people(client, **{other: True}))[other]["forfeited"]:
                pass
    seen = await sync_to_async(lambda: types.Game.of(game_for(host.user, game.id), host.user))()
    assert seen.forfeited == [1]
