"""Users of slow tables, whose programs move only when a webhook says that it is their turn.

A turn that nobody is notified of, or that is not delivered, stops its game.
"""

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID, uuid4

import httpx
from django.utils import timezone
from standardwebhooks import Webhook as Signer

from accounts import tokens
from accounts.models import User
from games.models import Head
from notices import webhooks
from notices.models import Delivery, Webhook
from tests.api.told import slow_game_of
from tests.faults.cluster import Program

SLUG: Final = "carcassonne"
SEATS: Final = 2
ANSWERS_AFTER_MAX_S: Final = 2.0
"""How long a receiver takes, so that faults meet deliveries on their way."""
ARRIVES_WITHIN_S: Final = 90.0
"""How long a turn may take to arrive after the last fault. The end of leases is not waited for."""
AGAIN_AFTER_S: Final = 0.2
RELEASE_EVERY_S: Final = 10.0


class Correspondent(NamedTuple):
    """A user with a program: their token, and the secret of their webhook."""

    user: User
    token: str
    signer: Signer


class Correspondents:
    """All correspondents of a round, and the receivers that wake their programs."""

    def __init__(self, web: Sequence[Program], seed: int) -> None:
        self.games: list[UUID] = []
        self.received: defaultdict[str, set[bytes]] = defaultdict(set)
        """The bodies that arrived under each id."""
        self.forged: list[str] = []
        self.moved: dict[UUID, float] = {}
        """When somebody moved in a game last."""
        self.users: dict[str, Correspondent] = {}
        self._web = web
        self._chance = random.Random(seed)
        self._moving: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def listen(self) -> int:
        """Receive webhooks at all addresses of this machine. Return the port."""
        self._server = await asyncio.start_server(self._receive, "0.0.0.0", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def start(self, tables: int, port: int) -> None:
        """Start slow games of users whose webhooks have proved themselves."""
        for number in range(tables * SEATS):
            user = User.objects.create(username=(name := uuid4().hex), display_name=name[:8])
            webhook, secret = webhooks.create(user, webhooks.Wish("https://example.org/", []))
            # A host of its own: a lease that a killed worker leaves holds up nobody else.
            host = f"127.0.0.{number + 1}"
            Webhook.objects.filter(id=webhook.id).update(
                url=f"http://{host}:{port}/{user.id}", host=host, disabled=Webhook.Disabled.NO
            )
            token = tokens.begin_session(user).text
            self.users[str(user.id)] = Correspondent(user, token, Signer(secret))
        users = [each.user for each in self.users.values()]
        for first in range(0, len(users), SEATS):
            self.games.append(slow_game_of(users[first : first + SEATS], SLUG).id)

    async def end(self) -> None:
        """Receive and move nothing more."""
        for task in self._moving:
            task.cancel()
        await asyncio.gather(*self._moving, return_exceptions=True)
        if self._server is not None:
            self._server.close()

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            request, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            named = (line.split(": ", 1) for line in lines if line)
            headers = {name.lower(): value for name, value in named}
            body = await reader.readexactly(int(headers["content-length"]))
            await asyncio.sleep(self._chance.uniform(0, ANSWERS_AFTER_MAX_S))
            self._take(self.users[request.split()[1].strip("/")], headers, body)
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            await writer.drain()
        writer.close()

    def _take(self, who: Correspondent, headers: Mapping[str, str], body: bytes) -> None:
        number = headers["webhook-id"]
        # The clock of the process that signed may be wrong.
        at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
        if who.signer.sign(number, at, body.decode()) != headers["webhook-signature"]:
            self.forged.append(number)
        is_new = number not in self.received
        self.received[number].add(body)
        event = json.loads(body)
        if is_new and event["type"] == "your_turn":
            moving = asyncio.create_task(self._move(who, UUID(event["data"]["notice"]["game"])))
            self._moving.add(moving)
            moving.add_done_callback(self._moving.discard)

    async def _move(self, who: Correspondent, game: UUID) -> None:
        """Move until the game waits for somebody else, on any web process that responds."""
        headers = {"Authorization": f"Bearer {who.token}"}
        async with httpx.AsyncClient(headers=headers, timeout=5.0) as client:
            waits = True
            while waits:
                try:
                    waits = await self._look_and_move(client, game)
                except httpx.HTTPError:
                    await asyncio.sleep(AGAIN_AFTER_S)

    async def _look_and_move(self, client: httpx.AsyncClient, game: UUID) -> bool:
        """Send a command if the game waits for it. Return whether it did."""
        front = self._chance.choice(self._web).front
        assert front is not None
        url = f"http://127.0.0.1:{front.port}/api/v1/games/{game}/"
        shown = (await client.get(url)).raise_for_status().json()
        if not shown["awaits_you"]:
            return False
        found = (await client.get(f"{url}legal/")).raise_for_status().json()["commands"]
        if not found:  # it has moved since
            return True
        command = {"id": str(uuid4()), "command": self._chance.choice(found)}
        answer = await client.post(f"{url}commands/", json=command)
        if answer.status_code == 201:
            self.moved[game] = time.time()
        return True


def left_to_deliver() -> int:
    """Return how many deliveries wait."""
    return Delivery.objects.filter(state=Delivery.State.WAITING).count()


def release() -> int:
    """Let deliveries be anybody's now that a killed process had claimed, or that are to be tried
    again later. Return how many."""
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING)
    return waiting.update(due_at=timezone.now())


def open_among(games: Sequence[UUID]) -> list[UUID]:
    """Return the games that have not ended."""
    return list(Head.objects.filter(game__in=games, ended="").values_list("game_id", flat=True))


def untold(games: Sequence[UUID]) -> int:
    """Return how many ended games their players were not notified of yet."""
    return Head.objects.filter(game__in=games, told=False).count()
