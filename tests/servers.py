"""Real servers for the test run, and databases for each test process.

Imported before Django reads its settings. The first process starts embedded servers once, unless
DATABASE_URL and REDIS_URL name others. The owner's database is migrated once, while the other
processes start and collect their tests, and copied for each of them, which also has a numbered
database of Valkey. So tests commit for real, no worker gets tasks of another test process, and only
the servers are shared.
"""

import atexit
import fcntl
import gc
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import django
import psycopg
from psycopg import sql

from games.keys import acknowledging, encryption
from gameserver.processes.embedded import EmbeddedServers
from gameserver.settings import environment

ROOT = Path(__file__).parent.parent
SETTINGS = "tests.settings"
UNSAFE_BUT_FAST = {
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "checkpoint_timeout": "1h",
    "max_wal_size": "8GB",
    "autovacuum": "off",
    "io_method": "sync",
    "jit": "off",
    "max_connections": "300",
}


def start_servers() -> None:
    """Set the addresses of the servers in the environment, for settings and child processes."""
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        folder = tempfile.TemporaryDirectory(prefix="gameserver-tests-")
        Path(folder.name).chmod(0o755)
        servers = EmbeddedServers(Path(folder.name), settings=UNSAFE_BUT_FAST)
        urls = servers.__enter__()
        atexit.register(folder.cleanup)
        atexit.register(servers.stop)
        assert urls.database_url is not None
        assert urls.owner_url is not None
        assert urls.redis_url is not None
        os.environ.update(
            DATABASE_URL=urls.database_url,
            DATABASE_OWNER_URL=urls.owner_url,
            REDIS_URL=urls.redis_url,
        )


def start_migration(lock: Path) -> None:
    """Migrate the owner's database in a child that locks this file until it ends."""
    os.environ["TESTS_MIGRATION_LOCK"] = str(lock)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        migration = subprocess.Popen(
            [sys.executable, ROOT / "manage.py", "migrate", "--verbosity=0"],
            cwd=ROOT,
            pass_fds=[held.fileno()],
        )
    atexit.register(migration.wait)


def claim(work: str) -> None:
    """Raise FileExistsError if another test process of this run has claimed this work."""
    Path(os.environ["TESTS_MIGRATION_LOCK"]).with_name(f"{work} is claimed").touch(exist_ok=False)


def copied_database(name: str) -> dict[str, str]:
    """Create a fresh copy of the migrated database, and return its addresses."""
    with Path(os.environ["TESTS_MIGRATION_LOCK"]).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)  # waits for the end of the migration
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


gc.disable()  # until all tests are collected: imports leave hardly any garbage
# Tests start a hundred processes: each reads the bytecode of the first, even where Python is set
# to write none.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
os.environ["EXTRA_RULES"] = "bench.free_spots"
# Web processes that many tests share step no game of theirs.
os.environ["STANDBY_CLOCK"] = "0"
# All requests of tests to real processes have one address.
os.environ["RATE_LIMITS"] = "guest=100000/60 register=100000/60"
log_key = tempfile.TemporaryDirectory(prefix="gameserver-log-")
atexit.register(log_key.cleanup)
os.environ["LOG_KEY_FILE"] = f"{log_key.name}/key"
os.environ["SEED_KEY_FILE"] = f"{log_key.name}/seed_key"
encryption.add(Path(os.environ["SEED_KEY_FILE"]))
os.environ["ACK_KEY_FILE"] = f"{log_key.name}/ack_key"
acknowledging.add(Path(os.environ["ACK_KEY_FILE"]), environment.log_origin())
process = os.environ.get("PYTEST_XDIST_WORKER")
if process is None:
    start_servers()
    os.environ["TESTS_TEMPLATE_URL"] = (
        os.environ.get("DATABASE_OWNER_URL") or os.environ["DATABASE_URL"]
    )
    start_migration(Path(log_key.name) / "migration")
    # Tests start Node a hundred times: it compiles the verifier and the client once.
    os.environ["NODE_COMPILE_CACHE"] = f"{log_key.name}/node"
OWNER: Final = os.environ["TESTS_TEMPLATE_URL"]
OWN_DATABASE: Final = f"test_{process or 'main'}"
choose_databases(OWN_DATABASE, 0 if process is None else int(process.removeprefix("gw")) + 1)
django.setup()
# The processes of pytest-xdist inherit these variables. Set earlier, Django would read its settings
# before this module has chosen the database of the process.
del os.environ["DJANGO_SETTINGS_MODULE"]
