"""The ASGI application: static files, then Django, and beside them the sockets."""

import asyncio
import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings")
django_application = get_asgi_application()

# Only now: what follows imports models, which need Django set up.
from games.api.websocket import websocket_urlpatterns  # noqa: E402
from games.loop import adopt  # noqa: E402
from games.store import store  # noqa: E402
from gameserver.static import Receive, Send, StaticFiles  # noqa: E402


async def lifespan(_scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Games are played on the server's own loop, and its connections go back when it ends."""
    await receive()
    adopt(asyncio.get_running_loop())
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await store().close()
    await send({"type": "lifespan.shutdown.complete"})


application = ProtocolTypeRouter(
    {"http": StaticFiles(django_application), "websocket": URLRouter(websocket_urlpatterns), "lifespan": lifespan}
)
