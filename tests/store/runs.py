"""Runs of commits for tests: decided beforehand, or observed on their way to the database."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any

import pytest

from games.store.appending import Appended, Appends
from games.store.commits import store
from games.store.rows import NewCommit
from kit.batching import Take, resolve
from kit.database import Rows

Append = Callable[[], Awaitable[Rows]]


class Decided:
    """A run whose commits are known."""

    def __init__(self, commits: Sequence[NewCommit]) -> None:
        self._commits = commits

    def decide(self, most: int) -> Sequence[NewCommit]:
        assert len(self._commits) <= most
        return self._commits

    def callers(self) -> Iterable[Any]:
        return ()


async def appended(commits: Sequence[NewCommit], appends: Appends | None = None) -> Appended:
    """Append commits of one game that follow each other."""
    outcome: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    (appends or store().append).put(Decided(commits), partial(resolve, outcome))
    return await outcome


class Statements:
    """The appends of this process: what each has sent, and what to do instead of the next."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.sent: list[list[NewCommit]] = []
        self.instead: Callable[[Append], Awaitable[Rows]] | None = None
        self._send = Appends.send
        self._tasks: set[asyncio.Task[None]] = set()

        def send(appends: Appends, commits: Sequence[NewCommit], take: Take[Rows]) -> None:
            self.sent.append(list(commits))
            instead, self.instead = self.instead, None
            if instead is None:
                self._send(appends, commits, take)
            else:
                self._tasks.add(asyncio.create_task(self._replace(instead, appends, commits, take)))

        patch.setattr(Appends, "send", send)

    async def _replace(
        self,
        instead: Callable[[Append], Awaitable[Rows]],
        appends: Appends,
        commits: Sequence[NewCommit],
        take: Take[Rows],
    ) -> None:
        def append() -> Awaitable[Rows]:
            rows: asyncio.Future[Rows] = asyncio.get_running_loop().create_future()
            self._send(appends, commits, partial(resolve, rows))
            return rows

        try:
            rows = await instead(append)
        except Exception as error:  # noqa: BLE001  (what the test raises is taken)
            take(error)
        else:
            take(rows)

    @property
    def sizes(self) -> list[int]:
        """How many commits each statement has sent."""
        return [len(commits) for commits in self.sent]
