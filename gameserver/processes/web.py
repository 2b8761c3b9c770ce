"""One web process: uvicorn with this server's limits, under `serve` or in a container.

python -m gameserver.processes.web --host 0.0.0.0 --port 8000
"""

import argparse
import asyncio
import gc
import os
import socket
import time
from pathlib import Path

import uvicorn
from django.conf import settings

from gameserver.processes.children import announce_ready
from gameserver.processes.connections import UNIX, bounded
from gameserver.processes.sockets import SocketProtocol
from gameserver.processes.startup import limit_pauses, set_up
from kit.database import WEB_THREADS_ANSWER_WITHIN_S
from kit.draining import DRAIN_WITHIN_S, draining

FRAME_MAX = 65_536  # bytes of one WebSocket message
PING_S = 20.0
KEEP_ALIVE_S = 75
"""How long an idle connection stays open: longer than a proxy keeps it (nginx a minute), because a
command that a proxy sends on a connection that is about to close gets 502."""


class Server(uvicorn.Server):
    """Report readiness to the parent process, and drain at the end.

    After SIGTERM `ready` answers 503 while this process still serves for `DRAIN_NOTICE_S`. Then it
    takes no more connections, closes its sockets and answers what it has begun.
    """

    notice_s: float = 0.0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            limit_pauses()
            # Imported after Django's setup, because it imports models.
            from gameserver.processes import metrics  # noqa: PLC0415

            metrics.start("web")
            announce_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from games.api.sockets.connection_registry import connection_registry  # noqa: PLC0415 -- needs Django

        draining.set()
        await asyncio.sleep(self.notice_s)
        began_at = time.monotonic()
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        await connection_registry().drain()
        left_s = DRAIN_WITHIN_S - (time.monotonic() - began_at)
        self.config.timeout_graceful_shutdown = max(1, round(left_s))
        await super().shutdown(sockets)


def main() -> None:
    parser = argparse.ArgumentParser(description="Run one web process.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument(
        "--fd", type=int, help="an inherited listening socket, instead of host and port"
    )
    parser.add_argument(
        "--unix", type=Path, help="a Unix socket to create, instead of host and port"
    )
    arguments = parser.parse_args()
    gc.disable()  # until the server is ready: imports leave hardly any garbage
    set_up("web", answer_within_s=WEB_THREADS_ANSWER_WITHIN_S, acknowledges=True)
    config = uvicorn.Config(
        "gameserver.asgi:application",
        host=arguments.host,
        port=arguments.port,
        loop="uvloop",
        http=bounded(
            arrive_within_s=settings.REQUEST_TIMEOUT_S,
            most_per_address=settings.CONNECTIONS_PER_ADDRESS,
            proxies=settings.FORWARDED_ALLOW_IPS,
        ),
        ws=SocketProtocol,
        ws_max_size=FRAME_MAX,
        timeout_keep_alive=KEEP_ALIVE_S,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        ws_per_message_deflate=False,
        proxy_headers=True,
        forwarded_allow_ips=[UNIX[0], *map(str, settings.FORWARDED_ALLOW_IPS)],
        log_config=None,
        access_log=False,
    )
    Server.notice_s = settings.DRAIN_NOTICE_S
    if arguments.fd is not None:
        sockets = [socket.socket(fileno=arguments.fd)]
    else:
        sockets = [] if arguments.unix is None else [unix_socket(arguments.unix)]
    Server(config).run(sockets or None)


def unix_socket(path: Path) -> socket.socket:
    """Create a Unix socket, in place of an earlier one. Only its user and group can reach it: the
    server trusts them.
    """
    if path.is_socket():
        path.unlink()
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(0o117)
    try:
        listening.bind(str(path))
    finally:
        os.umask(before)
    return listening


if __name__ == "__main__":
    main()
