"""A primary of PostgreSQL and its streaming standby."""

import os
import shutil
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psutil
import psycopg

from gameserver.processes.embedded.postgres import (
    APPLICATION,
    DATABASE,
    SUPERUSER,
    Postgres,
)
from tests.waiting import until

SYNCHRONOUS = "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'"
ASYNCHRONOUS = "ALTER SYSTEM RESET synchronous_standby_names"


class Pair:
    """A primary and its standby, each with a socket of its own."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._stack = stack
        self.primary = self._server(folder / "primary")
        self.primary.start()
        self.standby = self._server(folder / "standby")
        self.hosts = f"{self.primary.runtime},{self.standby.runtime}"
        self._copy()
        self.tell(self.primary, f"GRANT pg_read_all_stats TO {APPLICATION}")
        self.synchronous(True)

    def _copy(self) -> None:
        """Make the standby a copy of the primary, and start it."""
        command: list[str | Path] = [
            self.primary.server.with_name("pg_basebackup"),
            "--pgdata",
            self.standby.folder,
        ]
        options = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "--dbname"]
        subprocess.run([*command, *options, self.primary.url(SUPERUSER, "postgres")], check=True)
        owner = self.standby.identity
        if owner is not None:
            for path in [self.standby.folder, *self.standby.folder.rglob("*")]:
                os.chown(path, owner.uid, owner.gid)
        self.standby.start()

    def synchronous(self, wanted: bool) -> None:
        """Let commits wait for the standby, or not, and return when that holds."""
        self.tell(self.primary, SYNCHRONOUS if wanted else ASYNCHRONOUS)
        self.tell(self.primary, "SELECT pg_reload_conf()")
        state = "quorum" if wanted else "async"
        query = "SELECT sync_state FROM pg_stat_replication"
        until(lambda: self.tell(self.primary, query) == [(state,)], state)

    def _server(self, folder: Path) -> Postgres:
        folder.mkdir(mode=0o755)
        (runtime := folder / "run").mkdir()
        server = Postgres(
            folder / "data", runtime=runtime, log=folder / "log", settings={"fsync": "off"}
        )
        self._stack.callback(server.child.stop)
        return server

    def tell(self, server: Postgres, statement: str) -> Any:
        """Execute a statement as the superuser, and return its rows."""
        url = server.url(SUPERUSER)
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else None

    def url(self, role: str) -> str:
        """The URL of whichever server is the primary."""
        hosts = {
            "host": self.hosts,
            "port": "5432,5432",
            "target_session_attrs": "read-write",
        }
        return f"postgresql://{role}@/{quote(DATABASE)}?{urlencode(hosts, safe='/,')}"

    def kill(self) -> None:
        """End the primary with all its processes at once, as its machine would."""
        server = self.primary.child
        parent = psutil.Process(server.pid)
        for process in [parent, *parent.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        until(lambda: server.exit_code is not None, "the end of the primary")

    def promote(self) -> None:
        """Promote the standby."""
        self.tell(self.standby, "SELECT pg_promote()")

    def fail_over(self) -> None:
        """Kill the primary, and promote the standby."""
        self.kill()
        self.promote()

    def rebuild(self) -> None:
        """Make the standby of before the primary, and the dead primary its new standby."""
        self.primary, self.standby = self.standby, self.primary
        shutil.rmtree(self.standby.folder)
        self._copy()
