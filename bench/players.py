"""Simulated players at tables: their sockets, and the spots that they believe free."""

import asyncio
import random
import time
from collections.abc import Awaitable, Iterable
from typing import Final
from uuid import UUID, uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from bench.free_spots import SPOTS
from bench.people import CONNECTING_AT_ONCE
from bench.seating import Seated
from bench.wire import Address, Wire
from railbird_engine.kernel import chain

_ACCEPTED: Final = b'{"type":"accepted"'
_COMMITS: Final = b'{"type":"commits"'
_REFUSED: Final = b'{"type":"refused"'
_VIEW: Final = b'{"type":"view"'
_ID_AT: Final = len(b'{"type":"refused","id":"')
_ID_LENGTH: Final = 36
_VERSION: Final = b'"version":'
_HASH: Final = b'"hash":"'


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

    def __init__(self, seated: Seated, tally: Tally, *, heads: bool = False) -> None:
        self.free = list(range(SPOTS))
        self.taken = 0
        self.players = [
            Player(self, seated, seat, tally, heads=heads) for seat in range(len(seated.tokens))
        ]

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
    """One user with one socket, who signs with the key of the seat if there is one, and may ask for
    signed heads."""

    def __init__(
        self, table: Table, seated: Seated, seat: int, tally: Tally, *, heads: bool
    ) -> None:
        self.waiting: dict[bytes, float] = {}
        self.ready = asyncio.Event()
        self.game, self.token = seated.game, seated.tokens[seat]
        self._name, self._seat = seated.name, seat
        keys = seated.keys
        self._key = Ed25519PrivateKey.from_private_bytes(keys[seat]) if keys else None
        self._known = b"0", seated.genesis.hex().encode()
        """Version and hash of a commit that this player knows, as they are written."""
        self._ahead: dict[int, list[tuple[bytes, bytes]]] = {}
        """Ids and signatures of bets on each spot that this player has signed already."""
        self._table = table
        self._tally = tally
        self._ids = uuid4().hex
        self._asked = 0
        path = f"/ws/v1/games/{seated.game}{'?heads=true' if heads else ''}"
        self.wire = Wire(path, self.token, self._on_frame)

    async def connect(self, port: int) -> None:
        """Connect, and return when the view has arrived."""
        await self.wire.open(Address.local(port), self.ready)

    def sign_ahead(self, times: int) -> None:
        """Sign so many bets on each spot now, after the genesis: then playing only sends them."""
        self._ahead = {
            spot: [self._bet(_command(spot)) for _ in range(times)] for spot in range(SPOTS)
        }

    def _bet(self, command: bytes) -> tuple[bytes, bytes]:
        """Return an id for a command, and the member that signs it, if this player signs."""
        self._asked += 1
        command_id = b"%s-%s-4%s-8%s-%012x" % (
            self._ids[:8].encode(),
            self._ids[8:12].encode(),
            self._ids[13:16].encode(),
            self._ids[17:20].encode(),
            self._asked,
        )
        key = self._key
        return command_id, b"" if key is None else self._signed(key, command_id, command)

    def play(self) -> bool:
        """Bet on a free spot; return False if the player knows of none."""
        spot = self._table.pick()
        if spot is None:
            return False
        command = _command(spot)
        ahead = self._ahead.get(spot)
        command_id, signed = ahead.pop() if ahead else self._bet(command)
        text = b'{"type":"play","id":"%s","command":%s%s}' % (command_id, command, signed)
        self.waiting[command_id] = time.perf_counter()
        self.wire.send(text)
        return True

    def _signed(self, key: Ed25519PrivateKey, command_id: bytes, command: bytes) -> bytes:
        """Return the member of a command that signs it."""
        version, hash_ = self._known
        mark = chain.Signed(UUID(command_id.decode()), int(version), hash_.decode(), 2**31 - 1, "")
        said = mark.text(settings.LOG_ORIGIN, self._name, self._seat, command)
        return b',"signed":{"head":%s,"hash":"%s","until":2147483647,"signature":"%s"}' % (
            version,
            hash_,
            key.sign(said).hex().encode(),
        )

    def play_on(self) -> None:
        """Move again if players keep playing and no move is in flight."""
        if self._tally.keeps_playing and not self.waiting:
            self.play()

    def _on_frame(self, data: bytes, start: int, end: int) -> None:
        if data.startswith(_COMMITS, start):
            self._tally.deliveries += data.count(_VERSION, start, end)
        elif data.startswith(_ACCEPTED, start):
            self._answered(data, start + 1)
            self._know(data, start, end)
            self._tally.accepted += 1
            self._table.took()
            self.play_on()
        elif data.startswith(_REFUSED, start):
            self._answered(data, start)
            self._tally.refused += 1
            self.play_on()
        elif data.startswith(_VIEW, start):
            self._know(data, start, end)
            self.ready.set()

    def _know(self, data: bytes, start: int, end: int) -> None:
        """Keep version and hash of the commit that a frame begins with."""
        if self._key is not None and not self._ahead:
            version = data.index(_VERSION, start, end) + len(_VERSION)
            hash_ = data.index(_HASH, version, end) + len(_HASH)
            self._known = data[version : data.index(b",", version)], data[hash_ : hash_ + 64]

    def _answered(self, data: bytes, shift: int) -> None:
        command_id = data[shift + _ID_AT : shift + _ID_AT + _ID_LENGTH]
        self._tally.waited_s.append(time.perf_counter() - self.waiting.pop(command_id))


def _command(spot: int) -> bytes:
    return b'{"type":"take_spot","spot":%d}' % spot


async def connect_all(connecting: Iterable[Awaitable[None]]) -> None:
    """Connect players and others, a few at a time."""
    slots = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def enter(connected: Awaitable[None]) -> None:
        async with slots:
            await connected

    await asyncio.gather(*(enter(connected) for connected in connecting))
