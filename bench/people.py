"""People at live tables: each has one socket and sends legal commands at a human pace."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec

from bench.wire import Address, Wire

PACE_S: Final = (2.0, 6.0)
"""Seconds between two commands of a person."""

CONNECTING_AT_ONCE: Final = 20

LIST_LEGAL_COMMANDS: Final = b'{"type":"list_legal_commands"}'

WARM_S: Final = 15.0
"""Long enough for the first bets: new games begin with a choice of cards."""

ACKNOWLEDGED_P99_MAX_MS: Final = 50.0
LATE_P99_MAX_MS: Final = 100.0


def is_too_slow(*, late_p99_ms: float, acknowledged_p99_ms: float) -> bool:
    """Whether a p99 latency exceeds its limit."""
    return late_p99_ms > LATE_P99_MAX_MS or acknowledged_p99_ms > ACKNOWLEDGED_P99_MAX_MS


class Person:
    """One user with one socket, who plays at a human pace: any command that the server lists just
    before. Clients that know the legal ones from the view ask for none; nobody plays old ones."""

    def __init__(
        self, game: UUID | str, token: str, address: Address, *, heads: bool = False
    ) -> None:
        self.pace_s = PACE_S
        self._address = address
        self._sent: dict[str, float] = {}
        self._chosen: Any = None
        self._ready = asyncio.Event()
        self._listed = asyncio.Event()
        path = f"/ws/v1/games/{game}{'?heads=true' if heads else ''}"
        self.wire = Wire(path, token, self._on_frame)
        self.restart()

    def restart(self) -> None:
        """Reset the counts."""
        self.waited_s: list[float] = []
        self.accepted = 0
        self.received = 0
        """The bytes of frames."""
        self.refusals: Counter[str] = Counter()

    async def connect(self) -> None:
        """Connect, and return when the view has arrived. Raises ConnectionError, TimeoutError."""
        await self.wire.open(self._address, self._ready)

    async def play(self) -> None:
        """Send a command every few seconds, until the connection is lost."""
        while True:
            await asyncio.sleep(random.uniform(*self.pace_s))  # noqa: S311 -- a load, not luck
            if self.wire.lost:
                return
            self.wire.send(LIST_LEGAL_COMMANDS)
            await self._listed.wait()
            self._listed.clear()
            if self._chosen is not None:
                command_id = str(uuid4())
                frame = {"type": "play", "id": command_id, "command": self._chosen}
                self._sent[command_id] = time.perf_counter()
                self.wire.send(msgspec.json.encode(frame))

    def _on_frame(self, data: bytes, start: int, end: int) -> None:
        self.received += end - start
        if data.startswith(b'{"type":"view"', start):
            self._ready.set()
        elif data.startswith(b'{"type":"legal_commands"', start):
            commands: list[Any] = msgspec.json.decode(data[start:end])["commands"]
            self._chosen = random.choice(commands) if commands else None  # noqa: S311 -- a load
            self._listed.set()
        elif data.startswith((b'{"type":"accepted"', b'{"type":"refused"'), start):
            answer = msgspec.json.decode(data[start:end])
            self.waited_s.append(time.perf_counter() - self._sent.pop(answer["id"]))
            self.accepted += answer["type"] == "accepted"
            if answer["type"] == "refused":
                self.refusals[answer["code"]] += 1


async def connect_in_turn(people: Sequence[Person]) -> None:
    """Connect people, a few at a time."""
    for first in range(0, len(people), CONNECTING_AT_ONCE):
        some = people[first : first + CONNECTING_AT_ONCE]
        await asyncio.gather(*(person.connect() for person in some))
