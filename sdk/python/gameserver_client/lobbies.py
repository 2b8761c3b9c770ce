"""Lobbies as they change: one room with all that happens in it, and the list of those that are open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from gameserver_client import frames
from gameserver_client.stream import Lost, Stream

OPEN: Final = "open"
CLOSED: Final = "closed"

_decode_room = msgspec.json.Decoder(frames.FromLobby).decode
_decode_list = msgspec.json.Decoder(frames.FromLobbies).decode


@dataclass(frozen=True, slots=True)
class RoomNews:
    """What has happened in a room, and the lobby after it. At first nothing has: the lobby as it was found."""

    version: int
    events: tuple[frames.Happened, ...]
    lobby: frames.Lobby


class Room(Stream[RoomNews]):
    """What happens in one room, without gaps. It ends when the lobby has closed."""

    def __init__(self, address: str, token: str, *, after: int | None = None) -> None:
        super().__init__(address, token)
        self.version = after
        """How far the news have come; None until the first."""
        self._is_closed = False

    def _from(self) -> Mapping[str, object]:
        return {"after": self.version}

    def _is_over(self) -> bool:
        return self._is_closed

    def _take(self, text: str) -> None:
        try:
            frame = _decode_room(text)
        except msgspec.ValidationError:
            return
        match frame:
            case frames.Room():
                self._take_news(frame.version, [], frame.lobby)
            case frames.HappenedFrame():
                self._take_news(frame.version, frame.events, frame.lobby)
            case frames.Error():
                self._last_error = frame
            case _:
                pass

    def _take_news(self, version: int, events: list[frames.Happened], lobby: frames.Lobby) -> None:
        known = self.version
        fresh = tuple(event for event in events if known is None or event.version > known)
        if known is not None and fresh and fresh[0].version > known + 1:
            raise Lost
        self._is_closed = lobby.status == CLOSED
        if known is None or fresh:
            self.version = version
            self._tell(RoomNews(version, fresh, lobby))


class Lobbies(Stream[list[frames.Lobby]]):
    """The open lobbies that one may see, newest first, each time they have changed. Who is slow gets the last list alone."""

    def __init__(self, address: str, token: str, *, slug: str | None = None) -> None:
        super().__init__(address, token)
        self._slug = slug
        self._cursor: int | None = None
        self._open: dict[str, frames.Lobby] = {}
        self._coming: dict[str, frames.Lobby] = {}

    def _from(self) -> Mapping[str, object]:
        self._coming = {}
        return {"slug": self._slug, "after": self._cursor}

    def _take(self, text: str) -> None:
        try:
            frame = _decode_list(text)
        except msgspec.ValidationError:
            return
        match frame:
            case frames.Lobbies():
                self._coming |= {lobby.id: lobby for lobby in frame.lobbies}
                if frame.complete:
                    self._open, self._coming = self._coming, {}
                    self._show(frame.cursor)
            case frames.ChangesFrame():
                for lobby in frame.lobbies:
                    self._open[lobby.id] = lobby
                gone = {*frame.gone, *(lobby.id for lobby in frame.lobbies if lobby.status != OPEN)}
                self._open = {id_: lobby for id_, lobby in self._open.items() if id_ not in gone}
                self._show(frame.cursor)
            case frames.FeedHeartbeat():
                self._cursor = frame.cursor
            case frames.Error():
                self._last_error = frame

    def _show(self, cursor: int) -> None:
        self._cursor = cursor
        while not self._news.empty():
            self._news.get_nowait()
        self._tell(sorted(self._open.values(), key=lambda lobby: lobby.id, reverse=True))
