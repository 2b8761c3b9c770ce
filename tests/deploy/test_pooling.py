"""Web and worker processes behind PgBouncer, which lends a connection for one transaction."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from psycopg import sql

from gameserver.management.commands.deploy_files import FILES
from gameserver.processes.children import free_port
from tests.deploy.backups import superuser
from tests.deploy.debian import Program, program
from tests.processes import ROOT, environment_with, running, web_process, worker
from tests.waiting import until

OWNER_URL = "DATABASE_OWNER_URL"
SCRIPT = (FILES / "init-roles.sh").read_text()
ROLES = re.findall(r"^(?:CREATE|ALTER) ROLE gameserver_store .*;$", SCRIPT, re.MULTILINE)
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


@pytest.fixture(scope="module")
def pgbouncer(folder: Path) -> Program:
    return program("pgbouncer", folder, "libc-ares2", "libevent-2.1-7")


@pytest.fixture
def roles() -> Iterator[psycopg.Connection]:
    """The role of the store, as `init-roles.sh` makes it."""
    with psycopg.connect(superuser(os.environ[OWNER_URL]), autocommit=True) as database:
        for statement in ROLES:
            database.execute(statement.replace(":'app_password'", "NULL").encode())
        try:
            yield database
        finally:
            database.execute("DROP ROLE gameserver_store")


@pytest.fixture
def pooled(pgbouncer: Program, roles: psycopg.Connection, folder: Path) -> Iterator[dict[str, str]]:
    """The environment of processes that reach the database through PgBouncer only."""
    url = urlsplit(os.environ[OWNER_URL])
    sockets, database, port = parse_qs(url.query)["host"][0], url.path.lstrip("/"), free_port()
    (folder / "users").write_text('"gameserver_app" ""\n"gameserver_store" ""\n')
    (folder / "pgbouncer.ini").write_text(
        f"""
        [databases]
        {database} = host={sockets} port=5432 pool_size=2
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = {port}
        unix_socket_dir =
        auth_type = trust
        auth_file = {folder}/users
        pool_mode = transaction
        """.replace("        ", "")
    )
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            [pgbouncer.path, folder / "pgbouncer.ini"],
            env=pgbouncer.environment,
            user=Path(sockets).stat().st_uid,  # only PostgreSQL's own user reaches its socket
            stderr=log,
        ) as running_pooler,
    ):
        until(lambda: "process up" in (folder / "log").read_text(), "PgBouncer")
        there = f"127.0.0.1:{port}/{database}"
        try:
            yield {
                "DATABASE_URL": f"postgresql://gameserver_app@{there}",
                "STORE_DATABASE_URL": f"postgresql://gameserver_store@{there}",
                "DATABASE_POOLING": "transaction",
            }
        finally:
            running_pooler.terminate()


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
