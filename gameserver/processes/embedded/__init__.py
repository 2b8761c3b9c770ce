"""Embedded PostgreSQL and Valkey from wheels, the default of `serve`, commands and tests."""

from gameserver.processes.embedded.programs import EmbeddedError
from gameserver.processes.embedded.servers import (
    EmbeddedServers,
    Urls,
    has_database,
    urls_of_running,
)

__all__ = ["EmbeddedError", "EmbeddedServers", "Urls", "has_database", "urls_of_running"]
