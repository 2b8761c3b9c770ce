"""PgBouncer in front of PostgreSQL, with connections that are lent for a transaction."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gameserver.management.commands.deploy_files import FILES
from gameserver.processes.children import free_port
from tests.deploy.debian import program
from tests.waiting import until

SCRIPT: Final = (FILES / "init-roles.sh").read_text()
ROLES: Final = [
    statement.replace(":'app_password'", "NULL")
    for statement in re.findall(
        r"^(?:CREATE|ALTER) ROLE gameserver_store .*;$", SCRIPT, re.MULTILINE
    )
]
"""The statements that make the role of the store."""


class PgBouncer:
    """A running PgBouncer. Its folder must be open to the user of PostgreSQL."""

    def __init__(self, folder: Path, database: str, sockets: Path, pool_size: int = 2) -> None:
        self._folder = folder
        self._database = database
        self._port = free_port()
        self._pool_size = pool_size
        self._program = program("pgbouncer", folder, "libc-ares2", "libevent-2.1-7")
        (folder / "users").write_text('"gameserver_app" ""\n"gameserver_store" ""\n')
        self._write(sockets)

    def _write(self, sockets: Path) -> None:
        (self._folder / "pgbouncer.ini").write_text(
            f"""
            [databases]
            {self._database} = host={sockets} port=5432 pool_size={self._pool_size}
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = {self._port}
            unix_socket_dir =
            auth_type = trust
            auth_file = {self._folder}/users
            pool_mode = transaction
            server_login_retry = 1
            """.replace("            ", "")
        )

    @contextmanager
    def running(self, user: int) -> Iterator[None]:
        """Run as this user: only PostgreSQL's own reaches its socket."""
        with (
            (self._folder / "log").open("w") as log,
            subprocess.Popen(
                [self._program.path, self._folder / "pgbouncer.ini"],
                env=self._program.environment,
                user=user,
                stderr=log,
            ) as self._process,
        ):
            try:
                until(lambda: "process up" in (self._folder / "log").read_text(), "PgBouncer")
                yield
            finally:
                self._process.terminate()

    def point_at(self, sockets: Path) -> None:
        """Send later transactions to the server with these sockets."""
        self._write(sockets)
        self._process.send_signal(signal.SIGHUP)

    @property
    def settings(self) -> dict[str, str]:
        """The environment of processes that reach the database through PgBouncer only."""
        there = f"127.0.0.1:{self._port}/{self._database}"
        return {
            "DATABASE_URL": f"postgresql://gameserver_app@{there}",
            "STORE_DATABASE_URL": f"postgresql://gameserver_store@{there}",
            "DATABASE_POOLING": "transaction",
        }
