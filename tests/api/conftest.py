"""A few web processes for all API tests of a test process."""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.mail import EmailMessage

from games.log.sealing import Sealer
from gameserver.celery import app
from tests.api.matrix import World
from tests.builders import NewUser
from tests.processes import web_process


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Host and port of a real web process, with high limits, as all tests share one address."""
    with web_process({"RATE_LIMITS": "sign_in=0/60 oauth=0/60"}) as (_, address):
        yield address


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[str]:
    """Host and port of a second web process. Tests that use it share an xdist group of its name."""
    with web_process() as (_, address):
        yield address


class Strict(NamedTuple):
    """A web process with low limits: 5 requests of a token and 7 of an address in a minute."""

    address: str
    log: Path


@pytest.fixture(scope="session")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Strict]:
    """A web process with low limits. All but one test send addresses of their own to it."""
    log = tmp_path_factory.mktemp("strict") / "log"
    with web_process({"RATE_LIMITS": "token=5/60 address=7/60"}, log=log) as (_, address):
        yield Strict(address, log)


@pytest.fixture
def world(new_user: NewUser, own_log: Path) -> World:
    """A world of the test's own, sealed in a log of its own."""
    made = World(new_user)
    assert made.lobby
    assert made.game
    Sealer().seal()
    return made


@pytest.fixture(scope="module")
def standing_world(new_user: NewUser) -> World:
    """A world for all requests that change nothing."""
    return World(new_user)


@pytest.fixture
def mailed(mailoutbox: list[EmailMessage]) -> Iterator[list[EmailMessage]]:
    """Mails that the tasks send before the request returns."""
    app.conf.task_always_eager = True
    yield mailoutbox
    app.conf.task_always_eager = False
