"""The WebSockets of lobbies: one lobby with its events and messages, and the list of lobbies."""

from functools import partial
from typing import Annotated, Final
from uuid import UUID

import msgspec
import structlog
from django.db import DatabaseError
from msgspec import Meta

from accounts import tokens
from accounts.models import User
from games import lobbies
from games.api import types
from games.api.sockets import frames
from games.api.sockets.frame_socket import FrameSocket
from games.api.sockets.frames import CloseCode
from games.api.sockets.lobby_list import LobbyListFilter, LobbyListSubscription
from games.api.sockets.websocket_connection import ClosedError, Receive, Scope, Send, encode
from games.live.presence import presence
from games.live.room_followers import in_thread, room_followers
from games.models import Lobby
from games.reads.changes import LobbyEvent, RoomNews, lobby_events_in
from games.reads.lobbies import belongs_to, may_see, room_for
from games.reads.players import People, Present
from games.store.commits import VERSION_MAX
from kit.problems import Problem
from kit.validation import Query

log = structlog.get_logger(__name__)

EVENTS_PER_FRAME: Final = 200


class FromRoomVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The version to resume from: events after it come first."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | None = None


class RoomSubscription:
    """The subscription of a connection to a lobby, alone or together with a game."""

    def __init__(self, socket: FrameSocket, lobby: UUID) -> None:
        self._socket = socket
        self._lobby = lobby
        self.version = -1
        self._shown: frames.Presence | None = None

    async def open(self, after: int | None) -> None:
        """Send the events after a version, or the lobby; then follow it without a gap. Raises
        ClosedError."""
        self._socket.watched.add(self._lobby)
        while True:
            lobby, events = await in_thread(room_as_seen, self._socket.user, self._lobby, after)
            if after is not None and after > lobby.version:
                raise ClosedError(CloseCode.NOT_FOUND, "version_ahead", version=lobby.version)
            if events and events[-1].version < lobby.version:
                # Send long histories in parts, past the bounded outbox.
                after = events[-1].version
                await self._socket.send_now(_events_frame(lobby, after, events, self._socket.user))
                continue
            self.version = lobby.version
            # Nothing is awaited from here on, so there is no gap.
            if room_followers().follow(self._lobby, self):
                break
        presence().connected(self._lobby, self._socket.user)
        if events:
            self._socket.outbox.put(_events_frame(lobby, self.version, events, self._socket.user))
        else:
            self._show(lobby)

    async def show(self, request: UUID | None) -> None:
        """Send the current state of the lobby, as the answer to a request."""
        lobby, _ = await in_thread(room_as_seen, self._socket.user, self._lobby, None)
        self._show(lobby, request)

    def _show(self, lobby: Lobby, request: UUID | None = None) -> None:
        seen = types.Lobby.of(lobby, self._socket.user)
        self._socket.put(frames.Room(id=request, version=lobby.version, lobby=seen))

    def close(self) -> None:
        """Unsubscribe, also if `open` did not finish."""
        if room_followers().leave(self._lobby, self):
            presence().disconnected(self._lobby, self._socket.user, self._socket.disconnect_reason)

    def receive(self, news: RoomNews) -> None:
        """Send new events. The connection ends if its user may no longer see the lobby."""
        lobby, user = news.lobby, self._socket.user
        fresh = [one for one in news.events if one.event.version > self.version]
        if not fresh:
            return
        self.version = lobby.version
        is_reader = any(one.readers and user in one.readers for one in fresh)
        audience = user if is_reader or belongs_to(user, lobby) else None
        is_whole = len(fresh) == len(news.events)
        frame = news.encoded.get(audience) if is_whole else None
        if frame is None:
            events = [one.seen_by(audience) for one in fresh]
            frame = _events_frame(lobby, lobby.version, events, audience)
            if is_whole:
                news.encoded[audience] = frame
        self._socket.outbox.put(frame)
        if not may_see(user, lobby):
            self._socket.end(ClosedError(CloseCode.NOT_FOUND, "not_found"))

    def receive_presence(self, people: People) -> None:
        """Send presence. The reader counts as connected, even before it is stored."""
        user = self._socket.user
        seen = [self._connected(one) if one.user == user else one for one in people.players]
        shown = frames.Presence(people=seen, spectators=people.spectators)
        if shown != self._shown:
            self._shown = shown
            self._socket.put(shown)

    @staticmethod
    def _connected(person: Present) -> Present:
        return msgspec.structs.replace(
            person, connected=True, gone_since=None, disconnect_reason=None, seat_until=None
        )

    def disconnect(self) -> None:
        """End the connection, because events cannot be read."""
        self._socket.end(ClosedError(CloseCode.UNAVAILABLE, "unavailable"))

    def heartbeat(self) -> None:
        """Send a heartbeat, unless the socket of a game sends one."""
        if isinstance(self._socket, RoomSocket):
            self._socket.put(frames.RoomHeartbeat(version=self.version))


def _events_frame(
    lobby: Lobby, version: int, events: list[LobbyEvent], reader: UUID | None
) -> bytes:
    """Encode events up to a version, with the lobby as this user, or an outsider, may see it."""
    seen = types.Lobby.of(lobby, reader)
    return encode(frames.LobbyEventsFrame(version=version, events=events, lobby=seen))


class RoomSocket(FrameSocket):
    """One connection to one lobby."""

    reads = msgspec.json.Decoder(frames.AnyRoomClientFrame)

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._lobby: UUID = scope["url_route"]["kwargs"]["lobby"]
        self._room = RoomSubscription(self, self._lobby)

    async def join(self) -> None:
        await self._room.open(self.query(FromRoomVersion).after)

    def leave(self) -> None:
        self._room.close()

    async def take(self, frame: frames.ClientFrame) -> None:
        match frame:
            case frames.SendMessage():
                await send_message(self, self._lobby, frame)
            case frames.Look():
                await self._room.show(frame.id)
            case _:
                raise AssertionError(f"{frame} is not a frame of this socket")


async def send_message(socket: FrameSocket, lobby: UUID, frame: frames.SendMessage) -> None:
    """Send a chat message and report the outcome. Messages of one connection keep their order."""
    try:
        speaker = tokens.require(socket.caller, tokens.Scope.LOBBY).user
        send = partial(lobbies.send_message, audience=frame.audience)
        sent = await in_thread(send, speaker, lobby, frame.id, frame.text)
    except Problem as problem:
        socket.put(frames.Refused(id=frame.id, code=problem.code, version=None, data=problem.data))
    except DatabaseError as error:
        log.warning("message_not_stored", error=str(error))
        socket.put(frames.Refused(id=frame.id, code="unavailable", version=None, data={}))
    else:
        socket.put(frames.MessageAccepted(id=frame.id, version=sent.version))


def room_as_seen(user: UUID, lobby_id: UUID, after: int | None) -> tuple[Lobby, list[LobbyEvent]]:
    """Return a lobby and its first events after a version. Raises Problem `not_found`."""
    lobby = room_for(User(id=user), lobby_id)
    return lobby, [] if after is None else lobby_events_in(lobby, after, EVENTS_PER_FRAME, user)


class LobbiesSocket(FrameSocket):
    """One connection to the list of lobbies."""

    reads = msgspec.json.Decoder(frames.AnyFeedClientFrame)
    _feed: LobbyListSubscription | None = None

    async def join(self) -> None:
        """Send the list, or the changes since a cursor; then follow it without a gap."""
        self._feed = LobbyListSubscription(self.user, self.query(LobbyListFilter), self.outbox)
        await self._feed.join()

    def leave(self) -> None:
        if self._feed is not None:
            self._feed.leave(self.disconnect_reason)

    async def take(self, frame: frames.ClientFrame) -> None:
        assert self._feed is not None, "frames are read after joining"
        assert isinstance(frame, frames.Look), "it is the only frame of this socket"
        await self._feed.send_all(frame.id)


async def room_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve `/ws/v1/lobbies/{id}`."""
    await RoomSocket(scope, receive, send).run()


async def lobbies_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve `/ws/v1/lobbies`."""
    await LobbiesSocket(scope, receive, send).run()
