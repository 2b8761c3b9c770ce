"""The load of `manage.py bench histories` fits the tables as they are: it is written in SQL, which
no type checker reads."""

import os
from collections.abc import Callable

import psycopg

from accounts.models import User
from bench.ground import OWNER_URL
from bench.histories import FILL


def test_histories_are_written_with_every_constraint_held(new_user: Callable[[], User]) -> None:
    new_user()
    new_user()
    with psycopg.connect(os.environ[OWNER_URL]) as owner:
        owner.execute(FILL.format(games=10, bets=20, people=2))
        counted = [
            owner.execute(
                f"SELECT count(*) FROM {table} JOIN game ON game.id = {column}"
            ).fetchone()
            for table, column in (
                ("games_bet", "game_id"),
                ("games_settlement", "game_id"),
                ("accounts_transfer", "cause"),
            )
        ]
        owner.rollback()
    assert counted == [(200,), (180,), (200,)], "a tenth of the games goes on"
