"""A witness keeps its key, and for which reveals it gave its bytes."""

from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.dice import Record, Start
from railbird_engine.audit.notes import NoteError
from railbird_engine.audit.witness import REQUEST_MAX, Server, State, key_in
from tests.audit.honest import SIGNER

NAME = "witness.example.net"


def test_a_key_is_created_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with pytest.raises(NoteError, match="--name"):
        key_in(path, None)
    made = key_in(path, NAME)
    assert path.stat().st_mode & 0o777 == 0o600
    assert key_in(path, "another.example.net").text == key_in(path, None).text == made.text


def test_bytes_are_given_for_the_first_reveals_of_an_opening_alone(tmp_path: Path) -> None:
    one, other, later = (
        Start(opened, revealed)
        for opened, revealed in (
            (b"a" * 32, b"1" * 32),
            (b"b" * 32, b"1" * 32),
            (b"a" * 32, b"2" * 32),
        )
    )
    assert Record(tmp_path / "given").take("log", [one, later]) == [True, False]
    again = Record(tmp_path / "given")
    assert again.take("log", [later, other, one]) == [False, True, True]
    assert again.revealed("log", b"a" * 32) == b"1" * 32
    assert again.revealed("log", b"c" * 32) is None
    assert again.take("another log", [later]) == [True]


def test_large_requests_are_refused_and_a_log_without_a_note_is_not_found(tmp_path: Path) -> None:
    logs = {SIGNER.name: [SIGNER.verifier]}
    state, record = State(tmp_path / "state"), Record(tmp_path / "given")
    server = Server(("127.0.0.1", 0), Cosigner(NAME, bytes(32)), logs, state, record)
    thread = Thread(target=server.serve_forever)
    thread.start()
    statuses = []
    try:
        for method, path, length in (
            ("POST", "/add-checkpoint", REQUEST_MAX + 1),
            ("GET", f"/{sha256(SIGNER.name.encode()).hexdigest()}/checkpoint", 0),
        ):
            connection = HTTPConnection("127.0.0.1", server.server_port)
            connection.request(method, path, headers={"Content-Length": str(length)})
            statuses.append(connection.getresponse().status)
            connection.close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert statuses == [413, 404]
