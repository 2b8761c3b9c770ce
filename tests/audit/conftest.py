"""A web server with the files of a log, and the monitor that reads them."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from railbird_engine.audit.__main__ import main
from tests.audit.honest import SIGNER
from tests.audit.served_log import Pages, Said


@pytest.fixture(scope="module")
def shelf() -> Iterator[tuple[str, Pages]]:
    """The address of a web server, and the files that it serves."""
    served: Pages = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            content = served.get(self.path.removeprefix("/"))
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", served
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def walked(shelf: tuple[str, Pages], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """Run the command on a log with these files: exit code, and the line without the address."""
    address, served = shelf

    def say(content: Pages, *more: str) -> tuple[int, str]:
        served.clear()
        served.update(content)
        state = str(tmp_path / "state")
        code = main(
            [
                "monitor",
                address,
                "--state",
                state,
                "--key",
                SIGNER.verifier.text,
                *(more or ("--entries",)),
            ]
        )
        return code, capsys.readouterr().out.splitlines()[-1].removeprefix(f"{address}: ")

    return say
