"""The types of the fixtures that create users and games."""

from collections.abc import Callable

from accounts.models import User
from games.models import Game

NewUser = Callable[[], User]
NewGame = Callable[..., Game]
