"""Limits on HTTP connections of a web process: time to send a request, connections per address,
open files, versions of HTTP.

uvicorn has neither limit. A proxy in front has both, and sees the real addresses; see
docs/operate/deploy.md.
"""

import asyncio
import re
import resource
import socket
import time
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any, ClassVar, Final

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

log = structlog.get_logger(__name__)

SHORT_OF_FILES: Final = "railbird.short_of_files"
"""The key of the ASGI state of a connection that has one of the last files."""
FILES_KEPT: Final = 32
"""The files that are kept for refusals, health checks and the database."""
SILENT_MOST: Final = 8
"""How many connections that have sent no request may have one of the last files."""
NOTE_EVERY_S: Final = 60.0

VERSIONS: Final = frozenset({"1.0", "1.1"})

LATE: Final = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 35\r\n"
    b"content-type: text/plain; charset=utf-8\r\n\r\nThe body of the request is too late"
)

UNIX: Final = ("unix", 0)
"""The address of a client behind a Unix socket: a proxy of this machine, which is trusted."""

TO_HTTP_2: Final = re.compile(rb"\r\nupgrade:[ \t]*h2c[ \t]*(?=\r\n)", re.IGNORECASE)
"""The wish to go on in HTTP/2, which Java's client has on each connection without TLS. httptools
would take no body after it; without it the request is one of HTTP/1.1."""


def client_at(transport: asyncio.BaseTransport) -> tuple[str, int] | None:
    """Return `UNIX` for a Unix socket. The address of a client that has gone is None, too."""
    family = transport.get_extra_info("socket").family
    return UNIX if family == socket.AF_UNIX else None


class BoundedProtocol(HttpToolsProtocol):
    """Close connections with slow requests, and reject too many connections of one address.

    The head must arrive within `arrive_within_s` of the connection (or of its first byte on a
    kept-alive connection), the body within the same time after the head, or the answer is 408. An
    address can hold `most_per_address` connections; open WebSockets do not count.
    """

    arrive_within_s: ClassVar[float] = 10.0
    most_per_address: ClassVar[int] = 1_000  # 0: no limit
    proxies: ClassVar[Sequence[IPv4Network | IPv6Network]] = ()
    """Networks of trusted proxies, which hold everybody's connections and are not counted."""

    _note_at: ClassVar[float] = 0.0
    """When to log again that too many files are open."""
    _held: ClassVar[Counter[str]] = Counter()
    _silent: ClassVar[dict["BoundedProtocol", None]] = {}
    """Connections with one of the last files that have sent no request yet, oldest first."""
    _deadline: asyncio.TimerHandle | None = None
    _counted: str | None = None
    _answering: RequestResponseCycle | None = None
    """The request that is being answered. Those that the client sent meanwhile wait for it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self.client = self.client or client_at(transport)
        address = self.client[0] if self.client else ""
        if address and self.client != UNIX and not self._is_proxy(address):
            if 0 < self.most_per_address <= self._held[address]:
                transport.abort()
                return
            self._counted = address
            self._held[address] += 1
        self._look_at_files(transport)
        self._await_more()

    def data_received(self, data: bytes) -> None:
        if b"h2c" in data:  # in the head, as no body that this server reads contains the line
            data = TO_HTTP_2.sub(b"", data)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._silent.pop(self, None)
        self._arrived()
        self._release()
        if self._answering is not None:
            # uvicorn notes it for the newest request only, and would write the answer of this one.
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        self._silent.pop(self, None)
        super()._start_asgi_task(cycle, app)

    def handle_websocket_upgrade(self) -> None:
        self._silent.pop(self, None)
        self._arrived()
        self._release()
        super().handle_websocket_upgrade()
        # The parser and the cycle refer to this object, which would stay as garbage for long.
        del self.parser, self.cycle

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._deadline is None:
            self._await_more()

    def on_headers_complete(self) -> None:
        if self.parser.get_http_version() not in VERSIONS:
            self.send_400_response("This server speaks HTTP/1.1.")
            return
        self._take_authority()
        super().on_headers_complete()
        self._arrived()
        self._await_more()

    def _look_at_files(self, transport: asyncio.Transport) -> None:
        """Mark a connection that has one of the last files, and end the oldest of those that send
        nothing. A new file has the lowest free number, so that all numbers below it are in use."""
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if transport.get_extra_info("socket").fileno() < limit - FILES_KEPT:
            return
        self.app_state = {**self.app_state, SHORT_OF_FILES: True}
        self._silent[self] = None
        if len(self._silent) > SILENT_MOST:
            oldest = next(iter(self._silent))
            del self._silent[oldest]
            oldest.transport.abort()
        if time.monotonic() >= BoundedProtocol._note_at:
            BoundedProtocol._note_at = time.monotonic() + NOTE_EVERY_S
            log.error("too_many_files", limit=limit, remedy="raise LimitNOFILE, or add processes")

    def send_400_response(self, msg: str) -> None:
        """Refuse a request, if the client still waits for it."""
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def _take_authority(self) -> None:
        """Take the host from a target such as `http://host/path` (RFC 9112, 3.2.2)."""
        if self.url.startswith((b"/", b"*")):
            return
        authority = self.url.partition(b"://")[2].partition(b"/")[0]
        others = [(name, value) for name, value in self.headers if name != b"host"]
        self.headers[:] = [(b"host", authority), *others]

    def on_message_complete(self) -> None:
        self._arrived()
        super().on_message_complete()

    def _await_more(self) -> None:
        self._deadline = self.loop.call_later(self.arrive_within_s, self._give_up)

    def _arrived(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        cycle = self._answering
        if (
            cycle is None
            or cycle is not self.cycle
            or cycle.response_started
            or not cycle.more_body
        ):
            self.transport.abort()
            return
        # Without an answer, a proxy that waits for both sides would answer what it likes.
        self.transport.write(LATE)
        self.transport.close()
        cycle.disconnected = True
        cycle.message_event.set()

    def _is_proxy(self, address: str) -> bool:
        return any(ip_address(address) in network for network in self.proxies)

    def _release(self) -> None:
        if self._counted is not None:
            self._held[self._counted] -= 1
            if not self._held[self._counted]:
                del self._held[self._counted]
            self._counted = None


def bounded(
    *,
    arrive_within_s: float,
    most_per_address: int,
    proxies: Sequence[IPv4Network | IPv6Network],
) -> type[Any]:
    """Return the protocol with these limits."""
    BoundedProtocol.arrive_within_s = arrive_within_s
    BoundedProtocol.most_per_address = most_per_address
    BoundedProtocol.proxies = proxies
    return BoundedProtocol
