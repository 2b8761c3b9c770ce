"""Absent players: bots replace them, seats forfeit, lobbies empty, and abandoned games end."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games import lobbies
from games.live import presence
from games.models import Commit, Game, Head, Lobby, Presence, Schedule
from games.models import Seat as LobbySeat
from games.play import absence, service
from games.proofs.everything import lobby_and_game_findings
from games.proofs.verification import ledger_findings, verify_game
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel.payouts import forfeits_last
from tests.builders import NewUser
from tests.lobbies.scene import balance, refused
from tests.looks import bots_look
from tests.moves import forget, take
from tests.waiting import until

AGO = timedelta(hours=30)


SPOTS = 12


def started(new_user: NewUser, **choices: Any) -> tuple[Game, User, User]:
    """A game of two users."""
    host, guest = new_user(), new_user()
    lobby = lobbies.create(
        host,
        lobbies.LobbyChoices(
            slug="free_spots",
            options={"boards": 1, "spots": SPOTS},
            capacity=2,
            start_when_full=True,
            **choices,
        ),
    )
    lobbies.join(guest, lobby.id)
    return Game.objects.get(lobby=lobby), host, guest


def seen(lobby: Lobby, user: User, ago: timedelta, *, connected: bool = False) -> None:
    moment = timezone.now() - ago
    Presence.objects.create(
        lobby_id=lobby.id, user_id=user.id, process=uuid4(), connected=connected, seen_at=moment
    )


def by_seats(game: Game) -> list[int | None]:
    return list(Commit.objects.filter(game=game).order_by("version").values_list("seat", flat=True))


def replaced(game: Game) -> list[int]:
    """The seats that bots play after a sweep, according to the head."""
    lobbies.replace_absent(most=1000)
    return Head.objects.get(game=game).stand_ins


def test_a_bot_plays_until_the_user_returns_and_the_game_can_be_replayed(new_user: NewUser) -> None:
    game, _, _ = started(new_user)
    assert event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))
    assert not event_loop.call(absence.replace(game.id, Seat(1), forfeits=False)), (
        "a bot plays already"
    )
    head, schedule = Head.objects.get(game=game), Schedule.objects.get(game=game)
    assert (head.stand_ins, head.bots, schedule.bots_due_at is None) == ([1], 1, False)
    bots_look(game.id)
    assert by_seats(game) == [None, None, 1]
    taken = event_loop.call(service.view(game.id, None)).view.taken  # type: ignore[attr-defined]
    free = next(spot for spot in range(SPOTS) if spot not in taken)
    assert take(game, free, 1) == 5, "the return is a commit of its own"
    head, schedule = Head.objects.get(game=game), Schedule.objects.get(game=game)
    assert (head.stand_ins, head.bots, schedule.bots_due_at) == ([], 0, None)
    bots_look(game.id)
    assert refused(lambda: take(game, (free + 1) % SPOTS, 1, by_bot=True)) == "seat_taken"
    assert by_seats(game) == [None, None, 1, None, 1]
    assert verify_game(game.id).findings == []


def test_another_process_reads_from_the_log_who_plays(new_user: NewUser) -> None:
    game, _, _ = started(new_user)
    take(game, 1, 0)
    event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))

    forget(game)
    bots_look(game.id)
    assert by_seats(game)[-1] == 1
    event_loop.call(absence.come_back(game.id, Seat(1)))
    forget(game)
    bots_look(game.id)
    assert by_seats(game)[-1] is None


def test_a_user_and_their_bot_at_once_lose_no_commit(new_user: NewUser) -> None:
    game, _, _ = started(new_user)
    event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))

    def bot() -> None:
        try:
            bots_look(game.id)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        bots = [pool.submit(bot) for _ in range(3)]
        returned = pool.submit(event_loop.call, absence.come_back(game.id, Seat(1)))
        for future in (*bots, returned):
            future.result(30)
    seats = by_seats(game)
    assert seats.count(None) == 3, "started, replaced, returned"
    assert seats[-1] is None, "after the return no bot played"
    assert verify_game(game.id).findings == []


def test_an_absent_player_is_replaced_if_the_lobby_allows_it(
    new_user: NewUser,
) -> None:
    game, host, guest = started(new_user, absence="bot", absence_s=60)
    seen(game.lobby, host, timedelta(seconds=5), connected=True)
    seen(game.lobby, guest, timedelta(seconds=30))
    assert replaced(game) == []
    Lobby.objects.filter(id=game.lobby_id).update(absence_s=0)
    assert replaced(game) == [1]
    Presence.objects.filter(user_id=host.id).update(seen_at=timezone.now() - timedelta(seconds=61))
    assert replaced(game) == [0, 1], "a process that died keeps nobody connected"
    assert verify_game(game.id).findings == []


def test_a_request_counts_as_presence_for_a_while(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, host, guest = started(new_user, absence="bot", absence_s=0)
    seen(game.lobby, host, timedelta(seconds=0), connected=True)
    monkeypatch.setattr(presence, "REQUEST_LASTS_S", 3600.0)
    assert event_loop.call(service.viewer_of_request(guest.id, game.id)) == Seat(1)
    until(lambda: is_here(game.lobby, guest), "the request to be stored")
    assert replaced(game) == []
    monkeypatch.setattr(presence, "REQUEST_LASTS_S", 0.0)
    event_loop.call(service.viewer_of_request(guest.id, game.id))
    until(lambda: not is_here(game.lobby, guest), "the request to be forgotten")
    assert replaced(game) == [1]
    assert why_gone(game.lobby, guest) == "silent"


def test_the_last_connection_sets_the_disconnect_reason_despite_later_requests(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _, guest = started(new_user)

    async def connect_and_leave() -> None:
        monkeypatch.setattr(presence, "REQUEST_LASTS_S", 0.2)
        presence.presence().connected(game.lobby_id, guest.id)
        presence.presence().connected(game.lobby_id, guest.id)
        presence.presence().disconnected(game.lobby_id, guest.id, "lost")
        presence.presence().record_request(game.lobby_id, guest.id)
        presence.presence().disconnected(game.lobby_id, guest.id, "left")

    event_loop.call(connect_and_leave())
    until(lambda: is_here(game.lobby, guest), "the request to be stored")
    until(lambda: not is_here(game.lobby, guest), "the request to be forgotten")
    assert why_gone(game.lobby, guest) == "left"


def test_a_connection_that_the_server_closes_ends_presence_by_requests(new_user: NewUser) -> None:
    """A process that is stopped would not see the requests end."""
    game, _, guest = started(new_user)

    async def close() -> None:
        presence.presence().connected(game.lobby_id, guest.id)
        presence.presence().record_request(game.lobby_id, guest.id)
        presence.presence().disconnected(game.lobby_id, guest.id, "closed")

    event_loop.call(close())
    until(lambda: why_gone(game.lobby, guest) == "closed", "the end to be stored")
    assert not is_here(game.lobby, guest)


def why_gone(lobby: Lobby, user: User) -> str:
    row = Presence.objects.filter(lobby_id=lobby.id, user_id=user.id).first()
    return "" if row is None else row.disconnect_reason


def is_here(lobby: Lobby, user: User) -> bool:
    return Presence.objects.filter(lobby_id=lobby.id, user_id=user.id, connected=True).exists()


def test_nobody_is_replaced_in_a_lobby_that_waits(new_user: NewUser) -> None:
    game, _, _ = started(new_user, absence_s=0)
    assert replaced(game) == []


def test_a_seat_that_forfeits_is_played_to_the_end_and_takes_no_share(new_user: NewUser) -> None:
    game, host, guest = started(new_user, absence="forfeit", absence_s=0, buy_in=100)
    seen(game.lobby, host, timedelta(seconds=1), connected=True)
    assert replaced(game) == [1]
    assert refused(lambda: take(game, 3, 1)) == "seat_forfeited"
    for spot in range(SPOTS):
        take(game, spot, spot % 2, by_bot=bool(spot % 2))
    lobbies.settle_ended(most=10_000)
    assert (balance(host), balance(guest)) == (1100, 900), "they finished level"
    assert list(lobby_and_game_findings(game.lobby_id)) == []


def test_a_player_resigns_at_any_time_also_after_a_bot_took_over(new_user: NewUser) -> None:
    game, host, guest = started(new_user, buy_in=100)
    event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))
    for _ in range(2):
        event_loop.call(absence.resign(game.id, Seat(1)))
    head = Head.objects.get(game=game)
    assert (head.stand_ins, head.forfeited) == ([1], [1])
    assert refused(lambda: take(game, 3, 1)) == "seat_forfeited"
    for spot in range(SPOTS):
        take(game, spot, spot % 2, by_bot=bool(spot % 2))
    assert refused(lambda: event_loop.call(absence.resign(game.id, Seat(0)))) == "game_has_ended"
    lobbies.settle_ended(most=10_000)
    assert (balance(host), balance(guest)) == (1100, 900)
    assert verify_game(game.id).findings == []


@pytest.mark.parametrize(
    ("ranking", "forfeited", "expected"),
    [
        ([[0], [1, 2]], [], [[0], [1, 2]]),
        ([[0], [1, 2]], [0], [[1, 2], [0]]),
        ([[0, 1], [2]], [1, 2], [[0], [1, 2]]),
        ([[0], [1]], [0, 1], [[0], [1]]),
    ],
)
def test_a_forfeited_seat_ranks_last(
    ranking: list[list[int]], forfeited: list[int], expected: list[list[int]]
) -> None:
    assert forfeits_last(ranking, forfeited) == expected


# Abandoned lobbies and games


def test_an_absent_user_leaves_the_lobby_with_a_refund_and_the_last_one_closes_it(
    new_user: NewUser,
) -> None:
    host, guest, here = new_user(), new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=100))
    for person in (guest, here):
        lobbies.join(person, lobby.id)
    LobbySeat.objects.filter(lobby=lobby).update(taken_at=timezone.now() - AGO)
    seen(lobby, guest, timedelta(hours=2), connected=True)
    seen(lobby, here, timedelta(seconds=1), connected=True)
    lobbies.time_out_absent(most=1000)
    lobby.refresh_from_db()
    assert list(lobby.seats.values_list("user", flat=True)) == [here.id]
    assert (lobby.host, lobby.status) == (here, Lobby.Status.OPEN)
    Presence.objects.filter(user_id=here.id).update(seen_at=timezone.now() - AGO)
    lobbies.time_out_absent(most=1000)
    lobbies.time_out_absent(most=1000)
    lobby.refresh_from_db()
    assert lobby.status == Lobby.Status.CLOSED
    assert [balance(person) for person in (host, guest, here)] == [1000, 1000, 1000]
    assert list(ledger_findings()) == []


def watch_all_but(watcher: User, *left: Game) -> None:
    """Be present at all other games, of other tests too."""
    later = timezone.now() + timedelta(hours=1)
    Presence.objects.bulk_create(
        Presence(
            lobby_id=lobby, user_id=watcher.id, process=uuid4(), connected=False, seen_at=later
        )
        for lobby in Game.objects.exclude(id__in=[game.id for game in left]).values_list(
            "lobby_id", flat=True
        )
    )


def test_a_game_whose_seed_was_changed_keeps_no_other_from_being_voided(
    new_user: NewUser, settings: Any
) -> None:
    settings.GAME_ABANDONED_S = 0
    changed, *_ = started(new_user)
    left, *_ = started(new_user)
    box = bytes(changed.lobby.seed_box)
    Lobby.objects.filter(id=changed.lobby_id).update(seed_box=box[:-1] + bytes([box[-1] ^ 1]))
    watch_all_but(new_user(), changed, left)
    lobbies.void_abandoned(most=1000)
    assert Head.objects.get(game=changed).ended == Head.Ended.NO
    assert Head.objects.get(game=left).ended == Head.Ended.VOIDED
    Lobby.objects.filter(id=changed.lobby_id).update(seed_box=box)
    lobbies.void_abandoned(most=1000)
    assert Head.objects.get(game=changed).ended == Head.Ended.VOIDED


def test_an_abandoned_game_is_voided_unless_it_is_for_coins(
    new_user: NewUser, settings: Any
) -> None:
    """A refund would reward leaving; bots play a game for coins to its end."""
    settings.GAME_ABANDONED_S = 0
    left, *_ = started(new_user)
    staked, host, guest = started(new_user, buy_in=100)
    watched, *_ = started(new_user)
    watch_all_but(new_user(), left)
    lobbies.void_abandoned(most=1000)
    lobbies.void_abandoned(most=1000)
    assert Head.objects.get(game=left).ended == Head.Ended.VOIDED
    assert Head.objects.get(game=watched).ended == Head.Ended.NO
    assert Head.objects.get(game=staked).ended == Head.Ended.NO
    lobbies.settle_ended(most=10_000)
    assert (balance(host), balance(guest)) == (900, 900)
    assert verify_game(left.id).findings == []
