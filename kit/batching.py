"""Batch concurrent calls: many callers share one database statement."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

from kit import tracing
from kit.problems import Problem

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_Waiting = tuple[Item, "asyncio.Future[Answer]", Any]
"""An item, the future of its answer, and what a trace calls its caller."""


def resolve(future: asyncio.Future[Answer], answer: Answer | BaseException) -> None:
    """End a future with an answer or an exception. Does nothing if the future is done."""
    if future.done():
        return
    if isinstance(answer, asyncio.CancelledError):
        future.cancel()
    elif isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)


class Grouped(Generic[Item, Answer]):
    """Batch items of concurrent callers into one call of `run`.

    Call the instance with one item and await its answer. `run` returns answers in the order of its
    items; an exception in place of an answer is raised to that caller alone. At most `lanes` calls
    run at once, with at most `most` items each. A call begins `apart_s` seconds after the one
    before it at the earliest, so that a busy process makes fewer and fuller calls; after a longer
    pause, an item does not wait.

    Raises Problem `busy` when `waiting_max` items are waiting already. The answer to a cancelled
    caller is dropped.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Answer | BaseException]]],
        *,
        most: int,
        lanes: int,
        waiting_max: int,
        apart_s: float = 0.0,
    ) -> None:
        # Looked up once, because each lookup costs a system call on the hot path.
        self._loop = asyncio.get_running_loop()
        self._run = run
        self._most = most
        self._lanes = self._idle_lanes = lanes
        self._running = 0
        self._waiting_max = waiting_max
        self._apart_s = apart_s
        self._begins_at = 0.0
        """When the next call may begin."""
        self._waiting: deque[_Waiting[Item, Answer]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether items wait, or calls of `run` have not returned."""
        return self._running > 0 or bool(self._waiting)

    def __call__(self, item: Item) -> asyncio.Future[Answer]:
        future: asyncio.Future[Answer] = self._loop.create_future()
        if len(self._waiting) >= self._waiting_max:
            future.set_exception(Problem("busy"))
            return future
        self._waiting.append((item, future, tracing.caller()))
        if self._idle_lanes:
            self._idle_lanes -= 1
            task = self._loop.create_task(self._drain())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return future

    async def _drain(self) -> None:
        try:
            while self._waiting:
                if (pause_s := self._begins_at - self._loop.time()) > 0:
                    await asyncio.sleep(pause_s)
                    continue
                self._begins_at = self._loop.time() + self._apart_s
                # Lanes that are free at the same moment share the queue. If one took it all, this
                # process and the database would take turns waiting for each other.
                share = -(-len(self._waiting) // (self._lanes - self._running))
                self._running += 1
                try:
                    await self._answer(
                        [self._waiting.popleft() for _ in range(min(self._most, share))]
                    )
                finally:
                    self._running -= 1
        finally:
            self._idle_lanes += 1

    async def _answer(self, group: "list[_Waiting[Item, Answer]]") -> None:
        answers: Sequence[Answer | BaseException]
        try:
            with tracing.shared(self._run.__name__, [caller for _, _, caller in group]):
                answers = await self._run([item for item, _, _ in group])
        except asyncio.CancelledError as cancelled:
            for _, future, _ in group:
                resolve(future, cancelled)
            raise
        except Exception as error:  # noqa: BLE001  (every caller receives it)
            answers = [error] * len(group)
        for (_, future, _), answer in zip(group, answers, strict=True):
            resolve(future, answer)
