"""Real web and worker processes, on the database of the test process that starts them."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import psutil
from django.core.handlers.wsgi import WSGIHandler

from gameserver.processes.children import Child
from tests.servers import SETTINGS
from tests.waiting import WITHIN_S

ROOT = Path(__file__).parent.parent
READY_WITHIN_S = 180.0  # only an upper limit


@contextmanager
def running(child: Child) -> Iterator[Child]:
    """Start a child, wait until it is ready, and stop it in the end."""
    child.start()
    try:
        assert child.is_ready(within_s=READY_WITHIN_S), f"{child.name} did not become ready"
        yield child
    finally:
        child.stop()


def kill(child: Child) -> None:
    """Kill a child, and wait until it has ended."""
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait(WITHIN_S) is not None, f"{child.name} did not end"


def sealers(worker: Child) -> list[psutil.Process]:
    """The processes in which a worker seals."""
    family = psutil.Process(worker.pid).children()
    return [each for each in family if "gameserver.processes.sealer" in each.cmdline()]


def environment_with(changes: Mapping[str, str] | None) -> dict[str, str]:
    """This process's environment with the settings of the tests and these changes."""
    return {**os.environ, "DJANGO_SETTINGS_MODULE": SETTINGS, **(changes or {})}


UNSEALED = {"SEALING": "0"}
"""For workers whose games nobody looks up in the log: a sealer is another process to start."""


def worker(environment: Mapping[str, str] | None = None) -> Child:
    """A Celery worker with its clock and its sealer."""
    arguments = [sys.executable, "-m", "gameserver.processes.worker"]
    return Child(
        "worker",
        arguments,
        environment=environment_with(environment),
        folder=ROOT,
        announces=True,
    )


class _Silent(WSGIRequestHandler):
    def log_message(self, *_details: object) -> None:
        pass


@contextmanager
def served_here() -> Iterator[str]:
    """Host and port at which this process serves Django's views, such as the log, over HTTP.

    For programs that read them: a web process costs seconds.
    """
    with make_server("127.0.0.1", 0, WSGIHandler(), handler_class=_Silent) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def web_process(
    environment: Mapping[str, str] | None = None,
    *,
    log: Path | None = None,
    unix: Path | None = None,
) -> Iterator[tuple[Child, str]]:
    """A web process with its host and port, or with the Unix socket that it creates."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, file = listening.getsockname()[1], listening.fileno()
        where = ["--fd", str(file)] if unix is None else ["--unix", str(unix)]
        child = Child(
            "web",
            [sys.executable, "-m", "gameserver.processes.web", *where],
            environment=environment_with(environment),
            folder=ROOT,
            log=log,
            announces=True,
            inherited=[file],
        )
        with running(child):
            yield child, f"127.0.0.1:{port}" if unix is None else f"unix:{unix}"
