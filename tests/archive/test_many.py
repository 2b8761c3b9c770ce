"""Many commits are archived, and read back. `ARCHIVED_COMMITS` is how many."""

import os
import resource
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone
from msgspec.structs import astuple

from accounts.models import User
from games import lobbies
from games.archive import reading
from games.engine import Seat
from games.models import ArchivedGame, Game, Head
from games.play import service
from games.store.loaded_games import LoadedGame, loaded_games
from games.store.rows import NewCommit
from games.transparency.sealing import Sealer
from kit import event_loop
from tests.archive.test_archive import archive, left, month, storage

NewUser = Callable[[], User]
NewGame = Callable[..., Game]

__all__ = ["month", "storage"]  # fixtures

COMMITS: Final = int(os.environ.get("ARCHIVED_COMMITS", "100000"))
BOARDS: Final = 100
SPOTS: Final = 68
PER_GAME: Final = SPOTS * BOARDS + 1

COPIES: Final = {
    "games_commit": "game_id, version, seat, command_id, body, hash",
    "games_bet": "game_id, version, number, seat, user_id, spot, stake, odds, drawn",
    "games_settlement": "game_id, version, number, outcome, payout, drawn, placed_at",
    "accounts_transfer": "book, cause, number, position, debit_id, credit_id, amount, reason",
}


def rows_of(table: str, commit: NewCommit) -> list[tuple[Any, ...]]:
    """The rows of a commit, as the append statement writes them."""
    of = (commit.game, commit.version)
    match table:
        case "games_commit":
            return [(*of, commit.seat, commit.command_id, commit.body, commit.hash)]
        case "games_bet":
            return [
                (
                    *(*of, bet.bet, bet.seat, commit.users.get(bet.seat), bet.spot, bet.stake),
                    *(bet.odds, commit.drawn),
                )
                for bet in commit.bets
            ]
        case "games_settlement":
            rows = map(astuple, commit.settlements)
            return [(*of, *row, commit.drawn, timezone.now()) for row in rows]
    return [
        (commit.game, *of, position, *posting) for position, posting in enumerate(commit.postings)
    ]


def almost_played(game: UUID) -> None:
    """Play a game up to its last move, as the store would, but copy the rows into the tables."""

    async def load() -> LoadedGame:
        found = await loaded_games().get(game)
        loaded_games().forget(game)
        return found

    loaded = event_loop.call(load())
    commits: list[NewCommit] = []
    while loaded.version < PER_GAME - 1:
        spot = (loaded.version - 1) % SPOTS
        command = loaded.decode_command(b'{"type":"take_spot","spot":%d}' % spot)
        made = loaded.decide(Seat(spot % 2), command, uuid4())
        loaded.install(made, None)
        commits.append(made._replace(state=None))
    with transaction.atomic(), connection.cursor() as cursor:
        for table, columns in COPIES.items():
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for commit in commits:
                    for row in rows_of(table, commit):
                        copy.write_row(row)
        Head.objects.filter(game=game).update(version=loaded.version, hash=loaded.hash)
        cursor.execute(BALANCE, [game])


BALANCE: Final = """
UPDATE accounts_account a SET
    debits = coalesce((SELECT sum(amount) FROM accounts_transfer WHERE debit_id = a.id), 0),
    credits = coalesce((SELECT sum(amount) FROM accounts_transfer WHERE credit_id = a.id), 0)
WHERE book = %s
"""


@pytest.mark.slow
def test_many_commits_are_archived_and_read_back(
    month: date, storage: Path, own_log: Path, new_game: NewGame, new_user: NewUser
) -> None:
    games = [new_game(2, boards=BOARDS) for _ in range(max(2, COMMITS // PER_GAME))]
    started = time.perf_counter()
    figures: dict[str, Any] = {}

    def note(what: str) -> None:
        nonlocal started
        figures[what] = round(time.perf_counter() - started, 1)
        started = time.perf_counter()

    for game in games:
        almost_played(game.id)
        last = b'{"type":"take_spot","spot":%d}' % (SPOTS - 1)
        stored = event_loop.call(service.play(game.id, Seat(1), last, uuid4()))
        assert (stored.version, stored.ended) == (PER_GAME, "finished")
    while Head.objects.filter(game__in=games, settled=False).exists():
        lobbies.settle_ended()
    Sealer().seal()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_commit, games_bet, games_settlement, accounts_transfer")
    note("made_s")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = archive(month, storage, new_user())
    note("archived_s")
    assert done.games == len(games)
    assert not any(map(left, games))
    hashes = dict(Head.objects.values_list("game_id", "hash"))
    for place in ArchivedGame.objects.filter(month=month):
        rows = reading.read(place).rows
        assert len(rows.commits) == PER_GAME
        assert rows.commits[-1][5] == bytes(hashes[place.game_id])
    note("read_s")
    seen = event_loop.call(service.at_head(games[-1].id))
    assert (seen.version, seen.ended) == (PER_GAME, "finished")
    figures["commits"] = PER_GAME * len(games)
    figures["stored_mb"] = round(done.bytes / 1e6)
    figures["grown_mb"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    print(figures)
