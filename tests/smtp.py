"""A mail server that answers as a test wants."""

from collections.abc import Callable, Iterator
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

import pytest


class Smtp(ThreadingTCPServer):
    """A mail server that answers one recipient after the other with these replies.

    It keeps the envelopes and the mails. With the reply "" it drops the connection.
    """

    daemon_threads = True

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.envelopes, self.mails = list[str](), list[str]()
        super().__init__(("127.0.0.1", 0), SmtpSession)


class SmtpSession(StreamRequestHandler):
    server: Smtp

    def say(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())

    def handle(self) -> None:
        self.say("220 ready")
        while command := self.rfile.readline().decode().strip():
            match command.partition(":")[0].upper():
                case "RCPT TO":
                    self.server.envelopes.append(command.partition(":")[2])
                    if not (reply := self.server.replies.pop(0)):
                        return
                    self.say(reply)
                case "DATA":
                    self.say("354 go on")
                    lines = iter(self.rfile.readline, b".\r\n")
                    self.server.mails.append(b"".join(lines).decode())
                    self.say("250 taken")
                case _:
                    self.say("250 fine")


@pytest.fixture
def smtp(settings: Any) -> Iterator[Callable[..., Smtp]]:
    """Start mail servers."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS = "127.0.0.1", False
    servers = []

    def start(*reply: str) -> Smtp:
        server = Smtp(*reply)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_PORT = server.server_address[1]
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
