"""The SQL of `manage.py bench histories` matches the tables, which no type checker verifies."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import psycopg
import pytest

from accounts.models import User
from bench.ground import OWNER_URL
from bench.histories import FILL
from games.reads.filters import AnyBetFilter
from games.reads.histories import all_bets, with_results


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


ROWS_MAX = 2000


@pytest.mark.parametrize("outcome", ["won", "lost"])
def test_the_first_page_of_an_outcome_skips_open_bets_however_many(
    outcome: Any, new_user: Callable[[], User]
) -> None:
    new_user()
    new_user()
    page = with_results(AnyBetFilter(outcome=outcome).narrow(all_bets()))[:51]
    query, parameters = page.query.sql_with_params()
    with psycopg.connect(os.environ[OWNER_URL]) as owner:
        owner.execute(FILL.format(games=100, bets=100, people=2))
        tables = "games_bet, games_settlement, games_correction, games_game, games_head"
        owner.execute(f"ANALYZE {tables}, accounts_user")
        explained = owner.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", parameters)
        ((found,),) = explained.fetchall()
        owner.rollback()
    scans = [node for node in nodes(found[0]["Plan"]) if "Scan" in node["Node Type"]]
    assert sum(map(rows_read, scans)) < ROWS_MAX, "of 10,000 bets, 1,000 of them open"


def nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def rows_read(node: Mapping[str, Any]) -> float:
    skipped = sum(value for name, value in node.items() if name.startswith("Rows Removed"))
    read: float = (node["Actual Rows"] + skipped) * node["Actual Loops"]
    return read
