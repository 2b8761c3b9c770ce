"""Commands and reads look into the archive alone, so that it fails and delays no other game."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import OperationalError
from structlog.testing import capture_logs

from games.archive import reading
from games.models import ArchivedGame, Game
from games.play import corrections, service
from games.store.commits import store
from games.store.loaded_games import SNAPSHOT_EVERY, loaded_games
from games.store.rows import HeadQuery, HeadState
from kit import event_loop
from kit.problems import Problem
from tests.builders import NewGame
from tests.moves import take


@pytest.fixture
def ended_and_running(new_game: NewGame, monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """An ended game and a running one, both as if of an earlier month."""
    monkeypatch.setattr(reading, "may_be_archived", lambda game: True)
    ended, running = new_game(2), new_game(2)
    take(running, 1, 1)
    event_loop.call(corrections.void(ended.id, "nobody came back"))
    return [ended, running]


@contextmanager
def unknown_archive() -> Iterator[None]:
    """Until the end of the block, the database does not say which games are archived."""
    silent = OperationalError("couldn't get a connection after 10.00 sec")
    with patch("games.archive.reading.archived_among", side_effect=silent):
        yield


def test_a_game_whose_archive_cannot_be_asked_fails_no_other(ended_and_running: list[Game]) -> None:
    async def read_together() -> list[HeadState | BaseException]:
        asked = [HeadQuery(game.id, 0, uuid4()) for game in ended_and_running]
        return await asyncio.gather(*map(store().head, asked), return_exceptions=True)

    with unknown_archive():
        ended, running = event_loop.call(read_together())
    assert isinstance(ended, Problem)
    assert ended.code == "unavailable"
    assert isinstance(running, HeadState)
    assert (running.version, running.ended, running.committed_as) == (2, "", None)


def test_an_archive_that_is_slow_delays_no_other_game(
    ended_and_running: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = Event(), Event()

    def slow(games: object) -> list[ArchivedGame]:
        asked.set()
        assert answered.wait(10), "the other game waits for the archive"
        return []

    monkeypatch.setattr(reading, "archived_among", slow)
    ended, running = (HeadQuery(game.id, 0, uuid4()) for game in ended_and_running)

    async def read_together() -> tuple[HeadState, HeadState]:
        first = asyncio.gather(*(store().head(ended) for _ in range(3)))
        await asyncio.to_thread(asked.wait, 10)
        second = await store().head(running)
        answered.set()
        return (await first)[0], second

    first, second = event_loop.call(read_together())
    assert (first.ended, second.ended) == ("voided", "")


def test_a_running_game_is_loaded_from_its_snapshot_without_the_archive(
    ended_and_running: list[Game],
) -> None:
    game = ended_and_running[1]

    async def load_again() -> int:
        loaded = await service.at_head(game.id)
        loaded._snapshot_at = -SNAPSHOT_EVERY
        snapshot = loaded.snapshot()
        assert snapshot is not None
        await store().keep_snapshot(game.id, snapshot)
        loaded_games().forget(game.id)
        return (await service.at_head(game.id)).version

    with unknown_archive(), capture_logs() as logs:
        assert event_loop.call(load_again()) == 2
    assert [line for line in logs if line["event"] == "game_stalled"] == []
