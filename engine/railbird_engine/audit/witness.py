"""A witness of logs (C2SP tlog-witness): it cosigns a checkpoint only if that continues the one
before, so a log cannot show it two histories.

Its state is a file with the last checkpoint of each log, written before a cosignature leaves. A
witness states when it signs, so this module, unlike the others here, reads a clock.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Final, NamedTuple

from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.notes import (
    Checkpoint,
    NoteError,
    UntrustedError,
    Verifier,
    checkpoint_of,
    decode64,
    signatures_in,
)

REQUEST_MAX: Final = 65_536
PROOF_MAX: Final = 63
TIMEOUT_S: Final = 10.0
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
    """The last cosigned note of each log, by origin, in a file."""

    def __init__(self, path: Path) -> None:
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


def submitted(
    body: bytes, cosigner: Cosigner, logs: Mapping[str, Sequence[Verifier]], state: State
) -> Answer:
    """Cosign the checkpoint of a submission if it continues the last one of its log.

    `logs` are the keys of known logs by origin.
    """
    try:
        old, proof, note = Request.parse(body)
        text, _ = signatures_in(note)
        new = Checkpoint.parse(text)
        if new.origin not in logs:
            return Answer(404, "this log is unknown here\n")
        checkpoint_of(note, logs[new.origin])
    except NoteError as error:
        return Answer(400, f"{error}\n")
    except UntrustedError as error:
        return Answer(403, f"not signed by a key of this log: {error}\n")
    if old > new.size:
        return Answer(400, "the old size exceeds the size of the checkpoint\n")
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


def server(
    address: tuple[str, int],
    cosigner: Cosigner,
    logs: Mapping[str, Sequence[Verifier]],
    state: State,
) -> HTTPServer:
    """Return the HTTP server of a witness, which handles one request after the other.

    `POST /add-checkpoint` is the submission, `GET /<SHA-256 of an origin in hex>/checkpoint` the
    last cosigned note of a log.
    """
    origins = {hashlib.sha256(origin.encode()).hexdigest(): origin for origin in logs}

    class Handler(BaseHTTPRequestHandler):
        timeout = TIMEOUT_S

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if self.path != "/add-checkpoint":
                self._answer(Answer(404, "not found\n"))
            elif not length.isdecimal() or int(length) > REQUEST_MAX:
                self._answer(Answer(413, f"a submission has up to {REQUEST_MAX} bytes\n"))
            else:
                body = self.rfile.read(int(length))
                self._answer(submitted(body, cosigner, logs, state))

        def do_GET(self) -> None:
            origin = origins.get(self.path.removeprefix("/").removesuffix("/checkpoint"))
            note = None if origin is None else state.note(origin)
            self._answer(Answer(404, "not found\n") if note is None else Answer(200, note))

        def _answer(self, answer: Answer) -> None:
            content = answer.text.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- likewise
            """Stay silent."""

    return HTTPServer(address, Handler)


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
