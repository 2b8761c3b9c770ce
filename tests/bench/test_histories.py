"""The lists of `manage.py bench histories`: complete, and read without a search of the table."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import BETWEEN_BOOKS, Transfer
from bench.histories import Histories, fill, looks_of, plans
from games.models import Bet, Settlement
from games.reads import bet_pages
from games.reads.histories import with_results
from kit import partitions
from tests.archive.past import as_owner
from tests.builders import NewUser

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("database")]

OF_BETS: Final = {"games_bet", "games_settlement", "games_correction"}
SCANNED: Final = 400
ROWS_MAX: Final = 3_500
"""Of 30,000 bets and 27,000 settlements."""


@contextmanager
def filled(new_user: NewUser, games: int, bets: int) -> Iterator[Histories]:
    """Fill the tables until the end of the block, with all keys and constraints checked.

    Bets of other tests are away meanwhile.
    """
    new_user()
    new_user()
    with as_owner(), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(partitions.PARTITIONS)
            for table, partition in cursor.fetchall():
                if table in OF_BETS:
                    cursor.execute(f"DROP TABLE {partition}")
            partitions.make_months(connection)
            cursor.execute(fill(games, bets, 2))
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ANALYZE")
            # As if the tables were large: a small one is rightly read as a whole.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_hashjoin = off")
            cursor.execute("SET LOCAL enable_mergejoin = off")
            cursor.execute("SET LOCAL random_page_cost = 1")
        yield Histories(processes={}, bets=games * bets)
        transaction.set_rollback(True)


def test_generated_histories_meet_every_constraint(new_user: NewUser) -> None:
    in_games = Transfer.objects.exclude(book=BETWEEN_BOOKS)
    before = in_games.count()
    with filled(new_user, games=10, bets=20):
        assert in_games.count() == before + 200
        assert Bet.objects.count() == 200
        assert Settlement.objects.count() == 180, "a tenth of the games is running"


@pytest.fixture
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages end after few bets, as they do in large tables after many."""
    monkeypatch.setattr(bet_pages, "SCANNED", SCANNED)
    monkeypatch.setattr(bet_pages, "FEW", SCANNED)


@pytest.mark.usefixtures("short_pages")
@pytest.mark.parametrize("is_backwards", [False, True])
def test_a_page_of_bets_reads_as_many_as_it_may_however_many_there_are(
    new_user: NewUser, is_backwards: bool
) -> None:
    with filled(new_user, games=300, bets=100) as histories:
        lists = list(histories.lists())
        if is_backwards:
            lists = [it._replace(rows=it.rows.order_by(*backwards(it.rows))) for it in lists]
        read = {
            f"{listed.what}, {page}": sum(rows_read(node) for plan in found for node in scans(plan))
            for listed in lists
            for page, look in zip(("first", "deep"), looks_of(listed), strict=True)
            if (found := [plan[0]["Plan"] for plan in plans(look, "JSON")])
        }
    assert len(read) > 50
    assert {what: rows for what, rows in read.items() if rows > ROWS_MAX} == {}


def test_pages_of_bets_end_early_and_have_every_match(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bet_pages, "SCANNED", 40)
    monkeypatch.setattr(bet_pages, "FEW", 5)
    short = 0
    with filled(new_user, games=5, bets=20) as histories:
        for number, listed in enumerate(histories.lists()):
            rows = listed.rows.order_by(*backwards(listed.rows)) if number % 2 else listed.rows
            query = msgspec.structs.replace(listed.query, limit=9)
            found: list[Any] = []
            page = listed.page(rows, query)
            while page.next is not None:
                short += len(page.rows) < query.limit
                found += page.rows
                page = listed.page(rows, msgspec.structs.replace(query, cursor=page.next))
            found += page.rows
            assert found == list(with_results(query.narrow(rows))), listed.what
    assert short > 0


def backwards(bets: QuerySet[Bet]) -> list[str]:
    order = map(str, bets.query.order_by)
    return [name[1:] if name.startswith("-") else f"-{name}" for name in order]


def scans(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the nodes of a plan that read bets, settlements or corrections."""
    name = plan.get("Relation Name", "")
    if name.startswith(("games_bet", "games_settlement", "games_correction")):
        yield plan
    for inner in plan.get("Plans", ()):
        yield from scans(inner)


def rows_read(node: Mapping[str, Any]) -> float:
    skipped = sum(value for name, value in node.items() if name.startswith("Rows Removed"))
    read: float = (node["Actual Rows"] + skipped) * node["Actual Loops"]
    return read
