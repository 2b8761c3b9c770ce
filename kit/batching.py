"""Batch concurrent calls: many callers share one database statement."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from kit import tracing
from kit.problems import Problem

Item = TypeVar("Item")
Answer = TypeVar("Answer")

Take = Callable[[Answer | BaseException], None]
"""Take an answer, or the exception in its place."""

_Waiting = tuple[Item, Take[Answer], Any]
"""An item, who takes its answer, and what a trace calls its caller."""


def resolve(future: asyncio.Future[Answer], answer: Answer | BaseException) -> None:
    """End a future with an answer, or the exception in its place. One that has ended stays."""
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

    Call the instance with one item and await its answer, or `put` the item. `run` returns answers
    in the order of its items; an exception in place of an answer is raised to that caller alone. At
    most `lanes` calls run at once, with at most `most` items each.

    The answer is Problem `busy` when `waiting_max` items are waiting already. The answer to a
    cancelled caller is dropped. `callers_of` returns what a trace calls those whom an item is for,
    if they are not the tasks that wait for the answers.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Answer | BaseException]]],
        *,
        most: int,
        lanes: int,
        waiting_max: int,
        callers_of: Callable[[Item], Iterable[Any]] | None = None,
    ) -> None:
        # Looked up once, because each lookup costs a system call on the hot path.
        self._loop = asyncio.get_running_loop()
        self._run = run
        self._most = most
        self._lanes = self._idle_lanes = lanes
        self._running = 0
        self._waiting_max = waiting_max
        self._callers_of = callers_of
        self._waiting: deque[_Waiting[Item, Answer]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, item: Item) -> asyncio.Future[Answer]:
        future: asyncio.Future[Answer] = self._loop.create_future()
        self.put(item, partial(resolve, future))
        return future

    def put(self, item: Item, take: Take[Answer]) -> None:
        """Have an item answered. `take` is called as soon as its answer is known, and must not
        raise."""
        if len(self._waiting) >= self._waiting_max:
            take(Problem("busy"))
            return
        self._waiting.append((item, take, tracing.caller()))
        if self._idle_lanes:
            self._idle_lanes -= 1
            task = self._loop.create_task(self._drain())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    @property
    def has_waiting(self) -> bool:
        """Whether items wait for the next call."""
        return bool(self._waiting)

    async def _drain(self) -> None:
        try:
            while self._waiting:
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
            with tracing.shared(self._run.__name__, self._callers(group)):
                answers = await self._run([item for item, _, _ in group])
        except asyncio.CancelledError as cancelled:
            for _, take, _ in group:
                take(cancelled)
            raise
        except Exception as error:  # noqa: BLE001  (every caller receives it)
            answers = [error] * len(group)
        for (_, take, _), answer in zip(group, answers, strict=True):
            take(answer)

    def _callers(self, group: "list[_Waiting[Item, Answer]]") -> Iterator[Any]:
        for item, _, caller in group:
            if self._callers_of is None:
                yield caller
            else:
                yield from self._callers_of(item)
