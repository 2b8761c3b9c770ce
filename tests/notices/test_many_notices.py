"""10,000 notices at once: how long they take, and what they cost the clock."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

import pytest
from django.db import connection

from accounts.models import User
from notices.models import Delivery, Webhook
from tests.builders import NewGame, NewUser
from tests.notices.scene import fact, tell, webhook_of
from tests.processes import UNSEALED, running, worker
from tests.waiting import WITHIN_S, until
from tests.workers.scene import race, ticks

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("clock")]

USERS, OF_EACH, HOSTS, RACES, ROLLS = 500, 20, 50, 8, 15
TOLD_WITHIN_S, SENT_WITHIN_S, LATE_MAX_S = 10.0, 60.0, 0.25

LATE = """
SELECT extract(epoch FROM percentile_cont(0.99) WITHIN GROUP (ORDER BY at - due)) FROM (
    SELECT at, seat, lag(next_at) OVER (PARTITION BY game_id ORDER BY version) AS due
    FROM games_commit WHERE game_id = ANY(%s)
) c WHERE seat IS NULL AND at > due AND at BETWEEN to_timestamp(%s) AND to_timestamp(%s)
"""


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length))
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        await writer.drain()
    writer.close()


@contextmanager
def answering() -> Iterator[int]:
    """Answer on all addresses of this machine, at the port that this yields."""
    loop, ports, stop = asyncio.new_event_loop(), list[int](), asyncio.Event()

    async def serve() -> None:
        async with await asyncio.start_server(answer, "0.0.0.0", 0, backlog=1024) as server:
            ports.append(server.sockets[0].getsockname()[1])
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    until(lambda: bool(ports), "the receivers")
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(WITHIN_S)
        loop.close()


def late_s(games: list[UUID], since: float, until_: float) -> float:
    """Return how late a tick was in 99 of 100 cases."""
    with connection.cursor() as cursor:
        cursor.execute(LATE, [games, since, until_])
        (late,) = cursor.fetchone()
    return float(late or 0)


def test_ten_thousand_notices_take_seconds_and_none_of_the_clocks_time(
    new_game: NewGame, new_user: NewUser
) -> None:
    owner = new_user()
    users = User.objects.bulk_create(
        User(username=f"{owner.id}-{number}", display_name="Somebody") for number in range(USERS)
    )
    with answering() as port:
        for number, user in enumerate(users):
            webhook_of(user, f"http://127.0.0.{number % HOSTS + 1}:{port}/")
        games = [race(new_game, roll_ms=500) for _ in range(RACES)]
        ids = [game.id for game in games]
        with running(worker({**UNSEALED, "WEBHOOK_NETWORKS": "127.0.0.0/8"})):
            until(lambda: all(len(ticks(game)) >= 2 for game in games), "the races")
            started = time.time()
            until(lambda: all(len(ticks(game)) >= ROLLS for game in games), "rolls without notices")
            quiet = time.time()
            tell(*(fact(user) for user in users for _ in range(OF_EACH)))
            told = time.time()
            waiting = Delivery.objects.filter(state=Delivery.State.WAITING)
            until(lambda: not waiting.exists(), "the deliveries")
            sent = time.time()
    before, meanwhile = late_s(ids, started, quiet), late_s(ids, quiet, sent)
    print(
        f"told {told - quiet:.1f} s, sent {sent - told:.1f} s, late {before:.3f} {meanwhile:.3f} s"
    )
    assert Delivery.objects.filter(state=Delivery.State.SENT).count() == USERS * OF_EACH
    assert told - quiet < TOLD_WITHIN_S
    assert sent - told < SENT_WITHIN_S
    assert meanwhile < before + LATE_MAX_S
    Webhook.objects.filter(user__in=users).delete()
