"""A newer server, made from the documents: each list has a value more, each object a member more,
and each choice of several types a type more, all at once."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from itertools import count
from typing import Any, Final

from sdk.documents import Documents, Operation, Schema, name_of
from tests.sdk.hostile import Answer, Conversation, HostileServer

DOCUMENTS: Final = Documents()
TYPES: Final[Mapping[str, Schema]] = {**DOCUMENTS.frames, **DOCUMENTS.models}
NEW: Final = "brand_new"
HASH: Final = "07" * 32
OF_ANY_GAME: Final[Mapping[str, Any]] = {
    "GameEvent": {"type": NEW, NEW: 1},
    "GameCommand": {"type": NEW, NEW: 1},
}
PLAIN: Final[Mapping[str, Any]] = {
    "string": "2026-01-01T00:00:00Z",  # any text, and where a time is expected, a time
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "null": None,
}


def values(schema: Schema) -> list[Any]:
    """Return values of a schema that together have each of its types, and one type more."""
    match schema:
        case {"$ref": ref}:
            return _named(name_of(ref.split("/")[-1]))
        case {"anyOf": members}:
            found = [value for member in members for value in values(member)]
            is_choice = sum("$ref" in member for member in members) > 1
            return [*found, {"type": NEW, NEW: 1}] if is_choice else found
        case {"type": "array", "prefixItems": items}:
            return [[values(item)[0] for item in items]]
        case {"type": "array", "items": dict(items)}:
            return [values(items)]
        case {"properties": properties}:
            return list(_objects({name: values(inner) for name, inner in properties.items()}))
        case {"type": "object", "additionalProperties": dict(inner)}:
            return [{NEW: value} for value in values(inner)]
    return [_plain(schema)]


def _plain(schema: Schema) -> Any:
    match schema:
        case {"enum": [only]}:
            return only
        case {"enum": [str(), *_]}:
            return NEW
        case {"type": str(kind)} if kind in PLAIN:
            return PLAIN[kind]
    return {NEW: 1}


@cache
def _named(name: str) -> list[Any]:
    return [OF_ANY_GAME[name]] if name in OF_ANY_GAME else values(TYPES[name])


def _objects(fields: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    for number in range(max((len(each) for each in fields.values()), default=1)):
        chosen = {name: each[number % len(each)] for name, each in fields.items()}
        yield {**chosen, NEW: {"list": [1]}}


def frame(kind: str, union: str, **changed: Any) -> dict[str, Any]:
    """Return a frame of this kind, with these members of the protocol."""
    (found, *_) = (value for value in _named(union) if value["type"] == kind)
    return {**found, **changed}


def _lobby(version: int, status: str = NEW) -> dict[str, Any]:
    return {**_named("Lobby")[0], "version": version, "status": status}


def table() -> Conversation:
    """The frames of a game of two versions, and answers to all requests."""
    (commit,) = _named("Commit")[:1]
    place: dict[str, Any] = {"version": 1, "hash": HASH, "ended": "", "id": None}
    view = frame("view", "FromGame", **place)
    commits = frame(
        "commits", "FromGame", commits=[{**commit, "version": 2, "hash": HASH}], previous=HASH
    )
    end = frame("heartbeat", "FromGame", version=2, ended=NEW)
    answers = {"list_legal_commands": "legal_commands", "play": "accepted"}
    answers["send_message"] = "message_accepted"

    def answer(kind: str) -> Any:
        return lambda request: frame(kind, "FromGame", id=request["id"], version=2)

    return Conversation(
        (view, {"type": NEW, NEW: 1}, commits, end),
        {
            "look": lambda request: {**view, "id": request["id"]},
            **{request: answer(kind) for request, kind in answers.items()},
        },
    )


def room() -> Conversation:
    """The frames of a lobby with events of all kinds, to its end."""
    version = count(2)
    told = frame("lobby_events", "FromLobby")
    events = [{**event, "version": next(version)} for event in told["events"]]
    last = next(version)
    ending = {**events[0], "version": last}
    return Conversation(
        (
            frame("room", "FromLobby", version=1, lobby=_lobby(1), id=None),
            {"type": NEW, NEW: 1},
            frame("presence", "FromLobby"),
            {**told, "version": last - 1, "events": events, "lobby": _lobby(last - 1)},
            frame("heartbeat", "FromLobby", version=last - 1),
            {**told, "version": last, "events": [ending], "lobby": _lobby(last, "closed")},
        )
    )


def lobbies() -> Conversation:
    """The frames of the list of open lobbies, and of a change."""
    return Conversation(
        (
            {"type": NEW, NEW: 1},
            frame("lobbies", "FromLobbies", complete=True, cursor=1, id=None),
            frame("changes", "FromLobbies", cursor=2),
            frame("heartbeat", "FromLobbies", cursor=2),
        )
    )


def inbox() -> Conversation:
    """The frames of a user's notices."""
    told = frame("notices", "FromMe", first=1)
    notices = [{**notice, "number": number} for number, notice in enumerate(told["notices"], 1)]
    told |= {"last": len(notices), "notices": notices}
    return Conversation(
        ({"type": NEW, NEW: 1}, told, frame("heartbeat", "FromMe", last=len(notices)))
    )


SOCKETS: Final = {"games/x": table, "lobbies": lobbies, "lobbies/x": room, "me": inbox}


def _given(operation: Operation) -> dict[str, Any]:
    """Return the parts of the path."""
    places = operation.places.items()
    return {name: 1 if place.get("type") == "integer" else "x" for name, place in places}


OPERATIONS: Final = {
    f"{operation.verb} {operation.path.format(**_given(operation))}": operation
    for operation in DOCUMENTS.operations
}


def calls() -> list[tuple[str, list[Any], int]]:
    """Return the name of each operation, its arguments, and how many different answers it has."""
    return [
        (
            operation.name,
            [*_given(operation).values(), *([] if operation.body is None else [{}])],
            1 + len(_answers(operation)),
        )
        for operation in DOCUMENTS.operations
    ]


def _answers(operation: Operation) -> list[Any]:
    return [None] if operation.answer is None else values(operation.answer)


class NewerServer(HostileServer):
    """Answers each request with the next of its answers, and at last with a problem."""

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        verb, path = head.decode().split(" ")[:2]
        path = path.partition("?")[0]
        if path.startswith("/ws/"):
            place = path.removeprefix("/ws/v1/")
            await self._converse(place, SOCKETS[place](), head, reader, writer)
            return False
        self._answer(writer, self._next_answer(f"{verb} {path}"))
        return True

    def _next_answer(self, request: str) -> Answer:
        operation = OPERATIONS[request]
        found = _answers(operation)
        nth = self.requests[operation.name] % (len(found) + 1)
        self.requests[operation.name] += 1
        if nth == len(found):
            problem = {**_named("ProblemDocument")[0], "status": 418, "code": NEW}
            return Answer(418, json.dumps(problem).encode(), "application/problem+json")
        if operation.answer is None:
            return Answer(204, kind="")
        return Answer(200, json.dumps(found[nth]).encode())


READ: Final = {
    "failed": [],
    "versions": [1, 2],
    "answers": [1, 2, 2, 2],
    "events": [0, len(_named("LobbyEventsFrame")[0]["events"]), 1],
}
"""The reading of every client: the calls that failed, the versions of the table and in its answers,
and the numbers of events of the room."""


@asynccontextmanager
async def newer_server() -> AsyncIterator[str]:
    """Serve, and check in the end that each operation was called."""
    found = NewerServer()
    async with await asyncio.start_server(found.serve, "127.0.0.1", 0) as server:
        yield "http://{}:{}".format(*server.sockets[0].getsockname())
    assert not {name for name, _, _ in calls()} - found.requests.keys()
