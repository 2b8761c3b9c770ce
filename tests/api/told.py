"""Slow games, and the notices of what happens from the start of a test on."""

from typing import Any

import pytest

from accounts.models import User
from games import following, lobbies
from games.log import sealing
from games.models import Game, Head, Reminder
from tests.builders import NewUser, empty_log
from tests.rules.golden import RULES
from tests.waiting import until

DAY_S = 86_400


@pytest.fixture(autouse=True)
def from_now_on() -> None:
    """Follow what this test does, and nothing before."""
    empty_log()
    Head.objects.update(told=True)
    Reminder.objects.all().delete()
    follow()


def follow() -> None:
    """Seal, then follow, as soon as no other process does, such as the clock of a web process."""
    sealing.Sealer().seal()
    until(following.follow, "the end of what another process follows")


def slow_game(new_user: NewUser, slug: str, **choices: Any) -> tuple[Game, list[User]]:
    users = [new_user() for _ in range(RULES[slug].seats[0])]
    return slow_game_of(users, slug, **choices), users


def slow_game_of(users: list[User], slug: str, **choices: Any) -> Game:
    """Start a game of these users with limits of a day."""
    options = dict.fromkeys(RULES[slug].limits, DAY_S)
    lobby = lobbies.create(
        users[0],
        lobbies.LobbyChoices(
            slug=slug, options=options, capacity=len(users), pace="slow", start_when_full=True,
            **choices,
        ),
    )  # fmt: skip
    for user in users[1:]:
        lobbies.join(user, lobby.id)
    return Game.objects.get(lobby=lobby)
