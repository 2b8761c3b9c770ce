"""How `manage.py` runs a command: with a database to talk to, as the right role, and with one line
when it cannot."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from gameserver.processes.children import StartError
from gameserver.settings import environment

# These ask no server for anything, or (serve, demo) bring their own.
WITHOUT_SERVERS = frozenset(
    {
        "bench",
        "check",
        "demo",
        "diffsettings",
        "help",
        "schemas",
        "serve",
        "simulate",
        "spectacular",
        "version",
    }
)
AS_OWNER = frozenset({"migrate"})


def run(arguments: list[str]) -> None:
    command = arguments[1] if len(arguments) > 1 else "help"
    asks_only = command.startswith("-") or not {"-h", "--help"}.isdisjoint(arguments)
    try:
        with servers_for(command if not asks_only else "help"):
            execute_from_command_line(arguments)
    except (StartError, ImproperlyConfigured) as error:
        sys.exit(f"manage.py: {error}")
    except OperationalError as error:
        if "--traceback" in arguments:
            raise
        sys.exit(f"manage.py: the database does not answer: {' '.join(str(error).split())}")


@contextmanager
def servers_for(command: str) -> Iterator[None]:
    """Fills in unset addresses: those of a `serve` that runs on the data folder, else of servers
    for this command alone."""
    with ExitStack() as stack:
        if command not in WITHOUT_SERVERS:
            if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
                stack.enter_context(_embedded_servers())
            if command in AS_OWNER:
                _become_owner()
        yield


def _become_owner() -> None:
    """Logs in with DATABASE_OWNER_URL, if there is one, and remembers whose right to change
    histories migrations revoke."""
    owner_url = os.environ.get("DATABASE_OWNER_URL")
    if owner_url:
        application, owner = (
            environment.database_role(os.environ["DATABASE_URL"]),
            environment.database_role(owner_url),
        )
        os.environ["APPLICATION_ROLE"] = application if application != owner else ""
        os.environ["DATABASE_URL"] = owner_url


@contextmanager
def _embedded_servers() -> Iterator[None]:
    # Production installs without the embedded servers.
    from gameserver.processes import embedded  # noqa: PLC0415

    folder = environment.data_folder()
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
                    f"The server that runs on {folder} was given a {name}: set the same for this command."
                )
            os.environ[name] = url
            if name == "DATABASE_URL" and urls.owner_url:
                os.environ["DATABASE_OWNER_URL"] = urls.owner_url
        yield
