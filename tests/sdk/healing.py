"""A misbehaving server: it omits and repeats commits, falls silent and disconnects.

One script for the clients of both languages, with the expected result.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection, serve

from tests import contract

Frame = Mapping[str, Any]

AT = "2026-01-01T00:00:00Z"
COMMAND_ID = "0d9c3f6e-6f6c-4a53-9d5e-3a1d6c0b7f11"


def view(version: int) -> Frame:
    times = {"next_at": None, "now": AT}
    place = {"game": "game", "version": version, "hash": "", "seat": 0}
    return {"type": "view", **place, "ended": "", **times, "view": {}}


def commits(*versions: int) -> Frame:
    seen: list[Frame] = [
        {"version": version, "at": AT, "next_at": None, "hash": "", "events": []}
        for version in versions
    ]
    return {"type": "commits", "commits": seen, "previous": "", "now": AT}


def heartbeat(version: int, ended: str = "") -> Frame:
    return {"type": "heartbeat", "version": version, "ended": ended, "next_at": None, "now": AT}


REFUSED: Frame = {
    "type": "refused",
    "id": COMMAND_ID,
    "code": "outcome_unknown",
    "version": None,
    "data": {},
}
TAKEN: Frame = {**REFUSED, "code": "spot_taken", "version": 1}
TOO_LATE: Frame = {
    **REFUSED,
    "code": "too_late",
    "version": 1,
    "data": {"now": "2026-01-01T00:00:00+00:00"},
}
ACCEPTED: Frame = {"type": "accepted", "id": COMMAND_ID, "version": 9, "hash": "", "events": []}

# One list per connection, in turn. A number is a close code; a word is the frame that the client
# has to send before the script continues.
Script = list[list[Frame | int | str]]
SCRIPT: Script = [
    [view(1), commits(2), commits(4)],  # the third commit is missing
    [
        commits(3, 4),
        commits(4, 5),
        heartbeat(5),
        heartbeat(7),
        heartbeat(7),
    ],  # one is repeated, and two are missing
    [{"type": "news_of_tomorrow"}, commits(6, 7), 4408],
    [commits(8), "play", 1012],
    [
        "play",
        REFUSED,
        "play",
        ACCEPTED,
        heartbeat(9, "finished"),
        commits(9),
    ],  # the end before its commit
]
FOUND = {"versions": [1, 2, 3, 4, 5, 6, 7, 8, 9], "accepted": 9}
RECEIVED = ["from the start", "after=2", "after=5", "after=7", "play", "after=8", "play", "play"]


# A refusal of a command that was sent twice is final only when its time has passed: asked again
# then, the server says so; or that a copy was in time after all.
REFUSED_TWICE: Script = [[view(1), "play", 1012], ["play", TAKEN, "play", TOO_LATE]]
IN_TIME_AFTER_ALL: Script = [[view(1), "play", 1012], ["play", TAKEN, "play", ACCEPTED]]
REFUSED_ONCE: Script = [[view(1), "play", TAKEN]]
CLOCK_WRONG: Script = [[view(1), "play", TOO_LATE, "play", ACCEPTED]]
PLAYED_AGAIN = ["from the start", "play", "after=1", "play", "play"]


def lobby(name: str, status: str = "open", version: int = 1) -> Frame:
    schemas = contract.openapi()["components"]["schemas"]
    opening = {
        field: anything(schema) for field, schema in schemas["Opening"]["properties"].items()
    }
    fields = schemas["Lobby"]["properties"]
    return {
        **{field: anything(schema) for field, schema in fields.items()},
        "opening": opening,
        "id": name,
        "status": status,
        "version": version,
    }


def anything(schema: Mapping[str, Any]) -> Any:
    """Return a value of this shape: null where allowed, and an unknown value for an enum."""
    if schema.get("format") == "date-time":
        return AT
    return {"string": "new", "integer": 1, "boolean": False, "array": [], "object": {}}.get(
        schema.get("type", "")
    )


def room(version: int) -> Frame:
    return {"type": "room", "version": version, "lobby": lobby("a", version=version)}


def happened(*versions: int, kind: str = "ready_changed", closed_at: int | None = None) -> Frame:
    at = "2026-01-01T00:00:00Z"
    event = {"type": kind, "seat": 0, "ready": True}
    events = [{"version": version, "at": at, "event": event, "name": None} for version in versions]
    now = lobby("a", version=versions[-1]) if closed_at is None else lobby("a", "closed", closed_at)
    return {"type": "lobby_events", "version": versions[-1], "events": events, "lobby": now}


def listed(cursor: int, *names: str, complete: bool = True) -> Frame:
    return {
        "type": "lobbies",
        "cursor": cursor,
        "lobbies": [lobby(name) for name in names],
        "complete": complete,
    }


def changes(cursor: int, *changed: Frame, gone: tuple[str, ...] = ()) -> Frame:
    return {"type": "changes", "cursor": cursor, "lobbies": list(changed), "gone": list(gone)}


TOMORROW: Frame = {"type": "news_of_tomorrow"}
PRESENT: Frame = {"type": "presence", "people": [], "spectators": 0}


def room_script() -> Script:
    return [
        [room(1), PRESENT, happened(2, 3), happened(5)],  # the fourth is missing
        [
            TOMORROW,
            happened(4, 5, kind="fireworks"),
            happened(5, 6),
            happened(7, 9),
        ],  # one is repeated; the eighth is missing
        [
            happened(7),
            {"type": "heartbeat", "version": 7},
            {"type": "heartbeat", "version": 8},
        ],  # which was not sent
        [happened(8), 1012],
        [
            room(8),
            happened(9, closed_at=10),
            happened(10, closed_at=10),
        ],  # the end, reported before the last events
    ]


ROOM_FOUND = [
    [],
    "presence",
    [[2, "ready_changed"], [3, "ready_changed"]],
    [[4, "fireworks"], [5, "fireworks"]],
    *([[version, "ready_changed"]] for version in (6, 7, 8, 9, 10)),
]
ROOM_RECEIVED = ["from the start", "after=3", "after=6", "after=7", "after=8"]


def list_script() -> Script:
    return [
        [listed(5, "b", complete=False), 1012],  # an incomplete list
        [
            listed(6, "c", "b", complete=False),
            TOMORROW,
            listed(6, "a"),
            {"type": "heartbeat", "cursor": 9},
            1012,
        ],
        [changes(10, lobby("d"), lobby("b", "started"), gone=("a",)), 4408],
        [listed(20, "e")],  # too much was missed
    ]


LIST_FOUND = [["c", "b", "a"], ["d", "c"], ["e"]]
LIST_RECEIVED = ["slug=x", "slug=x", "slug=x&after=9", "slug=x&after=10"]


def notices(first: int, last: int, *numbers: int, kind: str = "game_over") -> Frame:
    told = [{"number": number, "kind": kind, "at": AT} for number in numbers]
    return {"type": "notices", "first": first, "last": last, "read": 0, "notices": told}


def inbox_script() -> Script:
    return [
        [notices(1, 2), notices(1, 3, 3), notices(1, 5, 5)],  # the fourth is missing
        [
            TOMORROW,
            notices(1, 5, 4, 5, kind="fireworks"),
            notices(1, 6, 5, 6),
            {"type": "heartbeat", "last": 6},
            {"type": "heartbeat", "last": 7},
        ],  # one is repeated; the seventh was not sent
        [notices(9, 10, 9), 1012],  # two were deleted
        [notices(9, 10, 10), notices(12, 11), {"type": "heartbeat", "last": 11}, 4408],
        [notices(12, 14, 12, 14)],  # the thirteenth is missing
        [notices(12, 14, 12, 13, 14)],
    ]


INBOX_FOUND = [[], [3], [4, 5], [6], [9], [10], [12, 13, 14]]
INBOX_RECEIVED = ["from the start", *(f"after={number}" for number in (3, 6, 9, 11, 11))]


@asynccontextmanager
async def bad_server(acts: Script = SCRIPT) -> AsyncIterator[tuple[str, list[str]]]:
    """Yield the server's URL and what it receives.

    That is the versions to resume from, and the commands under the one id.
    """
    received: list[str] = []
    script = iter(acts)

    async def follow(socket: ServerConnection) -> None:
        assert socket.request is not None
        asked = socket.request.path.partition("?")[2].split("&")
        asked = [part for part in asked if part != "heads=true"]
        received.append("&".join(asked) or "from the start")
        for act in next(script):
            match act:
                case int():
                    await socket.close(act)
                case str():
                    await hear(socket, act)
                case _:
                    await socket.send(json.dumps(act))
        await socket.wait_closed()

    async def hear(socket: ServerConnection, word: str) -> None:
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "play":
                assert frame["id"] == COMMAND_ID
                received.append("play")
            if frame["type"] == word:
                return

    async with serve(follow, "127.0.0.1", 0) as server:
        yield "http://{}:{}".format(*next(iter(server.sockets)).getsockname()), received
