"""`python -m tests.server_process LOCK`: PostgreSQL and Valkey of a test run, with all tables.

It writes how the start ended, releases the lock (a file descriptor), and serves until the run ends,
however that ends. Servers whose addresses were given only get their tables.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack

from gameserver.processes.embedded import EmbeddedError
from gameserver.processes.embedded.postgres import Postgres
from gameserver.processes.embedded.valkey import Valkey
from tests.run import FOLDER, ROOT

OUTCOME = FOLDER / "outcome"
"""Why the servers did not start or the migration failed; empty if all is well."""
LINES_MAX = 10  # of a traceback
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
    "max_connections": "400",
}


def postgres() -> Postgres:
    """The database server of the run, whether it runs or not."""
    return Postgres(
        FOLDER / "postgres",
        runtime=FOLDER / "sockets",
        log=FOLDER / "postgres.log",
        settings=UNSAFE_BUT_FAST,
    )


def valkey() -> Valkey:
    """The cache of the run, whether it runs or not."""
    return Valkey(runtime=FOLDER, log=FOLDER / "valkey.log")


def start(serving: ExitStack) -> str:
    """Start the servers and migrate. Return why that failed, or nothing."""
    if os.environ.get("TESTS_EMBED"):
        (FOLDER / "sockets").mkdir(mode=0o700)
        for server in (valkey(), postgres()):
            serving.callback(server.child.stop)
            try:
                server.start()
            except EmbeddedError as error:
                return str(error)
    migration = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if migration.returncode == 0:
        return ""
    last = "\n".join(migration.stdout.splitlines()[-LINES_MAX:])
    return f"The migration failed:\n{last}"


def main(lock: int) -> None:
    with (FOLDER / "serving").open("w") as held, ExitStack() as serving:
        fcntl.flock(held, fcntl.LOCK_EX)
        draft = OUTCOME.with_suffix(".new")
        draft.write_text(start(serving))
        draft.rename(OUTCOME)
        os.close(lock)
        with (FOLDER / "running").open() as running:
            fcntl.flock(running, fcntl.LOCK_SH)  # waits for the end of the run
    shutil.rmtree(FOLDER, ignore_errors=True)  # which was killed, perhaps


if __name__ == "__main__":
    main(int(sys.argv[1]))
