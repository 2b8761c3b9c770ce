"""DamagedError rows of histories: nobody trusts them, and they stop nothing but their own game."""

from collections.abc import Sequence
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from games.log.sealing import Sealer
from games.models import Game, Head, Snapshot
from games.play import corrections, service
from games.store.commits import DamagedError
from games.store.loaded_games import SNAPSHOT_EVERY, loaded_games
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.audit.log import Kind
from tests.builders import NewGame
from tests.log.scene import logged
from tests.store.tampering import damage

CHANGES = {
    "body": ("UPDATE games_commit SET body = set_byte(body, 40, get_byte(body, 40) # 1) "
             "WHERE game_id = %(game)s AND version = 3", 3),
    "hash": ("UPDATE games_commit SET hash = sha256(hash) "
             "WHERE game_id = %(game)s AND version = 3", 3),
    "missing": ("DELETE FROM games_commit WHERE game_id = %(game)s AND version = 3", 3),
    "first": ("DELETE FROM games_commit WHERE game_id = %(game)s AND version = 1", 1),
    "last": ("DELETE FROM games_commit WHERE game_id = %(game)s AND version = 5", 5),
    "head": ("UPDATE games_head SET hash = sha256(hash) WHERE game_id = %(game)s", 5),
    "gap": ("UPDATE games_commit SET version = 60 WHERE game_id = %(game)s AND version = 5", 5),
}  # fmt: skip


def take(game: Game, spot: int) -> int:
    command = b'{"type":"take_spot","spot":%d}' % (spot % 68)
    return event_loop.call(service.play(game.id, Seat(spot % 2), command, uuid4())).version


def played(new_game: NewGame, spots: int = 4) -> Game:
    """A game at version `spots + 1`."""
    game = new_game(2)
    for spot in range(spots):
        take(game, spot)
    return game


async def _forget(game: Game) -> None:
    loaded_games().forget(game.id)


def forget(game: Game) -> None:
    """Forget a game as a process does that restarts."""
    event_loop.call(_forget(game))


def commits(game: Game, after: int = 0) -> Sequence[int]:
    return [commit.version for commit in event_loop.call(service.commits(game.id, after, 500))]


@pytest.mark.parametrize("kind", CHANGES)
def test_a_damaged_row_stalls_its_game_and_ends_its_stream(
    new_game: NewGame, own_log: object, kind: str
) -> None:
    change, version = CHANGES[kind]
    game = played(new_game)
    damage(game, change)
    forget(game)
    with pytest.raises(DamagedError) as refused:
        take(game, 10)
    assert refused.value.version == version
    head = Head.objects.get(game=game)
    assert (head.version, head.damaged) == (5, version)
    if version > 1:
        assert commits(game) == [*range(1, version)]
    with pytest.raises(DamagedError):
        commits(game, version - 1)
    Sealer().seal()
    assert [entry.kind for entry in logged(game)] == [Kind.OPENED]
    assert event_loop.call(corrections.void(game.id, "damaged"))
    assert Head.objects.get(game=game).ended == "voided"


def test_a_difference_that_the_sealer_finds_is_signed(new_game: NewGame, own_log: object) -> None:
    game = played(new_game)
    Sealer().seal()
    damage(game, CHANGES["last"][0])
    forget(game)
    with pytest.raises(DamagedError):
        take(game, 10)
    Sealer().seal()
    assert logged(game)[-1].kind is Kind.DIVERGED


def test_a_damaged_row_is_met_by_a_process_that_catches_up(new_game: NewGame) -> None:
    game = played(new_game)

    async def behind() -> None:
        loaded = await service.at_head(game.id)
        loaded.version -= 1

    damage(game, CHANGES["last"][0])
    event_loop.call(behind())
    with pytest.raises(DamagedError):
        take(game, 10)


@pytest.mark.parametrize(
    "change",
    [
        "state = replace(convert_from(state, 'UTF8'), '1', '2')::bytea",
        "hash = sha256(hash)",
        "drawn = 7",
        "digest = sha256(digest)",
    ],
)
def test_a_wrong_snapshot_is_dropped(new_game: NewGame, change: str) -> None:
    game = played(new_game, SNAPSHOT_EVERY)
    right = event_loop.call(service.at_head(game.id)).state
    damage(game, f"UPDATE games_snapshot SET {change} WHERE game_id = %(game)s")
    forget(game)
    with capture_logs() as logs:
        assert event_loop.call(service.at_head(game.id)).state == right
    assert [line["event"] for line in logs] == ["snapshot_dropped"]
    assert not Snapshot.objects.filter(game=game).exists()
