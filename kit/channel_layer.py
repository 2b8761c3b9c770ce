"""The channel layer: publications and subscriptions in Valkey."""

from collections.abc import Mapping
from typing import Any, Final

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
    parse_url,
)
from redis.exceptions import ConnectionError as ConnectionLost


class _NoticesLoss(AbstractConnection):
    """A connection that fails after its host fell silent.

    The system reports that as `ETIMEDOUT`. redis-py takes each TimeoutError of a subscription for
    "no message yet", so the layer would read again at once, for ever, and freeze its event loop.
    """

    async def _read_response_from_parser(self, *args: Any, **kwargs: Any) -> Any:
        # A timeout of redis-py's own arrives here as a cancellation.
        try:
            return await super()._read_response_from_parser(*args, **kwargs)
        except TimeoutError as error:
            raise ConnectionLost(f"Connection lost: {error}") from error


class TCP(_NoticesLoss, Connection):
    """A connection of `redis://`."""


class TLS(_NoticesLoss, SSLConnection):
    """A connection of `rediss://`."""


class Unix(_NoticesLoss, UnixDomainSocketConnection):
    """A connection of `unix://`."""


_KINDS: Final[Mapping[type[AbstractConnection], type[AbstractConnection]]] = {
    Connection: TCP,
    SSLConnection: TLS,
    UnixDomainSocketConnection: Unix,
}


class ChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # it ships no types
    """The channel layer of one Valkey server."""

    def __init__(self, url: str, prefix: str) -> None:
        options = dict(parse_url(url))
        kind: Any = options.pop("connection_class", Connection)
        super().__init__(hosts=[{**options, "connection_class": _KINDS[kind]}], prefix=prefix)
