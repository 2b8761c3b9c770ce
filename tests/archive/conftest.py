"""A month long ago, its games, and a storage for them."""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path

import pytest
from django.test import override_settings

from games import lobbies
from games.archive import reading
from games.log.sealing import Sealer
from games.models import Game
from games.play import corrections
from kit import event_loop
from tests.archive.past import make_months, played_in
from tests.builders import NewGame, NewUser
from tests.moves import take_in_turn


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


def empty_months() -> Iterator[date]:
    """Make six months long ago at a time: each time, all tables are protected again."""
    for year, first in product(range(2001, 2020), (1, 7)):
        months = [date(year, first + number, 1) for number in range(6)]
        make_months(*months)
        yield from months


_months = empty_months()


@pytest.fixture
def month() -> Iterator[date]:
    """A month long ago, in which all games of the test are."""
    month = next(_months)
    with played_in(month):
        yield month


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Path]:
    reading.objects.cache_clear()
    with override_settings(ARCHIVE_URL=(tmp_path / "archive").as_uri()):
        yield tmp_path / "archive"
    reading.objects.cache_clear()


SPOTS = 12


@pytest.fixture
def games(
    month: date, storage: Path, own_log: Path, new_game: NewGame, new_user: NewUser
) -> list[Game]:
    """A finished game with a corrected bet, and a voided one. Both had buy-ins."""
    finished, voided = new_game(2, boards=1, spots=SPOTS), new_game(2)
    for spot in range(SPOTS):
        take_in_turn(finished, spot)
    for spot in range(5):
        take_in_turn(voided, spot)
    assert lobbies.settle_ended() >= 0
    event_loop.call(
        corrections.void_bet(finished.id, 7, "two chips were mixed up", finished.lobby.host_id)
    )
    event_loop.call(corrections.void(voided.id, "nobody came back"))
    lobbies.settle_ended()
    Sealer().seal()
    return [finished, voided]
