"""Clients that play, and what the server recorded meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from uuid import uuid4

from django.db import transaction

from accounts.models import User
from notices import inbox
from notices.kinds import Fact
from railbird_client import (
    Client,
    GameTypes,
    Problem,
    Unanswered,
    Unreachable,
)
from railbird_client.games import ready_set_bet
from railbird_client.models import NewGuest
from railbird_client.patience import is_passing

T = TypeVar("T")

TIMES = 30
ANY_GAME: GameTypes[Any, Any, Any] = GameTypes("any", command=Any, event=Any, view=Any)
QUICK: dict[str, Any] = {"ready_set_bet": ready_set_bet.Options(roll_ms=50, pause_ms=50, races=2)}


async def enter(client: Client) -> None:
    """Sign in as a new guest."""
    client.token = (await client.create_guest(NewGuest(display_name="Ann"))).token


async def again(work: Callable[[], Awaitable[T]]) -> T:
    """Do what a program does: repeat what did not reach the server, or found it busy."""
    while True:
        try:
            return await work()
        except (Unreachable, Unanswered):
            await asyncio.sleep(5)
        except Problem as problem:
            if not is_passing(problem):
                raise
            await asyncio.sleep(5)


async def all_commits(client: Client, game: str) -> list[Any]:
    found: list[Any] = []
    while more := (await client.list_commits(game, after=len(found), limit=500)).commits:
        found += more
    return found


async def bets_of(client: Client, game: str, seat: int) -> Any:
    cursor = None
    while True:
        page = await client.list_bets_in_game(game, seat=seat, cursor=cursor)
        for bet in page.items:
            yield bet
        if page.next is None:
            return
        cursor = page.next


def tell(user: User, times: int = 1) -> None:
    """Notify a user so many times, each in a transaction."""
    for _ in range(times):
        with transaction.atomic():
            lobby = uuid4()
            inbox.tell([Fact(user.id, "seat_reserved", lobby, 0, {"lobby": str(lobby)})])
