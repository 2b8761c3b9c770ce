"""Settings of the database that endanger promises are found, each with what to do."""

import os

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError, SystemCheckError
from django.db import connection
from django.db.migrations.state import ProjectState
from django.db.models import IntegerField
from psycopg import sql

from games.store import database_checks
from games.store.connections import Connections
from games.store.database_checks import NAMES, check_fitness, findings
from kit import event_loop
from kit.migrations import refuse_other_series
from tests.deploy.backups import superuser

GOOD = {
    "server_version_num": "180006",
    "server_encoding": "UTF8",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "max_connections": "100",
    "superuser_reserved_connections": "3",
    "idle_session_timeout": "0",
    "statement_timeout": "0",
}
BAD = [
    ("server_version_num", "140011", "version", True),
    ("server_version_num", "170007", "version", False),
    ("server_encoding", "LATIN1", "encoding", True),
    ("server_encoding", "SQL_ASCII", "encoding", True),
    ("fsync", "off", "fsync", False),
    ("full_page_writes", "off", "full_page_writes", False),
    ("synchronous_commit", "off", "synchronous_commit", False),
    ("synchronous_commit", "local", "synchronous_commit", False),
    ("max_connections", "20", "max_connections", False),
    ("idle_session_timeout", "6s", "idle_session_timeout", False),
    ("statement_timeout", "250ms", "statement_timeout", False),
]


def answered(monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], standby: str) -> None:
    """Let the database answer with these settings."""
    rows = ", ".join(f"('{name}', '{settings[name]}')" for name in NAMES)
    monkeypatch.setattr(
        database_checks,
        "SETTINGS",
        f"SELECT 'app', {standby}, * FROM (VALUES {rows}) AS asked(name, setting) "
        "WHERE name = ANY(%s)",
    )


@pytest.mark.parametrize(("name", "value", "found", "is_fatal"), BAD)
def test_each_setting_that_endangers_a_promise_is_found(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, found: str, is_fatal: bool
) -> None:
    answered(monkeypatch, GOOD, "false")
    assert findings() == []
    answered(monkeypatch, {**GOOD, name: value}, "false")
    (finding,) = findings()
    assert (finding.name, finding.is_fatal) == (found, is_fatal)
    assert "\n" not in finding.text
    told = check_fitness(["default"])
    assert [each.msg for each in told] == [finding.text] * (is_fatal or found == "version")
    assert any(each.is_serious() for each in told) is is_fatal


def test_a_standby_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    answered(monkeypatch, GOOD, "true")
    assert [each.name for each in findings()] == ["standby"]


def test_the_store_waits_for_the_disk_whatever_its_role_has() -> None:
    role, name = connection.settings_dict["USER"], connection.settings_dict["NAME"]
    change = sql.SQL("ALTER ROLE {} IN DATABASE {} SET synchronous_commit = {}")
    identifiers = (sql.Identifier(role), sql.Identifier(name))

    async def found() -> str:
        connections = Connections()
        async with connections.lent() as lent:
            row = await (await lent.execute("SHOW synchronous_commit")).fetchone()
        await connections.close()
        return str(row and row[0])

    with psycopg.connect(superuser(os.environ["DATABASE_OWNER_URL"]), autocommit=True) as database:
        try:
            for value, expected in (("off", "on"), ("local", "on"), ("remote_apply",) * 2):
                database.execute(change.format(*identifiers, sql.Literal(value)))
                assert event_loop.call(found()) == expected
        finally:
            reset = sql.SQL("ALTER ROLE {} IN DATABASE {} RESET synchronous_commit")
            database.execute(reset.format(*identifiers))


def test_the_deployment_check_names_the_settings_of_the_real_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW fsync")
        assert cursor.fetchone() == ("off",), "the server of the tests may lose everything"
    with pytest.raises(SystemCheckError, match="fsync is off"):
        call_command("check", deploy=True, databases=["default"])


def test_tables_that_another_series_made_are_refused() -> None:
    refuse_other_series(apps, "default")
    later = ProjectState.from_apps(apps)
    later.add_field("accounts", "user", "later", IntegerField(), preserve_default=True)
    with pytest.raises(CommandError, match=r"lacks accounts_user\.later"):
        refuse_other_series(later.apps, "default")
