"""`python -m tests.faults`: inject faults up to a number in the results, and print the table."""

import argparse
import logging
import os
import sys
import tempfile
from pathlib import Path

import uvloop

from gameserver.processes.embedded import EmbeddedServers


def main() -> None:
    """Start separate servers, run the missing rounds, and print the findings of all rounds."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--results", type=Path, default=Path(".data/faults.jsonl"))
    parser.add_argument("--process", type=int, default=0, help="faults of processes in all")
    parser.add_argument("--connection", type=int, default=0, help="faults of connections in all")
    parser.add_argument("--kinds", nargs="*", help="these kinds, once, in this order")
    parser.add_argument("--seed", type=int, help="the seed of the first new round")
    parser.add_argument("--web", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tables", type=int, default=16)
    arguments = parser.parse_args()
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs each request
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        settings = {"fsync": "off", "max_connections": "300"}
        servers = EmbeddedServers(folder / "servers", settings=settings)
        with servers as urls:
            assert urls.database_url
            assert urls.owner_url
            assert urls.redis_url
            # A test that starts this belongs to a run with other servers.
            for variable in ("PYTEST_XDIST_WORKER", "TESTS_FOLDER", "TESTS_TEMPLATE_URL"):
                os.environ.pop(variable, None)
            os.environ.pop("TESTS_EMBED", None)
            os.environ.update(
                DATABASE_URL=urls.database_url,
                DATABASE_OWNER_URL=urls.owner_url,
                REDIS_URL=urls.redis_url,
            )
            from tests import servers as of_tests  # noqa: PLC0415 -- it sets Django up, for these

            if failure := of_tests.failure():
                sys.exit(failure)
            of_tests.copied_database(of_tests.OWN_DATABASE)
            from tests.faults import campaign  # noqa: PLC0415 -- needs Django

            complete = uvloop.run(campaign.run(arguments, folder, servers.children))
    sys.exit(0 if complete else 1)


if __name__ == "__main__":
    main()
