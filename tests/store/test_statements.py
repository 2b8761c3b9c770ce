"""The parameters of the append statement."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from games.models import Bet, Commit, Game
from games.store.connections import conninfo
from games.store.loaded_games import loaded_games
from games.store.rows import NewCommit
from games.store.statements import append_query
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel.bets import BetRow
from tests.builders import NewGame


class Place(StrEnum):
    WIN = "win"


class Bonus(IntEnum):
    FIVE = 5


TEXTS = (
    "win:7",
    "",
    " ",
    "a,b",
    "{}",
    "null",
    '"',
    "\\",
    '\\"',
    "\\x00",
    "é 𝄞",
    "'; --",
    "\n",
    Place.WIN,
)


@pytest.fixture
def next_of(new_game: NewGame) -> Callable[[], NewCommit]:
    """Decide the first move of a new game."""

    async def decided(game: Game) -> NewCommit:
        loaded = await loaded_games().get(game.id)
        command = loaded.rules.command_type(spot=3)
        return loaded.decide(Seat(0), command, uuid4())

    return lambda: event_loop.call(decided(new_game()))


def append(connection: psycopg.Connection[Any], *commits: NewCommit) -> int:
    return len(connection.execute(*append_query(commits), prepare=True).fetchall())


def test_texts_and_bytes_are_stored_as_they_are(next_of: Callable[[], NewCommit]) -> None:
    first = next_of()
    bets = [BetRow(100 + place, 0, text, Bonus.FIVE, text) for place, text in enumerate(TEXTS)]
    body = bytes(range(256)) * 2
    with psycopg.connect(conninfo(), autocommit=True) as connection:
        assert append(connection, first._replace(bets=bets, body=body)) == 1
    stored = Bet.objects.filter(game=first.game).order_by("number")
    assert [(bet.spot, bet.odds) for bet in stored] == [(text, text) for text in TEXTS]
    assert {bet.stake for bet in stored} == {Bonus.FIVE}
    assert bytes(Commit.objects.get(game=first.game, version=first.version).body) == body


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, [("stored", None)]),
        ({"alarm": 1, "after_ms": 1500.0}, [("stored", timedelta(seconds=1.5))]),
        ({"answers": 1}, []),
        ({"not_after": datetime(2026, 1, 1, tzinfo=UTC)}, []),
        ({"not_after": datetime(2999, 1, 1, tzinfo=UTC)}, [("stored", None)]),
    ],
    ids=["plain", "an alarm", "an alarm that is not awaited", "too late", "in time"],
)
def test_a_commit_is_stored_alike_alone_and_as_the_first_of_a_run(
    next_of: Callable[[], NewCommit], changes: dict[str, Any], expected: list[Any]
) -> None:
    alone, first = (next_of()._replace(bets=(), postings=(), **changes) for _ in range(2))
    second = first._replace(version=first.version + 1, command_id=uuid4(), answers=None)
    with psycopg.connect(conninfo(), autocommit=True) as connection:
        of_one = connection.execute(*append_query([alone])).fetchall()
        of_run = connection.execute(*append_query([first, second])).fetchall()
    found = [("stored", next_at and next_at - at) for _, _, at, next_at in of_one]
    assert found == expected
    assert [("stored", next_at and next_at - at) for _, _, at, next_at in of_run] == 2 * expected


def test_a_known_command_is_not_stored_again_alone_or_in_a_run(
    next_of: Callable[[], NewCommit],
) -> None:
    first = next_of()._replace(bets=(), postings=())
    again = first._replace(version=first.version + 1, previous=first.hash)
    other = again._replace(command_id=uuid4())
    with psycopg.connect(conninfo(), autocommit=True) as connection:
        assert append(connection, first) == 1
        assert append(connection, again) == 0
        assert append(connection, again, other._replace(version=again.version + 1)) == 0
        assert append(connection, other, again._replace(version=again.version + 1)) == 1


def test_heads_are_locked_in_the_order_of_their_ids(next_of: Callable[[], NewCommit]) -> None:
    commits = sorted((next_of() for _ in range(3)), key=lambda commit: commit.game, reverse=True)
    _, parameters = append_query(commits)
    games = [commit.game for commit in reversed(commits)]
    assert parameters["c_game_id"] == "{" + ",".join(game.hex for game in games) + "}"
    assert (parameters["first"], parameters["last"]) == (games[0].hex, games[-1].hex)
    with psycopg.connect(conninfo(), autocommit=True) as connection:
        assert append(connection, *commits) == 3


def test_the_types_of_values_prepare_no_further_statement(
    next_of: Callable[[], NewCommit],
) -> None:
    soon = datetime.now(UTC) + timedelta(minutes=1)
    by_server: dict[str, Any] = {"seat": None, "command_id": None, "bets": (), "postings": ()}
    with psycopg.connect(conninfo(), autocommit=True) as connection:
        bare = next_of()._replace(**by_server)
        assert append(connection, bare) == 1
        other = next_of()._replace(bets=(), postings=(), not_after=soon, drawn=2**40)
        assert append(connection, other._replace(alarm=70_000, after_ms=0.5)) == 1
        assert append(connection, next_of()._replace(**by_server), next_of()) == 2
        prepared = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    assert prepared == (2,), "one with bets and transfers, one without"
