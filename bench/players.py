"""Simulated players at tables: their sockets, and the spots that they believe free."""

import asyncio
import random
import time
from collections.abc import Awaitable, Iterable
from typing import Final
from uuid import UUID, uuid4

from bench.free_spots import SPOTS
from bench.people import CONNECTING_AT_ONCE
from bench.seating import Seated
from bench.wire import Address, Wire

_ACCEPTED: Final = b'{"type":"accepted"'
_COMMITS: Final = b'{"type":"commits"'
_REFUSED: Final = b'{"type":"refused"'
_VIEW: Final = b'{"type":"view"'
_ID_AT: Final = len(b'{"type":"refused","id":"')
_ID_LENGTH: Final = 36
_VERSION: Final = b'"version":'


class Tally:
    """Counts over all players. With `keeps_playing`, a player moves after each response."""

    def __init__(self) -> None:
        self.keeps_playing = False
        self.accepted = 0
        self.refused = 0
        self.deliveries = 0
        self.waited_s: list[float] = []

    def restart(self) -> None:
        """Reset the counts."""
        self.accepted = self.refused = self.deliveries = 0
        self.waited_s = []


class Table:
    """One game and its players, who share what they know of the board."""

    def __init__(self, seated: Seated, tally: Tally) -> None:
        self.free = list(range(SPOTS))
        self.taken = 0
        self.players = [Player(self, seated.game, token, tally) for token in seated.tokens]

    def pick(self) -> int | None:
        """Return a spot to bet on, or None if no spot is known to be free."""
        if not self.free:
            return None
        place = random.randrange(len(self.free))  # noqa: S311 -- a load, not luck
        spot, self.free[place] = self.free[place], self.free[-1]
        self.free.pop()
        return spot

    def took(self) -> None:
        """Record a taken spot. The last one empties the board, so that idle players move again."""
        self.taken += 1
        if self.taken == SPOTS:
            self.taken = 0
            self.free = list(range(SPOTS))
            for player in self.players:
                player.play_on()


class Player:
    """One user with one socket."""

    def __init__(self, table: Table, game: UUID, token: str, tally: Tally) -> None:
        self.waiting: dict[bytes, float] = {}
        self.ready = asyncio.Event()
        self.game, self.token = game, token
        self._table = table
        self._tally = tally
        self._ids = uuid4().hex
        self._asked = 0
        self.wire = Wire(f"/ws/v1/games/{game}", token, self._on_frame)

    async def connect(self, port: int) -> None:
        """Connect, and return when the view has arrived."""
        await self.wire.open(Address.local(port), self.ready)

    def play(self) -> bool:
        """Bet on a free spot; return False if the player knows of none."""
        spot = self._table.pick()
        if spot is None:
            return False
        self._asked += 1
        command_id = b"%s-%s-4%s-8%s-%012x" % (
            self._ids[:8].encode(),
            self._ids[8:12].encode(),
            self._ids[13:16].encode(),
            self._ids[17:20].encode(),
            self._asked,
        )
        text = b'{"type":"play","id":"%s","command":{"type":"take_spot","spot":%d}}' % (
            command_id,
            spot,
        )
        self.waiting[command_id] = time.perf_counter()
        self.wire.send(text)
        return True

    def play_on(self) -> None:
        """Move again if players keep playing and no move is in flight."""
        if self._tally.keeps_playing and not self.waiting:
            self.play()

    def _on_frame(self, data: bytes, start: int, end: int) -> None:
        if data.startswith(_COMMITS, start):
            self._tally.deliveries += data.count(_VERSION, start, end)
        elif data.startswith(_ACCEPTED, start):
            self._answered(data, start + 1)
            self._tally.accepted += 1
            self._table.took()
            self.play_on()
        elif data.startswith(_REFUSED, start):
            self._answered(data, start)
            self._tally.refused += 1
            self.play_on()
        elif data.startswith(_VIEW, start):
            self.ready.set()

    def _answered(self, data: bytes, shift: int) -> None:
        command_id = data[shift + _ID_AT : shift + _ID_AT + _ID_LENGTH]
        self._tally.waited_s.append(time.perf_counter() - self.waiting.pop(command_id))


async def connect_all(connecting: Iterable[Awaitable[None]]) -> None:
    """Connect players and others, a few at a time."""
    slots = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def enter(connected: Awaitable[None]) -> None:
        async with slots:
            await connected

    await asyncio.gather(*(enter(connected) for connected in connecting))
