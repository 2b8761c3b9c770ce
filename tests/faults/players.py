"""Players who record every response and every commit that they receive."""

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench.free_spots import SPOTS
from railbird_engine.rules.ready_set_bet.data.board import SPOT_NAMED
from tests.faults.cluster import Program
from tests.faults.network import Line, Link

ANSWER_WITHIN_S: Final = 1.0
ANSWER_WITHIN_MAX_S: Final = 8.0
"""How long a player waits for an answer: twice as long each time, so that a slow server does not
get ever more connections."""
NOT_AFTER: Final = timedelta(seconds=4)
AGAIN_AFTER_S: Final = 0.1
PAUSE_S: Final = 0.4
BURSTS: Final = (1, 1, 1, 5)
"""How many commands a player sends at once: the server stores commands of one game together."""
NO_ANSWER: Final = {
    "busy", "unavailable", "outcome_unknown", "too_many_requests", "too_many_commands",
    "internal_error",
}  # fmt: skip
"""Codes that leave the outcome open: the player sends the command again under the same id."""
LOST: Final = {"type": "refused", "code": "unavailable"}
"""The response when the socket is lost."""


def take_spot(spot: int) -> dict[str, Any]:
    """Return the command of free spots."""
    return {"type": "take_spot", "spot": spot}


COMMANDS: Final[dict[str, list[dict[str, Any]]]] = {
    "free_spots": [take_spot(spot) for spot in range(SPOTS)],
    "ready_set_bet": [
        {"type": "place_bet", "spot": spot, "token": token}
        for spot in SPOT_NAMED
        for token in (2, 3, 5)
    ],
}
"""The commands that players try, by game; the server refuses some."""


@dataclass
class Sent:
    """A command and its response. `copies` counts the copies sent; `at` is the response time.

    `refused` is the code of the first refusal, once it is final.
    """

    id: UUID
    at: float = 0.0
    copies: int = 0
    accepted: int | None = None
    refused: str = ""


@dataclass
class Shown:
    """The commits that a player received, by version."""

    commits: dict[int, dict[str, Any]] = field(default_factory=dict)
    last: int = 0
    gaps: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)


class Player:
    """One user at one seat, who plays on any web process and switches when it does not respond."""

    def __init__(
        self, game: UUID, slug: str, seat: int, token: str, web: Sequence[Program], seed: int
    ) -> None:
        self.game, self.slug, self.seat = game, slug, seat
        self.turn = asyncio.Lock()
        """A fault that holds it plays for this player."""
        self.sent: list[Sent] = []
        self.shown = Shown()
        self.answered = 0.0
        """The time of the newest response to a command."""
        self.link: Link | None = None
        self._commands = COMMANDS[slug]
        self._token = token
        self._web = web
        self._chance = random.Random(seed)
        self._asked: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()
        self._stopping = asyncio.Event()
        self._patience_s = ANSWER_WITHIN_S
        self._tried: Line | None = None

    def __str__(self) -> str:
        """The seat and the newest command."""
        is_open = "connected" if self._socket is not None else "not connected"
        return f"seat {self.seat} of {self.game}, {is_open}: {self.sent[-1:]}"

    async def run(self) -> None:
        """Play until stopped. The last command still gets its response."""
        while not self._stopping.is_set():
            async with self.turn:
                commands = self._chance.choices(self._commands, k=self._chance.choice(BURSTS))
                await asyncio.gather(*map(self.play, commands))
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE_S * 2 * self._chance.random()):
                    await self._stopping.wait()

    def stop(self) -> None:
        self._stopping.set()

    async def caught_up(self, version: int) -> None:
        """Wait until the commits up to a version have arrived."""
        while self.shown.last < version:
            await self._connected()
            await asyncio.sleep(AGAIN_AFTER_S)

    async def leave(self) -> None:
        """Close the socket."""
        if self._reading is not None:
            self._reading.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def play(self, command: Mapping[str, Any]) -> Sent:
        """Send a command until its response is final. Expects `turn`."""
        sent = Sent(uuid4())
        self.sent.append(sent)
        not_after = datetime.now(UTC) + NOT_AFTER
        frame = json.dumps({
            "type": "play", "id": str(sent.id), "not_after": not_after.isoformat(),
            "command": command,
        })  # fmt: skip
        refusal = ""
        while True:
            asked_at = datetime.now(UTC)
            answer = await self._answer(sent, frame)
            code = answer.get("code", "")
            if code not in NO_ANSWER:
                self.answered = time.time()
            if answer["type"] == "accepted":
                sent.accepted = answer["version"]
            elif code in NO_ANSWER:
                await asyncio.sleep(AGAIN_AFTER_S)
                continue
            elif sent.copies > 1 and asked_at <= not_after:
                # Another copy may still be on its way: the answer is final after `not_after`.
                refusal = refusal or code
                await asyncio.sleep((not_after - datetime.now(UTC)).total_seconds() + AGAIN_AFTER_S)
                continue
            else:
                sent.refused = refusal or code
            sent.at = self.answered
            return sent

    async def _answer(self, sent: Sent, frame: str) -> dict[str, Any]:
        """Send a command until a copy of it gets a response."""
        while True:
            socket = await self._connected()
            future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
            self._asked[str(sent.id)] = future
            sent.copies += 1
            try:
                async with asyncio.timeout(self._patience_s):
                    await socket.send(frame)
                    answer = await future
            except (TimeoutError, OSError, WebSocketException):
                if self._socket is socket:
                    self._lose_patience()
                    self._hang_up()
            else:
                if answer is not LOST:
                    self._patience_s = ANSWER_WITHIN_S
                return answer
            finally:
                del self._asked[str(sent.id)]

    def _lose_patience(self) -> None:
        self._patience_s = min(self._patience_s * 2, ANSWER_WITHIN_MAX_S)

    def _hang_up(self) -> None:
        """Abandon the socket without closing it."""
        if self._reading is not None:
            self._reading.cancel()
        if self._socket is not None:
            self._socket.transport.abort()
        self._lose_socket()

    def _lose_socket(self) -> None:
        self._socket = None
        for future in self._asked.values():
            if not future.done():
                future.set_result(LOST)

    async def _connected(self) -> ClientConnection:
        async with self._connecting:
            return self._socket or await self._connect()

    async def _connect(self) -> ClientConnection:
        while self._socket is None:
            front = self._next_front()
            after = f"?after={self.shown.last}" if self.shown.last else ""
            url = f"ws://127.0.0.1:{front.port}/ws/v1/games/{self.game}{after}"
            try:
                self._socket = await connect(
                    url,
                    additional_headers={"Authorization": f"Bearer {self._token}"},
                    open_timeout=self._patience_s,
                    ping_interval=None,
                    compression=None,
                    proxy=None,
                )
            except (TimeoutError, OSError, WebSocketException):
                self._lose_patience()
                await asyncio.sleep(AGAIN_AFTER_S)
                continue
            own = self._socket.local_address[1]
            self.link = next((link for link in front.links if link.peer == own), None)
            self._reading = asyncio.create_task(self._read(self._socket))
        return self._socket

    def _next_front(self) -> Line:
        """Choose a web process, but not the one that failed last, as a proxy would."""
        others = [front for each in self._web if (front := each.front) and front != self._tried]
        self._tried = self._chance.choice(others) if others else self._tried
        assert self._tried is not None
        return self._tried

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(OSError, WebSocketException):
            async for text in socket:
                assert isinstance(text, str)
                self.shown.frames.append(text)
                self._take(json.loads(text))
        if self._socket is socket:
            self._lose_socket()

    def _take(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "view":
                self.shown.last = max(self.shown.last, frame["version"])
            case "commits":
                for commit in frame["commits"]:
                    self._show(commit)
            case "accepted" | "refused":
                future = self._asked.get(frame["id"])
                if future is not None and not future.done():
                    future.set_result(frame)
            case _:
                pass

    def _show(self, commit: dict[str, Any]) -> None:
        version = commit["version"]
        if version > self.shown.last + 1:
            self.shown.gaps.append(f"{version} follows {self.shown.last}")
        known = self.shown.commits.setdefault(version, commit)
        if known != commit:
            self.shown.gaps.append(f"{version} arrived twice with different content")
        self.shown.last = max(self.shown.last, version)
