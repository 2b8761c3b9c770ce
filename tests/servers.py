"""Django on real servers, and databases for each test process.

The packages of tests that need Django import this first, before Django reads its settings. The
servers are those of DATABASE_URL and REDIS_URL, or else embedded ones that start when a test asks
for the fixture `database`. The owner's database is migrated once and copied for each test process,
which also has a numbered database of Valkey. So tests commit for real, no worker gets tasks of
another test process, and only the servers are shared.
"""

import atexit
import fcntl
import os
import subprocess
import sys
import tempfile
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import django
import psycopg
from psycopg import sql

from games.keys import acknowledging
from gameserver.processes.embedded import postgres
from gameserver.settings import environment
from kit import encryption
from tests import server_process
from tests.run import FOLDER, ROOT

SETTINGS = "tests.settings"


def choose_servers() -> None:
    """Set the addresses of the servers in the environment, also of those that have yet to start."""
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        server = server_process.postgres()
        os.environ.update(
            TESTS_EMBED="1",
            DATABASE_URL=server.url(postgres.APPLICATION),
            DATABASE_OWNER_URL=server.url(postgres.OWNER),
            REDIS_URL=server_process.valkey().url,
        )
    os.environ["TESTS_TEMPLATE_URL"] = (
        os.environ.get("DATABASE_OWNER_URL") or os.environ["DATABASE_URL"]
    )


def start() -> None:
    """Start the process with the servers, unless another process of this run has."""
    with (FOLDER / "starting").open("w") as starting:
        try:
            fcntl.flock(starting, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        if server_process.OUTCOME.exists():
            return
        template = urlsplit(OWNER).path.lstrip("/")
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.server_process", str(starting.fileno())],
            cwd=ROOT,
            env={**os.environ, **_addresses(template), "DJANGO_SETTINGS_MODULE": SETTINGS},
            pass_fds=[starting.fileno()],
            start_new_session=True,
        )
        process.returncode = 0  # it outlives this process, which need not warn of that


def failure() -> str:
    """Wait until the servers have started. Return why there is no migrated database, or nothing."""
    start()
    with (FOLDER / "starting").open() as starting:
        fcntl.flock(starting, fcntl.LOCK_SH)
    if not server_process.OUTCOME.exists():
        return "The process that starts the servers of the tests died."
    return server_process.OUTCOME.read_text()


def copied_database(name: str) -> dict[str, str]:
    """Create a fresh copy of the migrated database, and return its addresses."""
    with psycopg.connect(_with_database(OWNER, "postgres"), autocommit=True) as connection:
        connection.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        )
        copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
        template = urlsplit(OWNER).path.lstrip("/")
        connection.execute(copy.format(sql.Identifier(name), sql.Identifier(template)))
    return _addresses(name)


def _addresses(name: str) -> dict[str, str]:
    return {
        variable: _with_database(os.environ.get(variable) or OWNER, name)
        for variable in ("DATABASE_URL", "DATABASE_OWNER_URL")
    }


def choose_databases(name: str, number: int) -> None:
    """Point the environment to databases of this process, before PostgreSQL's is copied."""
    os.environ.update(_addresses(name))
    cache = os.environ["REDIS_URL"].partition("?")[0]
    os.environ["REDIS_URL"] = (
        f"{cache}?db={number}" if cache.startswith("unix:") else _with_database(cache, str(number))
    )


def _with_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
os.environ["EXTRA_RULES"] = "bench.free_spots"
# Web processes that many tests share step no game of theirs.
os.environ["STANDBY_CLOCK"] = "0"
# All requests of tests to real processes have one address.
os.environ["RATE_LIMITS"] = (
    "guest=100000/60 register=100000/60 ended_start=0/600 ended_starts=0/3600"
)
# A server of this checkout has its data in another folder.
data = tempfile.TemporaryDirectory(prefix="gameserver-data-")
atexit.register(data.cleanup)
os.environ["GAMESERVER_DATA_DIR"] = data.name
os.environ["LOG_KEY_FILE"] = f"{data.name}/key"
encryption.add(environment.key_file("SEED_KEY_FILE"))
acknowledging.add(environment.key_file("ACK_KEY_FILE"), environment.log_origin())
process = os.environ.get("PYTEST_XDIST_WORKER")
if "TESTS_TEMPLATE_URL" not in os.environ:
    choose_servers()
OWNER: Final = os.environ["TESTS_TEMPLATE_URL"]
OWN_DATABASE: Final = f"test_{process or 'main'}"
choose_databases(OWN_DATABASE, 0 if process is None else int(process.removeprefix("gw")) + 1)
django.setup()
# The processes of pytest-xdist inherit these variables. Set earlier, Django would read its settings
# before this module has chosen the database of the process.
del os.environ["DJANGO_SETTINGS_MODULE"]
