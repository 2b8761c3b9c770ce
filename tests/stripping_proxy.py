"""A proxy that serves a server under a path: it removes the path, and knows no other address."""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

from gameserver.processes.children import free_port
from tests.processes import web_process
from tests.waiting import WITHIN_S

PATH: Final = "/games"
_OUTSIDE: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@contextmanager
def under_a_path(**settings: str) -> Iterator[str]:
    """Run a web process and the proxy in front of it. Yield the address below the path."""
    port = free_port()
    address = f"http://127.0.0.1:{port}{PATH}"
    here = {"PUBLIC_URL": f"{address}/", "LOG_ORIGIN": "localhost/log"}
    with web_process({**settings, **here}) as (_, upstream):
        proxy = _Proxy(upstream, port)
        thread = threading.Thread(target=asyncio.run, args=[proxy.run()])
        thread.start()
        try:
            assert proxy.is_up.wait(WITHIN_S)
            yield address
        finally:
            proxy.stop()
            thread.join()


class _Proxy:
    """One request, or one WebSocket, a connection."""

    def __init__(self, upstream: str, port: int) -> None:
        self._host, _, self._port = upstream.partition(":")
        self._listens_at = port
        self._serving: set[asyncio.Task[None]] = set()
        self.is_up = threading.Event()

    async def run(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        async with await asyncio.start_server(self._accept, "127.0.0.1", self._listens_at):
            self.is_up.set()
            await self._stopping.wait()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(OSError, EOFError, asyncio.CancelledError):
            head = await reader.readuntil(b"\r\n\r\n")
            asked = re.match(rb"(\w+) " + PATH.encode() + rb"(/\S*) ", head)
            if asked is None:
                writer.write(_OUTSIDE)
                return
            head = asked[1] + b" " + asked[2] + b" " + head[asked.end() :]
            if b"upgrade: websocket" not in head.lower():
                head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head)
                head = head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            there, towards = await asyncio.open_connection(self._host, int(self._port))
            with closing(towards):
                towards.write(head)
                sending = asyncio.create_task(copy(reader, towards))
                try:
                    await copy(there, writer)
                finally:
                    sending.cancel()
                    await asyncio.wait({sending})


async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass on all that a connection sends."""
    while data := await source.read(65_536):
        target.write(data)
        await target.drain()
