"""The walls around history: the database refuses, whoever asks."""

import os
from collections.abc import Callable, Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege, UniqueViolation

from accounts import ledger
from accounts.ledger import Posting
from accounts.models import Account, Transfer, User
from accounts.problems import Problem
from games import loop, services
from games.engine import Seat
from games.models import Game

TABLES = ("games_commit", "games_bet", "games_settlement", "accounts_transfer")
COLUMN = {"games_commit": "seat", "games_bet": "stake", "games_settlement": "payout", "accounts_transfer": "amount"}


@pytest.fixture(scope="module")
def application() -> Iterator[psycopg.Connection]:
    """Logged in as the server is."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def owner() -> Iterator[psycopg.Connection]:
    """Logged in as who migrates."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as connection:
        yield connection


@pytest.fixture
def history(new_game: Callable[..., Game]) -> Game:
    """A game with rows in every table."""
    game = new_game(2, boards=1)
    for spot in range(68):
        loop.call(services.play(game.id, Seat(spot % 2), b'{"type":"take_spot","spot":%d}' % spot, uuid4()))
    assert game.settlements.count() == 68
    return game


@pytest.mark.parametrize("table", TABLES)
def test_rows_of_history_are_neither_changed_nor_removed(
    application: psycopg.Connection, owner: psycopg.Connection, history: Game, table: str
) -> None:
    for connection in (application, owner):
        for statement in (
            f"UPDATE {table} SET {COLUMN[table]} = 1",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
            f"SET session_replication_role = replica; DELETE FROM {table}",
        ):
            with pytest.raises(InsufficientPrivilege):
                connection.execute(statement)
    for statement in (f"ALTER TABLE {table} DISABLE TRIGGER ALL", f"DROP TABLE {table}"):
        with pytest.raises(InsufficientPrivilege):
            application.execute(statement)


def test_the_server_does_not_own_its_tables(application: psycopg.Connection) -> None:
    owned = application.execute("SELECT tablename FROM pg_tables WHERE tableowner = current_user").fetchall()
    assert owned == []


def test_the_database_refuses_an_overdraft_and_a_double_posting(
    application: psycopg.Connection, new_user: Callable[[], User]
) -> None:
    wallet = ledger.wallet_of(new_user())
    with pytest.raises(CheckViolation):
        application.execute("UPDATE accounts_account SET debits = debits + 100000 WHERE id = %s", (wallet.id,))
    row = Transfer.objects.filter(credit=wallet).get()
    with pytest.raises(UniqueViolation):
        application.execute(
            "INSERT INTO accounts_transfer (cause, number, position, debit_id, credit_id, amount, reason) "
            "SELECT cause, number, position, debit_id, credit_id, amount, reason FROM accounts_transfer WHERE id = %s",
            (row.id,),
        )
    for amount in (0, -1, 2**53):
        with pytest.raises(CheckViolation):
            application.execute(
                "INSERT INTO accounts_transfer (cause, number, position, debit_id, credit_id, amount, reason) "
                "VALUES (%s, 1, 0, %s, %s, %s, 'x')",
                (uuid4(), row.debit_id, row.credit_id, amount),
            )


def test_posting_is_all_or_nothing_and_once(new_user: Callable[[], User]) -> None:
    rich, poor = ledger.wallet_of(new_user()), ledger.wallet_of(new_user())
    cause = uuid4()
    with pytest.raises(Problem, match="insufficient_funds"):
        ledger.post(cause=cause, number=1, postings=[Posting(rich.id, poor.id, 10, "a"), Posting(rich.id, poor.id, 5000, "b")])
    assert ledger.post(cause=cause, number=1, postings=[Posting(rich.id, poor.id, 10, "a")])
    assert not ledger.post(cause=cause, number=1, postings=[Posting(rich.id, poor.id, 10, "a")])
    balances = [Account.objects.get(id=account.id).balance for account in (rich, poor)]
    assert balances == [990, 1010]


def test_a_tampered_balance_is_found(owner: psycopg.Connection, new_user: Callable[[], User]) -> None:
    wallet = ledger.wallet_of(new_user())
    owner.execute("UPDATE accounts_account SET credits = credits + 1 WHERE id = %s", (wallet.id,))
    found = [divergence for divergence in ledger.divergences() if str(wallet.book) in divergence.what]
    owner.execute("UPDATE accounts_account SET credits = credits - 1 WHERE id = %s", (wallet.id,))
    assert [(divergence.expected, divergence.found) for divergence in found] == [(1000, 1001)]
