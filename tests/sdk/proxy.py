"""A network that loses connections: the first at once, the others after random bytes."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

BYTES_MIN = 300
BYTES_MAX = 16_000
READ_MAX = 4096


class CuttingProxy:
    """A proxy between client and server; `cuts` counts the lost connections."""

    def __init__(self, host: str, port: int, seed: int) -> None:
        self.cuts = 0
        self.url = ""
        self._host = host
        self._port = port
        self._chance = random.Random(seed)

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one connection until it is cut or either side ends it."""
        left = self._chance.randint(BYTES_MIN, BYTES_MAX) if self.cuts else BYTES_MIN
        upstream_reader, upstream_writer = await asyncio.open_connection(self._host, self._port)
        try:
            async with asyncio.TaskGroup() as directions:
                asking = directions.create_task(_copy(reader, upstream_writer))
                if await _copy(upstream_reader, writer, left):
                    self.cuts += 1
                asking.cancel()
        finally:
            for end in (writer, upstream_writer):
                end.transport.abort()


async def _copy(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int | None = None
) -> bool:
    """Copy bytes. Return whether it stopped at the limit."""
    with suppress(ConnectionError):
        while data := await reader.read(READ_MAX):
            writer.write(data if most is None else data[:most])
            await writer.drain()
            if most is not None and len(data) >= most:
                return True
            most = None if most is None else most - len(data)
    return False


@asynccontextmanager
async def cutting_proxy(url: str, seed: int) -> AsyncIterator[CuttingProxy]:
    """A proxy in front of the server with this URL."""
    host, port = url.removeprefix("http://").split(":")
    proxy = CuttingProxy(host, int(port), seed)
    async with await asyncio.start_server(proxy.pass_on, "127.0.0.1", 0) as listening:
        proxy.url = "http://{}:{}".format(*listening.sockets[0].getsockname())
        yield proxy
