"""Web and worker processes behind PgBouncer, which lends a connection for one transaction."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from tests.deploy.backups import superuser
from tests.deploy.pgbouncer import ROLES, PgBouncer
from tests.processes import ROOT, environment_with, running, web_process, worker
from tests.servers import copied_database

OWNER_URL = "DATABASE_OWNER_URL"
OF_THE_STORE = "ALTER ROLE gameserver_store SET "

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("database"),
    pytest.mark.xdist_group("pooling"),  # PostgreSQL has one role of the store
]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL's user can read too."""
    with tempfile.TemporaryDirectory(prefix="pgbouncer-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def roles() -> Iterator[psycopg.Connection]:
    """The role of the store, as `init-roles.sh` makes it."""
    with psycopg.connect(superuser(os.environ[OWNER_URL]), autocommit=True) as database:
        for statement in ROLES:
            database.execute(statement.encode())
        try:
            yield database
        finally:
            database.execute("DROP ROLE gameserver_store")


@pytest.fixture
def pooled(roles: psycopg.Connection, folder: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of processes that reach a database of their own through PgBouncer only."""
    urls = copied_database(f"pooled_{uuid4().hex}")
    url = urlsplit(urls[OWNER_URL])
    sockets = Path(parse_qs(url.query)["host"][0])
    pgbouncer = PgBouncer(folder, url.path.lstrip("/"), sockets)
    with pgbouncer.running(sockets.stat().st_uid):
        yield {**urls, "LOG_KEY_FILE": str(tmp_path / "log_key"), **pgbouncer.settings}


def test_a_whole_game_is_played_where_connections_are_lent_for_a_transaction(
    pooled: dict[str, str],
) -> None:
    with running(worker(pooled)), web_process(pooled) as (_, host):
        options = '{"races": 1, "roll_ms": 50}'
        played = subprocess.run(
            [sys.executable, "manage.py", "demo", f"--url=http://{host}", f"--options={options}"],
            cwd=ROOT,
            env=environment_with(pooled),
            capture_output=True,
            text=True,
            check=False,
        )
    assert played.returncode == 0, played.stdout + played.stderr
    assert played.stdout.rstrip().endswith("everything verified, history verified")


@pytest.mark.parametrize("name", [it.removeprefix(OF_THE_STORE).split()[0] for it in ROLES[1:]])
def test_a_role_without_a_setting_of_the_store_stops_the_start(
    pooled: dict[str, str], roles: psycopg.Connection, name: str
) -> None:
    # The server of the tests has some settings of the store for everyone.
    (usual,) = (
        roles.execute("SELECT boot_val FROM pg_settings WHERE name = %s", [name]).fetchone() or ()
    )
    roles.execute(
        sql.SQL("ALTER ROLE gameserver_store SET {} = {}").format(sql.Identifier(name), usual)
    )
    refused = subprocess.run(
        [sys.executable, "-m", "gameserver.processes.worker"],
        cwd=ROOT,
        env=environment_with(pooled),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith("worker: The role gameserver_store lacks settings of the store.")
    (repair,) = re.findall(r"ALTER ROLE .*;", line)
    assert repair in [statement for statement in ROLES if f" {name} " in statement]
