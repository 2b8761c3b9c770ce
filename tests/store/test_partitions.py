"""Histories are partitioned by the month of the game, which its id says."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from django.db import connection

from accounts import ledger
from accounts.models import BETWEEN_BOOKS, Transfer, User
from games import lobbies
from games.models import Game
from kit import partitions, table_protection
from kit.problems import Problem
from tests.builders import start_game
from tests.faults.cluster import compile_clock
from tests.moves import take
from tests.processes import ROOT, environment_with

MONTHLY = (
    *("accounts_transfer", "games_bet", "games_commit", "games_correction", "games_settlement"),
)
LAST = "games_correction"


@pytest.fixture
def owner() -> Iterator[psycopg.Connection]:
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as opened:
        yield opened


def month_of(identity: UUID) -> str:
    return f"{partitions.made_at(identity):%Y_%m}"


def test_the_first_id_of_a_month_is_the_least_of_its_first_millisecond() -> None:
    first = partitions.first_id(date(2026, 12, 1))
    assert str(first) == "01a22ee6-b000-7000-8000-000000000000"
    assert (first.version, month_of(first)) == (7, "2026_12")
    assert month_of(UUID(int=first.int - (1 << 80))) == "2026_11"


DRAW_AFTER_STEPS = """
import sys
from pathlib import Path
from kit import partitions
for step_s in (200 * 86_400, 0):
    with Path(sys.argv[1]).open("r+b") as clock:
        clock.write(step_s.to_bytes(8, sys.byteorder, signed=True))
    print(partitions.new_id())
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="a wrong clock needs a C compiler")
def test_a_clock_that_was_ahead_for_a_moment_leaves_later_ids_in_their_month(
    tmp_path: Path,
) -> None:
    library, clock = compile_clock(tmp_path), tmp_path / "clock"
    clock.write_bytes(bytes(8))
    wrong = {"LD_PRELOAD": str(library), "CLOCK_OFFSET_FILE": str(clock)}
    drawn = subprocess.run(
        [sys.executable, "-c", DRAW_AFTER_STEPS, str(clock)],
        cwd=ROOT,
        env=environment_with(wrong),
        capture_output=True,
        text=True,
        check=True,
    )
    ahead, later = map(UUID, drawn.stdout.split())
    assert partitions.made_at(ahead) - partitions.made_at(later) > timedelta(days=199)
    assert abs(datetime.now(UTC) - partitions.made_at(later)) < timedelta(hours=1)


def test_the_rows_of_a_game_are_in_the_partitions_of_its_month(
    owner: psycopg.Connection, new_game: Callable[..., Game]
) -> None:
    game = new_game(2)
    take(game, 1)
    for table, key in (
        *(("games_commit", "game_id"), ("games_bet", "game_id"), ("accounts_transfer", "book")),
    ):
        found = owner.execute(
            f"SELECT DISTINCT tableoid::regclass::text FROM {table} WHERE {key} = %s", [game.id]
        )
        assert found.fetchall() == [(f"{table}_{month_of(game.id)}",)]


def test_transfers_of_wallets_are_in_no_month(
    owner: psycopg.Connection, new_user: Callable[[], User]
) -> None:
    user = new_user()
    grant = Transfer.objects.get(cause=user.id)
    assert (grant.book, ledger.has_opening_grant(user)) == (BETWEEN_BOOKS, True)
    found = owner.execute(
        "SELECT tableoid::regclass::text FROM accounts_transfer WHERE id = %s", [grant.id]
    )
    assert found.fetchall() == [("accounts_transfer_between_books",)]


def test_the_server_makes_missing_months_with_their_protections(owner: psycopg.Connection) -> None:
    names = [
        name for table, name in owner.execute(partitions.PARTITIONS).fetchall() if table == LAST
    ]
    assert f"{LAST}_{datetime.now(UTC):%Y_%m}" in names
    assert partitions.make_months(connection) == 0
    owner.execute(f"DROP TABLE {names[-1]}")
    assert partitions.make_months(connection) == 1
    assert table_protection.gaps(connection) == []
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        psycopg.connect(os.environ["DATABASE_URL"]) as application,
    ):
        application.execute(f"SELECT 1 FROM {names[-1]}")


def test_a_vacuum_does_not_stop_the_making_of_months_for_ever(
    owner: psycopg.Connection,
) -> None:
    """The attempt gives up, and the next one succeeds."""
    names = [
        name
        for table, name in owner.execute(partitions.PARTITIONS).fetchall()
        if table == "games_bet"
    ]
    owner.execute(f"DROP TABLE {names[-1]}")
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as long:
        long.execute("LOCK TABLE games_bet IN SHARE UPDATE EXCLUSIVE MODE")
        with pytest.raises(Exception, match="lock timeout"):
            partitions.make_months(connection)
    assert partitions.make_months(connection) == 1


def test_a_game_of_a_month_without_partitions_does_not_start(
    new_user: Callable[[], User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of the host that opened its lobby was wrong by years."""
    host = new_user()
    far = UUID(int=partitions.new_id().int + (10 * 365 * 86_400_000 << 80))
    with monkeypatch.context() as wrong:
        wrong.setattr(partitions, "new_id", lambda: far)
        lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", options={}))
    with pytest.raises(Problem, match="unavailable"):
        start_game(host, lobby.id)
    assert not Game.objects.filter(id=far).exists()
    lobby.refresh_from_db()
    assert lobby.is_open


def test_nothing_is_stored_outside_the_months(owner: psycopg.Connection) -> None:
    defaults = owner.execute("SELECT 1 FROM pg_partitioned_table WHERE partdefid <> 0").fetchall()
    parents = owner.execute(
        "SELECT relname FROM pg_partitioned_table JOIN pg_class ON oid = partrelid ORDER BY 1"
    ).fetchall()
    assert (defaults, parents) == ([], [(table,) for table in MONTHLY])
