"""How a lobby begins: a host opens it, or somebody looks for a table and finds none."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.db.models import Count, F, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from accounts.problems import Problem
from games.happenings import LobbyOpened
from games.lobbies.doors import record
from games.lobbies.options import check_options, fitting_seats
from games.lobbies.seats import sit
from games.models import Lobby, Seat

BOTS_AFTER_MAX_S: Final = 3600


def create(  # noqa: PLR0913  (the choices of a host)
    host: User,
    slug: str,
    *,
    options: Mapping[str, Any] | None = None,
    title: str = "",
    visibility: str = Lobby.Visibility.PUBLIC,
    spectators: str = Lobby.Spectators.WATCH,
    capacity: int | None = None,
    absence: str = Lobby.Absence.WAIT,
    absence_s: int = 60,
    buy_in: int = 0,
    prizes: Sequence[int] = (100,),
    start_when_full: bool = False,
    admits_bot_accounts: bool = True,
    bots_after_s: int | None = None,
    entropy: bytes = b"",
) -> Lobby:
    """Open a lobby and sit its host down in the first seat. The hash of the seed is public from here on.

    Raises as `check_options`, and Problem `wrong_capacity`, `guests_cannot_stake`, `bots_cannot_stake`, `bots_not_admitted`,
    `insufficient_funds`.
    """
    rules, checked = check_options(slug, options or {})
    fitting = fitting_seats(rules, checked)
    capacity = fitting[-1] if capacity is None else capacity
    if capacity not in fitting:
        raise Problem("wrong_capacity", least=fitting[0], most=fitting[-1])
    if buy_in and bots_after_s is not None:
        raise Problem("bots_cannot_stake")
    with transaction.atomic():
        lobby = Lobby.objects.create(
            title=title,
            slug=slug,
            options=msgspec.to_builtins(checked),
            host=host,
            visibility=visibility,
            spectators=spectators,
            capacity=capacity,
            absence=absence,
            absence_s=absence_s,
            buy_in=buy_in,
            prizes=list(prizes),
            start_when_full=start_when_full,
            admits_bot_accounts=admits_bot_accounts,
            bots_after_s=bots_after_s,
            bots_due_at=None if bots_after_s is None else Now() + timedelta(seconds=bots_after_s),
        )
        record(lobby, LobbyOpened(user=host.id))
        sit(lobby, host, entropy)
    return lobby


def quick_match(
    user: User,
    slug: str,
    *,
    options: Mapping[str, Any] | None = None,
    capacity: int | None = None,
    buy_in: int = 0,
    entropy: bytes = b"",
) -> Lobby:
    """Sit down at the oldest public table of this game, with these options, that has a free seat; where there is none, open
    one that starts when it is full. Who sits at such a table already stays there, so asking again changes nothing. A bot
    account finds those that admit it.

    Raises as `create`.
    """
    rules, checked = check_options(slug, options or {})
    if capacity is None:
        capacity = fitting_seats(rules, checked)[-1]
    wanted = {"slug": slug, "options": msgspec.to_builtins(checked), "capacity": capacity, "buy_in": buy_in}
    with transaction.atomic():
        _wait_in_line(msgspec.json.encode(wanted, order="sorted"))
        tables = Lobby.objects.filter(**wanted, status=Lobby.Status.OPEN, visibility=Lobby.Visibility.PUBLIC)
        own = tables.filter(seats__user=user).first()
        if own is not None:
            return own
        if user.is_bot:
            tables = tables.filter(admits_bot_accounts=True)
        for lobby_id in _with_a_free_seat(tables.exclude(bans__user__in=(user.id, user.answerable))):
            lobby = Lobby.objects.select_for_update().get(id=lobby_id)
            if lobby.status == Lobby.Status.OPEN and Seat.objects.filter(lobby=lobby).count() < capacity:
                sit(lobby, user, entropy)
                return lobby
        return create(user, slug, options=options, capacity=capacity, buy_in=buy_in, start_when_full=True, entropy=entropy)


def _wait_in_line(wanted: bytes) -> None:
    """Those who look for the same table do so one after the other, until the transaction ends: each finds the seats that the
    one before left, and no two open a table where one would do.
    """
    number = int.from_bytes(hashlib.sha256(b"quick match" + wanted).digest()[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", (number,))


def _with_a_free_seat(tables: QuerySet[Lobby]) -> list[UUID]:
    free = tables.annotate(taken=Count("seats")).filter(taken__lt=F("capacity"))
    return list(free.order_by("id").values_list("id", flat=True)[:10])
