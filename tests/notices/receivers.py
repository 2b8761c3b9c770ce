"""A receiver of webhooks that does what the path says: well, badly, or not at all."""

import ssl
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError


class Receiver(ThreadingHTTPServer):
    """Keeps what arrives, and how many requests were there at once."""

    daemon_threads = True

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.scheme = "http" if tls is None else "https"
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.at_once: Counter[str] = Counter()
        self.at_once_most: Counter[str] = Counter()
        self.go_on = threading.Event()
        self.secret = ""
        """What `verifies` verifies."""
        self.lock = threading.Lock()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """Return an address of this receiver."""
        return f"{self.scheme}://{host}:{self.port}/{path}"

    def bodies(self, path: str) -> list[bytes]:
        """Return what arrived at a path."""
        return [body for at, _, body in self.received if at == f"/{path}"]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about clients that have gone."""


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        host, path = self.headers["Host"].partition(":")[0], self.path
        server = self.server
        with server.lock:
            server.received.append((path, {**self.headers}, body))
            server.at_once[host] += 1
            server.at_once_most[host] = max(server.at_once_most[host], server.at_once[host])
        try:
            self.body = body
            getattr(self, f"answer_{path.strip('/').partition('/')[0]}")()
        finally:
            with server.lock:
                server.at_once[host] -= 1

    def say(self, text: str) -> None:
        self.wfile.write(text.replace("\n", "\r\n").encode())

    def answer_fine(self) -> None:
        self.say("HTTP/1.1 204 No Content\n\n")

    def answer_verifies(self) -> None:
        try:
            Verifier(self.server.secret).verify(self.body, {**self.headers})
        except WebhookVerificationError:
            self.say("HTTP/1.1 401 Unauthorized\nContent-Length: 0\n\n")
        else:
            self.answer_fine()

    def answer_endless_but_fine(self) -> None:
        self.say("HTTP/1.0 200 OK\n\nuntil the end")

    def answer_fails(self) -> None:
        self.say("HTTP/1.1 500 Oops\nContent-Length: 0\n\n")

    def answer_gone(self) -> None:
        self.say("HTTP/1.1 410 Gone\nContent-Length: 0\n\n")

    def answer_missing(self) -> None:
        self.say("HTTP/1.1 404 Not Found\nContent-Length: 0\n\n")

    def answer_redirects(self) -> None:
        self.say(f"HTTP/1.1 302 Found\nLocation: {self.server.url('fine')}\nContent-Length: 0\n\n")

    def answer_closes(self) -> None:
        self.say("HTTP/1.1 200 OK\nContent-Length: 100\n\nonly this")

    def answer_lies(self) -> None:
        self.say("200 is what I would say, if this were HTTP\n\n")

    def answer_floods(self) -> None:
        self.say("HTTP/1.1 200 OK\nContent-Length: 1000000\n\n" + "x" * 1_000_000)

    def answer_hangs(self) -> None:
        self.server.go_on.wait(60)
        self.say("HTTP/1.1 204 No Content\n\n")


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver."""
    server = Receiver(tls)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.go_on.set()
        server.shutdown()
        server.server_close()
