"""The project's own PostgreSQL and Valkey, from wheels: what `serve`, other commands and the tests
run on by default."""

from gameserver.processes.embedded.programs import EmbeddedError
from gameserver.processes.embedded.servers import (
    EmbeddedServers,
    Urls,
    has_database,
    urls_of_running,
)

__all__ = ["EmbeddedError", "EmbeddedServers", "Urls", "has_database", "urls_of_running"]
