"""The WebSocket of a game: a view on connect, commits, commands and their responses, resume by
version."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Annotated
from uuid import UUID

import msgspec
import structlog
from django.urls import path
from msgspec import Meta

from accounts import tokens
from games.api.sockets import frames
from games.api.sockets.frame_socket import FrameSocket, read_frame
from games.api.sockets.game_subscription import GameSubscription
from games.api.sockets.inbox import inbox_socket
from games.api.sockets.lobbies import RoomSubscription, lobbies_socket, room_socket, send_message
from games.api.sockets.websocket_connection import (
    CLOSE_WITHIN_S,
    ClosedError,
    Receive,
    Scope,
    Send,
    encode,
)
from games.live import hubs
from games.live.room_followers import in_thread
from games.live.signed_notes import signing
from games.operators import actions
from games.play import commit, service
from games.proofs.acknowledgements import acknowledge
from games.store.commits import VERSION_MAX
from games.store.rows import StoredCommit
from kit.problems import Problem
from kit.validation import Query
from railbird_engine import Seat

log = structlog.get_logger(__name__)


class FromVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The version to resume from; without it, the stream begins with a view. With `room`, the
    events, chat messages and presence of the game's lobby after that version follow too. With
    `heads`, the server signs what it shows: the newest commit of views and frames of commits. With
    `watch`, an operator sees any game as its spectators do, but not its lobby; the value is the
    reason for the operators' log."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | None = None
    room: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | None = None
    heads: bool = False
    watch: actions.Reason | None = None


class GameSocket(FrameSocket):
    """One connection to one game."""

    reads = msgspec.json.Decoder(frames.AnyClientFrame)

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._game: UUID = scope["url_route"]["kwargs"]["game"]
        self._seat: Seat | None = None
        self._plays: set[asyncio.Task[None]] = set()
        """The tasks of commands without an answer."""
        self._subscription: GameSubscription | None = None
        self._lobby: UUID | None = None
        self._room: RoomSubscription | None = None
        self._heads = False

    async def join(self) -> None:
        """Send a view, or all commits after a version; then subscribe to the hub without a gap."""
        query = self.query(FromVersion)
        if query.watch is None:
            self._seat = await service.viewer_of(self.user, self._game)
        else:
            await self._watch(query.watch, query.room)
        self._heads = query.heads
        if self._heads:
            await signing().prepare()
        self._subscription = GameSubscription(
            self._game, self._seat, query.after, self.outbox, heads=self._heads
        )
        head: str | None = None
        async for records in self._subscription.missed():
            head = self._head(records[-1].version, records[-1].hash)
            await self.send_now(hubs.commits_frame(records, self._seat, head))
        loaded = self._subscription.loaded
        assert loaded is not None, "the subscription starts after the missed commits"
        self._game = loaded.game  # as the same object, dictionaries find it sooner
        if query.after is None:
            view = self._view(service.seen(loaded, self._seat))
            head = self._head(*loaded.known)
            await self.send_now(encode(msgspec.structs.replace(view, head=head)))
        else:
            # The client learns the server's time, and that it has missed nothing more.
            head = self._head(*loaded.known) if head is None else None
            beat = hubs.heartbeat_frame(loaded.version, loaded.ended, loaded.next_at, head)
            await self.send_now(beat)
        if query.watch is not None:
            return
        self._lobby = loaded.lobby
        if self._seat is None:
            self.watched.add(loaded.lobby)
        await self._subscription.attend(self.user)
        if query.room is not None:
            self._room = RoomSubscription(self, self._lobby)
            await self._room.open(query.room)

    async def _watch(self, reason: str, room: int | None) -> None:
        """Raises Problem `scope_missing`, `not_found`."""
        tokens.require(self.caller, tokens.Scope.ADMIN)
        if room is not None:
            raise Problem(
                "malformed", path="$.room", reason="an operator who watches cannot follow the lobby"
            )
        self.used_for = tokens.Scope.ADMIN
        await in_thread(actions.watch, self.caller.user, self._game, reason)

    async def say_goodbye(self, closed: ClosedError) -> None:
        """Finish the commands that a restart would interrupt, then close."""
        if self.is_restarted:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_WITHIN_S):
                    while self._plays:
                        await asyncio.wait(self._plays)
        await super().say_goodbye(closed)

    def leave(self) -> None:
        if self._subscription is not None:
            self._subscription.leave(self.disconnect_reason)
        if self._room is not None:
            self._room.close()
        for play in self._plays:
            play.cancel()

    async def take(self, frame: frames.ClientFrame) -> None:
        match frame:
            case frames.Play():
                self._start(frame)
            case frames.Look() | frames.ListLegalCommands():
                try:
                    self.put(await self._shown(frame))
                except Problem as problem:
                    if frame.id is None:
                        raise
                    self.put(_refused(frame.id, problem))
            case frames.SendMessage():
                if self._lobby is None:
                    self.put(_refused(frame.id, Problem("spectators_only_watch")))
                else:
                    await send_message(self, self._lobby, frame)
            case _:
                raise AssertionError(f"{frame} is not a frame of this socket")

    def take_now(self, text: str) -> bool:
        """Begin a command before its text becomes a message."""
        try:
            frame = read_frame(text, self.reads)
            if not isinstance(frame, frames.Play):
                return False
            self.count(text)
        except (Problem, ClosedError):
            return False
        self._start(frame)
        return True

    async def _shown(self, frame: frames.Look | frames.ListLegalCommands) -> frames.ServerFrame:
        """Return the answer to a request for the current state. Raises Problem."""
        if isinstance(frame, frames.Look):
            return self._view(await service.view(self._game, self._seat), frame.id)
        legal = await service.legal(self._game, self._seat, frame.limit)
        return frames.LegalCommandsFrame(id=frame.id, **legal._asdict())

    def _view(self, seen: service.Seen, request: UUID | None = None) -> frames.View:
        view = frames.View.of(self._game, self._seat, seen)
        return msgspec.structs.replace(view, id=request)

    def _head(self, version: int, hash_: bytes) -> str | None:
        """Return the signed head of what is shown, if the client asked for it."""
        loaded = None if self._subscription is None else self._subscription.loaded
        if not self._heads or loaded is None:
            return None
        return signing().head(loaded.log_name, loaded.game, version, hash_)

    def _start(self, frame: frames.Play) -> None:
        try:
            seat = self._playing_seat()
        except Problem as problem:
            self.put(_refused(frame.id, problem))
            return
        playing = service.begin(
            self._game,
            seat,
            bytes(frame.command),
            frame.id,
            not_after=frame.not_after,
            signed=None if frame.signed is None else frame.signed.of(frame.id),
        )
        task = self._loop.create_task(self._play(seat, frame, playing))
        self._plays.add(task)
        task.add_done_callback(self._plays.discard)

    def _playing_seat(self) -> Seat:
        """Raises Problem `spectators_only_watch`, `scope_missing`, `too_many_commands`."""
        if self._seat is None:
            raise Problem("spectators_only_watch")
        if tokens.Scope.PLAY not in self.caller.scopes:
            raise Problem("scope_missing", scope=tokens.Scope.PLAY.value)
        if len(self._plays) >= frames.PLAYS_WAITING_MAX:
            raise Problem("too_many_commands")
        return self._seat

    async def _play(self, seat: Seat, frame: frames.Play, playing: Awaitable[StoredCommit]) -> None:
        try:
            record = await playing
            signed = await acknowledge(seat, frame.id, record) if frame.acknowledge else None
            self._answer(_accepted(seat, frame, record, signed))
        except Problem as problem:
            self._answer(_refused(frame.id, problem))
        except Exception:
            log.exception("command_not_answered")
            self._answer(_refused(frame.id, Problem("outcome_unknown")))

    def _answer(self, answer: frames.ServerFrame) -> None:
        if service.is_busy():
            # The next commands are on their way: the answer leaves together with the commit, which
            # costs less.
            self.put(answer)
        else:
            self.put_now(answer)


def _refused(request: UUID, problem: Problem) -> frames.Refused:
    version = problem.version if isinstance(problem, commit.RefusedError) else None
    return frames.Refused(id=request, code=problem.code, version=version, data=problem.data)


def _accepted(
    seat: Seat, frame: frames.Play, record: StoredCommit, signed: str | None
) -> frames.Accepted:
    seen = hubs.seen_by(record, seat)
    return frames.Accepted(
        id=frame.id,
        version=seen.version,
        hash=seen.hash,
        events=seen.events,
        acknowledgement=signed,
    )


async def game_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve `/ws/v1/games/{id}`."""
    await GameSocket(scope, receive, send).run()


websocket_urlpatterns = [
    path("ws/v1/games/<uuid:game>", game_socket),  # type: ignore[arg-type]  # Channels routes ASGI applications
    path("ws/v1/me", inbox_socket),  # type: ignore[arg-type]
    path("ws/v1/lobbies", lobbies_socket),  # type: ignore[arg-type]
    path("ws/v1/lobbies/<uuid:lobby>", room_socket),  # type: ignore[arg-type]
]
