"""The WebSockets of lobbies: one room with all that happens in it, and the list of all lobbies that
one may see."""

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
from games.api.sockets.base import Closed, Receive, Scope, Send, Socket, encode
from games.api.sockets.feed import Feed, FeedFilter
from games.api.sockets.frames import CloseCode
from games.live.presence import presence
from games.live.rooms import in_thread, rooms
from games.models import Lobby
from games.reads.changes import LobbyEvent, RoomNews, lobby_events_in
from games.reads.lobbies import belongs_to, lobby_for, may_see
from games.reads.players import Present
from games.store.commits import VERSION_MAX
from kit.problems import Problem
from kit.validation import Query

log = structlog.get_logger(__name__)

EVENTS_PER_FRAME: Final = 200


class FromRoomVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happened after this version is told first."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | None = None


class Ear:
    """What one connection hears of one room, be it the connection's only subject or beside a
    game."""

    def __init__(self, socket: Socket, lobby: UUID) -> None:
        self._socket = socket
        self._lobby = lobby
        self.version = -1
        self._people: list[Present] | None = None

    async def open(self, after: int | None) -> None:
        """Tell what happened since, and how the lobby stands; then follow it with nothing missed in
        between."""
        while True:
            lobby, events = await in_thread(room_as_seen, self._socket.user, self._lobby, after)
            if after is not None and after > lobby.version:
                raise Closed(CloseCode.NOT_FOUND, "version_ahead", version=lobby.version)
            if events and events[-1].version < lobby.version:
                # There is more than a frame should carry, and than may wait for a socket that is
                # slow.
                after = events[-1].version
                seen = types.Lobby.of(lobby, self._socket.user)
                await self._socket.send_now(
                    encode(frames.LobbyEventsFrame(version=after, events=events, lobby=seen))
                )
                continue
            self.version = lobby.version
            # Nothing is awaited from here on, so nothing comes between.
            if rooms().follow(self._lobby, self):
                break
        presence().connected(self._lobby, self._socket.user)
        if events:
            self.version = after or 0
            self.receive(RoomNews(lobby, events, {}))
        else:
            self._show(lobby)

    async def show(self) -> None:
        """Tell how the lobby stands."""
        lobby, _ = await in_thread(room_as_seen, self._socket.user, self._lobby, None)
        self._show(lobby)

    def _show(self, lobby: Lobby) -> None:
        self._socket.put(
            frames.Room(version=lobby.version, lobby=types.Lobby.of(lobby, self._socket.user))
        )

    def close(self) -> None:
        """Hear no more; also when opening did not come to its end."""
        if rooms().leave(self._lobby, self):
            presence().disconnected(self._lobby, self._socket.user, self._socket.disconnect_reason)

    def receive(self, news: RoomNews) -> None:
        """Something happened; who may not look into the room any more hears it, and is shown
        out."""
        lobby, user = news.lobby, self._socket.user
        events = [event for event in news.events if event.version > self.version]
        if not events:
            return
        self.version = lobby.version
        audience = user if belongs_to(user, lobby) else None
        frame = news.encoded.get(audience) if events == news.events else None
        if frame is None:
            frame = encode(
                frames.LobbyEventsFrame(
                    version=lobby.version, events=events, lobby=types.Lobby.of(lobby, audience)
                )
            )
            if events == news.events:
                news.encoded[audience] = frame
        self._socket.outbox.put(frame)
        if not may_see(user, lobby):
            self._socket.end(Closed(CloseCode.NOT_FOUND, "not_found"))

    def receive_presence(self, people: tuple[Present, ...]) -> None:
        """Tell who is here, which the one who is told is, whether or not it is written down yet."""
        seen = [self._connected(one) if one.user == self._socket.user else one for one in people]
        if seen != self._people:
            self._people = seen
            self._socket.put(frames.Presence(people=seen))

    @staticmethod
    def _connected(person: Present) -> Present:
        return msgspec.structs.replace(
            person, connected=True, gone_since=None, disconnect_reason=None
        )

    def disconnect(self) -> None:
        """End the connection: what happened here cannot be told."""
        self._socket.end(Closed(CloseCode.UNAVAILABLE, "unavailable"))

    def heartbeat(self) -> None:
        """Say that the connection lives, unless a game says so."""
        if isinstance(self._socket, RoomSocket):
            self._socket.put(frames.RoomHeartbeat(version=self.version))


class RoomSocket(Socket):
    """One connection to one room."""

    reads = msgspec.json.Decoder(frames.AnyRoomClientFrame)

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._lobby: UUID = scope["url_route"]["kwargs"]["lobby"]
        self._ear = Ear(self, self._lobby)

    async def join(self) -> None:
        await self._ear.open(self.query(FromRoomVersion).after)

    def leave(self) -> None:
        self._ear.close()

    async def take(self, frame: frames.ClientFrame) -> None:
        match frame:
            case frames.SendMessage():
                await send_message(self, self._lobby, frame)
            case _:
                await self._ear.show()


async def send_message(socket: Socket, lobby: UUID, frame: frames.SendMessage) -> None:
    """Say something in a room; the speaker is told what became of it. One line after the other, so
    they keep their order."""
    try:
        speaker = tokens.require(socket.caller, tokens.Scope.LOBBY).user
        told = await in_thread(lobbies.send_message, speaker, lobby, frame.id, frame.text)
    except Problem as problem:
        socket.put(frames.Refused(id=frame.id, code=problem.code, version=None, data=problem.data))
    except DatabaseError as error:
        log.warning("not_said", error=str(error))
        socket.put(frames.Refused(id=frame.id, code="unavailable", version=None, data={}))
    else:
        socket.put(frames.MessageAccepted(id=frame.id, version=told.version))


def room_as_seen(user: UUID, lobby_id: UUID, after: int | None) -> tuple[Lobby, list[LobbyEvent]]:
    """A lobby, and the first of what happened in it after a version. Raises Problem `not_found`."""
    lobby = lobby_for(User(id=user), lobby_id)
    return lobby, [] if after is None else lobby_events_in(lobby, after, EVENTS_PER_FRAME)


class LobbiesSocket(Socket):
    """One connection to the list of lobbies."""

    reads = msgspec.json.Decoder(frames.AnyFeedClientFrame)
    _feed: Feed | None = None

    async def join(self) -> None:
        """Tell what changed since, or the whole list; then follow it with nothing missed in
        between."""
        self._feed = Feed(self.user, self.query(FeedFilter), self.outbox)
        await self._feed.join()

    def leave(self) -> None:
        if self._feed is not None:
            self._feed.leave(self.disconnect_reason)

    async def take(self, frame: frames.ClientFrame) -> None:
        assert self._feed is not None, "nobody takes frames before joining"
        await self._feed.tell_all()


async def room_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application behind /ws/v1/lobbies/{id}."""
    await RoomSocket(scope, receive, send).run()


async def lobbies_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application behind /ws/v1/lobbies."""
    await LobbiesSocket(scope, receive, send).run()
