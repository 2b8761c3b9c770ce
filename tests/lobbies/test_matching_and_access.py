"""Lobby features: quick matches, seats and teams, bans, hosts, spectators, and timed bots."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import combinations, cycle, islice
from typing import Literal
from uuid import UUID, uuid4

import msgspec
import pytest
from django.conf import settings
from django.utils import timezone

from accounts import bots, people
from games import lobbies
from games.lobbies import access
from games.models import Game, Lobby, LobbyRequest, Seat
from games.play import corrections, service
from games.proofs.verification import ledger_findings
from games.reads.games import game_for, games_for
from games.reads.lobbies import (
    bans_in,
    is_listed_for,
    lobbies_for,
    lobby_for,
    may_see,
    room_for,
)
from kit import event_loop
from kit.problems import Problem
from tests.builders import NewUser, start_game
from tests.lobbies.scene import balance, in_threads, refused, seats_of

# Quick matches


@pytest.mark.parametrize(("people", "capacity"), [(25, 4), (7, 2)])
def test_concurrent_quick_matches_fill_as_few_lobbies_as_possible(
    new_user: NewUser, people: int, capacity: int
) -> None:
    options = {"boards": int(uuid4()) % 10**9, "spots": 68}
    wanted = lobbies.TableChoices(slug="free_spots", options=options, capacity=capacity)
    tables = in_threads([partial(lobbies.quick_match, new_user(), wanted) for _ in range(people)])
    assert all(isinstance(table, Lobby) for table in tables), tables
    taken = Counter(Seat.objects.filter(lobby__options=options).values_list("lobby_id", flat=True))
    full, rest = divmod(people, capacity)
    assert sorted(taken.values(), reverse=True) == [capacity] * full + ([rest] if rest else [])
    assert Game.objects.filter(lobby__options=options).count() == full, "a full table has started"


def test_a_quick_match_requires_the_same_game_and_options(new_user: NewUser) -> None:
    boards = int(uuid4()) % 10**9
    waiting = lobbies.quick_match(
        new_user(), lobbies.TableChoices(slug="free_spots", options={"boards": boards}, capacity=2)
    )
    for other, capacity in ((boards + 1, 2), (boards, 3)):
        found = lobbies.quick_match(
            new_user(),
            lobbies.TableChoices(slug="free_spots", options={"boards": other}, capacity=capacity),
        )
        assert found != waiting
    seeker = new_user()
    assert (
        lobbies.quick_match(
            seeker, lobbies.TableChoices(slug="free_spots", options={"boards": boards}, capacity=2)
        )
        == waiting
    )


def test_a_quick_match_without_a_capacity_takes_any_table_that_is_nearly_full(
    new_user: NewUser,
) -> None:
    wanted = lobbies.TableChoices(slug="free_spots", options={"boards": int(uuid4()) % 10**9})

    def look(capacity: int | None = None) -> Lobby:
        return lobbies.quick_match(new_user(), msgspec.structs.replace(wanted, capacity=capacity))

    large, opened = look(9), look(4)
    assert look() == opened == look(4), "rather than the older table, which waits for more"
    assert look() == opened, "the last seat"
    assert look() == large
    assert look(4).capacity == 4
    alone = lobbies.TableChoices(slug="free_spots", options={"boards": int(uuid4()) % 10**9})
    first = lobbies.quick_match(new_user(), alone)
    assert (first.capacity, lobbies.quick_match(new_user(), alone)) == (4, first)


def test_a_repeated_quick_match_keeps_the_seat(new_user: NewUser) -> None:
    seeker, options = new_user(), {"boards": int(uuid4()) % 10**9}
    look = partial(
        lobbies.quick_match,
        seeker,
        lobbies.TableChoices(slug="free_spots", options=options, capacity=3, buy_in=100),
    )
    assert len({table.id for table in in_threads([look] * 6) if isinstance(table, Lobby)}) == 1
    assert balance(seeker) == 900


def test_a_quick_match_skips_lobbies_that_ban_the_user_or_are_not_public(
    new_user: NewUser,
) -> None:
    host, seeker, options = new_user(), new_user(), {"boards": int(uuid4()) % 10**9}
    closed = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", options=options))
    lobbies.ban(host, closed.id, seeker.id)
    hidden = lobbies.create(
        host,
        lobbies.LobbyChoices(slug="free_spots", options=options, visibility="unlisted"),
    )
    found = lobbies.quick_match(seeker, lobbies.TableChoices(slug="free_spots", options=options))
    assert found not in {closed, hidden}


# Automatic start


def test_a_full_lobby_starts_by_itself_when_everybody_is_ready(new_user: NewUser) -> None:
    host, guest, last = new_user(), new_user(), new_user()
    lobby = lobbies.create(
        host, lobbies.LobbyChoices(slug="free_spots", capacity=3, start_when_full=True)
    )
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=False)
    lobbies.join(last, lobby.id)
    assert Lobby.objects.get(id=lobby.id).status == Lobby.Status.OPEN
    lobbies.set_ready(guest, lobby.id, ready=True)
    assert Game.objects.get(lobby=lobby).head.version == 1


def test_bots_take_the_free_seats_after_the_configured_time(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(
        host,
        lobbies.LobbyChoices(
            slug="free_spots", capacity=4, start_when_full=True, bots_after_s=3600
        ),
    )
    lobbies.seat_due_bots()
    assert len(seats_of(lobby)) == 1
    Lobby.objects.filter(id=lobby.id).update(bots_due_at=timezone.now() - timedelta(seconds=1))
    in_threads([lobbies.seat_due_bots] * 3)
    assert seats_of(lobby) == {0: host.id, 1: None, 2: None, 3: None}
    assert Game.objects.get(lobby=lobby).head.bots == 3
    assert (
        refused(
            lambda: lobbies.create(
                host, lobbies.LobbyChoices(slug="free_spots", buy_in=1, bots_after_s=1)
            )
        )
        == "bots_cannot_stake"
    )


# Seats and teams


def test_users_move_to_free_seats_and_hosts_swap_any(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", capacity=3))
    lobbies.join(guest, lobby.id)
    lobbies.take_seat(guest, lobby.id, 2)
    assert seats_of(lobby) == {0: host.id, 2: guest.id}
    assert refused(lambda: lobbies.take_seat(guest, lobby.id, 0)) == "seat_taken"
    assert refused(lambda: lobbies.take_seat(guest, lobby.id, 3)) == "not_found"
    assert refused(lambda: lobbies.swap_seats(guest, lobby.id, 0, 2)) == "not_the_host"
    lobbies.swap_seats(host, lobby.id, 0, 2)
    assert seats_of(lobby) == {0: guest.id, 2: host.id}
    lobbies.swap_seats(host, lobby.id, 1, 2)
    assert seats_of(lobby) == {0: guest.id, 1: host.id}
    assert refused(lambda: lobbies.swap_seats(host, lobby.id, 1, 9)) == "not_found"


def colours_of(lobby: Lobby) -> dict[UUID | None, int]:
    """The colours of a lobby's seats, by user."""
    return dict(Seat.objects.filter(lobby=lobby).values_list("user", "colour"))


def test_users_choose_colours_and_keep_them_in_a_rematch(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="set_dice", capacity=3))
    lobbies.join(guest, lobby.id)
    lobbies.add_bot(host, lobby.id)
    assert colours_of(lobby) == {host.id: 0, guest.id: 1, None: 2}
    assert refused(lambda: lobbies.take_colour(guest, lobby.id, 0)) == "colour_taken"
    assert refused(lambda: lobbies.take_colour(guest, lobby.id, 4)) == "not_found"
    assert refused(lambda: lobbies.take_colour(new_user(), lobby.id, 3)) == "not_found"
    lobbies.take_colour(host, lobby.id, 3)
    lobbies.take_colour(guest, lobby.id, 2)
    chosen = {host.id: 3, guest.id: 2, None: 1}
    assert colours_of(lobby) == chosen
    lobbies.set_ready(guest, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    assert colours_of(lobby) == chosen
    assert refused(lambda: lobbies.take_colour(host, lobby.id, 0)) == "lobby_not_open"
    event_loop.call(corrections.void(game.id, "The test is over."))
    again = lobbies.rematch(guest, lobby.id)
    lobbies.join(host, again.id)
    assert colours_of(again) == chosen


def test_one_of_two_users_gets_a_seat(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", capacity=3))
    lobbies.join(guest, lobby.id)
    answers = in_threads(
        [partial(lobbies.take_seat, person, lobby.id, 2) for person in (host, guest)]
    )
    assert [answer for answer in answers if not isinstance(answer, Lobby)] == ["seat_taken"]


def test_teams_are_shown_as_the_game_would_form_them(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(
        host, lobbies.LobbyChoices(slug="quitte_ou_double", options={"team_count": 3})
    )
    for _ in range(2):
        lobbies.add_bot(host, lobby.id)
    assert lobbies.teams_of(lobby_for(host, lobby.id)) is None
    lobbies.add_bot(host, lobby.id)
    lobbies.swap_seats(host, lobby.id, 3, 5)
    teams = lobbies.teams_of(lobby_for(host, lobby.id))
    assert teams is not None
    assert (len(teams), sorted(seat for team in teams for seat in team)) == (3, [0, 1, 2, 5])
    assert lobbies.teams_of(lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))) is None


# Hosts


def test_the_number_of_open_lobbies_per_host_is_limited_and_lower_for_guests(
    new_user: NewUser,
) -> None:
    host, guest = new_user(), people.new_guest()
    owned = [host, bots.create(host, "Robbie"), bots.create(host, "Marvin")]
    for most, openers in ((settings.LOBBIES_MAX, owned), (settings.GUEST_LOBBIES_MAX, [guest])):
        turns = islice(cycle(openers), most + 3)
        opened = in_threads(
            [
                partial(lobbies.create, opener, lobbies.LobbyChoices(slug="free_spots"))
                for opener in turns
            ]
        )
        assert Counter(answer if isinstance(answer, str) else "opened" for answer in opened) == {
            "opened": most,
            "too_many_lobbies": 3,
        }
    assert settings.GUEST_LOBBIES_MAX < settings.LOBBIES_MAX


def test_only_open_lobbies_count_against_the_limit_and_a_handover_is_never_refused(
    new_user: NewUser,
) -> None:
    options, other = {"boards": int(uuid4()) % 10**9}, new_user()
    old = lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots"))
    lobbies.join(guest := people.new_guest(), old.id)
    opened = [
        lobbies.create(guest, lobbies.LobbyChoices(slug="free_spots"))
        for _ in range(settings.GUEST_LOBBIES_MAX)
    ]
    open_another = partial(
        lobbies.quick_match, guest, lobbies.TableChoices(slug="free_spots", options=options)
    )
    assert refused(open_another) == "too_many_lobbies"
    lobbies.hand_over(old.host, old.id, guest.id)
    lobbies.leave(guest, opened[0].id)
    assert refused(open_another) == "too_many_lobbies"
    game = start_game(guest, opened[1].id)
    event_loop.call(corrections.void(game.id, "the lights went out"))
    found = lobbies.quick_match(other, lobbies.TableChoices(slug="free_spots", options=options))
    assert open_another() == found, "to sit down at a table of others is never refused"
    lobbies.leave(guest, found.id)
    lobbies.leave(other, found.id)
    assert open_another().host == guest
    assert refused(lambda: lobbies.rematch(guest, opened[1].id)) == "too_many_lobbies"


def test_a_host_hands_over_to_a_seated_user(new_user: NewUser) -> None:
    host, heir = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    assert refused(lambda: lobbies.hand_over(host, lobby.id, heir.id)) == "not_found"
    lobbies.join(heir, lobby.id)
    lobbies.hand_over(host, lobby.id, heir.id)
    assert refused(lambda: lobbies.hand_over(host, lobby.id, host.id)) == "not_the_host"
    lobbies.remove_seat(heir, lobby.id, 0)
    assert seats_of(lobby) == {1: heir.id}


def test_a_banned_user_gets_the_buy_in_back_and_cannot_return_before_the_ban_is_lifted(
    new_user: NewUser,
) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=100))
    lobbies.join(guest, lobby.id)
    lobbies.ban(host, lobby.id, guest.id)
    lobbies.ban(host, lobby.id, guest.id)
    assert (balance(guest), seats_of(lobby)) == (1000, {0: host.id})
    assert refused(lambda: lobbies.join(guest, lobby.id)) == "banned"
    assert refused(lambda: lobbies.join_by_code(guest, lobby.invite_code)) == "banned"
    assert refused(lambda: lobbies.ban(guest, lobby.id, host.id)) == "not_the_host"
    assert refused(lambda: lobbies.ban(host, lobby.id, host.id)) == "forbidden"
    lobbies.unban(host, lobby.id, guest.id)
    lobbies.join(guest, lobby.id)


def test_the_number_of_bans_is_limited_and_a_ban_can_be_repeated(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "BARRED_MAX", 2)
    host, *others = [new_user() for _ in range(4)]
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.mute_by_operator(lobby.id, host.id)
    for bar, lift in ((lobbies.ban, lobbies.unban), (lobbies.mute, lobbies.unmute)):
        for person in (*others[:2], *others[:2]):
            bar(host, lobby.id, person.id)
        assert refused(partial(bar, host, lobby.id, others[2].id)) == "too_many_barred"
        lift(host, lobby.id, others[0].id)
        bar(host, lobby.id, others[2].id)
    assert {ban.user for ban in bans_in(lobby.id, host)} == set(others[1:])


# Visibility


def test_an_unlisted_lobby_is_visible_to_users_with_its_id(new_user: NewUser) -> None:
    host, friend, stranger = new_user(), new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", visibility="unlisted"))
    assert lobby not in lobbies_for(stranger)
    assert lobby_for(friend, lobby.id) == lobby
    lobbies.join(friend, lobby.id)
    assert lobby in lobbies_for(friend)
    game = start_game(host, lobby.id) if lobbies.set_ready(friend, lobby.id, ready=True) else None
    assert game is not None
    assert game not in games_for(stranger)
    assert game_for(stranger, game.id) == game
    assert event_loop.call(service.viewer_of(stranger.id, game.id)) is None


@pytest.mark.parametrize("visibility", ["public", "unlisted", "invite"])
def test_a_game_without_spectators_is_not_found_by_others(
    new_user: NewUser, visibility: Literal["public", "unlisted", "invite"]
) -> None:
    host, stranger = new_user(), new_user()
    lobby = lobbies.create(
        host,
        lobbies.LobbyChoices(slug="free_spots", visibility=visibility, spectators="none"),
    )
    game = start_game(host, lobby.id)
    assert game not in games_for(stranger)
    assert refused(lambda: game_for(stranger, game.id)) == "not_found"
    assert refused(lambda: event_loop.call(service.viewer_of(stranger.id, game.id))) == "not_found"
    assert game_for(host, game.id) == game


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_a_started_room_without_spectators_is_not_found_by_others(
    new_user: NewUser, visibility: Literal["public", "unlisted"]
) -> None:
    host, stranger = new_user(), new_user()
    choices = lobbies.LobbyChoices(slug="free_spots", visibility=visibility, spectators="none")
    lobby = lobbies.create(host, choices)
    assert lobby_for(stranger, lobby.id) == lobby, "others may join it"
    start_game(host, lobby.id)
    lobby.refresh_from_db()
    assert refused(lambda: lobby_for(stranger, lobby.id)) == "not_found"
    assert lobby not in lobbies_for(stranger)
    assert (may_see(stranger.id, lobby), is_listed_for(stranger.id, lobby)) == (False, False)
    talk = lambda: lobbies.send_message(stranger, lobby.id, uuid4(), "Hello")  # noqa: E731
    assert refused(talk) == "not_found"
    assert lobby_for(host, lobby.id) == lobby


def test_a_ban_during_the_game_ends_what_a_spectator_sees(new_user: NewUser) -> None:
    host, other, stranger = new_user(), new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", spectators="chat"))
    lobbies.join(other, lobby.id)
    lobbies.set_ready(other, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    assert refused(lambda: lobbies.ban(host, lobby.id, other.id)) == "lobby_not_open"
    assert room_for(stranger, lobby.id)
    lobbies.ban(host, lobby.id, stranger.id)
    for look in (
        lambda: room_for(stranger, lobby.id),
        lambda: game_for(stranger, game.id),
        lambda: event_loop.call(service.viewer_of(stranger.id, game.id)),
    ):
        assert refused(look) == "not_found"
    assert game not in games_for(stranger)
    lobbies.unban(host, lobby.id, stranger.id)
    assert event_loop.call(service.viewer_of(stranger.id, game.id)) is None
    assert room_for(stranger, lobby.id)


# Concurrency


class Scene:
    """A lobby for three with a buy-in, a host, a ready guest, and a user outside."""

    def __init__(self, new_user: NewUser) -> None:
        self.host, self.guest, self.other = new_user(), new_user(), new_user()
        self.lobby = lobbies.create(
            self.host, lobbies.LobbyChoices(slug="free_spots", buy_in=100, capacity=3)
        )
        lobbies.join(self.guest, self.lobby.id)
        lobbies.set_ready(self.guest, self.lobby.id, ready=True)

    def outcome(self, answers: list[object]) -> tuple[object, ...]:
        names = {self.host.id: "host", self.guest.id: "guest", self.other.id: "other"}
        lobby = Lobby.objects.get(id=self.lobby.id)
        seats = [
            (seat.number, names[seat.user_id] if seat.user_id else None, seat.ready)
            for seat in lobby.seats.order_by("number")
        ]
        money = [balance(person) for person in (self.host, self.guest, self.other)]
        codes = [answer if isinstance(answer, str) else "done" for answer in answers]
        return (
            *codes,
            lobby.status,
            names[lobby.host_id],
            str(seats),
            str(money),
            lobby.version,
        )


COMMANDS: dict[str, Callable[[Scene], object]] = {
    "join": lambda s: lobbies.join(s.other, s.lobby.id),
    "leave": lambda s: lobbies.leave(s.guest, s.lobby.id),
    "host_leaves": lambda s: lobbies.leave(s.host, s.lobby.id),
    "unready": lambda s: lobbies.set_ready(s.guest, s.lobby.id, ready=False),
    "start": lambda s: start_game(s.host, s.lobby.id),
    "kick": lambda s: lobbies.remove_seat(s.host, s.lobby.id, 1),
    "ban": lambda s: lobbies.ban(s.host, s.lobby.id, s.other.id),
    "hand_over": lambda s: lobbies.hand_over(s.host, s.lobby.id, s.guest.id),
    "take_seat": lambda s: lobbies.take_seat(s.guest, s.lobby.id, 2),
    "swap": lambda s: lobbies.swap_seats(s.host, s.lobby.id, 0, 1),
}
PAIRS = list(combinations(sorted(COMMANDS), 2))


@pytest.mark.parametrize(
    "pairs", [PAIRS[::9], pytest.param(PAIRS, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_concurrent_commands_have_the_effect_of_one_of_their_orders(
    new_user: NewUser, pairs: list[tuple[str, str]]
) -> None:
    """Send pairs of commands at once, each to a lobby of its own.

    The result must be that of the same pair one after the other, in one of both orders.
    """

    def one_by_one(*names: str) -> tuple[object, ...]:
        scene, answers = Scene(new_user), {}
        for name in names:
            try:
                answers[name] = COMMANDS[name](scene)
            except Problem as problem:
                answers[name] = problem.code
        return scene.outcome([answers[name] for name in sorted(names)])

    for one, other in pairs:
        legal = {one_by_one(one, other), one_by_one(other, one)}
        scene = Scene(new_user)
        at_once = scene.outcome(
            in_threads([partial(COMMANDS[name], scene) for name in (one, other)])
        )
        assert at_once in legal, (one, other)
    assert list(ledger_findings()) == []


def test_a_request_with_an_id_opens_one_lobby_and_stakes_once(new_user: NewUser) -> None:
    host, request = new_user(), uuid4()
    choices = lobbies.LobbyChoices(slug="free_spots", buy_in=100)
    opened = in_threads([partial(lobbies.create, host, choices, request=request)] * 6)
    assert len({lobby.id for lobby in opened if isinstance(lobby, Lobby)}) == 1, opened
    assert lobbies.create(host, choices, request=request) == opened[0]
    assert balance(host) == 900
    other = lobbies.LobbyChoices(slug="free_spots", buy_in=200)
    assert refused(lambda: lobbies.create(host, other, request=request)) == "request_id_reused"
    assert lobbies.create(new_user(), choices, request=request) != opened[0], "ids are the user's"


def test_a_quick_match_with_an_id_stakes_once_and_a_refused_id_stays_free(
    new_user: NewUser,
) -> None:
    seeker, request, boards = new_user(), uuid4(), int(uuid4()) % 10**9
    wanted = lobbies.TableChoices(
        slug="free_spots", options={"boards": boards}, buy_in=5000, capacity=2
    )
    look = partial(lobbies.quick_match, seeker, request=request)
    assert refused(lambda: look(wanted)) == "insufficient_funds"
    cheaper = msgspec.structs.replace(wanted, buy_in=100)
    found = look(cheaper)
    lobbies.leave(seeker, found.id)
    assert look(cheaper) == found, "the first answer, though the seeker has left"
    assert balance(seeker) == 1000
    assert refused(lambda: look(wanted)) == "request_id_reused"


def test_the_id_of_a_request_is_forgotten_after_a_week(new_user: NewUser) -> None:
    host, old, new = new_user(), uuid4(), uuid4()
    for request in (old, new):
        lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"), request=request)
    LobbyRequest.objects.filter(request=old).update(at=timezone.now() - timedelta(days=8))
    lobbies.forget_old()
    assert list(LobbyRequest.objects.filter(user=host).values_list("request", flat=True)) == [new]
