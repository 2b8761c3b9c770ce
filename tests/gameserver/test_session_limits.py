"""Sessions of the database: processes that serve requests limit them, commands do not."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import get_commands
from psycopg import sql

from tests.processes import ROOT, environment_with
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("database")

SHOW = "SHOW idle_in_transaction_session_timeout"
OF_THE_ROLE_MS = 50
"""A limit of the database, so short that a session which keeps it is ended at once."""

ASK_IN_EACH_COMMAND = f"""
import django
from django.core.management import BaseCommand, get_commands
from django.db import connection
from gameserver.processes.commands import run

def ask(command, arguments):
    with connection.cursor() as cursor:
        cursor.execute({SHOW!r})
        print(arguments[1], *cursor.fetchone())
    connection.close()

BaseCommand.run_from_argv = ask
django.setup()
for name in sorted(get_commands()):
    run(["manage.py", name])
"""
ASK_IN_A_SERVICE = f"""
from gameserver.processes.startup import set_up

set_up("web", answer_within_s=5.0)
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute({SHOW!r})
    print(*cursor.fetchone())
"""


@pytest.fixture(autouse=True)
def _short_limit() -> Iterator[None]:
    """Let the database end sessions that are silent in a transaction, unless they ask it not to."""
    url = os.environ["DATABASE_OWNER_URL"]
    name = sql.Identifier(urlsplit(url).path.lstrip("/"))
    setting = sql.SQL("ALTER DATABASE {} SET idle_in_transaction_session_timeout = {}")
    with psycopg.connect(url, autocommit=True) as database:
        database.execute(setting.format(name, OF_THE_ROLE_MS))
        try:
            yield
        finally:
            database.execute(setting.format(name, sql.SQL("DEFAULT")))


def said_by(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment_with(None),
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_command_has_the_idle_limit_of_requests() -> None:
    limits = dict(line.split() for line in said_by(ASK_IN_EACH_COMMAND).splitlines())
    commands = set(get_commands()) - {"help", "version"}
    assert {"archive", "migrate", "verify_game", "protect_tables"} < commands
    assert limits == dict.fromkeys(commands, "0")


def test_a_process_that_serves_requests_has_an_idle_limit() -> None:
    assert said_by(ASK_IN_A_SERVICE).split() == ["10s"]


@pytest.mark.slow
def test_a_migration_goes_on_after_its_machine_was_suspended() -> None:
    migration = subprocess.Popen(
        [sys.executable, "manage.py", "migrate", "pausing", "--verbosity=0"],
        cwd=ROOT,
        env=environment_with({"DJANGO_SETTINGS_MODULE": "tests.gameserver.pausing.settings"}),
        stderr=subprocess.PIPE,
        text=True,
    )
    _pid, status = os.waitpid(migration.pid, os.WUNTRACED)
    try:
        assert os.WIFSTOPPED(status), f"ended with status {status}"
        until(_is_silent_for_long, "the suspended session to be over the limit")
    finally:
        migration.send_signal(signal.SIGCONT)
    _output, errors = migration.communicate(timeout=60)
    assert (migration.returncode, errors) == (0, "")


def _is_silent_for_long() -> bool:
    """Whether a session of this database was silent in a transaction for three limits."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as database:
        found = database.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND state = 'idle in transaction'"
            " AND clock_timestamp() - state_change > %s * interval '1 ms')",
            [3 * OF_THE_ROLE_MS],
        ).fetchone()
    assert found is not None
    return bool(found[0])
