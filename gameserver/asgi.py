"""The ASGI application: static files, Django, and the WebSockets."""

import asyncio
import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
django_application = get_asgi_application()
# The end of each request gives its connections back, so they are not looked at before the next one:
# that would change the thread once more.
for at_start in (reset_queries, close_old_connections):
    request_started.disconnect(at_start)
request_finished.connect(reset_queries)

# Imported after Django's setup, because these modules import models.
from games.api.sockets.game import websocket_urlpatterns  # noqa: E402
from games.api.sockets.websocket_connection import nowhere  # noqa: E402
from games.store.commits import store  # noqa: E402
from games.workers.standby_clock import StandbyClock  # noqa: E402
from gameserver.http import graphql  # noqa: E402
from gameserver.http.commands import BoundedCommands  # noqa: E402
from gameserver.http.limits import FilesKept, Handshakes  # noqa: E402
from gameserver.http.static import Receive, Send, StaticFiles  # noqa: E402
from gameserver.http.threads import ThreadsKept  # noqa: E402
from kit import background  # noqa: E402
from kit.event_loop import adopt  # noqa: E402


async def under_path(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Give Django the address that the client sees. Everything before Django sees the one without
    the path of PUBLIC_URL, which the proxy removed."""
    seen = {**scope, "path": settings.PUBLIC_PATH + scope["path"]}
    await django_application(seen, receive, send)


async def lifespan(_scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Adopt the server's event loop for games, and close the store's connections at shutdown."""
    await receive()
    adopt(asyncio.get_running_loop())
    stopping = asyncio.Event()
    standby = asyncio.create_task(_stand_by(stopping))
    await send({"type": "lifespan.startup.complete"})
    await receive()
    stopping.set()
    await standby
    await background.end()
    await store().close()
    await send({"type": "lifespan.shutdown.complete"})


async def _stand_by(stopping: asyncio.Event) -> None:
    if settings.STANDBY_CLOCK:
        await background.repeat("standby clock", StandbyClock().look, stopping=stopping)


sockets = [
    *websocket_urlpatterns,
    path("graphql/", graphql.socket),  # type: ignore[arg-type]
    re_path("", nowhere),  # type: ignore[arg-type]  # Channels routes ASGI applications
]
application = ProtocolTypeRouter(
    {
        "http": FilesKept(StaticFiles(BoundedCommands(ThreadsKept(under_path)))),
        "websocket": FilesKept(Handshakes(URLRouter(sockets))),
        "lifespan": lifespan,
    }
)
