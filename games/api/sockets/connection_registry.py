"""The open connections of a process: how many there may be, and which ones it closes."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from typing import Any, Final, TypeVar
from uuid import UUID

from accounts import tokens
from games.api.sockets.frames import CloseCode
from games.api.sockets.websocket_connection import ClosedError, WebSocketConnection
from games.live import hubs
from games.live.room_followers import in_thread
from games.lobbies.seats import BANNED
from games.reads.lobbies import banned_among
from kit import background, pubsub
from kit.event_loop import one_per_loop
from kit.problems import Problem

CHECK_EVERY_S: Final = 5.0
DRAIN_S: Final = 3.0
DRAIN_STEP_S: Final = 0.05
SOCKETS_PER_USER: Final = 100
STRANGERS_PER_ADDRESS: Final = 100

K = TypeVar("K")


@contextmanager
def _one_more(held: Counter[K], by: K, *, most: int, otherwise: Exception) -> Iterator[None]:
    if held[by] >= most:
        raise otherwise
    held[by] += 1
    try:
        yield
    finally:
        held[by] -= 1
        if not held[by]:
            del held[by]


def _watched(socket: WebSocketConnection) -> set[tuple[UUID, UUID]]:
    """Return the lobbies that a connection follows, each with the user and the owner of a bot."""
    user = socket.caller.user
    return {(who, lobby) for who in (user.id, user.answerable) for lobby in socket.watched}


class ConnectionRegistry:
    """The connections of this process. It closes those with a revoked token at once, and those that
    take no frame for seconds."""

    def __init__(self) -> None:
        self._sockets: set[WebSocketConnection] = set()
        self._sending: dict[WebSocketConnection, bytes] = {}
        self._of_person: Counter[UUID] = Counter()
        self._strangers: Counter[str] = Counter()
        self._watching = False

    @contextmanager
    def awaiting(self, address: str) -> Iterator[None]:
        """Count a connection that has not authenticated yet. Raises Problem `busy` for too many of
        one address, whose clients may retry: many reconnect when a server restarts."""
        with _one_more(
            self._strangers, address, most=STRANGERS_PER_ADDRESS, otherwise=Problem("busy")
        ):
            yield

    @contextmanager
    def holding(self, socket: WebSocketConnection) -> Iterator[None]:
        """Count and watch an authenticated connection. Raises ClosedError for too many of one
        user."""
        too_many = ClosedError(CloseCode.TOO_MANY, "too_many_sockets", most=SOCKETS_PER_USER)
        with _one_more(
            self._of_person,
            socket.caller.user.answerable,
            most=SOCKETS_PER_USER,
            otherwise=too_many,
        ):
            if not self._watching:
                self._watching = True
                background.forever("sockets", self._check)
                pubsub.listen(tokens.REVOKED, self._take_hint)
                pubsub.listen(BANNED, self._take_ban)
            self._sockets.add(socket)
            try:
                yield
            finally:
                self._sockets.discard(socket)

    def outboxes(self) -> list[hubs.Outbox]:
        """Return the queue of each connection."""
        return [each.outbox for each in self._sockets]

    async def drain(self) -> None:
        """Close all connections because the process ends, spread over `DRAIN_S`, so that not all
        clients reconnect at the same moment. Each first gets its pending responses."""
        sockets = list(self._sockets)
        random.shuffle(sockets)
        share = ceil(len(sockets) * DRAIN_STEP_S / DRAIN_S)
        for first in range(0, len(sockets), max(1, share)):
            for socket in sockets[first : first + share]:
                socket.end(ClosedError(CloseCode.RESTARTING, "restarting"))
            await asyncio.sleep(DRAIN_STEP_S)
        await asyncio.gather(*(socket.ended() for socket in sockets))

    async def _check(self) -> None:
        await asyncio.sleep(CHECK_EVERY_S)
        self._end_stuck()
        await self._end_revoked()
        await self._end_banned()

    async def _take_ban(self, _hint: Mapping[str, Any]) -> None:
        await self._end_banned()

    async def _take_hint(self, _hint: Mapping[str, Any]) -> None:
        await self._end_revoked()

    def _end_stuck(self) -> None:
        """Close connections that have been sending the same frame for a whole period."""
        sending = {socket: socket.sending for socket in self._sockets if socket.sending is not None}
        for socket, frame in sending.items():
            if self._sending.get(socket) is frame:
                socket.end(ClosedError(CloseCode.TOO_SLOW, "too_slow"))
        self._sending = sending

    async def _end_revoked(self) -> None:
        shown = {(socket.caller.token, socket.used_for) for socket in self._sockets}
        if not shown:
            return
        revoked = shown - await in_thread(tokens.still_valid, shown)
        for socket in [
            socket for socket in self._sockets if (socket.caller.token, socket.used_for) in revoked
        ]:
            socket.end(ClosedError(CloseCode.UNAUTHENTICATED, "unauthenticated"))

    async def _end_banned(self) -> None:
        watching = {socket: _watched(socket) for socket in self._sockets if socket.watched}
        if not watching:
            return
        banned = await in_thread(banned_among, set().union(*watching.values()))
        for socket, pairs in watching.items():
            if pairs & banned:
                socket.end(ClosedError(CloseCode.NOT_FOUND, "not_found"))


connection_registry = one_per_loop(ConnectionRegistry)
"""The connections of the running loop."""
