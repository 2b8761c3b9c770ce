"""Games that leave entries in the log, a check of the whole log, and its monitor."""

import io
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from http.server import HTTPServer
from pathlib import Path
from uuid import uuid4

import psycopg

from games.log import tiles
from games.models import Game, Lobby, LogCheckpoint, LogEntry, PendingEntry
from railbird_engine.audit import merkle
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.cosignatures import Witness
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Checkpoint, Verifier, opened
from railbird_engine.kernel.chain import Kind
from tests.processes import ROOT

DEAD = "http://127.0.0.1:9"
"""An address at which nobody listens."""


def monitor(address: str, state: Path, *options: str) -> tuple[int, str]:
    """Run the monitor in this process; return its exit code and what it printed."""
    given = ["--state", str(state), "--key", tiles.verifiers()[0], *options]
    with redirect_stdout(io.StringIO()) as printed:
        code = main(["monitor", f"http://{address}/log", *given])
    return code, printed.getvalue()


def queue_entries(count: int) -> None:
    """Give the sealer entries of lobbies that nobody has."""
    entries = [Entry(Kind.OPENED, uuid4(), 0, bytes(32), bytes(64)) for _ in range(count)]
    PendingEntry.objects.bulk_create(
        PendingEntry(name=entry.name, entry=entry.encode()) for entry in entries
    )


def logged(what: Game | Lobby) -> list[Entry]:
    """Return the entries of a game, or of the attempt to start one."""
    rows = (
        LogEntry.objects.filter(name=what.log_name)
        .order_by("index")
        .values_list("entry", flat=True)
    )
    return [Entry.decode(bytes(row)) for row in rows]


def checkpoints() -> list[Checkpoint]:
    keys = [Verifier.parse(verifier) for verifier in tiles.verifiers()]
    notes = LogCheckpoint.objects.order_by("size").values_list("note", flat=True)
    return [Checkpoint.parse(opened(note, keys)) for note in notes]


def shorten_log(size: int) -> None:
    """Let the database have so many entries of the log, as if it were restored to that state."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        for table, column in (
            ("games_logentry", "index + 1"),
            ("games_logcheckpoint", "size"),
            ("games_logcosignature", "size"),
        ):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows")
            owner.execute(f"DELETE FROM {table} WHERE {column} > {size}")
            owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_rows")


def check_whole_log() -> None:
    """Check that every checkpoint is signed, has the right root, and continues the previous one."""
    entries = [
        bytes(entry) for entry in LogEntry.objects.order_by("index").values_list("entry", flat=True)
    ]
    hashes = [merkle.leaf_hash(entry) for entry in entries]
    previous: Checkpoint | None = None
    for checkpoint in checkpoints():
        assert checkpoint.root == merkle.root_of(hashes[: checkpoint.size])
        if previous is not None:
            path = merkle.consistency_proof(
                tiles.node_at(checkpoint.size), previous.size, checkpoint.size
            )
            assert merkle.is_consistent(
                previous.size, previous.root, checkpoint.size, checkpoint.root, path
            )
        previous = checkpoint
    assert previous is not None
    assert previous.size == len(entries)


class WitnessProcess:
    """A witness of this server's log, as its owner would run it. It can be killed and run again at
    the same address: a socket that nobody listens on keeps its port."""

    def __init__(self, folder: Path, name: str) -> None:
        self._bound = socket.socket()
        self._bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._bound.bind(("127.0.0.1", 0))
        port = self._bound.getsockname()[1]
        self._command = [
            *(sys.executable, "-m", "railbird_engine.audit", "witness"),
            *("--port", str(port), "--name", name, "--log", tiles.verifiers()[0]),
            *("--key-file", str(folder / f"{name}.key")),
            *("--state", str(folder / f"{name}.state")),
        ]
        self.start()

    def start(self) -> None:
        """Start the process, and wait until it listens."""
        self._process = subprocess.Popen(self._command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        key, _, address = line.removeprefix("witness: ").partition(" at ")
        self.key, self.address = Witness.parse(key), address.strip()

    def kill(self) -> None:
        """End the process without warning."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def close(self) -> None:
        """Kill it, and give up its port."""
        self.kill()
        self._bound.close()


@contextmanager
def witness(folder: Path, name: str) -> Iterator[tuple[Witness, str]]:
    """Run a witness of this server's log as its owner would."""
    process = WitnessProcess(folder, name)
    try:
        yield process.key, process.address
    finally:
        process.close()


@contextmanager
def serving(server: HTTPServer, key: Witness) -> Iterator[tuple[Witness, str]]:
    """Serve as a witness in a thread; yield its key and address."""
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield key, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
