"""Requests that follow each other share a thread, and a peak leaves few."""

import asyncio
import threading
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from gameserver.http import threads
from gameserver.http.threads import ThreadsKept
from tests.waiting import WITHIN_S, until


class Server:
    """Notes the thread of each request, and fails those with the path `/fails`."""

    def __init__(self) -> None:
        self.used = asyncio.Queue[threading.Thread]()
        self.ask = ThreadsKept(self._answer)
        self.may_end = asyncio.Event()

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.used.put_nowait(await sync_to_async(threading.current_thread)())
        assert scope["path"] != "/fails"
        await self.may_end.wait()

    async def get(self, path: str = "/") -> None:
        await self.ask({"path": path}, None, None)


async def test_a_request_has_the_thread_of_the_one_before_unless_that_failed() -> None:
    server = Server()
    server.may_end.set()
    await server.get()
    await server.get()
    with pytest.raises(AssertionError):
        await server.get("/fails")
    await server.get()
    first, second, third, fourth = [await server.used.get() for _ in range(4)]
    assert first is second is third is not fourth


async def test_a_peak_leaves_some_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "IDLE_MAX", 1)
    server = Server()
    requests = [asyncio.create_task(server.get()) for _ in range(3)]
    async with asyncio.timeout(WITHIN_S):
        used = [await server.used.get() for _ in requests]
    assert len(set(used)) == 3
    server.may_end.set()
    await asyncio.gather(*requests)
    until(lambda: sum(each.is_alive() for each in used) == 1, "the end of two threads")
