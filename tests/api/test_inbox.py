"""Notices: one for each fact, numbered without gaps, and nothing beyond the view of its reader."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User, Vacation
from games import lobbies
from games.api.sockets.inbox import InboxSubscription
from games.live.hubs import Outbox
from games.models import Game, Head, Presence, Reminder
from games.models import Seat as LobbySeat
from games.play import absence, corrections, service
from games.workers.clock import Clock
from kit import event_loop
from notices import inbox
from notices.kinds import Fact
from notices.models import Inbox, Notice
from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims, ask_bot
from tests.api.rest import Caller
from tests.api.sockets import connected, token_of
from tests.api.told import follow, from_now_on, slow_game
from tests.builders import NewUser, start_game
from tests.lobbies.scene import in_threads, refused
from tests.waiting import until

__all__ = ["from_now_on"]
pytestmark = pytest.mark.xdist_group("following")


def told(user: User) -> list[Notice]:
    return list(inbox.read_after(user.id, 0, 1000).notices)


def kinds(user: User) -> list[str]:
    return [notice.kind for notice in told(user)]


def fact(user: User, version: int = 0) -> Fact:
    subject = UUID(int=7)
    return Fact(user.id, "seat_reserved", subject, version, {"lobby": str(subject)})


def tell(*facts: Fact) -> int:
    with transaction.atomic():
        return inbox.tell(facts)


def test_notices_are_numbered_without_gaps_and_told_once(new_user: NewUser) -> None:
    """Several processes tell the same people the same facts in opposite orders."""
    users = [new_user(), new_user()]
    facts = [fact(user, version) for version in range(8) for user in users]
    orders = (facts, facts[::-1], facts[4:], facts[::2])
    counts = in_threads([partial(tell, *some) for some in orders])
    assert sum(int(str(count)) for count in counts) == 16
    for user in users:
        assert [notice.number for notice in told(user)] == list(range(1, 9))
        assert {notice.version for notice in told(user)} == set(range(8))


def test_what_is_rolled_back_was_not_told_and_takes_no_number(new_user: NewUser) -> None:
    user = new_user()
    with transaction.atomic():
        inbox.tell([fact(user, 1)])
        transaction.set_rollback(True)
    tell(fact(user, 2))
    assert [(notice.number, notice.version) for notice in told(user)] == [(1, 2)]


def test_suspended_erased_and_unwilling_users_are_told_nothing(new_user: NewUser) -> None:
    users = [new_user() for _ in range(3)]
    User.objects.filter(id=users[0].id).update(suspended_until=timezone.now() + timedelta(days=1))
    User.objects.filter(id=users[1].id).update(is_active=False)
    inbox.want(users[2], "seat_reserved", [])
    assert tell(*map(fact, users)) == 0
    inbox.want(users[2], "seat_reserved", ["inbox"])
    assert tell(*map(fact, users)) == 1


def test_old_notices_go_and_the_first_that_is_kept_is_named(new_user: NewUser) -> None:
    user = new_user()
    tell(*(fact(user, version) for version in range(3)))
    Notice.objects.filter(user=user, number__lt=3).update(at=timezone.now() - timedelta(days=91))
    inbox.forget_old()
    page = inbox.read_after(user.id, 0, 10)
    assert (page.first, page.last, [each.number for each in page.notices]) == (3, 3, [3])
    inbox.mark_read(user, 3)
    assert inbox.read_after(user.id, 3, 10).read == 3
    assert refused(lambda: inbox.mark_read(user, 4)) == "version_ahead"
    inbox.forget(user)
    assert inbox.read_after(user.id, 0, 10).last == 0


def test_a_lobby_tells_that_it_is_full_and_a_rematch_that_a_seat_is_kept(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", capacity=2))
    follow()
    assert kinds(host) == []
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    follow()
    follow()
    assert kinds(host) == kinds(guest) == ["table_full"]
    game = start_game(host, lobby.id)
    follow()
    event_loop.call(corrections.void(game.id, "test"))
    lobbies.settle_ended(most=10_000)
    follow()
    again = lobbies.rematch(host, lobby.id)
    follow()
    follow()
    assert kinds(guest) == ["table_full", "game_starts", "game_over", "seat_reserved"]
    slug = "free_spots"
    assert told(guest)[-1].data == {"lobby": str(again.id), "seat": 1, "slug": slug}
    assert {notice.data["slug"] for notice in told(guest)} == {slug}
    assert told(guest)[2].data["ended"] == "voided"


def test_a_turn_is_told_once_and_again_when_a_quarter_of_its_time_is_left(
    new_user: NewUser,
) -> None:
    game, (host, *others) = slow_game(new_user, "quitte_ou_double")
    follow()
    follow()
    assert kinds(host) == ["game_starts", "your_turn"]
    assert kinds(others[0]) == ["game_starts"]
    hours_pass(game, 18)
    follow()
    follow()
    assert kinds(host) == ["game_starts", "your_turn", "deadline_near"]


def hours_pass(game: Game, hours: float) -> None:
    """Move what a game awaits, and its reminders, into the past."""
    with connection.cursor() as cursor:
        for table, column in (("reminder", "at"), ("head", "due_at"), ("schedule", "due_at")):
            cursor.execute(
                f"UPDATE games_{table} SET {column} = {column} - %s * interval '1 h' "
                "WHERE game_id = %s", [hours, game.id],
            )  # fmt: skip


@pytest.mark.parametrize("is_away", [False, True])
def test_a_deadline_is_near_only_if_no_pause_follows(new_user: NewUser, *, is_away: bool) -> None:
    """The clock is hours late, or all whom the game awaits are on vacation when it is due."""
    game, (host, *_) = slow_game(new_user, "quitte_ou_double", vacations=True)
    follow()
    away = timezone.now(), timezone.now() + timedelta(days=3)
    vacation = Vacation(user=host, starts_at=away[0], ends_at=away[1])
    if is_away:
        vacation.save()
    hours_pass(game, 18 if is_away else 26)
    follow()
    if is_away:
        hours_pass(game, 6.5)
    event_loop.call(pause(game))
    follow()
    assert kinds(host) == ["game_starts", "your_turn"]
    Vacation.objects.filter(user=host).delete()
    due_at = Head.objects.get(game=game).due_at
    assert due_at is not None
    hours_pass(game, (due_at - timezone.now()) / timedelta(hours=1) - 2)
    follow()
    assert kinds(host) == ["game_starts", "your_turn", "deadline_near"]


def test_a_deadline_is_near_to_a_user_on_vacation_if_others_are_not(new_user: NewUser) -> None:
    """No pause follows: the time of those who are away passes as well."""
    game, (host, other, *_) = slow_game(new_user, "set_dice", vacations=True)
    assert {host.id, other.id} <= set(game.head.awaits or ())
    follow()
    now = timezone.now()
    Vacation.objects.create(user=host, starts_at=now, ends_at=now + timedelta(days=3))
    hours_pass(game, 18)
    follow()
    assert kinds(host)[-1] == kinds(other)[-1] == "deadline_near"


async def pause(game: Game) -> None:
    """Let the clock answer the alarm of a game."""
    clock = Clock()
    claims = [claim for claim in await clock.claim_slow(100) if claim.game == game.id]
    assert len(claims) == 1
    await clock.answer_slow(claims)


def in_turn(game: Game, users: list[User]) -> tuple[Game, User, User]:
    """Return a game of two with the one whose turn it is, and the other: a lot decides."""
    first, other = sorted(users, key=lambda user: user.id not in (game.head.awaits or ()))
    return game, first, other


def look_again() -> None:
    """Follow as after the time between two looks at a connected user."""
    Reminder.objects.filter(kind="your_turn").update(at=timezone.now())
    follow()


def test_a_user_is_told_a_turn_when_they_are_not_connected_to_the_table_any_more(
    new_user: NewUser,
) -> None:
    game, first, other = in_turn(*slow_game(new_user, "carcassonne"))
    for user in (first, other):
        Presence.objects.create(
            lobby_id=game.lobby_id, user_id=user.id, process=uuid4(), connected=True,
            seen_at=timezone.now(),
        )  # fmt: skip
    follow()
    look_again()
    assert kinds(first) == ["game_starts"]
    Presence.objects.filter(user_id=first.id).update(connected=False)
    follow()
    assert kinds(first) == ["game_starts"], "it looks once a minute"
    look_again()
    look_again()
    assert kinds(first) == ["game_starts", "your_turn"]
    assert kinds(other) == ["game_starts"]


@pytest.mark.slow
async def test_a_user_whose_connection_is_half_dead_is_told_a_turn(
    address: str, new_user: NewUser
) -> None:
    """The client answers no ping of the server, which closes the connection after 40 seconds."""
    started = await sync_to_async(slow_game)(new_user, "carcassonne")
    game, first, _ = await sync_to_async(in_turn)(*started)
    token, present = await sync_to_async(token_of)(first), Presence.objects.filter(user_id=first.id)
    async with connected(address, f"games/{game.id}", token) as client:
        await client.next("view")
        client.connection.transport.pause_reading()
        await sync_to_async(until)(present.filter(connected=True).exists, "the connection")
        await sync_to_async(look_again)()
        assert await sync_to_async(kinds)(first) == ["game_starts"]
        await sync_to_async(until)(present.filter(connected=False).exists, "the end of it")
        await sync_to_async(look_again)()
        assert await sync_to_async(kinds)(first) == ["game_starts", "your_turn"]
        client.connection.transport.abort()


def test_the_end_tells_rank_and_payout_and_a_replacement_its_seat(new_user: NewUser) -> None:
    game, users = slow_game(new_user, "carcassonne", buy_in=50)
    follow()
    seats = {seat.user_id: seat.number for seat in LobbySeat.objects.filter(lobby=game.lobby_id)}
    leaver, stayer = users[1], users[0]
    event_loop.call(absence.resign(game.id, Seat(seats[leaver.id])))
    follow()
    assert kinds(leaver)[-1] == "seat_replaced"
    chance = Whims(b"to the end")
    while not (loaded := event_loop.call(service.at_head(game.id))).ended:
        assert loaded.state is not None
        (seat, *_) = sorted(loaded.rules.awaited(loaded.state))
        command = ask_bot(loaded.rules, loaded.state, seat, chance)
        by_bot = seat in loaded.bot_seats
        event_loop.call(
            service.play(game.id, seat, msgspec.json.encode(command), uuid4(), by_bot=by_bot)
        )
    follow()
    assert "game_over" not in kinds(stayer), "it is not paid out yet"
    lobbies.settle_ended(most=10_000)
    follow()
    follow()
    over = [notice for notice in told(stayer) if notice.kind == "game_over"]
    assert [(each.data["rank"], each.data["payout"]) for each in over] == [(1, 100)]
    assert told(leaver)[-1].data["rank"] == 2
    event_loop.call(corrections.void(game.id, "test"))
    lobbies.settle_ended(most=10_000)
    follow()
    for user in users:
        voided = told(user)[-1].data
        assert (voided["ended"], voided["payout"]) == ("voided", 50), "all got their stake back"


async def test_a_socket_resumes_without_a_gap(address: str, new_user: NewUser) -> None:
    user = await sync_to_async(new_user)()
    token = await sync_to_async(token_of)(user)
    await sync_to_async(tell)(*(fact(user, version) for version in range(3)))
    async with connected(address, "me?after=1", token) as client:
        first = await client.next("notices")
        assert [each["number"] for each in first["notices"]] == [2, 3]
        await sync_to_async(tell)(fact(user, 3))
        news = await client.next("notices")
        assert ([each["number"] for each in news["notices"]], news["last"]) == ([4], 4)
    await sync_to_async(Notice.objects.filter(user=user).delete)()
    async with connected(address, "me?after=0", token) as client:
        first = await client.next("notices")
        assert (first["notices"], first["first"], first["last"]) == ([], 5, 4)
        await sync_to_async(tell)(fact(user, 4))
        news = await client.next("notices")
        assert [each["number"] for each in news["notices"]] == [5]
    await sync_to_async(Notice.objects.filter(user=user).delete)()
    following_it = InboxSubscription(user.id, 0, Outbox())
    following_it.receive(await sync_to_async(inbox.read_after)(user.id, 0, 1))
    assert following_it.number == 5
    async with connected(address, "me?after=9", token) as client:
        code, last = await client.closed()
        assert (code, last["code"]) == (4404, "version_ahead")


async def test_a_socket_is_told_that_the_database_lost_notices(
    address: str, new_user: NewUser
) -> None:
    user = await sync_to_async(new_user)()
    token = await sync_to_async(token_of)(user)
    await sync_to_async(tell)(*(fact(user, version) for version in range(3)))
    async with connected(address, "me?after=3", token) as client:
        await client.next("notices")
        await sync_to_async(Inbox.objects.filter(user=user).update)(last=1)
        code, last = await client.closed()
        assert (code, last["code"], last["data"]) == (
            4410,
            "history_lost",
            {"version": 1, "seen": 3},
        )


def test_the_api_reads_marks_and_chooses(new_user: NewUser) -> None:
    user = new_user()
    caller = Caller(user)
    tell(fact(user))
    page = caller.get("/notices/?after=0").data
    assert [each["kind"] for each in page["notices"]] == ["seat_reserved"]
    assert caller.call("PUT", "/notices/read/", {"number": 1}).status == 204
    off: dict[str, Any] = {"kind": "seat_reserved", "channels": []}
    assert caller.call("PUT", "/notices/choices/", off).data == off
    assert off in caller.get("/notices/choices/").data
