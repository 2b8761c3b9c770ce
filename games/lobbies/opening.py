"""How a lobby begins."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.db import transaction

from accounts.models import User
from accounts.problems import Problem
from games.happenings import LobbyOpened
from games.lobbies.doors import record
from games.lobbies.options import check_options, fitting_seats
from games.lobbies.seats import sit
from games.models import Lobby


def create(  # noqa: PLR0913  (the choices of a host)
    host: User,
    slug: str,
    *,
    options: Mapping[str, Any] | None = None,
    title: str = "",
    visibility: str = Lobby.Visibility.PUBLIC,
    capacity: int | None = None,
    buy_in: int = 0,
    prizes: Sequence[int] = (100,),
    entropy: bytes = b"",
) -> Lobby:
    """Open a lobby and sit its host down in the first seat. The hash of the seed is public from here on.

    Raises as `check_options`, and Problem `wrong_capacity`, `guests_cannot_stake`, `insufficient_funds`.
    """
    rules, checked = check_options(slug, options or {})
    fitting = fitting_seats(rules, checked)
    capacity = fitting[-1] if capacity is None else capacity
    if capacity not in fitting:
        raise Problem("wrong_capacity", least=fitting[0], most=fitting[-1])
    with transaction.atomic():
        lobby = Lobby.objects.create(
            title=title,
            slug=slug,
            options=msgspec.to_builtins(checked),
            host=host,
            visibility=visibility,
            capacity=capacity,
            buy_in=buy_in,
            prizes=list(prizes),
        )
        record(lobby, LobbyOpened(user=host.id))
        sit(lobby, host, entropy)
    return lobby
