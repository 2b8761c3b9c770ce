"""Overload: more commands over REST than a slowed server can carry out, from a process of its own.

The load is open: a command is sent when its time has come, whether or not others were answered.
"""

import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

import msgspec

from bench.free_spots import SPOTS

REPEAT_EVERY_S: Final = 1.0
PROBE_EVERY_S: Final = 1.0
GIVES_UP_AFTER_S: Final = 30.0
IDLE_S: Final = 2.0
"""The server closes a connection that is idle for longer, sometimes just when it is used."""


class Seat(msgspec.Struct):
    """A player who sends commands."""

    game: str
    token: str


class Order(msgspec.Struct, kw_only=True):
    """A load: `rate` commands a second, or with `clients` as many as that number of clients get
    answered, each with one at a time."""

    port: int
    seats: list[Seat]
    seconds: float
    rate: float = 0.0
    clients: int = 0


class Answered(msgspec.Struct, kw_only=True):
    """The answers. Times are in seconds, from when a command was due to its answer; `decided` are
    accepted or refused by the rules, `shed` refused as `busy`, `waits` their `Retry-After`.

    `repeated` are the codes of answers to commands that were accepted before, `probes` the times of
    health checks, and `failed` counts everything else.
    """

    decided: list[float] = []
    shed: list[float] = []
    waits: list[int] = []
    repeated: dict[str, int] = {}
    probes: list[float] = []
    failed: dict[str, int] = {}


class _Client:
    """Connections to the server, of which each carries one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(
        self, method: str, path: str, token: str = "", body: bytes = b""
    ) -> tuple[int, dict[str, str], bytes]:
        since, reader, writer = self._idle.pop() if self._idle else (0.0, None, None)
        if reader is None or writer is None or time.monotonic() - since > IDLE_S:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value for name, _, value in (each.partition(": ") for each in head[1:])
        }
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        self._idle.append((time.monotonic(), reader, writer))
        return int(head[0].split()[1]), headers, content


class _Load:
    def __init__(self, order: Order) -> None:
        self._order = order
        self._client = _Client(order.port)
        self._answered = Answered()
        self._repeated: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._known: tuple[Seat, bytes] | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def run(self) -> Answered:
        """Send for the time of the order, and wait for the answers."""
        loop, order = asyncio.get_running_loop(), self._order
        end = loop.time() + order.seconds
        beside = [
            loop.create_task(self._every(REPEAT_EVERY_S, self._repeat)),
            loop.create_task(self._every(PROBE_EVERY_S, self._probe)),
        ]
        if order.clients:
            await asyncio.gather(*(self._one_at_a_time(end) for _ in range(order.clients)))
        due = loop.time()
        while order.rate and due < end:
            await asyncio.sleep(due - loop.time())
            self._spawn(self._command(due))
            due += random.expovariate(order.rate)
        for task in beside:
            task.cancel()
        await asyncio.wait(self._running | {loop.create_task(asyncio.sleep(0))})
        self._answered.repeated, self._answered.failed = dict(self._repeated), dict(self._failed)
        return self._answered

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _every(self, seconds: float, work: Any) -> None:
        while True:
            await asyncio.sleep(seconds)
            self._spawn(work())

    async def _one_at_a_time(self, end: float) -> None:
        while (now := asyncio.get_running_loop().time()) < end:
            await self._command(now)

    async def _ask(self, *request: Any) -> tuple[int, dict[str, str], bytes]:
        try:
            async with asyncio.timeout(GIVES_UP_AFTER_S):
                return await self._client.ask(*request)
        except (OSError, EOFError, TimeoutError) as error:
            self._failed[type(error).__name__] += 1
            return 0, {}, b""

    async def _command(self, due: float) -> None:
        seat = random.choice(self._order.seats)
        command = {"type": "take_spot", "spot": random.randrange(SPOTS)}
        body = json.dumps({"id": str(uuid4()), "command": command}).encode()
        status, headers, content = await self._play(seat, body)
        took = asyncio.get_running_loop().time() - due
        if status in {201, 409}:
            self._answered.decided.append(took)
            if status == 201:
                self._known = self._known or (seat, body)
        elif status == 503 and json.loads(content)["code"] == "busy":
            self._answered.shed.append(took)
            self._answered.waits.append(int(headers["retry-after"]))
        elif status:
            self._failed[f"{status} {content[:200]!r}"] += 1

    async def _play(self, seat: Seat, body: bytes) -> tuple[int, dict[str, str], bytes]:
        return await self._ask("POST", f"/api/v1/games/{seat.game}/commands/", seat.token, body)

    async def _repeat(self) -> None:
        if self._known is not None:
            status, _, content = await self._play(*self._known)
            code = json.loads(content).get("code", "ok") if content else "none"
            self._repeated[f"{status} {code}"] += 1

    async def _probe(self) -> None:
        began = time.monotonic()
        status, _, _ = await self._ask("GET", "/api/v1/health/ready/")
        self._answered.probes.append(time.monotonic() - began if status == 200 else 1e9)


def main() -> None:
    """Read an order from standard input, and write the answers to standard output."""
    with suppress(AttributeError):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(_Load(order).run())))


def percentile(times: Sequence[float], share: float) -> float:
    """Return the time below which this share of the times are."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


if __name__ == "__main__":
    main()
