"""Group what waits at the same moment: many callers, one statement."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from kit.problems import Problem

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Grouped(Generic[Item, Answer]):
    """Call it with one item and await its answer; items that wait together are answered by one call
    of `run`.

    `run` answers in the order of its items, an exception in place of an answer being raised to that
    caller alone. At most `lanes` calls run at once, with at most `most` items each. Beyond
    `waiting_max` waiting items a caller gets Problem `busy`. The answer of a caller that was
    cancelled is dropped."""

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Answer | BaseException]]],
        *,
        most: int,
        lanes: int,
        waiting_max: int,
    ) -> None:
        # Asking for the running loop costs a system call each time, and here that shows.
        self._loop = asyncio.get_running_loop()
        self._run = run
        self._most = most
        self._lanes = self._idle_lanes = lanes
        self._running = 0
        self._waiting_max = waiting_max
        self._waiting: deque[tuple[Item, asyncio.Future[Answer]]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, item: Item) -> Answer:
        if len(self._waiting) >= self._waiting_max:
            raise Problem("busy")
        loop = self._loop
        future: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((item, future))
        if self._idle_lanes:
            self._idle_lanes -= 1
            task = loop.create_task(self._drain())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await future

    async def _drain(self) -> None:
        try:
            while self._waiting:
                # Lanes that are free at the same moment share what waits: else one would take it
                # all, and this process and the database would wait for each other in turn.
                share = -(-len(self._waiting) // (self._lanes - self._running))
                self._running += 1
                await self._answer([self._waiting.popleft() for _ in range(min(self._most, share))])
                self._running -= 1
        finally:
            self._idle_lanes += 1

    async def _answer(self, group: list[tuple[Item, asyncio.Future[Answer]]]) -> None:
        answers: Sequence[Answer | BaseException]
        try:
            answers = await self._run([item for item, _ in group])
        except asyncio.CancelledError:
            for _, future in group:
                future.cancel()
            raise
        except Exception as error:  # noqa: BLE001  (nothing is swallowed: every caller gets it)
            answers = [error] * len(group)
        for (_, future), answer in zip(group, answers, strict=True):
            if future.done():
                continue
            if isinstance(answer, BaseException):
                future.set_exception(answer)
            else:
                future.set_result(answer)
