"""Lobbies before a game: seats, hosts, buy-ins and payouts, with the real database."""

from functools import partial
from uuid import uuid4

import pytest

from accounts.models import User
from games import lobbies
from games.models import Game, Head, Lobby
from games.models import Seat as LobbySeat
from games.play import corrections, service
from games.proofs.verification import ledger_findings, verify_game
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel.payouts import share
from tests.builders import NewUser, start_game
from tests.lobbies.scene import balance, in_threads, refused
from tests.moves import take, take_in_turn


def test_a_lobby_seats_as_many_as_its_options_allow(new_user: NewUser) -> None:
    assert (
        lobbies.create(
            new_user(), lobbies.LobbyChoices(slug="ready_set_bet", options={"mode": "app"})
        ).capacity
        == 8
    )
    assert (
        lobbies.create(
            new_user(),
            lobbies.LobbyChoices(slug="ready_set_bet", options={"mode": "betting_announcer"}),
        ).capacity
        == 9
    )
    assert (
        refused(
            lambda: lobbies.create(
                new_user(), lobbies.LobbyChoices(slug="ready_set_bet", capacity=9)
            )
        )
        == "wrong_capacity"
    )


def test_joining_twice_changes_nothing(new_user: NewUser) -> None:
    lobby, guest = lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots")), new_user()
    lobbies.join(guest, lobby.id)
    lobbies.join(guest, lobby.id)
    assert LobbySeat.objects.filter(lobby=lobby).count() == 2


def test_the_last_seat_is_taken_once(new_user: NewUser) -> None:
    lobby = lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots", capacity=2))
    people = [new_user() for _ in range(8)]
    answers = in_threads([partial(lobbies.join, person, lobby.id) for person in people])
    assert sorted(map(str, answers)).count("lobby_full") == 7
    assert LobbySeat.objects.filter(lobby=lobby).count() == 2


def test_a_host_who_leaves_hands_over_to_the_next_person_not_to_a_bot(new_user: NewUser) -> None:
    host, heir = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.add_bot(host, lobby.id)
    lobbies.join(heir, lobby.id)
    lobbies.leave(host, lobby.id)
    assert Lobby.objects.get(id=lobby.id).host == heir
    lobbies.leave(heir, lobby.id)
    assert Lobby.objects.get(id=lobby.id).status == Lobby.Status.CLOSED


def test_only_the_host_adds_bots_removes_seats_and_starts(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.join(guest, lobby.id)
    assert refused(lambda: lobbies.add_bot(guest, lobby.id)) == "not_the_host"
    assert refused(lambda: lobbies.remove_seat(guest, lobby.id, 0)) == "not_the_host"
    assert refused(lambda: start_game(guest, lobby.id)) == "not_the_host"
    lobbies.remove_seat(host, lobby.id, 1)
    assert LobbySeat.objects.filter(lobby=lobby).count() == 1


def test_a_game_starts_once_and_when_all_users_are_ready(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.join(guest, lobby.id)
    assert refused(lambda: start_game(host, lobby.id)) == "not_ready"
    lobbies.set_ready(guest, lobby.id, ready=True)
    answers = in_threads([lambda: start_game(host, lobby.id)] * 4)
    assert sum(isinstance(answer, Game) for answer in answers) == 1
    assert answers.count("lobby_not_open") == 3


def test_seats_of_a_game_have_no_gaps(new_user: NewUser) -> None:
    host, leaver, stayer = new_user(), new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.join(leaver, lobby.id)
    lobbies.join(stayer, lobby.id)
    lobbies.leave(leaver, lobby.id)
    lobbies.set_ready(stayer, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    assert event_loop.call(service.viewer_of_request(stayer.id, game.id)) == Seat(1)


def test_a_buy_in_is_in_escrow_and_returned_on_leaving(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=100))
    lobbies.join(guest, lobby.id)
    assert (balance(host), balance(guest)) == (900, 900)
    lobbies.leave(guest, lobby.id)
    assert balance(guest) == 1000
    assert list(ledger_findings()) == []


def test_a_user_without_funds_cannot_take_a_seat(new_user: NewUser) -> None:
    lobby = lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots", buy_in=700))
    poor = new_user()
    lobbies.create(poor, lobbies.LobbyChoices(slug="free_spots", buy_in=700))
    assert refused(lambda: lobbies.join(poor, lobby.id)) == "insufficient_funds"
    assert balance(poor) == 300
    assert LobbySeat.objects.filter(lobby=lobby).count() == 1


def test_neither_guests_nor_bots_can_join_with_a_buy_in(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=10))
    guest = User.objects.create(username=uuid4().hex, is_guest=True)
    assert refused(lambda: lobbies.join(guest, lobby.id)) == "guests_cannot_stake"
    assert refused(lambda: lobbies.add_bot(host, lobby.id)) == "bots_cannot_stake"


def finished_game(new_user: NewUser, buy_in: int) -> tuple[Game, list[User]]:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(
        host,
        lobbies.LobbyChoices(slug="free_spots", options={"boards": 1, "spots": 6}, buy_in=buy_in),
    )
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    for spot in range(6):
        take_in_turn(game, spot)
    return game, [host, guest]


def test_concurrent_payouts_pay_once(new_user: NewUser) -> None:
    game, people = finished_game(new_user, buy_in=101)
    in_threads([lobbies.settle_ended] * 4)
    assert Head.objects.get(game=game).settled
    assert [balance(person) for person in people] == [1000, 1000], (
        "both finished level and share the pot"
    )
    assert verify_game(game.id).findings == []
    assert list(ledger_findings()) == []


def test_payouts_are_counted_and_are_so_many_at_most(new_user: NewUser) -> None:
    lobbies.settle_ended(most=10_000)
    for _ in range(2):
        finished_game(new_user, buy_in=10)
    assert [lobbies.settle_ended(most=1) for _ in range(3)] == [1, 1, 0]


def test_a_voided_game_is_refunded_and_its_open_bets_are_void(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=40))
    game = start_game(host, lobby.id)
    take(game, 1)
    assert event_loop.call(corrections.void(game.id, "the power went out"))
    assert not event_loop.call(corrections.void(game.id, "twice"))
    lobbies.settle_ended(most=10_000)
    assert balance(host) == 1000
    assert game.settlements.get().outcome == "void"
    assert refused(lambda: take(game, 2)) == "game_voided"
    assert verify_game(game.id).findings == []


@pytest.mark.parametrize(
    ("pot", "prizes", "ranking", "expected"),
    [
        (300, [100], [[2], [0], [1]], {2: 300, 0: 0, 1: 0}),
        (300, [100], [[0, 1], [2]], {0: 150, 1: 150, 2: 0}),
        (301, [100], [[0, 1], [2]], {0: 151, 1: 150, 2: 0}),
        (100, [60, 30, 10], [[1], [0], [2]], {1: 60, 0: 30, 2: 10}),
        (100, [60, 30, 10], [[0, 1], [2]], {0: 45, 1: 45, 2: 10}),
        (100, [60, 30, 10], [[0], [1]], {0: 67, 1: 33}),
        (7, [1, 1], [[0, 1, 2]], {0: 3, 1: 2, 2: 2}),
    ],
)
def test_the_pot_is_shared_by_rank_to_the_last_coin(
    pot: int, prizes: list[int], ranking: list[list[int]], expected: dict[int, int]
) -> None:
    shares = share(pot, prizes, ranking)
    assert shares == expected
    assert sum(shares.values()) == pot
