"""Fill tables for an experiment through the services: users, tokens and started games."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from uuid_utils.compat import uuid7

from accounts.models import User
from accounts.tokens import begin_session
from games import lobbies
from games.lobbies.attempts import terms_of

GAMES_PER_TRANSACTION = 50


class Seated(NamedTuple):
    """A started game and one token per seat."""

    game: UUID
    tokens: Sequence[str]


def seat_tables(
    sizes: Sequence[int], slug: str, options: Mapping[str, Any] | None = None, *, bots: int = 0
) -> list[Seated]:
    """Start one game per size, with that many users and `bots` bots at its table."""
    everybody = User.objects.bulk_create(
        User(username=(name := uuid7().hex), display_name=name[:8], is_guest=True)
        for _ in range(sum(sizes))
    )
    waiting = iter(everybody)
    seated: list[Seated] = []
    for first in range(0, len(sizes), GAMES_PER_TRANSACTION):
        with transaction.atomic():
            for size in sizes[first : first + GAMES_PER_TRANSACTION]:
                people = [next(waiting) for _ in range(size)]
                seated += [_seat(people, slug, options, bots)]
    return seated


def _seat(
    people: Sequence[User], slug: str, options: Mapping[str, Any] | None, bots: int
) -> Seated:
    host, *others = people
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug=slug, options=dict(options or {})))
    for person in others:
        lobbies.join(person, lobby.id)
        lobbies.set_ready(person, lobby.id, ready=True)
    for _ in range(bots):
        lobbies.add_bot(host, lobby.id)
    tokens = [begin_session(person).text for person in people]
    return Seated(terms_of(lobbies.start(host, lobby.id)).game, tokens)
