"""Run a command with the servers and the database role that it needs.

Missing servers are reported in one line.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from textwrap import wrap

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import (
    execute_from_command_line,
    get_commands,
    load_command_class,
)
from django.db import OperationalError, ProgrammingError
from psycopg.errors import UndefinedColumn, UndefinedTable

from gameserver.processes.children import StartError
from gameserver.settings import build, environment
from kit import installation

# These need no server, or (serve, demo) start their own.
WITHOUT_SERVERS = frozenset(
    {
        "bench",
        "check",
        "check_migrations",
        "collectstatic",
        "demo",
        "deploy_files",
        "diffsettings",
        "findstatic",
        "help",
        "load",
        "pages",
        "schemas",
        "serve",
        "simulate",
        "spectacular",
        "version",
    }
)
SERVING = frozenset({"bench", "demo", "serve"})
AS_OWNER = frozenset({"archive", "check_tables", "migrate", "restore_history", "protect_tables"})
OF_DJANGO = frozenset({"changepassword", "createsuperuser", "migrate"})
OWN = frozenset({"accounts", "bench", "demo", "games", "gameserver", "web"})
"""Packages whose commands `help` lists; Django's other commands can be run, too."""

ON_AN_EMPTY_DATABASE = frozenset({"migrate", "makemigrations"})


def run(arguments: list[str]) -> None:
    if len(arguments) > 1 and not arguments[1].startswith("-"):
        arguments = [arguments[0], arguments[1].replace("-", "_"), *arguments[2:]]
    if arguments[1:] in (["--version"], ["version"]):
        sys.stdout.write(f"{build.version()}\n")
        return
    if arguments[1:] in ([], ["help"], ["-h"], ["--help"]):
        environment.store_nothing()
        sys.stdout.write(f"{_listed()}\n")
        return
    command = arguments[1] if len(arguments) > 1 else "help"
    asks_only = command.startswith("-") or not {"-h", "--help"}.isdisjoint(arguments)
    try:
        environment.read_secret_files()
        if asks_only or command in WITHOUT_SERVERS - SERVING:
            environment.store_nothing()
        with servers_for(command if not asks_only else "help"):
            execute_from_command_line(arguments)
    except (StartError, ImproperlyConfigured) as error:
        sys.exit(f"{installation.NAME}: {error}")
    except OperationalError as error:
        if "--traceback" in arguments:
            raise
        sys.exit(
            f"{installation.NAME}: the database does not answer: {' '.join(str(error).split())}"
        )
    except ProgrammingError as error:
        is_outdated = isinstance(error.__cause__, UndefinedTable | UndefinedColumn)
        if "--traceback" in arguments or not is_outdated:
            raise
        sys.exit(
            f"{installation.NAME}: the database lacks tables or columns:"
            f" run `{installation.NAME} migrate` first."
        )


def _listed() -> str:
    """Return the commands of this server, and the few of Django that a server needs."""
    django.setup()
    lines = [f"{installation.NAME} COMMAND --help explains a command.", ""]
    for name, package in sorted(get_commands().items()):
        if name in OF_DJANGO or package in OWN:
            line = load_command_class(str(package), name).help.split(".")[0].split(": ")[0]
            lines += wrap(line, 79, initial_indent=f"  {name:18}", subsequent_indent=" " * 20)
    return "\n".join(lines)


@contextmanager
def servers_for(command: str) -> Iterator[None]:
    """Set missing server addresses: of a running `serve`, or of servers for this command alone.

    Raises StartError when the data folder holds no data.
    """
    with ExitStack() as stack:
        if command not in WITHOUT_SERVERS:
            if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
                may_be_empty = command in ON_AN_EMPTY_DATABASE
                stack.enter_context(_embedded_servers(may_be_empty=may_be_empty))
            if command in AS_OWNER:
                _become_owner()
        yield


def _become_owner() -> None:
    """Log in with DATABASE_OWNER_URL if set.

    Also sets the application role, from which migrations revoke the right to change histories.
    """
    owner_url = os.environ.get("DATABASE_OWNER_URL")
    if owner_url:
        application = environment.database_role(os.environ["DATABASE_URL"])
        owner = environment.database_role(owner_url)
        os.environ["APPLICATION_ROLE"] = application if application != owner else ""
        os.environ["DATABASE_URL"] = owner_url


@contextmanager
def _embedded_servers(*, may_be_empty: bool) -> Iterator[None]:
    # Production installs without the embedded servers.
    from gameserver.processes import embedded  # noqa: PLC0415

    folder = environment.data_folder()
    if not (may_be_empty or os.environ.get("DATABASE_URL") or embedded.has_database(folder)):
        raise StartError(
            f"No server data in {folder}: start `{installation.NAME} serve` first,"
            f" or set GAMESERVER_DATA_DIR to the data folder of your server."
        )
    with ExitStack() as stack:
        urls = embedded.urls_of_running(folder) or stack.enter_context(
            embedded.EmbeddedServers(
                folder,
                postgres=not os.environ.get("DATABASE_URL"),
                valkey=not os.environ.get("REDIS_URL"),
            )
        )
        for name, url in {"DATABASE_URL": urls.database_url, "REDIS_URL": urls.redis_url}.items():
            if os.environ.get(name):
                continue
            if url is None:
                raise StartError(
                    f"The server that runs on {folder} uses another {name}: "
                    "set the same for this command."
                )
            os.environ[name] = url
            if name == "DATABASE_URL" and urls.owner_url:
                os.environ["DATABASE_OWNER_URL"] = urls.owner_url
        yield
