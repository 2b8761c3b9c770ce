"""A row that nobody can read stops no sweep: the others get their turn."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
from django.utils import timezone

from games import following, lobbies
from games.api.sockets.lobby_list import list_for
from games.lobbies import periodic
from games.lobbies.money import NotSettledError
from games.log.sealing import Sealer
from games.models import Follower, Game, Head, Lobby
from games.play import absence
from games.reads import absences
from kit import event_loop
from notices import inbox
from railbird_engine import Seat
from tests.api.rest import Caller
from tests.api.terms import owner
from tests.builders import NewGame, NewUser, start_game
from tests.log.scene import logged
from tests.moves import forget, take
from tests.store.tampering import damage, unprotected
from tests.waiting import until
from tests.workers.scene import make_due, race, step, ticks

pytestmark = pytest.mark.xdist_group("clock")

Pair = tuple[Game, Game]


def spoil_genesis(game: Game) -> None:
    with unprotected("games_game") as connection:
        connection.execute("UPDATE games_game SET genesis = 'x' WHERE id = %s", [game.id])
    forget(game)


def spoil_commit(game: Game) -> None:
    damage(
        game,
        "UPDATE games_commit SET body = 'x' WHERE game_id = %(game)s AND version = 1",
    )
    forget(game)


def clock(new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    hurt, well = race(new_game), race(new_game)
    spoil_commit(hurt)
    make_due(hurt, timedelta(seconds=9))
    make_due(well)
    step()
    assert (ticks(well), Head.objects.get(game=hurt).damaged) == ([0], 1)
    make_due(well)
    assert step() >= 1, "the damaged game is no longer due"


def finished(new_user: NewUser) -> Game:
    host = new_user()
    choices = lobbies.LobbyChoices(slug="free_spots", buy_in=100, options={"boards": 1})
    game = start_game(host, lobbies.create(host, choices).id)
    for spot in range(68):
        take(game, spot)
    return game


def settlement(new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    hurt, well = finished(new_user), finished(new_user)
    spoil_commit(hurt)
    with pytest.raises(NotSettledError, match=str(hurt.id)):
        lobbies.settle_ended()
    assert Head.objects.get(game=well).settled
    Head.objects.filter(game=hurt).update(settled=True)


def sealer(new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    hurt, well = new_game(2), new_game(2)
    spoil_genesis(hurt)
    Sealer().seal()
    Sealer().seal()
    assert [entry.version for entry in logged(well)] == [0, 0, 1]
    assert Head.objects.get(game=hurt).damaged == 0


def replacing(new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    hurt, well = race(new_game), race(new_game)
    spoil_commit(hurt)
    asked: list[object] = []
    monkeypatch.setattr(
        absences, "absent_from_games", lambda _: [(hurt.id, 0, False), (well.id, 0, False)]
    )
    monkeypatch.setattr(absence, "replace", _noting(asked, absence.replace))
    periodic.replace_absent()
    assert asked == [hurt.id, well.id]


def _noting(asked: list[object], work: Callable[..., object]) -> Callable[..., object]:
    def noting(game: object, *arguments: object, **more: object) -> object:
        asked.append(game)
        return work(game, *arguments, **more)

    return noting


def voiding(new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    hurt, well = new_game(2), new_game(2)
    spoil_genesis(hurt)
    monkeypatch.setattr(absences, "abandoned_games", lambda *_: [hurt.id, well.id])
    assert periodic.void_abandoned() == 1
    assert Head.objects.get(game=well).ended == "voided"


def seating(new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    choices = lobbies.LobbyChoices(slug="free_spots", capacity=2)
    hurt, well = (lobbies.create(new_user(), choices) for _ in range(2))
    now = timezone.now()
    Lobby.objects.filter(id=hurt.id).update(bots_due_at=now - timedelta(seconds=9))
    Lobby.objects.filter(id=well.id).update(bots_due_at=now)
    set_terms(hurt, b"x")
    periodic.seat_due_bots()
    assert Lobby.objects.get(id=well.id).bots_due_at is None
    followed = {lobby.id for lobby in list_for(hurt.host_id, None)[1]}
    assert (well.id in followed, hurt.id in followed) == (True, False)
    listed = {lobby["id"] for lobby in Caller(hurt.host).get("/lobbies/").data["items"]}
    assert (str(well.id) in listed, str(hurt.id) in listed) == (True, False)
    set_terms(hurt, bytes(hurt.terms))
    Lobby.objects.filter(id=hurt.id).update(bots_due_at=None)


def set_terms(lobby: Lobby, terms: bytes) -> None:
    with owner() as connection:
        connection.execute("UPDATE games_lobby SET terms = %s WHERE id = %s", [terms, lobby.id])


def telling(new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    def follows() -> bool:
        following.follow()  # nothing while a process of another test follows
        return Follower.objects.filter(name="log").exists()

    until(follows, "the follower")
    hurt, well = new_game(3), new_game(3)
    for game in (hurt, well):
        event_loop.call(absence.resign(game.id, Seat(1)))
    spoil_commit(hurt)
    Sealer().seal()
    leaver = Lobby.objects.get(id=well.lobby_id).seats.get(number=1).user
    assert leaver is not None

    def is_told() -> bool:
        following.follow()
        kinds = [each.kind for each in inbox.read_after(leaver.id, 0, 9).notices]
        return kinds[-1:] == ["seat_replaced"]

    until(is_told, "the notice")


SWEEPS: Final = (clock, settlement, sealer, replacing, voiding, seating, telling)


@pytest.mark.parametrize("sweep", SWEEPS)
def test_a_row_that_nobody_can_read_stops_no_sweep(
    own_log: object,
    new_game: NewGame,
    new_user: NewUser,
    monkeypatch: pytest.MonkeyPatch,
    sweep: Callable[..., None],
) -> None:
    sweep(new_game, new_user, monkeypatch)
