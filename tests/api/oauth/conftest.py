"""An app that another user registered, and its player."""

from collections.abc import Iterator

import pytest

from accounts.models import User
from tests.api.oauth.program import Program, register, with_password
from tests.builders import NewUser


@pytest.fixture
def program(address: str, new_user: NewUser) -> Iterator[Program]:
    """An app that another user registered."""
    found = Program(address, register(new_user()))
    yield found
    found.http.close()


@pytest.fixture
def player(new_user: NewUser) -> User:
    return with_password(new_user())
