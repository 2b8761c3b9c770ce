"""The frames that the server sends over the socket of a game."""

from typing import Any, TypeAlias

from msgspec import Struct


class CommitSeen(Struct, kw_only=True):
    version: int
    at: str
    hash: str
    events: list[Any]


class CommitsFrame(Struct, kw_only=True, tag_field="type", tag="commits"):
    commits: list[CommitSeen]


class Accepted(Struct, kw_only=True, tag_field="type", tag="accepted"):
    id: str
    version: int
    hash: str
    events: list[Any]


class Refused(Struct, kw_only=True, tag_field="type", tag="refused"):
    id: str
    code: str
    version: int | None
    data: dict[str, Any]


class Error(Struct, kw_only=True, tag_field="type", tag="error"):
    code: str
    data: dict[str, Any]


class HeartbeatFrame(Struct, kw_only=True, tag_field="type", tag="heartbeat"):
    version: int


class View(Struct, kw_only=True, tag_field="type", tag="view"):
    game: str
    version: int
    seat: int | None
    ended: str
    view: Any


ServerFrame: TypeAlias = Accepted | Refused | Error | CommitsFrame | HeartbeatFrame | View
