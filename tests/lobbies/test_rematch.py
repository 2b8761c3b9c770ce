"""Rematches: kept settings, reserved seats and their deadline, and buy-ins."""

from datetime import timedelta
from functools import partial
from uuid import UUID, uuid4

import msgspec
import pytest
from django.utils import timezone

from accounts.models import User
from games import lobbies
from games.lobbies import LobbyChoices
from games.models import Ban, Game, Lobby, Mute, RoomEvent
from games.models import Seat as LobbySeat
from games.play import corrections
from games.proofs.verification import ledger_findings
from games.reads.filters import LobbyFilter
from games.reads.lobbies import lobbies_for, lobby_for
from kit import event_loop
from tests.builders import NewUser, start_game
from tests.lobbies.scene import balance, in_threads, refused, seats_of
from tests.moves import take_in_turn


def played(
    new_user: NewUser, people: int = 2, *, bots: int = 0, **choices: object
) -> tuple[Lobby, list[User]]:
    """A lobby whose game was voided, and the users of its seats, before the bots."""
    seated = [new_user() for _ in range(people)]
    lobby = lobbies.create(seated[0], lobbies.LobbyChoices(slug="free_spots", **choices))  # type: ignore[arg-type]
    for person in seated[1:]:
        lobbies.join_by_code(person, lobby.invite_code)
        lobbies.set_ready(person, lobby.id, ready=True)
    for _ in range(bots):
        lobbies.add_bot(seated[0], lobby.id)
    game = start_game(seated[0], lobby.id)
    event_loop.call(corrections.void(game.id, "the lights went out"))
    return lobby, seated


def lapse(lobby: Lobby) -> None:
    """Let the reservations expire."""
    Lobby.objects.filter(id=lobby.id).update(held_until=timezone.now() - timedelta(seconds=1))
    lobbies.release_due_seats(most=1000)
    lobby.refresh_from_db()


def free_seats(lobby: Lobby, least: int) -> bool:
    """Whether a search for this many free seats finds the lobby."""
    return (
        LobbyFilter(free_seats_min=least)
        .narrow(Lobby.objects.filter(id=lobby.id), lobby.host)
        .exists()
    )


def test_a_rematch_reserves_the_same_seats_for_the_same_users(new_user: NewUser) -> None:
    choices = {
        "title": "Friday",
        "visibility": "unlisted",
        "spectators": "chat",
        "absence": "bot",
        "capacity": 5,
    }
    old, (host, other, third) = played(new_user, 3, bots=1, options={"boards": 7}, **choices)
    again = Lobby.objects.get(id=lobbies.rematch(third, old.id).id)
    chosen = LobbyChoices.__struct_fields__
    assert [getattr(again, name) for name in chosen] == [getattr(old, name) for name in chosen]
    assert again.host == third
    assert again.seed_hash != old.seed_hash
    assert again.id != old.id
    assert seats_of(again) == {2: third.id, 3: None}
    assert again.held == {0: host.id, 1: other.id}
    for _ in range(2):
        assert lobbies.rematch(other, old.id) == again
    lobbies.join(host, again.id)
    again.refresh_from_db()
    assert seats_of(again) == {0: host.id, 1: other.id, 2: third.id, 3: None}
    assert (again.held, again.held_until) == ({}, None)
    received = RoomEvent.objects.filter(lobby=old, kind="rematch_opened")
    assert [msgspec.json.decode(row.body) for row in received] == [
        {"type": "rematch_opened", "user": str(third.id), "lobby": str(again.id)}
    ]
    assert Lobby.objects.get(id=old.id).rematch == again


def test_two_concurrent_requests_create_one_rematch(new_user: NewUser) -> None:
    old, people = played(new_user, 4)
    found = in_threads([partial(lobbies.rematch, person, old.id) for person in people])
    assert len({table.id for table in found if isinstance(table, Lobby)}) == 1
    (again,) = {table for table in found if isinstance(table, Lobby)}
    assert seats_of(again) == {number: person.id for number, person in enumerate(people)}


def test_a_user_with_a_reserved_seat_pays_when_they_take_it(new_user: NewUser) -> None:
    host, other = new_user(), new_user()
    old = lobbies.create(
        host,
        lobbies.LobbyChoices(
            slug="free_spots",
            options={"boards": 1, "spots": 6},
            buy_in=100,
            capacity=2,
            start_when_full=True,
        ),
    )
    lobbies.join(other, old.id)
    game = Game.objects.get(lobby=old)
    assert refused(lambda: lobbies.rematch(host, old.id)) == "game_not_ended"
    for spot in range(6):
        take_in_turn(game, spot)
    lobbies.settle_ended(most=1000)
    before = {person: balance(person) for person in (host, other)}
    again = lobbies.rematch(other, old.id)
    assert {person: before[person] - balance(person) for person in before} == {other: 100, host: 0}
    assert not Game.objects.filter(lobby=again).exists()
    lobbies.rematch(host, old.id)
    assert Game.objects.filter(lobby=again).exists(), "the table is full"
    assert before[host] - balance(host) == 100
    assert list(ledger_findings()) == []


def test_a_reserved_seat_is_free_for_others_after_the_deadline(new_user: NewUser) -> None:
    old, (host, other) = played(
        new_user, 2, capacity=3, options={"boards": int(uuid4()) % 10**9}, bots_after_s=0
    )
    again, stranger = lobbies.rematch(host, old.id), new_user()
    assert free_seats(again, 1)
    lobbies.join(stranger, again.id)
    assert not free_seats(again, 1)
    assert seats_of(again) == {0: host.id, 2: stranger.id}
    assert refused(lambda: lobbies.join(new_user(), again.id)) == "lobby_full"
    assert refused(lambda: lobbies.add_bot(host, again.id)) == "lobby_full"
    assert refused(lambda: lobbies.take_seat(stranger, again.id, 1)) == "seat_taken"
    assert (
        lobbies.quick_match(
            new_user(), lobbies.TableChoices(slug="free_spots", options=old.options, capacity=3)
        )
        != again
    )
    Lobby.objects.filter(id=again.id).update(bots_due_at=timezone.now())
    lobbies.seat_due_bots(most=1000)
    assert seats_of(again) == {0: host.id, 2: stranger.id}
    lapse(again)
    (released,) = RoomEvent.objects.filter(lobby=again, kind="seat_released")
    assert (released.user, again.held, again.held_until) == (other, {}, None)
    lobbies.join(new_user(), again.id)
    assert refused(lambda: lobbies.rematch(other, old.id)) == "lobby_full"


def test_hosts_move_and_drop_reservations_and_users_decline_them(new_user: NewUser) -> None:
    old, (host, other, third) = played(new_user, 3)
    again = lobbies.rematch(host, old.id)

    def held() -> dict[int, UUID]:
        return Lobby.objects.get(id=again.id).held

    lobbies.swap_seats(host, again.id, 0, 1)
    assert (held(), seats_of(again)) == ({0: other.id, 2: third.id}, {1: host.id})
    lobbies.leave(third, again.id)
    assert held() == {0: other.id}
    lobbies.remove_seat(host, again.id, 0)
    assert held() == {}
    assert refused(lambda: lobbies.remove_seat(host, again.id, 0)) == "not_found"
    lobbies.rematch(other, old.id)
    assert seats_of(again) == {0: other.id, 1: host.id}


def test_a_hidden_rematch_is_visible_to_users_with_a_reservation(
    new_user: NewUser,
) -> None:
    old, (host, other) = played(new_user, 2, visibility="invite")
    again, stranger = lobbies.rematch(host, old.id), new_user()
    assert lobby_for(other, again.id) == again
    assert again in lobbies_for(other)
    assert again not in lobbies_for(stranger)
    assert refused(lambda: lobby_for(stranger, again.id)) == "not_found"
    assert refused(lambda: lobbies.join(stranger, again.id)) == "not_found"
    lapse(again)
    assert refused(lambda: lobby_for(other, again.id)) == "not_found"
    assert refused(lambda: lobbies.join(other, again.id)) == "not_found"
    lobbies.rematch(other, old.id)
    assert seats_of(again) == {0: host.id, 1: other.id}


@pytest.mark.parametrize(
    ("visibility", "code"), [("public", "spectators_only_watch"), ("invite", "not_found")]
)
def test_only_former_players_can_request_a_rematch(
    new_user: NewUser, visibility: str, code: str
) -> None:
    old, _ = played(new_user, 2, visibility=visibility)
    assert refused(lambda: lobbies.rematch(new_user(), old.id)) == code


def test_a_rematch_requires_a_first_game(new_user: NewUser) -> None:
    host = new_user()
    assert (
        refused(
            lambda: lobbies.rematch(
                host, lobbies.create(host, lobbies.LobbyChoices(slug="free_spots")).id
            )
        )
        == "not_found"
    )


def test_bans_and_mutes_stay_in_a_rematch(new_user: NewUser) -> None:
    banned = new_user()
    host, other = new_user(), new_user()
    old = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.join(other, old.id)
    lobbies.ban(host, old.id, banned.id)
    lobbies.mute(host, old.id, other.id)
    lobbies.mute_by_operator(old.id, host.id)
    event_loop.call(corrections.void(_started(host, other, old).id, "the lights went out"))
    again = lobbies.rematch(host, old.id)
    assert list(Ban.objects.filter(lobby=again).values_list("user", flat=True)) == [banned.id]
    assert dict(Mute.objects.filter(lobby=again).values_list("user", "by_operator")) == {
        other.id: False,
        host.id: True,
    }
    lobbies.ban(host, again.id, other.id)
    assert Lobby.objects.get(id=again.id).held == {}
    assert refused(lambda: lobbies.rematch(other, old.id)) == "banned"


def test_a_muted_user_who_becomes_host_is_unmuted(new_user: NewUser) -> None:
    old, (host, other) = played(new_user, 2, visibility="invite")
    lobbies.mute(host, old.id, other.id)
    again = lobbies.rematch(other, old.id)
    lobbies.send_message(other, again.id, uuid4(), "Who is next?")
    lobbies.send_message(host, again.id, uuid4(), "I am coming")
    assert seats_of(again) == {1: other.id}, "a user with a reserved seat may chat"


def _started(host: User, other: User, lobby: Lobby) -> Game:
    lobbies.set_ready(other, lobby.id, ready=True)
    return start_game(host, lobby.id)


def test_a_new_rematch_replaces_one_that_everybody_left(new_user: NewUser) -> None:
    old, (host, other) = played(new_user, 2)
    again = lobbies.rematch(host, old.id)
    lobbies.leave(host, again.id)
    again.refresh_from_db()
    assert (again.status, again.held) == ("closed", {})
    another = lobbies.rematch(other, old.id)
    assert another != again
    assert LobbySeat.objects.get(lobby=another).user == other
