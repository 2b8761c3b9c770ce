"""DamagedError rows of histories: nobody trusts them, and they stop nothing but their own game."""

from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from games.log.sealing import Sealer
from games.models import Game, Head, Snapshot
from games.play import corrections, service
from games.store.commits import DamagedError
from games.store.loaded_games import SNAPSHOT_EVERY
from kit import event_loop
from railbird_engine.kernel.chain import Kind
from tests.builders import NewGame
from tests.log.scene import logged
from tests.moves import forget, take_in_turn
from tests.play.damaged import CHANGES, played
from tests.store.tampering import damage
from tests.waiting import until


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
        take_in_turn(game, 10)
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
        take_in_turn(game, 10)
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
        take_in_turn(game, 10)


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
    until(
        Snapshot.objects.filter(game=game).exists, "the snapshot that is stored in the background"
    )
    damage(game, f"UPDATE games_snapshot SET {change} WHERE game_id = %(game)s")
    forget(game)
    with capture_logs() as logs:
        assert event_loop.call(service.at_head(game.id)).state == right
    told = [line["event"] for line in logs if line.get("game") == str(game.id)]
    assert told == ["snapshot_dropped"]
    assert not Snapshot.objects.filter(game=game).exists()
