"""The SQL of `manage.py bench histories` matches the tables, which no type checker verifies."""

import os
from collections.abc import Callable

import psycopg

from accounts.models import User
from bench.ground import OWNER_URL
from bench.histories import FILL


def test_generated_histories_meet_every_constraint(new_user: Callable[[], User]) -> None:
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
    assert counted == [(200,), (180,), (200,)], "a tenth of the games is running"
