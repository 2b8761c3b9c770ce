"""Runs of commits for tests: decided beforehand, or observed on their way to the database."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import pytest

from games.store.commits import Store
from games.store.rows import NewCommit, StoredCommit

Append = Callable[[], Awaitable[list[StoredCommit | None]]]


class Decided:
    """A run whose commits are known."""

    def __init__(self, commits: Sequence[NewCommit]) -> None:
        self._commits = commits

    def decide(self, most: int) -> Sequence[NewCommit]:
        assert len(self._commits) <= most
        return self._commits

    def callers(self) -> Iterable[Any]:
        return ()


class Statements:
    """The appends of this process: what each has sent, and what to do instead of the next."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.sent: list[list[NewCommit]] = []
        self.instead: Callable[[Append], Awaitable[list[StoredCommit | None]]] | None = None
        appending = Store.append_in

        async def append(store: Store, connection: Any, commits: Sequence[NewCommit]) -> Any:
            self.sent.append(list(commits))
            instead, self.instead = self.instead, None
            if instead is not None:
                return await instead(lambda: appending(store, connection, commits))
            return await appending(store, connection, commits)

        patch.setattr(Store, "append_in", append)

    @property
    def sizes(self) -> list[int]:
        """How many commits each statement has sent."""
        return [len(commits) for commits in self.sent]
