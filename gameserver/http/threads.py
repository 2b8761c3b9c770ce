"""Threads of requests: each request runs in one that earlier requests have left."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from asgiref.sync import ThreadSensitiveContext

from gameserver.http.static import Application

IDLE_MAX: Final = 64
"""Idle threads that are kept: a peak of requests needs more for a while."""


class ThreadsKept:
    """Let an application run the code of a request that waits in a thread that is kept.

    Django would start a thread for each request and another one to end it, which costs as much as
    the refusal of a command.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._idle: list[ThreadPoolExecutor] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, "request")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self._application(scope, receive, send)
        except BaseException:
            thread.shutdown(wait=False)  # it may still run what was cancelled
            raise
        if len(self._idle) < IDLE_MAX:
            self._idle.append(thread)
        else:
            thread.shutdown(wait=False)
