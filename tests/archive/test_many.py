"""Many commits are archived, and read back. `ARCHIVED_COMMITS` is how many."""

import asyncio
import os
import resource
import time
from collections.abc import Iterable, Sequence
from datetime import date
from math import ceil
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from games import lobbies
from games.archive import reading
from games.log.sealing import Sealer
from games.models import ArchivedGame, Commit, Head
from games.play import service
from games.store.loaded_games import LoadedGame, loaded_games
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel import chain
from tests.archive.scene import archive, left
from tests.builders import NewGame, NewUser

COMMITS: Final = int(os.environ.get("ARCHIVED_COMMITS", "10_000_000"))
BOARDS: Final = 100
SPOTS: Final = 68
PER_GAME: Final = SPOTS * BOARDS + 1

# The rows that the first game left in each table, for another game of the same moves.
SAME: Final = (
    """INSERT INTO games_bet (game_id, version, number, seat, user_id, spot, stake, odds, drawn)
    SELECT %(game)s, b.version, b.number, b.seat, s.user_id, b.spot, b.stake, b.odds, b.drawn
    FROM games_bet b JOIN games_game g ON g.id = %(game)s
    JOIN games_seat s ON s.lobby_id = g.lobby_id AND s.number = b.seat
    WHERE b.game_id = %(first)s AND b.version <= %(version)s""",
    """INSERT INTO games_settlement
        (game_id, version, number, outcome, payout, drawn, placed_at)
    SELECT %(game)s, s.version, s.number, s.outcome, s.payout, s.drawn, b.at
    FROM games_settlement s JOIN games_bet b ON b.game_id = %(game)s AND b.number = s.number
    WHERE s.game_id = %(first)s AND s.version <= %(version)s""",
    """WITH accounts AS (
        SELECT a.id AS of_first, b.id FROM accounts_account a
        JOIN accounts_account b ON b.book = %(game)s AND b.key = a.key WHERE a.book = %(first)s
    )
    INSERT INTO accounts_transfer
        (book, cause, number, position, debit_id, credit_id, amount, reason)
    SELECT %(game)s, %(game)s, t.number, t.position, debit.id, credit.id, t.amount, t.reason
    FROM accounts_transfer t
    JOIN accounts debit ON debit.of_first = t.debit_id
    JOIN accounts credit ON credit.of_first = t.credit_id
    WHERE t.cause = %(first)s AND t.book = t.cause
        AND t.number > 1 AND t.number <= %(version)s""",
    """UPDATE accounts_account a SET debits = debited.amount, credits = credited.amount
    FROM (SELECT debit_id AS id, sum(amount) AS amount FROM accounts_transfer
        WHERE cause = %(game)s AND book = cause GROUP BY 1) debited,
        (SELECT credit_id AS id, sum(amount) AS amount FROM accounts_transfer
        WHERE cause = %(game)s AND book = cause GROUP BY 1) credited
    WHERE a.book = %(game)s AND debited.id = a.id AND credited.id = a.id""",
)


def loaded(game: UUID) -> LoadedGame:
    """Return a game as the server has it in memory."""

    async def get() -> LoadedGame:
        return await loaded_games().get(game)

    return event_loop.call(get())


def play(game: UUID, spots: Iterable[int]) -> None:
    """Take these spots, through the server. It stores many moves at once."""

    async def all_at_once() -> None:
        commands = [(spot, b'{"type":"take_spot","spot":%d}' % spot) for spot in spots]
        moves = (service.play(game, Seat(spot % 2), body, uuid4()) for spot, body in commands)
        await asyncio.gather(*moves)

    event_loop.call(all_at_once())


def play_the_same(first: LoadedGame, bodies: Sequence[bytes], game: UUID) -> None:
    """Play a game like the first one up to the move before the last.

    The content of its commits is the same. Their blinds and hashes are its own.
    """
    same = loaded(game)
    hash_, version = same.hash, same.version
    with transaction.atomic(), connection.cursor() as cursor:
        with cursor.copy(COPY) as copy:
            copy.set_types(["uuid", "int4", "int2", "uuid", "bytea", "bytea"])
            for version, of_first in enumerate(bodies, start=2):
                body = chain.blind_of(same._key, version) + of_first[chain.BLIND_LENGTH :]
                hash_ = chain.commit_hash(hash_, version, chain.body_digest(body))
                copy.write_row((game, version, version % 2, uuid4(), body, hash_))
        for statement in SAME:
            cursor.execute(statement, {"game": game, "first": first.game, "version": version})
        Head.objects.filter(game=game).update(version=version, hash=hash_)
    same.version, same.hash, same.state = version, hash_, first.state


COPY: Final = (
    "COPY games_commit (game_id, version, seat, command_id, body, hash) FROM STDIN (FORMAT BINARY)"
)


@pytest.mark.slow
def test_many_commits_are_archived_and_read_back(
    month: date, storage: Path, own_log: Path, new_game: NewGame, new_user: NewUser
) -> None:
    games = [new_game(2, boards=BOARDS) for _ in range(max(2, ceil(COMMITS / PER_GAME)))]
    started = time.perf_counter()
    figures: dict[str, Any] = {}

    def note(what: str) -> None:
        nonlocal started
        figures[what] = round(time.perf_counter() - started, 1)
        started = time.perf_counter()

    for _ in range(BOARDS - 1):
        play(games[0].id, range(SPOTS))
    play(games[0].id, range(SPOTS - 1))
    first = loaded(games[0].id)
    played = Commit.objects.filter(game=games[0], version__gt=1).order_by("version")
    bodies = [bytes(body) for body in played.values_list("body", flat=True)]
    for game in games[1:]:
        play_the_same(first, bodies, game.id)
    for game in games:
        play(game.id, [SPOTS - 1])
    assert not Head.objects.filter(game__in=games).exclude(ended="finished").exists()
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
