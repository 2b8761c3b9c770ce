"""A witness of logs (C2SP tlog-witness): it cosigns a checkpoint only if that continues the one
before, so a log cannot show it two histories. It also adds to the dice of games (see `dice`).

Its state is a file with the last checkpoint of each log, written before a cosignature leaves, and a
record beside it. A witness states when it signs, so this module, unlike the others here, reads a
clock.
"""

import hashlib
import json
import os
import re
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec

from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.dice import Dice, Record
from railbird_engine.audit.notes import (
    Checkpoint,
    NoteError,
    UntrustedError,
    Verifier,
    checkpoint_of,
    decode64,
    signatures_in,
)
from railbird_engine.kernel.chain import MALFORMED

REQUEST_MAX: Final = 65_536
PROOF_MAX: Final = 63
TIMEOUT_S: Final = 10.0
CONNECTIONS_MAX: Final = 64
JSON_TYPE: Final = "application/json"
SIZE_TYPE: Final = "text/x.tlog.size"
TEXT_TYPE: Final = "text/plain; charset=utf-8"


class Answer(NamedTuple):
    """A response to a submission."""

    status: int
    text: str
    content_type: str = TEXT_TYPE


class Request(NamedTuple):
    """A submission: the size that the witness is said to know, the proof, and the new note."""

    old: int
    proof: Sequence[bytes]
    note: str

    @classmethod
    def parse(cls, body: bytes) -> "Request":
        """Raises NoteError."""
        try:
            head, separator, note = body.decode().partition("\n\n")
        except UnicodeDecodeError as error:
            raise NoteError("a submission is text in UTF-8") from error
        first, *lines = head.split("\n")
        found = re.fullmatch("old (0|[1-9][0-9]{0,15})", first)
        if found is None or not separator:
            raise NoteError("a submission is an old size, a proof, an empty line and a note")
        proof = [decode64(line) for line in lines]
        if len(proof) > PROOF_MAX or any(len(hash_) != merkle.HASH_LENGTH for hash_ in proof):
            raise NoteError(f"a proof has up to {PROOF_MAX} SHA-256 hashes")
        return cls(int(found[1]), proof, note)


class State:
    """The last cosigned note of each log, by origin, in a file. Hold `lock` from reading a note
    until it is replaced."""

    def __init__(self, path: Path) -> None:
        self.lock = Lock()
        self._path = path
        self._notes: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}

    def note(self, origin: str) -> str | None:
        """Return the last cosigned note of a log."""
        return self._notes.get(origin)

    def checkpoint(self, origin: str) -> Checkpoint:
        """Return the last cosigned checkpoint of a log; at first, an empty log."""
        note = self._notes.get(origin)
        if note is None:
            return Checkpoint(origin, 0, merkle.EMPTY_ROOT)
        return Checkpoint.parse(signatures_in(note)[0])

    def replace(self, origin: str, note: str) -> None:
        """Store a note durably."""
        self._notes[origin] = note
        draft = self._path.with_name(f"{self._path.name}.new")
        with draft.open("w") as file:
            json.dump(self._notes, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def submitted(
    body: bytes, cosigner: Cosigner, logs: Mapping[str, Sequence[Verifier]], state: State
) -> Answer:
    """Cosign the checkpoint of a submission if it continues the last one of its log.

    `logs` are the keys of known logs by origin.
    """
    try:
        asked = Request.parse(body)
        text, _ = signatures_in(asked.note)
        new = Checkpoint.parse(text)
        if new.origin not in logs:
            return Answer(404, "this log is unknown here\n")
        checkpoint_of(asked.note, logs[new.origin])
    except NoteError as error:
        return Answer(400, f"{error}\n")
    except UntrustedError as error:
        return Answer(403, f"not signed by a key of this log: {error}\n")
    if asked.old > new.size:
        return Answer(400, "the old size exceeds the size of the checkpoint\n")
    with state.lock:
        return _continued(asked, text, new, cosigner, state)


def _continued(
    asked: Request, text: str, new: Checkpoint, cosigner: Cosigner, state: State
) -> Answer:
    """Cosign the text of a checkpoint if it continues the last one of its log, which is locked."""
    old, proof, note = asked
    last = state.checkpoint(new.origin)
    if old != last.size:
        return Answer(409, f"{last.size}\n", SIZE_TYPE)
    if old == new.size and last.root != new.root:
        return Answer(409, "another root for as many entries was cosigned here\n")
    if not merkle.is_consistent(old, last.root, new.size, new.root, proof):
        return Answer(422, "the proof does not show that the checkpoint continues the last one\n")
    line = cosigner.cosign(text, int(datetime.now(UTC).timestamp()))
    state.replace(new.origin, note + line)
    return Answer(200, line)


class Server(ThreadingHTTPServer):
    """The HTTP server of a witness, which handles requests in parallel, within limits.

    `POST /add-checkpoint` is a submission, `GET /<SHA-256 of an origin in hex>/checkpoint` the last
    cosigned note of a log. `POST /promises` and `POST /answers` are those of `Dice`, and `GET
    /<the same>/answers/<hash of an opening in hex>` publishes what was given.
    """

    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        cosigner: Cosigner,
        logs: Mapping[str, Sequence[Verifier]],
        state: State,
        record: Record,
    ) -> None:
        self._cosigner, self._logs, self._state = cosigner, logs, state
        self._dice = Dice(cosigner, logs, record)
        self._origins = {hashlib.sha256(origin.encode()).hexdigest(): origin for origin in logs}
        self._opened: dict[Any, float] = {}
        super().__init__(address, Handler)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Take a connection unless too many are open; those that are open for too long end."""
        now = time.monotonic()
        for each, since in list(self._opened.items()):
            if now - since > TIMEOUT_S:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
        takes = len(self._opened) < CONNECTIONS_MAX
        if takes:
            self._opened[request] = now
        return takes

    def shutdown_request(self, request: Any) -> None:
        """Forget a connection, and close it."""
        self._opened.pop(request, None)
        super().shutdown_request(request)

    def post(self, path: str, body: bytes) -> Answer:
        """Answer a request with a body."""
        if path == "/add-checkpoint":
            return submitted(body, self._cosigner, self._logs, self._state)
        if path not in {"/promises", "/answers"}:
            return Answer(404, "not found\n")
        try:
            return _json(
                self._dice.promise(body) if path == "/promises" else self._dice.answer(body)
            )
        except (*MALFORMED, NoteError) as error:
            return Answer(400, f"{error}\n")
        except UntrustedError as error:
            return Answer(403, f"{error}\n")

    def get(self, path: str) -> Answer:
        """Answer a request without a body."""
        log, _, what = path.removeprefix("/").partition("/")
        origin = self._origins.get(log)
        if origin is not None and what == "checkpoint":
            note = self._state.note(origin)
            return Answer(404, "not found\n") if note is None else Answer(200, note)
        opened = re.fullmatch("answers/([0-9a-f]{64})", what)
        if origin is None or opened is None:
            return Answer(404, "not found\n")
        given = self._dice.published(origin, bytes.fromhex(opened[1]))
        return Answer(404, "not given\n") if given is None else _json(given)


def _json(answer: msgspec.Struct) -> Answer:
    return Answer(200, msgspec.json.encode(answer).decode() + "\n", JSON_TYPE)


class Handler(BaseHTTPRequestHandler):
    """Reads one request and answers it."""

    timeout = TIMEOUT_S

    @property
    def _witness(self) -> Server:
        assert isinstance(self.server, Server)
        return self.server

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > REQUEST_MAX:
            self._answer(Answer(413, f"a request has up to {REQUEST_MAX} bytes\n"))
        else:
            self._answer(self._witness.post(self.path, self.rfile.read(int(length))))

    def do_GET(self) -> None:
        self._answer(self._witness.get(self.path))

    def _answer(self, answer: Answer) -> None:
        content = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- likewise
        """Stay silent."""


def record_beside(state: Path) -> Record:
    """Open the record beside the state. Raises NoteError if it is missing beside an old state: a
    witness without it could give its bytes twice."""
    path = state.with_name(f"{state.name}.given")
    if state.exists() and not path.exists():
        raise NoteError(f"{path} is missing: restore it, or begin with a new key and a new state")
    return Record(path)


def key_in(path: Path, name: str | None) -> Cosigner:
    """Return the key in a file, which is created with this name if it is missing.

    Raises NoteError, OSError.
    """
    if path.exists():
        return Cosigner.parse(path.read_text().strip())
    if name is None:
        raise NoteError(f"{path} is missing: give the witness a --name to create its key")
    cosigner = Cosigner(name, os.urandom(32))
    Cosigner.parse(cosigner.text)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123 -- mode at creation
        file.write(cosigner.text + "\n")
    return cosigner
