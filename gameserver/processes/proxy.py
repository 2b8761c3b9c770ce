"""The configuration of a proxy that sends all requests and sockets of a game to one web process.

Any process can serve any game: the head in the database decides. But a process that has served a
game has it in memory, and two processes that write to one game lose races to each other.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

SHIPPED: Final = Path(__file__).parents[1] / "deploy" / "systemd" / "Caddyfile"
HOST, UPSTREAMS, ROUTE = "games.example.org", "127.0.0.1:8001 127.0.0.1:8002", "\troute {\n"


def caddyfile(upstreams: Sequence[str], public_url: str) -> str:
    """Return the shipped configuration of Caddy for web processes at these addresses, with TLS if
    the public URL has it."""
    public = urlsplit(public_url)
    prefix = public.path.rstrip("/")
    changes = {
        HOST: public.netloc if public.scheme == "https" else ":8080",
        UPSTREAMS: " ".join(upstreams),
        ROUTE: f"{ROUTE}\t\turi strip_prefix {prefix}\n" if prefix else ROUTE,
    }
    lines = SHIPPED.read_text().splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith("#"))
    for shipped, here in changes.items():
        text = text.replace(shipped, here)
    return text.rstrip()
