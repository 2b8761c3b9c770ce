"""Runs of commits for tests: decided beforehand, or observed on their way to the database."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any

import pytest

from games.store.appending import Appended, Appends
from games.store.commits import store
from games.store.rows import NewCommit
from kit.batching import resolve
from kit.database import Rows

Append = Callable[[], Awaitable[Rows]]


class Decided:
    """A run whose commits are known. `end` gives its outcome to `take`."""

    def __init__(self, commits: Sequence[NewCommit], take: Callable[[Any], object]) -> None:
        self._commits = commits
        self._take = take

    def decide(self, most: int) -> Sequence[NewCommit]:
        assert len(self._commits) <= most
        return self._commits

    def end(self, appended: Appended | BaseException) -> None:
        self._take(appended)

    def callers(self) -> Iterable[Any]:
        return ()


async def appended(commits: Sequence[NewCommit], appends: Appends | None = None) -> Appended:
    """Append commits of one game that follow each other."""
    outcome: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    (appends or store().append).put(Decided(commits, partial(resolve, outcome)))
    return await outcome


class Statements:
    """The appends of this process: what each has sent, and what to do instead of the next."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.sent: list[list[NewCommit]] = []
        self.instead: Callable[[Append], Awaitable[Rows]] | None = None
        sends = Appends.send

        def send(appends: Appends, commits: Sequence[NewCommit]) -> Awaitable[Rows]:
            self.sent.append(list(commits))
            instead, self.instead = self.instead, None
            if instead is None:
                return sends(appends, commits)
            return instead(lambda: sends(appends, commits))

        patch.setattr(Appends, "send", send)

    @property
    def sizes(self) -> list[int]:
        """How many commits each statement has sent."""
        return [len(commits) for commits in self.sent]
