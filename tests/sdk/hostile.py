"""A server that is none: portals, proxies, liars and newer versions, with ONE table of what a
client has to make of each.

The first part of the path names the case. The clients of all languages run all cases at once, and
give the outcome of each as a text: the versions of the news, `end`, `ok`, or the code of the error.
"""

import asyncio
import gzip
import hashlib
import json
import os
import re
import resource
import ssl
import struct
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from railbird_engine import Seat
from railbird_engine.kernel.playout import Playout
from railbird_engine.rules import registry
from tests.sdk import healing
from tests.sdk.healing import lobby
from tests.sdk.scripts import run

Frame = Mapping[str, Any]
Say = Callable[[Any], Awaitable[None]]

COMPRESSED: Final = 0x40
MORE: Final = 0x80
"""Subtracted from the kind of a frame that others continue."""
PYTHON: Final = Path(__file__).parent / "meeting.py"
KEY: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PROBLEM: Final = "application/problem+json"
TOLD: Final = b"told"
"""A client that has received everything sends this back."""
HTML: Final = b"<html>Please sign in to this network.</html>"
BIG: Final = 1 << 25
ODD: Final = "..%2Fx%3Fy%23z%C3%A9"
MOST: Final = 50
"""The most lobbies of a list, and the most news that wait, so that few are too many."""
SPENT_MAX_S: Final = 20.0
"""CPU seconds for all cases. A client that spins does so until 40 s of silence end a connection."""
MANY: Final = 99
"""More connections than a patient client opens."""


class Wire(bytes):
    """Bytes that the server sends as they are, instead of a response or a frame."""


class Answer(NamedTuple):
    """A response over HTTP."""

    status: int
    body: bytes = b""
    kind: str = "application/json"
    headers: Mapping[str, str] = {}


class Conversation(NamedTuple):
    """Frames that the server sends on a socket, and its answers to requests by their type, if not
    those of an honest server."""

    says: tuple[Any, ...] = ()
    """Frames, or functions that return them; texts and bytes as they are; a number closes with this
    code, and None cuts the connection."""
    answers: Mapping[str, Callable[[Frame], Frame | None]] = {}
    proof: bytes | None = None
    """The proof that the server read the handshake, if not the right one."""
    agrees: bytes = b""
    """More lines of the handshake."""


class Case(NamedTuple):
    """The action of a client, the events on its connections in turn (the last one repeats), and the
    expected outcome."""

    does: str
    meets: tuple[Answer | Conversation | Wire | str, ...]
    outcome: str
    most: int = MANY
    """The most requests or connections that it may make."""


def now(hours: float = 0) -> str:
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat().replace("+00:00", "Z")


def problem(code: str, status: int, **headers: str) -> Answer:
    document = {"type": "about:blank", "title": "", "status": status, "code": code}
    return Answer(status, json.dumps(document).encode(), PROBLEM, headers)


def _view_of(slug: str) -> Any:
    rules = next(rules for (found, _), rules in registry().items() if found == slug)
    playout = Playout(rules, rules.seats.start, rules.options_type(), b"hostile")
    return json.loads(msgspec.json.encode(rules.view(playout.state, Seat(0))))


VIEW: Final = _view_of("ready_set_bet")


HASH: Final = "07" * 32


def view(hours: float = 0, **changed: Any) -> Frame:
    times = {"next_at": None, "now": now(hours)}
    place = {"id": None, "game": "game", "version": 1, "hash": HASH, "seat": 0, "ended": ""}
    return {"type": "view", **place, **times, "view": VIEW, **changed}


def commit(version: Any, *, previous: str = HASH, **changed: Any) -> Frame:
    event = {"type": "race_started", "race": 1, "only": None}
    at = {"at": now(), "next_at": None, "hash": HASH}
    found = {"version": version, **at, "events": [event], **changed}
    return {"type": "commits", "commits": [found], "previous": previous, "now": now()}


def heartbeat(version: int, ended: str = "", hours: float = 0) -> Frame:
    times = {"next_at": None, "now": now(hours)}
    return {"type": "heartbeat", "version": version, "ended": ended, **times}


GOOD: Final = Conversation((view(), commit(2), heartbeat(2, "finished")))
REST: Final = Conversation((heartbeat(1), commit(2), heartbeat(2, "finished")))
"""The frames that are missing after the view. They follow nothing that breaks the protocol, with
which Chromium drops all frames that it has read together, also the view."""
BET: Final = {"type": "place_bet", "spot": "win:7:r", "token": 5, "bonus": None}


def accepted(play: Frame, **changed: Any) -> Frame:
    return {
        "type": "accepted",
        "id": play["id"],
        "version": 2,
        "hash": "00",
        "events": [],
        "acknowledgement": None,
        **changed,
    }


def refused(request: Frame, code: str, version: int | None = 1, **data: Any) -> Frame:
    answer = {"type": "refused", "id": request["id"], "code": code}
    return {**answer, "version": version, "data": data}


def in_time(hours: float) -> Callable[[Frame], Frame]:
    """Accept a command whose `not_after` is near the server's time: hours off is the own clock."""

    def answer(play: Frame) -> Frame:
        left = datetime.fromisoformat(play["not_after"]) - datetime.fromisoformat(now(hours))
        is_in_time = abs(left) < timedelta(minutes=1)
        return accepted(play) if is_in_time else refused(play, "wrong_clock")

    return answer


def legal(request: Frame, **changed: Any) -> Frame:
    return {
        "type": "legal_commands",
        "id": request["id"],
        "version": 1,
        "commands": [BET],
        "is_complete": True,
        **changed,
    }


def seen(request: Frame) -> Frame:
    return view(id=request["id"])


def _nothing(_: Frame) -> Frame:
    return {}


UNREADABLE: Final[Mapping[str, Any]] = {
    "cut off": '{"type":"commits","com',
    "null": "null",
    "a list": "[1,2]",
    "a number": "7",
    "no type": '{"version":2}',
    "a type that is none": '{"type":7}',
    "binary": b"\xff\xfe\x00",
    "text that is none": (TEXT, b'{"type":"\xff"}'),
    "commits that are none": {"type": "commits", "commits": 5, "now": now()},
    "a time that is none": commit(2, at="yesterday"),
    "a time before all": commit(2, at="0001-01-01T00:00:00Z"),
    "a version as text": commit("2"),
    "a version with a fraction": commit(1.5),
    "an event without a type": commit(2, events=[{"x": 1}]),
    "an event that is null": commit(2, events=[None]),
    "a heartbeat without a time": {**heartbeat(1), "now": 5},
    "compressed": (TEXT | COMPRESSED, b"\x1f\x8b"),
    "a close without a code": (CLOSE, b""),
    "half a close code": (CLOSE, b"\x03"),
    "a close code that is none": (CLOSE, struct.pack("!H", 999)),
    "a reason that is no text": (CLOSE, struct.pack("!H", 1000) + b"\xff"),
    "a kind of frame that is none": (11, b""),
    "a ping that is too long": (PING, bytes(126)),
    "a ping in pieces": (PING - MORE, b""),
    "a frame that continues none": (0, b"{}"),
    "a frame inside another": Wire(b"\x01\x01{\x81\x01{"),
    "a masked frame": Wire(b"\x81\x82\0\0\0\0{}"),
    "a length below zero": Wire(b"\x81\x7f" + b"\xff" * 8),
    "a version beyond all": commit(1 << 62),
    "an empty text": "",
    "a frame in UTF-16": json.dumps(commit(2)).encode("utf-16"),
    "a number that is none": json.dumps(commit(2)).replace(": 2,", ": NaN,", 1),
    "a number with a plus": json.dumps(commit(2)).replace(": 2,", ": +2,", 1),
    "a time without a zone": commit(2, at="2026-10-25T02:30:00"),
    "a time as people write it": commit(2, at="25 Oct 2026 02:30:00 GMT"),
    "a time with a line end": commit(2, at="2026-10-25T02:30:00Z\n"),
    "a second that never was": commit(2, at="2026-10-25T02:30:61Z"),
    "an id that is none": {**view(), "id": 5},
    "events that are none": commit(2, events={}),
    "no commits": {"type": "commits", "commits": [None], "previous": HASH, "now": now()},
    "a commit without a hash": commit(2, hash=None),
    "an error without data": {"type": "error", "code": "busy", "data": None},
    "a commit before the next": {
        **commit(3),
        "commits": [*commit(3)["commits"], *commit(2)["commits"]],
    },
    "a close in a frame": (CLOSE, struct.pack("!H", 1000) + b"x" * 124),
    "a frame with a reserved bit": (TEXT | 0x20, b"{}"),
    "two values": json.dumps(heartbeat(1)) * 2,
    "a version without an end": json.dumps(commit(2)).replace(": 2,", ": 1e400,", 1),
    "too deep": "[" * 100_000,
    "too large": '{"type":"new","x":"' + "a" * (1 << 24) + '"}',
}
OF_LOBBY: Final = json.dumps(lobby("a")).encode()
PASSING_CODES: Final = (
    *(1000, 1001, 1002, 1007, 1010, 1011, 1012, 1013, 3000, 3999, 4000, 4001, 4399, 4408, 4423),
    *(4429, 4500, 4999),
)
"""Close codes after which a client comes back."""
WRONG_CODES: Final = (0, 999, 1004, 1005, 1006, 1014, 1015, 1016, 2000, 2999, 5000, 65535)
"""Close codes that nobody may send."""
FINAL_CODES: Final = (1003, 1008, 1009, 4400, 4401, 4402, 4403, 4404, 4410, 4498, 4499)
HANDSHAKES: Final = (
    *(200, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 407, 408, 410, 421, 425, 426, 429),
    *(451, 500, 502, 503, 511, 599),
)


def _head(status: int, *lines: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status} X", *lines, "", ""]).encode("latin-1")


def _length(length: str) -> bytes:
    return _head(200, "Content-Type: application/json", f"Content-Length: {length}")


def _packed(body: bytes) -> Answer:
    return Answer(200, body, headers={"Content-Encoding": "gzip"})


def _problem_with(**changed: object) -> Answer:
    found = problem("new", 418)
    return found._replace(body=json.dumps({**json.loads(found.body), **changed}).encode())


def _with(member: bytes) -> bytes:
    """Return a lobby with another member, which no client knows."""
    return OF_LOBBY.replace(b"{", b"{" + member + b", ", 1)


def _capacity(number: bytes) -> bytes:
    return re.sub(rb'"capacity": \d+', b'"capacity": ' + number, OF_LOBBY)


ENDLESS_HEADERS: Final = Wire(_head(200, *(f"X-{n}: {'x' * 1000}" for n in range(2000))))


def _http_cases() -> dict[str, Case]:
    portal = Answer(200, HTML, "text/html")
    moved = {"Location": "{other}/stolen"}
    lies: dict[str, tuple[Answer | Wire | str, str]] = {
        "portal": (portal, "unreadable"),
        "empty": (Answer(200), "unreadable"),
        "moved 302": (Answer(302, b"", "text/html", moved), "redirected"),
        "moved 307": (Answer(307, b"", "text/html", moved), "redirected"),
        "moved 308": (Answer(308, b"", "text/html", moved), "redirected"),
        "moved 303": (Answer(303, b"", "text/html", moved), "redirected"),
        "moved nowhere": (Answer(302, b"", "text/html", {"Location": "http://["}), "redirected"),
        "html 502": (Answer(502, HTML, "text/html"), "unreadable"),
        "null 500": (Answer(500, b"null"), "unreadable"),
        "no problem": (Answer(500, b'{"message":"?"}', PROBLEM), "unreadable"),
        "cut": ("cut", "unreachable"),
        "no HTTP": (Wire(b"SSH-2.0-OpenSSH_9\r\n\r\n"), "unreachable"),
        "new code": (problem("brand_new_code", 418), "brand_new_code"),
    }
    cases = {
        f"{does}: {name}": Case(does, (lie,), code, 6)
        for name, (lie, code) in lies.items()
        for does in ("get", "leave", "bot")
    }
    bomb = _packed(gzip.compress(bytes(BIG)))
    broken = _packed(b"\x1f\x8bno gzip")
    of_lobby = OF_LOBBY
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    busy = problem("too_many_requests", 429, **{"Retry-After": "1"})
    crumbs = problem("busy", 503, **{"Set-Cookie": f"crumbs={'x' * 4000}; Path=/"})
    flood = _head(503, *(f"Set-Cookie: a{n}=b" for n in range(300)), "Content-Length: 0")
    century = format_datetime(datetime.now(UTC) + timedelta(days=36_525), usegmt=True)
    of_json = ("Content-Type: application/json",)
    chunked = _head(200, *of_json, "Transfer-Encoding: chunked")
    lengths = _head(200, *of_json, "Content-Length: 9999", f"Content-Length: {len(of_lobby)}")
    old = _head(200, *of_json).replace(b"1.1", b"1.0", 1)
    answered = _length(str(len(of_lobby))) + of_lobby
    in_chunks = b"%x\r\n%b\r\n" % (len(of_lobby), of_lobby)
    hour = datetime.now(timezone(timedelta(hours=9))) + timedelta(hours=1)
    long = gzip.compress(of_lobby)
    read: dict[str, Answer | Wire] = {
        "a type in capitals": Answer(200, of_lobby, "Application/JSON ; Charset=Latin1"),
        "a type that says more": Answer(200, of_lobby, "application/json;charset=utf-16;x=y"),
        "created elsewhere": Answer(
            201, of_lobby, headers={"Location": "{other}/stolen", "Refresh": "0; url={other}/"}
        ),
        "moved by a proxy": Answer(203, of_lobby, headers={"Alt-Svc": 'h2="{other}"'}),
        "with a trailer": Wire(chunked + in_chunks + b"0\r\nSet-Cookie: a=b\r\n\r\n"),
        "with names of all objects": Answer(
            200, of_lobby.replace(b"{", b'{"__proto__": {"id": 5}, "constructor": null, ', 1)
        ),
    }
    heads = {
        "a length below zero": _length("-1"),
        "a length that is none": _length("0x10"),
        "a length beyond all": _length("9" * 30),
        "no status": b"HTTP/1.1 abc X\r\n\r\n",
    }
    damaged: dict[str, tuple[Answer | Wire, str]] = {
        "chunks that end too early": (Wire(chunked + in_chunks), "unreachable"),
        "half a chunk": (Wire(chunked + in_chunks[:-30]), "unreachable"),
        "a chunk beyond all": (Wire(chunked + b"F" * 16 + b"\r\n" + of_lobby), "unreachable"),
        "a chunk below zero": (Wire(chunked + b"-1\r\n" + of_lobby), "unreachable"),
        "a length that is too short": (Answer(200, of_lobby[:-9]), "unreadable"),
        "half a header": (Wire(b"HTTP/1.1 200 X\r\nContent-Ty"), "unreachable"),
        "half a status": (Wire(b"HTTP/1."), "unreachable"),
        "only hints": (Wire(_head(100)), "unreachable"),
        "nothing at all": (Wire(), "unreachable"),
        "half a gzip": (_packed(long[:-20]), "unreadable"),
        "a gzip with a wrong sum": (_packed(long[:-8] + bytes(4) + long[-4:]), "unreadable"),
        "a gzip of nothing": (_packed(b""), "unreadable"),
        "a bomb as a problem": (bomb._replace(status=409, kind=PROBLEM), "too_large"),
        "a part": (
            Answer(206, of_lobby[:40], headers={"Content-Range": "bytes 0-39/999"}),
            "unreadable",
        ),
        "no change": (Answer(304, kind=""), "redirected"),
        "a choice": (Answer(300, HTML, "text/html"), "redirected"),
        "nothing to read": (Answer(204, kind=""), "unreadable"),
        "too early": (problem("too_early", 425), "too_early"),
        "a login of the network": (
            Answer(401, HTML, "text/html", {"WWW-Authenticate": "Basic realm=x"}),
            "unreadable",
        ),
        "a problem that succeeds": (Answer(200, problem("x", 200).body, PROBLEM), "unreadable"),
        "a problem with no data": (_problem_with(data=None), "unreadable"),
        "a problem with a list": (_problem_with(data=[]), "unreadable"),
        "a problem without a code": (_problem_with(code=5), "unreadable"),
        "no type": (Answer(200, of_lobby, kind=" "), "unreadable"),
        "the body in UTF-16": (Answer(200, of_lobby.decode().encode("utf-16")), "unreadable"),
        "a letter in Latin-1": (Answer(200, _with(b'"x": "\xe9"')), "unreadable"),
        "a number that is none": (Answer(200, _with(b'"x": NaN')), "unreadable"),
        "minus infinity": (Answer(200, _with(b'"x": -Infinity')), "unreadable"),
        "a number with a plus": (Answer(200, _with(b'"x": +1')), "unreadable"),
        "a number with a zero before": (Answer(200, _with(b'"x": 01')), "unreadable"),
        "a number without a start": (Answer(200, _with(b'"x": .5')), "unreadable"),
        "a number in hex": (Answer(200, _with(b'"x": 0x1')), "unreadable"),
        "a line in a text": (Answer(200, _with(b'"x": "\n"')), "unreadable"),
        "quotes of another kind": (Answer(200, _with(b"'x': 1")), "unreadable"),
        "a comma at the end": (Answer(200, of_lobby[:-1] + b",}"), "unreadable"),
        "a remark": (Answer(200, of_lobby + b"// x"), "unreadable"),
        "two values": (Answer(200, of_lobby * 2), "unreadable"),
        "a NUL at the end": (Answer(200, of_lobby + b"\0"), "unreadable"),
        "a fraction of a place": (Answer(200, _capacity(b"1.5")), "unreadable"),
        "teams that are none": (
            Answer(200, re.sub(rb'"teams": null', b'"teams": 5', OF_LOBBY)),
            "unreadable",
        ),
    }
    cases |= {f"get: {name}": Case("twice", (lie,), "ok", 2) for name, lie in read.items()}
    cases |= {
        f"get: {name}": Case("twice", (Wire(head + of_lobby),), "unreachable", 6)
        for name, head in heads.items()
    }
    cases |= {f"get: {name}": Case("get", (lie,), code, 6) for name, (lie, code) in damaged.items()}
    return cases | {
        "get: an hour later in another zone": Case(
            "get",
            (problem("too_many_requests", 429, **{"Retry-After": format_datetime(hour)}),),
            "too_many_requests",
            1,
        ),
        "get: an hour later in an old form": Case(
            "get",
            (problem("too_many_requests", 429, **{"Retry-After": f"{hour.astimezone(UTC):%c}"}),),
            "too_many_requests",
            1,
        ),
        "get: after some hints": Case(
            "twice",
            (Wire(_head(100) + _head(102) + _head(103) + answered), Answer(200, of_lobby)),
            "ok",
            3,
        ),
        "get: from another host": Case("get", (Answer(421, HTML, "text/html"),), "unreadable", 12),
        "get: asks below zero": Case(
            "get", (problem("busy", 503, **{"Retry-After": "-9"}), Answer(200, of_lobby)), "ok", 2
        ),
        "get: a length that is too short, then right": Case(
            "twice",
            (Wire(_length(str(len(of_lobby) - 9)) + of_lobby), Answer(200, of_lobby)),
            "ok",
            3,
        ),
        "get: two answers of another kind": Case(
            "twice", (Wire(answered + b"HTTP/1.1 "), Answer(200, of_lobby)), "ok", 3
        ),
        "bot: silence": Case("drip", ("silence",), "timed_out", 6),
        "bot: half and then silence": Case("drip", ("half",), "timed_out", 6),
        "bot: a head without an end": Case("drip", ("head",), "timed_out", 6),
        "leave: done, with a length": Case(
            "leave", (Wire(_head(204, "Content-Length: 9") + b"<html>!!!"),), "ok", 1
        ),
        "leave: done with JSON": Case("leave", (Answer(200, b"{}"),), "unreadable", 6),
        "get: html as json": Case("get", (Answer(200, HTML),), "unreadable"),
        "get: json as html": Case("get", (Answer(200, of_lobby, "text/html"),), "unreadable"),
        "get: wrong type": Case("get", (Answer(200, b'{"id":5}'),), "unreadable"),
        "get: wrong shape": Case("get", (Answer(200, b"[]"),), "unreadable"),
        "get: broken gzip": Case("get", (broken,), "unreadable"),
        "get: bomb": Case("get", (bomb,), "too_large"),
        "get: passing": Case("get", (portal, "cut", Answer(200, of_lobby)), "ok", 3),
        "get: later": Case("get", (busy, Answer(200, of_lobby)), "ok", 2),
        "get: at a moment": Case(
            "get",
            (problem("new", 503, **{"Retry-After": later, "Date": later}), Answer(200, of_lobby)),
            "ok",
            2,
        ),
        "get: odd digits": Case(
            "get",
            (problem("busy", 503, **{"Retry-After": "\xb2"}), Answer(200, of_lobby)),
            "ok",
            2,
        ),
        "get: much later": Case(
            "get",
            (problem("too_many_requests", 429, **{"Retry-After": "3600"}),),
            "too_many_requests",
            1,
        ),
        "bot: drip": Case("drip", ("drip",), "timed_out", 6),
        "bot: passing": Case("bot", ("cut", portal, Answer(201, of_lobby)), "ok", 3),
        "join: cut": Case("join", ("cut", portal, Answer(200, of_lobby)), "ok", 3),
        "get: asks for ages": Case(
            "get", (problem("busy", 503, **{"Retry-After": "9" * 20}),), "busy", 6
        ),
        "get: a cookie": Case("get", (crumbs, Answer(200, of_lobby)), "ok", 2),
        "get: cut in the middle": Case(
            "get", (Wire(_head(200, "Content-Length: 99") + b'{"id"'),), "unreachable", 6
        ),
        "get: endless headers": Case(
            "get",
            (ENDLESS_HEADERS,),
            "unreachable",
            6,
        ),
        "get: a flood of cookies": Case("get", (Wire(flood), Answer(200, of_lobby)), "ok", 2),
        "get: a century later": Case(
            "get",
            (problem("too_many_requests", 429, **{"Retry-After": century}),),
            "too_many_requests",
            1,
        ),
        "get: HTTP of 1996": Case("twice", (Wire(old + of_lobby),), "ok", 2),
        "get: HTTP of 1996, cut": Case("get", (Wire(old + of_lobby[:-9]),), "unreadable", 6),
        "get: two lengths": Case("get", (Wire(lengths + of_lobby),), "unreachable", 6),
        "get: chunks without an end": Case("get", ("chunks",), "too_large", 6),
        "get: a size without an end": Case(
            "get", (Wire(chunked + b"1;" + b"x" * (1 << 20)),), "unreachable", 6
        ),
        "bot: hints without an end": Case("drip", ("hints",), "timed_out", 6),
        "get: not UTF-8": Case(
            "get", (Answer(200, of_lobby.replace(b'"id": "', b'"id": "\xff', 1)),), "unreadable", 6
        ),
        "get: a mark at the start": Case(
            "get", (Answer(200, b"\xef\xbb\xbf" + of_lobby),), "unreadable", 6
        ),
        "get: a name twice": Case(
            "twice", (Answer(200, of_lobby.replace(b"{", b'{"id": "b", ', 1)),), "ok", 2
        ),
        "get: half a character": Case(
            "get",
            (Answer(200, of_lobby.replace(b'"id": "', b'"id": "\\ud800', 1)),),
            "unreadable",
            6,
        ),
        "get: a number without an end": Case(
            "get",
            (Answer(200, re.sub(rb'"capacity": \d+', b'"capacity": 1e400', of_lobby)),),
            "unreadable",
            6,
        ),
        "get: too deep": Case("get", (Answer(200, b"[" * 100_000),), "unreadable", 6),
        "get: another protocol": Case(
            "get",
            (Wire(_head(101, "Upgrade: x", "Connection: Upgrade")),),
            "unreachable",
            6,
        ),
        "get: status 999": Case("get", (Answer(999, of_lobby),), "unreadable", 6),
        "get: two answers to one request": Case(
            "twice", ("two answers", Answer(200, of_lobby)), "ok", 3
        ),
        "get: an id that leads elsewhere": Case("odd", (Answer(200, of_lobby),), "ok", 1),
        "get: an id that leads up": Case("up", (Answer(200, of_lobby),), "misused", 0),
        "get: what is no JSON": Case("unsent", (Answer(200, of_lobby),), "misused", 0),
        "leave: done": Case("leave", (Answer(204, kind=""),), "ok", 1),
        "leave: a body": Case("leave", (Answer(202, HTML, "text/html"),), "unreadable"),
    }


def _socket_cases() -> dict[str, Case]:
    beating = Conversation((heartbeat(1), 1013))
    busy = Conversation(({"type": "error", "code": "busy", "data": {}}, 1013))
    lost = {"type": "error", "code": "not_found", "data": {}}
    cases = {"news: good": Case("news", (GOOD,), "1 2 end", 1)}
    for name, frame in UNREADABLE.items():
        lie = Conversation((view(), frame))
        cases[f"news: {name}"] = Case("news", (lie, GOOD), "1 2 end", 2)
    for status in HANDSHAKES:
        away = Answer(status, HTML, "text/html", {"Location": "{other}/ws/v1/games/game"})
        cases[f"news: handshake {status}"] = Case("news", (away, away, GOOD), "1 2 end", 3)
    for codes, after in ((PASSING_CODES, REST), (WRONG_CODES, GOOD)):
        for code in codes:
            closed = Conversation((view(), code))
            cases[f"news: closed {code}"] = Case("news", (closed, after), "1 2 end", 2)
    for code in FINAL_CODES:
        cases[f"news: final {code}"] = Case("news", (Conversation((lost, code)),), "not_found", 1)
    stale = {**view(), "view": {**VIEW, "phase": "photo_finish"}}
    events = [{"type": "brand_new", "a": 1}]
    newer = (stale, {"type": "brand_new", "x": 1}, commit(2, events=events))
    ending = heartbeat(2, "finished")
    other = "08" * 32
    forked: dict[str, tuple[Conversation, ...]] = {
        "at once": (Conversation((view(), commit(2, previous=other))),),
        "of a version that was shown": (Conversation((view(), commit(1, hash=other))),),
        "after a reconnection": (
            Conversation((view(), commit(2), 1012)),
            Conversation((heartbeat(2), commit(3, previous=other))),
        ),
    }
    for name, conversations in forked.items():
        cases[f"news: another history {name}"] = Case("news", conversations, "contradicted")
    gone = {"type": "error", "code": "history_lost", "data": {"version": 1, "seen": 3}}
    pieces = json.dumps(commit(2)).encode()
    asks = problem("busy", 503, **{"Retry-After": "86400"})
    unproved = Conversation((view(),), proof=b"none")
    promised = Conversation((view(), heartbeat(5), heartbeat(5)))
    pieces_of_nothing = Conversation(
        (
            view(),
            (TEXT - MORE, b"{"),
            *1000 * ((-MORE, b""),),
            *17 * ((-MORE, bytes(1 << 20)),),
            1012,
        )
    )
    no_http = Wire(b"SSH-2.0-OpenSSH_9\r\n\r\n")
    agreed = b"Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover\r\n"
    packer = zlib.compressobj(wbits=-15)
    bomb = (packer.compress(b" " * BIG) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
    packer = zlib.compressobj(wbits=-15)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    damaged = 140 * block + b"\xff" * 9  # Node stops to unpack after 128 MiB
    twice = json.dumps(commit(2)).replace("{", '{"previous": "", ', 1)
    half = commit(2, events=[{"type": "race_started", "race": 1, "only": None, "x": "\ud800"}])
    letters = json.dumps(commit(2, x="\u00e9\u4e2d"), ensure_ascii=False).encode()
    crumbs = (
        (TEXT - MORE, letters[:1]),
        *chain.from_iterable(
            ((PING, b"x" * 125), (PONG, b""), (-MORE, bytes([letter]))) for letter in letters[1:]
        ),
        (0, b""),
    )
    size = len(pieces)
    roundabout = Wire(b"\x81\x7f" + struct.pack("!Q", size) + pieces)
    packed = zlib.compressobj(wbits=-15)
    small = (packed.compress(pieces) + packed.flush(zlib.Z_SYNC_FLUSH))[:-4]
    half_upgrades: dict[str, Wire | str] = {
        "an upgrade to nothing": Wire(_head(101)),
        "an upgrade to something else": Wire(_head(101, "Upgrade: h2c", "Connection: Upgrade")),
        "half a handshake": Wire(b"HTTP/1.1 101 Switching"),
        "a handshake that is cut": "cut",
    }
    cases |= {
        f"news: {name}": Case("news", (lie, lie, GOOD), "1 2 end", 3)
        for name, lie in half_upgrades.items()
    }

    def of_another_zone() -> Frame:
        ahead = datetime.now(UTC) + timedelta(hours=5)
        return view(now=ahead.astimezone(timezone(timedelta(hours=14))).isoformat())

    odd_answers: dict[str, tuple[Callable[[Frame], Any], str]] = {
        "a brand new reason": (lambda play: refused(play, "brand_new"), "brand_new"),
        "a refusal that goes on": (lambda play: refused(play, "spot_taken", 1 << 40), "spot_taken"),
        "accepted in capitals": (lambda play: accepted(play, id=play["id"].upper()), "unanswered"),
        "accepted as nothing": (lambda play: accepted(play, id=""), "unanswered"),
    }
    cases |= {
        f"play: {name}": Case(
            "hurry" if code == "unanswered" else "play",
            (Conversation((view(),), {"play": lie}),),
            code,
            1,
        )
        for name, (lie, code) in odd_answers.items()
    }
    return cases | {
        "play: the time of another zone": Case(
            "play",
            (Conversation((of_another_zone,), {"play": in_time(5)}),),
            "2",
            1,
        ),
        "play: half an answer": Case(
            "play",
            (
                Conversation((view(),), {"play": lambda _: None}),
                Conversation((heartbeat(1),), {"play": accepted}),
            ),
            "2",
            2,
        ),
        "news: a mark at the start": Case(
            "news",
            (Conversation((view(), "\ufeff" + json.dumps(commit(2)), ending)), GOOD),
            "1 2 end",
            2,
        ),
        "news: half a frame": Case(
            "news", (Conversation((view(), Wire(b"\x81\x7e\xff\xff{"), None)), GOOD), "1 2 end", 2
        ),
        "news: a length beyond all": Case(
            "news",
            (Conversation((view(), Wire(b"\x81\x7f\x7f" + b"\xff" * 7 + b"{"), None)), GOOD),
            "1 2 end",
            2,
        ),
        "news: half a frame in pieces": Case(
            "news", (Conversation((view(), (TEXT - MORE, pieces[:9]), None)), GOOD), "1 2 end", 2
        ),
        "news: a damaged bomb": Case(
            "news",
            (Conversation((view(), (TEXT | COMPRESSED, damaged)), agrees=agreed), GOOD),
            "1 2 end",
            2,
        ),
        "play: a version as text": Case(
            "play",
            (
                Conversation((view(),), {"play": lambda play: accepted(play, version="2")}),
                Conversation((heartbeat(1),), {"play": accepted}),
            ),
            "2",
            2,
        ),
        "look: a view that is none": Case(
            "look",
            (
                Conversation(
                    (view(), commit(2)), {"look": lambda asked: {**seen(asked), "view": 5}}
                ),
            ),
            "unreadable",
            6,
        ),
        "news: letters in pieces with pings between": Case(
            "news", (Conversation((view(), *crumbs, ending)),), "1 2 end", 1
        ),
        "news: a length that takes the long way": Case(
            "news", (Conversation((view(), roundabout, ending)), GOOD), "1 2 end", 2
        ),
        "news: compressed as nobody wanted": Case(
            "news",
            (Conversation((view(), (TEXT | COMPRESSED, small), 1012), agrees=agreed), GOOD),
            "1 2 end",
            2,
        ),
        "news: names of all objects": Case(
            "news",
            (
                Conversation(
                    (
                        view(),
                        *(
                            {"type": name, "x": 1}
                            for name in ("__proto__", "constructor", "toString", "")
                        ),
                        commit(2, events=[{"type": "constructor"}, {"type": "__proto__"}]),
                        ending,
                    )
                ),
            ),
            "1 2 end",
            1,
        ),
        "news: answers that nobody wanted": Case(
            "news",
            (
                Conversation(
                    (
                        *(view(), accepted({"id": "x"}), refused({"id": "y"}, "busy")),
                        *(legal({"id": "z"}), commit(2), ending),
                    )
                ),
            ),
            "1 2 end",
            1,
        ),
        "news: the same again": Case(
            "news",
            (Conversation((view(), view(), commit(2), commit(2), commit(2), ending)),),
            "1 2 end",
            1,
        ),
        "news: heartbeats that go back": Case(
            "news",
            (Conversation((view(), commit(2), heartbeat(2), heartbeat(1), heartbeat(0), ending)),),
            "1 2 end",
            1,
        ),
        "news: a server that starts again": Case(
            "news",
            (
                Conversation((view(), commit(2), 1012)),
                Conversation(
                    (view(), commit(2), heartbeat(1), commit(3), heartbeat(3, "finished"))
                ),
            ),
            "1 2 3 end",
            2,
        ),
        "news: an end before the news": Case(
            "news", (Conversation((ending, view(), commit(2))),), "1 2 end", 1
        ),
        "news: commits before the view": Case(
            "news", (Conversation((commit(2), view())), GOOD), "1 2 end", 2
        ),
        "news: always closed at once": Case("wait", (Conversation((1000,)),), "waiting", 9),
        "news: closed twice": Case(
            "news", (Conversation((view(), 1012, 4404, 1000)), GOOD), "1 2 end", 2
        ),
        "news: in pieces": Case(
            "news",
            (
                Conversation(
                    (view(), (TEXT - MORE, pieces[:9]), (PING, b""), (0, pieces[9:]), ending)
                ),
            ),
            "1 2 end",
            1,
        ),
        "news: pieces without an end": Case("news", (pieces_of_nothing, REST), "1 2 end", 2),
        "news: a bomb": Case(
            "news",
            (Conversation((view(), (TEXT | COMPRESSED, bomb)), agrees=agreed), GOOD),
            "1 2 end",
            2,
        ),
        "news: a protocol that nobody asked for": Case(
            "news",
            (Conversation(GOOD.says, agrees=b"Sec-WebSocket-Protocol: x\r\n"), GOOD),
            "1 2 end",
            2,
        ),
        "news: a name twice": Case("news", (Conversation((view(), twice, ending)),), "1 2 end", 1),
        "news: half a character": Case(
            "news", (Conversation((view(), half, 1012)), REST), "1 2 end", 2
        ),
        "news: versions that jump": Case(
            "news",
            (Conversation((view(), commit(7), commit(3), commit(-1), 1012)), REST),
            "1 2 end",
            2,
        ),
        "news: a handshake that is no HTTP": Case("news", (no_http, GOOD), "1 2 end", 2),
        "news: a handshake with endless headers": Case(
            "news", (ENDLESS_HEADERS, GOOD), "1 2 end", 2
        ),
        "news: extensions that are none": Case(
            "news",
            (Conversation(GOOD.says, agrees=b"Sec-WebSocket-Extensions: ;;=,\r\n"), GOOD),
            "1 2 end",
            2,
        ),
        "news: many pings": Case(
            "news",
            (Conversation((view(), *500 * ((PING, b"x"),), commit(2), ending)),),
            "1 2 end",
            1,
        ),
        "news: frames after the end": Case(
            "news", (Conversation((view(), 1000, commit(9))), GOOD), "1 2 end", 2
        ),
        "news: a head that nobody signed": Case(
            "news",
            (Conversation((view(head="?"), {**commit(2), "head": "?"}, ending)),),
            "1 2 end",
            1,
        ),
        "news: a handshake that asks for a day": Case("news", (asks, GOOD), "1 2 end", 2),
        "news: a handshake without proof": Case("news", (unproved, GOOD), "1 2 end", 2),
        "news: a handshake that always fails": Case(
            "wait", (Answer(502, HTML, "text/html"),), "waiting", 9
        ),
        "news: promised and never sent": Case("wait", (promised,), "waiting", 9),
        "news: history lost": Case(
            "news",
            (Conversation((view(), commit(2), commit(3), gone, 4410)), GOOD),
            "1 2 3 1 2 end",
            2,
        ),
        "news: never readable": Case("news", (Conversation(("null",)),), "unreadable", 4),
        "news: always busy": Case("wait", (busy,), "waiting", 9),
        "news: always the same": Case(
            "wait", (Conversation((view(), 1013)), beating), "waiting", 9
        ),
        "news: closed 4404 without a reason": Case("news", (Conversation((4404,)),), "closed", 1),
        "news: newer": Case("news", (Conversation((*newer, ending)),), "1 2 end", 1),
        "legal: newer": Case(
            "legal",
            (
                Conversation(
                    (view(),),
                    {
                        "list_legal_commands": lambda request: legal(
                            request, commands=[{"type": "new"}, BET]
                        )
                    },
                ),
            ),
            "1",
            1,
        ),
        "legal: refused, then look": Case(
            "limit",
            (
                Conversation(
                    (view(),),
                    {
                        "list_legal_commands": lambda request: refused(
                            request, "malformed", None, path="$.limit"
                        ),
                        "look": seen,
                    },
                ),
            ),
            "malformed 1",
            1,
        ),
        "look: more news than a program reads": Case(
            "slow", (Conversation((view(), *map(commit, range(2, 2 + MOST)))),), "fell_behind", 1
        ),
        "look: of another request": Case(
            "look",
            (Conversation((view(), view(id="0" * 8), view(version=9), commit(2)), {"look": seen}),),
            "1",
            1,
        ),
        "look: never": Case(
            "never", (Conversation((view(), commit(2)), {"look": _nothing}),), "unanswered", 1
        ),
        "look: another kind": Case(
            "look", (Conversation((view(), commit(2)), {"look": legal}),), "unreadable"
        ),
        "play: ahead": Case(
            "play", (Conversation((partial(view, 5),), {"play": in_time(5)}),), "2", 1
        ),
        "play: behind": Case(
            "play", (Conversation((partial(view, -5),), {"play": in_time(-5)}),), "2", 1
        ),
        "play: always too late": Case(
            "play",
            (
                Conversation(
                    (view(),), {"play": lambda play: refused(play, "too_late", 1, now=now(3))}
                ),
            ),
            "too_late",
            1,
        ),
        "play: too late without a time": Case(
            "play",
            (Conversation((view(),), {"play": lambda play: refused(play, "too_late")}),),
            "unreadable",
            1,
        ),
        "play: always busy": Case(
            "hurry",
            (Conversation((view(),), {"play": lambda play: refused(play, "busy", None)}),),
            "unanswered",
            1,
        ),
        "play: refused again and again": Case(
            "play",
            (
                Conversation((view(),), {"play": lambda _: None}),
                Conversation(
                    (heartbeat(1, hours=5),), {"play": lambda play: refused(play, "spot_taken")}
                ),
            ),
            "spot_taken",
            2,
        ),
        "play: a note that nobody wanted": Case(
            "play",
            (
                Conversation(
                    (view(),), {"play": lambda play: accepted(play, acknowledgement="garbage")}
                ),
            ),
            "2",
            1,
        ),
        "play: a wrong answer": Case(
            "play", (Conversation((view(),), {"play": seen}),), "unreadable"
        ),
        "play: what is no JSON": Case("odd play", (Conversation((view(),)),), "misused", 1),
        "chat: said": Case(
            "chat",
            (
                Conversation(
                    (view(),),
                    {
                        "send_message": lambda message: {
                            "type": "message_accepted",
                            "id": message["id"],
                            "version": 7,
                        }
                    },
                ),
            ),
            "7",
            1,
        ),
    }


def _lobby_cases() -> dict[str, Case]:
    ending = healing.happened(3, closed_at=3)
    room = Conversation((healing.room(1), healing.happened(2), ending))
    rest = Conversation((healing.room(1), healing.happened(2, 3, closed_at=3)))
    ahead = {**healing.happened(2), "version": 9}
    parts = (
        healing.listed(1, *(f"{part}{n}" for n in range(MOST)), complete=False) for part in "cd"
    )
    listed = Conversation((healing.listed(1, "a"), healing.changes(2, lobby("b"))))
    told = partial(healing.notices, 1, 9)
    return {
        "room: good": Case("room", (room,), "1 2 3 end", 1),
        "room: a version beyond its events": Case(
            "room", (Conversation((healing.room(1), ahead, 1012)), rest), "1 2 3 end", 2
        ),
        "room: versions that jump": Case(
            "room", (Conversation((healing.room(1), healing.happened(2, 4))), rest), "1 2 3 end", 2
        ),
        "room: unreadable": Case(
            "room", (Conversation((healing.room(1), "[]")), rest), "1 2 3 end", 2
        ),
        "inbox: good": Case("inbox", (Conversation((told(1, 2),)),), "1 2", 1),
        "inbox: numbers that jump": Case(
            "inbox", (Conversation((told(1), told(3))), Conversation((told(2),))), "1 2", 2
        ),
        "room: events before the lobby": Case(
            "room", (Conversation((healing.happened(2), healing.room(1))), rest), "1 2 3 end", 2
        ),
        "room: presence of nobody": Case(
            "room",
            (Conversation((healing.room(1), {**healing.PRESENT, "people": None})), rest),
            "1 2 3 end",
            2,
        ),
        "lobbies: changes before the list": Case(
            "lobbies",
            (Conversation((healing.changes(2, lobby("b"), lobby("c")),)), listed),
            "b a",
            2,
        ),
        "lobbies: a heartbeat before the list": Case(
            "lobbies",
            (
                Conversation(
                    (
                        healing.listed(1, "x", complete=False),
                        {"type": "heartbeat", "cursor": 9},
                        1012,
                    )
                ),
                Conversation((healing.changes(10, lobby("x"), lobby("y")),)),
                listed,
            ),
            "b a",
            3,
        ),
        "lobbies: good": Case("lobbies", (listed,), "b a", 1),
        "lobbies: a list without an end": Case(
            "lobbies", (Conversation((*parts,)), listed), "b a", 2
        ),
    }


CASES: Final = {
    re.sub(r"[^a-z0-9]+", "-", name): case
    for name, case in chain(_http_cases().items(), _socket_cases().items(), _lobby_cases().items())
}


class HostileServer:
    """One server for all cases. Another origin must hear of none of them."""

    def __init__(self) -> None:
        self.url = ""
        self.other = ""
        self.tls = ""
        self.requests: Counter[str] = Counter()
        self.keys: dict[str, set[bytes | None]] = {}
        self.plays: Counter[str] = Counter()
        self.stolen: list[bytes] = []
        self.cookies = 0
        self.paths: set[str] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # At the end of the test, connections that still wait are cancelled.
        with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while await self._serve_one(reader, writer):
                await writer.drain()
        writer.close()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; return whether the connection goes on."""
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode()
        self.cookies += _header(head, "cookie") is not None
        self.paths.add(path)
        return await self.meet(path.split("/")[1], head, reader, writer)

    async def meet(
        self, name: str, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer a request with the next event of a case; return whether the connection goes on."""
        await reader.readexactly(int(_header(head, "content-length") or b"0"))
        meets = CASES[name].meets[min(self.requests[name], len(CASES[name].meets) - 1)]
        self.requests[name] += 1
        if head.startswith(b"POST"):
            self.keys.setdefault(name, set()).add(_header(head, "idempotency-key"))
        match meets:
            case Answer():
                self._answer(writer, meets)
                return True
            case Conversation():
                await self._converse(name, meets, head, reader, writer)
                return False
            case Wire():
                writer.write(meets)
                return False
            case "cut":
                writer.transport.abort()
                return False
        return await MISHAPS[meets](self, writer)

    async def two_answers(self, writer: asyncio.StreamWriter) -> bool:
        """Answer twice in one write: a later answer may follow the next request, and no client
        can tell it from the answer to that.
        """
        answers = (Answer(200, json.dumps(lobby(name)).encode()) for name in ("first", "second"))
        self._answer(writer, *answers)
        return True

    async def drip(self, writer: asyncio.StreamWriter) -> bool:
        """Send a body so slowly that only the total time of a request ends it."""
        writer.write(_head(200, "Content-Type: application/json", "Content-Length: 99"))
        return await self._endless(writer, b" ", 0.1)

    async def silence(self, writer: asyncio.StreamWriter) -> bool:
        """Answer nothing."""
        return await self._endless(writer, b"", 0.1)

    async def half(self, writer: asyncio.StreamWriter) -> bool:
        """Send half a body, and nothing more."""
        writer.write(_length("99") + b'{"id"')
        return await self._endless(writer, b"", 0.1)

    async def head(self, writer: asyncio.StreamWriter) -> bool:
        """Send headers without an end, slowly."""
        writer.write(b"HTTP/1.1 200 X\r\n")
        return await self._endless(writer, b"X: x\r\n", 0.1)

    async def chunks(self, writer: asyncio.StreamWriter) -> bool:
        """Send a body without an end."""
        writer.write(_head(200, "Content-Type: application/json", "Transfer-Encoding: chunked"))
        return await self._endless(writer, b"10000\r\n" + bytes(1 << 16) + b"\r\n", 0)

    async def hints(self, writer: asyncio.StreamWriter) -> bool:
        """Announce an answer again and again."""
        return await self._endless(writer, _head(103), 0.01)

    async def _endless(self, writer: asyncio.StreamWriter, part: bytes, pause_s: float) -> bool:
        while not writer.is_closing():
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)
        return False

    async def steal(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Receive what no client may send here."""
        self.stolen.append(await reader.read(1 << 16))
        writer.close()

    def _answer(self, writer: asyncio.StreamWriter, *answers: Answer) -> None:
        writer.write(b"".join(map(self._bytes_of, answers)))

    def _bytes_of(self, answer: Answer) -> bytes:
        headers = {"Content-Type": answer.kind, **answer.headers} if answer.kind else {}
        if answer.status != 204:
            headers["Content-Length"] = str(len(answer.body))
        lines = [f"{name}: {value.format(other=self.other)}" for name, value in headers.items()]
        return _head(answer.status, *lines) + (b"" if answer.status == 204 else answer.body)

    async def _converse(
        self,
        name: str,
        conversation: Conversation,
        head: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Tell a client what this conversation says, and answer it."""
        with self._unsettled() as told:
            writer.write(_handshake(conversation, head))
            if _header(head, "authorization") is None:
                await _read(reader)  # the frame that authenticates
            has_closed = await _say(conversation, writer)
            if not has_closed:  # nothing may follow
                _ask_for_pong(writer, told)
            while (text := await _read(reader, told)) is not None:
                asked = json.loads(text)
                self.plays[name] += asked["type"] == "play"
                answers = {"look": seen, "list_legal_commands": legal, **conversation.answers}
                answer = answers.get(asked["type"], _nothing)(asked)
                if answer is None:
                    return
                if answer:
                    _write(writer, *_encoded(answer))
                    _ask_for_pong(writer, told)
            if not has_closed:
                _write(writer, *_closing(1000))

    def _unsettled(self) -> AbstractContextManager[asyncio.Event | None]:
        """Return an event to set whenever a client has received all, if anything waits for that."""
        return nullcontext()


def _handshake(conversation: Conversation, head: bytes) -> bytes:
    key = _header(head, "sec-websocket-key") or b""
    proof = conversation.proof or b64encode(hashlib.sha1(key + KEY).digest())
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
    more = b"\r\n" + conversation.agrees + b"\r\n"
    return b"HTTP/1.1 101 X\r\n" + upgrade + proof + more


async def _say(conversation: Conversation, writer: asyncio.StreamWriter) -> bool:
    """Say all of a conversation; return whether it closes the connection. Raises
    ConnectionAbortedError to cut it."""
    has_closed = False
    for each in conversation.says:
        said = each() if callable(each) else each
        if said is None:
            raise ConnectionAbortedError
        has_closed |= isinstance(said, int)
        if isinstance(said, Wire):
            writer.write(said)
        else:
            _write(writer, *(_closing(said) if isinstance(said, int) else _encoded(said)))
        await writer.drain()
    return has_closed


def _header(head: bytes, name: str) -> bytes | None:
    found = re.search(rb"(?im)^" + name.encode() + rb": *(.*?)\r$", head)
    return found and found[1]


def _closing(code: int) -> tuple[int, bytes]:
    return CLOSE, struct.pack("!H", code)


def _encoded(said: Any) -> tuple[int, bytes]:
    match said:
        case tuple():
            return said
        case bytes():
            return BINARY, said
        case str():
            return TEXT, said.encode()
    return TEXT, json.dumps(said).encode()


def _write(writer: asyncio.StreamWriter, kind: int, payload: bytes) -> None:
    size = len(payload)
    if size < 126:
        length = bytes([size])
    elif size < 1 << 16:
        length = struct.pack("!BH", 126, size)
    else:
        length = struct.pack("!BQ", 127, size)
    writer.write(bytes([(0x80 | kind) if kind >= 0 else kind + MORE]) + length + payload)


def _ask_for_pong(writer: asyncio.StreamWriter, told: asyncio.Event | None) -> None:
    if told is not None:
        told.clear()
        _write(writer, PING, TOLD)


async def _read(reader: asyncio.StreamReader, told: asyncio.Event | None = None) -> str | None:
    """Return the next text of a client, or None at the end."""
    while True:
        first, second = await reader.readexactly(2)
        size = second & 127
        if size >= 126:
            long = await reader.readexactly(2 if size == 126 else 8)
            size = int.from_bytes(long)
        mask = await reader.readexactly(4)
        masked = await reader.readexactly(size)
        payload = bytes(one ^ mask[i % 4] for i, one in enumerate(masked))
        if first & COMPRESSED:
            payload = zlib.decompressobj(wbits=-15).decompress(payload + b"\0\0\xff\xff")
        if first & 15 == CLOSE:
            return None
        if first & 15 == PONG and told is not None and payload == TOLD:
            told.set()
        if first & 15 == TEXT:
            return payload.decode()


MISHAPS: Final = {
    "chunks": HostileServer.chunks,
    "hints": HostileServer.hints,
    "two answers": HostileServer.two_answers,
    "drip": HostileServer.drip,
    "half": HostileServer.half,
    "head": HostileServer.head,
    "silence": HostileServer.silence,
}


@asynccontextmanager
async def hostile_server(certificate: Path) -> AsyncIterator[HostileServer]:
    """Serve all cases, also behind a certificate that nobody trusts."""
    server = HostileServer()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    async with (
        await asyncio.start_server(server.serve, "127.0.0.1", 0) as cases,
        await asyncio.start_server(server.steal, "127.0.0.1", 0) as other,
        await asyncio.start_server(server.steal, "127.0.0.1", 0, ssl=tls) as secure,
    ):
        server.url, server.other, server.tls = (
            "{}://{}:{}".format(scheme, *each.sockets[0].getsockname())
            for scheme, each in (("http", cases), ("http", other), ("https", secure))
        )
        yield server


def spent_s() -> float:
    """The CPU seconds of all programs that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


async def check(
    certificate: Path, *command: str | Path, env: Mapping[str, str] = os.environ
) -> None:
    """Let a program meet all cases, and compare the outcomes that it prints with the table."""
    env = {**env, "TZ": "Asia/Kathmandu"}  # no zone of a server
    async with hostile_server(certificate) as server:
        cases = json.dumps({name: case.does for name, case in CASES.items()})
        began_s = spent_s()
        found = json.loads(await run(*command, server.url, server.tls, cases, env=env))
        assert spent_s() - began_s < SPENT_MAX_S, "no client spins"
    expected = {name: case.outcome for name, case in CASES.items()} | {"tls": "tls_failed"}
    wrong = {
        name: (found.get(name), outcome)
        for name, outcome in expected.items()
        if found.get(name) != outcome
    }
    assert not wrong, "\n".join(f"{name}: {pair}" for name, pair in wrong.items())
    assert server.stolen == [], "only the server gets tokens, bodies and sockets"
    assert not server.cookies, "no client keeps cookies"
    assert f"/get-an-id-that-leads-elsewhere/api/v1/lobbies/{ODD}/" in server.paths
    impatient = {
        name: (count, CASES[name].most)
        for name, count in server.requests.items()
        if count > CASES[name].most
    }
    assert not impatient
    assert server.keys, "some requests change something"
    for name, keys in server.keys.items():
        assert len(keys) == 1, f"{name}: repetitions have the key of the first request"
        assert None not in keys, name
    assert server.plays.pop("play-always-busy", 0) < 15, "a busy server is asked with patience"
    assert max(server.plays.values()) <= 3, "a final refusal is not asked for again"
