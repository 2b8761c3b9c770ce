"""Fixtures of all tests of notices: the database, receivers, and no deliveries of others."""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

from collections.abc import Iterator
from typing import Any

import pytest

from notices import delivering
from notices.models import Delivery
from tests.notices.receivers import Receiver, receiving
from tests.notices.scene import OWN


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(autouse=True)
def _own_deliveries(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_NETWORKS = OWN
    monkeypatch.setattr(delivering, "still_open", [lambda notice: True])
    Delivery.objects.all().delete()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver of webhooks, or a push service."""
    with receiving() as server:
        yield server
