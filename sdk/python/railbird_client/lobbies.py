"""Live lobbies: one room with its events, and the list of open lobbies."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from railbird_client import frames, models
from railbird_client.clock import moment
from railbird_client.models import Lobby
from railbird_client.stream import Conversation, Lost, Reader, Stream
from railbird_client.types import Unknown

WAITING: Final = frozenset({"open", "starting"})
CLOSED: Final = "closed"
LIST_MAX: Final = 100_000

_room_reader: Reader[frames.FromLobby] = Reader(frames.FromLobby)
_list_reader: Reader[frames.FromLobbies] = Reader(frames.FromLobbies)


@dataclass(frozen=True, slots=True)
class LobbyEvent:
    """A numbered event of a lobby. `name` is the display name of its user, if it has one."""

    version: int
    at: datetime
    event: models.LobbyEventEvent | Unknown
    name: str | None


@dataclass(frozen=True, slots=True)
class RoomNews:
    """Events of a lobby, and the lobby after them. The first news have no events."""

    version: int
    events: tuple[LobbyEvent, ...]
    lobby: Lobby


class Room(Conversation[frames.FromLobby, RoomNews | frames.Presence]):
    """A lobby's events without gaps, and presence. The stream ends when the lobby has closed."""

    def __init__(self, address: str, token: str, *, after: int | None = None) -> None:
        super().__init__(address, token, _room_reader)
        self.version = after
        """The version of the latest news; None before the first."""
        self._is_closed = False

    def _from(self) -> Mapping[str, object]:
        return {"after": self.version}

    def _is_over(self) -> bool:
        return self._is_closed

    def _take(self, frame: frames.FromLobby) -> None:
        match frame:
            case frames.Room(version=version, lobby=lobby):
                if self.version is None:
                    self.version = version
                    self._tell(RoomNews(version, (), lobby))
                self._see(lobby)
            case frames.LobbyEventsFrame():
                self._take_events(frame)
            case frames.Presence():
                self._tell(frame)
            case frames.RoomHeartbeat(version=version) if (
                self.version is not None and version > self.version
            ):
                raise Lost

    def _take_events(self, frame: frames.LobbyEventsFrame) -> None:
        known, fresh = self.version, []
        for found in frame.events:
            if known is None or found.version > known + 1:
                raise Lost
            if found.version > known:
                known = found.version
                fresh.append(LobbyEvent(known, moment(found.at), found.event, found.name))
        if fresh:
            self.version = known
            self._see(frame.lobby)
            self._tell(RoomNews(fresh[-1].version, tuple(fresh), frame.lobby))

    def _see(self, lobby: Lobby) -> None:
        """Note whether this is the end.

        While a client catches up, the lobby may be ahead of its events.
        """
        self._is_closed = lobby.status == CLOSED and self.version == lobby.version


class Lobbies(Stream[frames.FromLobbies, list[Lobby]]):
    """The visible lobbies that are open or starting, newest first, after each change.

    A slow reader gets the last list.
    """

    def __init__(self, address: str, token: str, *, slug: str | None = None) -> None:
        super().__init__(address, token, _list_reader)
        self._slug = slug
        self._cursor: int | None = None
        self._open: dict[str, Lobby] = {}
        self._coming: dict[str, Lobby] = {}

    def _from(self) -> Mapping[str, object]:
        return {"slug": self._slug, "after": self._cursor}

    def _resume(self) -> None:
        """Discard a partial list: the next connection sends the whole list."""
        self._coming = {}

    def _take(self, frame: frames.FromLobbies) -> None:
        match frame:
            case frames.LobbiesFrame():
                self._coming |= {lobby.id: lobby for lobby in frame.lobbies}
                _check_size(self._coming)
                if frame.complete:
                    self._open, self._coming = self._coming, {}
                    self._show(frame.cursor)
            case frames.ChangesFrame() if self._cursor is None:
                raise Lost  # of which list?
            case frames.ChangesFrame():
                self._open |= {lobby.id: lobby for lobby in frame.lobbies}
                self._open = {
                    id_: lobby
                    for id_, lobby in self._open.items()
                    if lobby.status in WAITING and id_ not in frame.gone
                }
                _check_size(self._open)
                self._show(frame.cursor)
            case frames.FeedHeartbeat() if self._cursor is not None:
                self._cursor = frame.cursor

    def _show(self, cursor: int) -> None:
        self._cursor = cursor
        while not self._news.empty():
            self._news.get_nowait()
        self._news_bytes = 0
        self._tell(
            sorted(self._open.values(), key=lambda lobby: lobby.id, reverse=True)
        )  # Ids contain their creation time.


def _check_size(lobbies: Mapping[str, Lobby]) -> None:
    if len(lobbies) > LIST_MAX:
        raise Lost("unreadable")
