"""A database that went back: games continue from what is stored, whatever a process remembers."""

from uuid import uuid4

import pytest

from games.api.sockets.lobby_list import LobbyListFilter, LobbyListSubscription
from games.live.hubs import Outbox, switchboard
from games.live.room_followers import RoomFollowers
from games.models import Commit, Game, Head
from games.play import replay, service
from games.proofs.verification import verify_game
from games.store.commits import store
from games.store.loaded_games import loaded_games
from kit import event_loop, metrics
from kit.problems import Problem
from railbird_engine import Seat
from tests.builders import NewGame
from tests.moves import forget, take_in_turn
from tests.play.damaged import played
from tests.store.tampering import take_back, unprotected
from tests.workers.scene import make_due, race, step, ticks

pytestmark = pytest.mark.xdist_group("clock")


def lost_two(new_game: NewGame, *, moves_on: int = 0) -> Game:
    """A game that this process remembers at version 7, and that is stored at version 5. Others took
    it further on another way since then."""
    game = played(new_game)
    before = Head.objects.get(game=game)
    take_in_turn(game, 10)
    take_in_turn(game, 11)
    remembered = event_loop.call(_remembered(game))
    take_back(game, before)
    if moves_on:
        forget(game)
        for spot in range(20, 20 + moves_on):
            take_in_turn(game, spot)
        event_loop.call(_remember(game, remembered))
    return game


async def _remembered(game: Game) -> object:
    return loaded_games().loaded(game.id)


async def _remember(game: Game, loaded: object) -> None:
    loaded_games()._games[game.id] = loaded  # type: ignore[assignment]  # it was taken from there


@pytest.mark.parametrize("moves_on", [0, 1, 2, 3], ids=["behind", "nearer", "as long", "ahead"])
def test_commands_are_decided_on_what_is_stored(new_game: NewGame, moves_on: int) -> None:
    game = lost_two(new_game, moves_on=moves_on)
    assert take_in_turn(game, 10) == 6 + moves_on, "its spot was taken in the history that is lost"
    assert Head.objects.get(game=game).stalled == ""
    assert verify_game(game.id).findings == []


def test_a_lost_history_is_counted_after_a_failover_even_without_sockets(
    new_game: NewGame,
) -> None:
    game = lost_two(new_game)
    before = counted()
    event_loop.call(_fail_over())
    take_in_turn(game, 10)
    assert counted() == before + 1


def counted() -> float:
    (family,) = metrics.HISTORIES_LOST.collect()
    return family.samples[0].value


async def _fail_over() -> None:
    """Let the next connection show another timeline than those before."""
    connections = store().connections
    system, timeline = connections._identity or ("", 0)
    connections._identity = (system, timeline - 1)
    await store().close()


def test_sockets_of_a_game_that_is_gone_altogether_are_ended(new_game: NewGame) -> None:
    game, outbox = played(new_game), Outbox()

    async def follow() -> None:
        loaded = await service.at_head(game.id)
        assert switchboard().subscribe(loaded, None, outbox) is not None

    async def look() -> str:
        switchboard()._look_at_all()
        try:
            while True:
                await outbox.take()
        except Problem as problem:
            return f"{problem.code} {problem.data}"

    event_loop.call(follow())
    head = Head.objects.get(game=game)
    with unprotected("games_head") as owner:
        owner.execute("DELETE FROM games_head WHERE game_id = %s", [game.id])
    found = event_loop.call(look())
    head.save(force_insert=True)  # other tests read all games
    assert found == "history_lost {'version': 0, 'seen': 5}"
    assert event_loop.call(_remembered(game)) is None


@pytest.mark.parametrize("moves_on", [0, 2, 3])
def test_reads_and_past_views_are_of_what_is_stored(new_game: NewGame, moves_on: int) -> None:
    game = lost_two(new_game, moves_on=moves_on)
    event_loop.call(service.at_head(game.id))
    seen = event_loop.call(replay.views(game.id, Seat(0), 1, 50))
    assert [each.version for each in seen] == [*range(1, 6 + moves_on)]


def test_a_due_game_is_stepped_on_what_is_stored(new_game: NewGame) -> None:
    game = race(new_game)
    make_due(game)
    step()
    before = Head.objects.get(game=game)
    make_due(game)
    step()
    take_back(game, before)
    make_due(game)
    step()
    assert ticks(game) == [0, 1]


def test_past_views_of_a_lost_history_are_forgotten(new_game: NewGame) -> None:
    game = played(new_game, 60)
    before = Head.objects.get(game=game)
    assert len(event_loop.call(replay.views(game.id, None, 1, 100))) == 61
    take_back(game, Head(version=1, hash=first_hash(game), alarm=before.alarm, due_at=None))
    forget(game)
    for spot in range(60):
        take_in_turn(game, 59 - spot)
    assert len(event_loop.call(replay.views(game.id, None, 55, 100))) == 7


def first_hash(game: Game) -> bytes:
    return bytes(Commit.objects.get(game=game, version=1).hash)


def test_sockets_are_ended_when_a_new_connection_shows_another_timeline(new_game: NewGame) -> None:
    game = played(new_game)
    before = Head.objects.get(game=game)
    outbox = Outbox()

    async def follow() -> None:
        loaded = await service.at_head(game.id)
        await service.play(game.id, Seat(0), b'{"type":"take_spot","spot":30}', uuid4())
        assert switchboard().subscribe(loaded, None, outbox) is not None

    async def reconnect() -> str:
        await _fail_over()
        await service.at_head(game.id)
        try:
            while True:
                await outbox.take()
        except Problem as problem:
            return problem.code

    event_loop.call(follow())
    take_back(game, before)
    assert event_loop.call(reconnect()) == "history_lost"


def test_followers_of_the_list_of_lobbies_begin_again() -> None:
    outbox = Outbox()

    async def read() -> None:
        followers = RoomFollowers()
        followers._cursor = 2**50
        followers._feed.add(LobbyListSubscription(uuid4(), LobbyListFilter(), outbox))
        await followers._read_feed()
        assert not followers._feed

    event_loop.call(read())
    assert outbox.problem is not None
