"""A web process and a worker with lively bots, for clients that play whole games."""

from tests import servers  # noqa: F401 -- sets Django up
from tests.certificates import certified

# isort: split

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from packages import build
from sdk import node
from tests.builders import end_games
from tests.processes import running, web_process, worker


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(autouse=True)
def _games_end() -> Iterator[None]:
    """Void the games of each test, which bots would play on to the end."""
    yield
    end_games()


@pytest.fixture(scope="package", autouse=True)
def _packages() -> None:
    """Install the packages of the TypeScript client."""
    node.TYPESCRIPT.install()


@pytest.fixture(scope="package")
def csharp(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of the C# client, as a release publishes them."""
    folder = tmp_path_factory.mktemp("csharp")
    shutil.unpack_archive(build.csharp_sources(folder), folder)
    return [*folder.glob("**/*.cs")]


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The URL of a running server.

    It stops after these tests, because its worker would play and seal games of other tests.
    """
    quick = {"BOT_DELAY_PERCENT": "3"}
    with web_process() as (_, address), running(worker(quick)):
        yield f"http://{address}"


@pytest.fixture(scope="package")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key with a certificate that it signed itself."""
    return certified(tmp_path_factory.mktemp("tls"))
