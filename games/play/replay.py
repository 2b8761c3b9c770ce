"""Past views: what a seat, or a spectator, saw at earlier versions of a game.

A game is folded from its first commit, one commit at a time, so that other work of the store loop
gets its turn in between. States are kept on the way: neighbouring versions share one fold.
"""

import asyncio
import copy
from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from games.play import service
from games.play.service import Seen
from games.store.commits import store
from games.store.loaded_games import LoadedGame, WentBackError
from games.store.replicated import past_commits
from kit.event_loop import one_per_loop
from kit.problems import Problem
from railbird_engine import Seat

VIEWS_MAX: Final = 100
KEPT_EVERY: Final = 50
KEPT_GAMES_MAX: Final = 32
ASKED_MAX: Final = 20
"""The requests of one user that run or wait at a time."""
COMMITS_PER_READ: Final = 500


class Fold:
    """The states of a game's past: one every `KEPT_EVERY` versions, and the newest."""

    def __init__(self, opening: LoadedGame) -> None:
        self._kept = [opening]

    def before(self, version: int) -> LoadedGame:
        """Return a copy of the newest kept game that has not reached this version."""
        place = bisect_right(self._kept, version - 1, key=lambda game: game.version)
        return copy.copy(self._kept[place - 1])

    def keep(self, game: LoadedGame) -> None:
        """Keep this game at its version, if no kept one is near."""
        place = bisect_right(self._kept, game.version, key=lambda kept: kept.version)
        if game.version - self._kept[place - 1].version >= KEPT_EVERY:
            self._kept.insert(place, copy.copy(game))


class Folds:
    """The games whose past was read last. It forgets the least recently read first."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        """Held while a game is folded: one at a time, so that the loop stays free."""
        self._asked: Counter[UUID] = Counter()
        self._turns: dict[UUID, asyncio.Lock] = {}
        self._folds: OrderedDict[UUID, Fold] = OrderedDict()

    @asynccontextmanager
    async def turn_of(self, user: UUID) -> AsyncIterator[None]:
        """Wait in a user's own queue, so that each user has at most one request in that for all.
        Raises Problem `busy`."""
        if self._asked[user] >= ASKED_MAX:
            raise Problem("busy", retry_after=1)
        self._asked[user] += 1
        try:
            async with self._turns.setdefault(user, asyncio.Lock()):
                yield
        finally:
            self._asked[user] -= 1
            if not self._asked[user]:
                del self._asked[user], self._turns[user]

    async def of(self, game: UUID) -> Fold:
        """Return the fold of a game. Raises Problem `not_found`, `rules_missing`."""
        fold = self._folds.get(game)
        if fold is None:
            rows = await store().game(game)
            fold = Fold(LoadedGame(game, rows._replace(snapshot=None)))
            self._folds[game] = fold
        self._folds.move_to_end(game)
        while len(self._folds) > KEPT_GAMES_MAX:
            self._folds.popitem(last=False)
        return fold

    def forget(self, game: UUID) -> None:
        """Forget the fold of a game."""
        self._folds.pop(game, None)


folds = one_per_loop(Folds)
"""The folds of the running loop."""


async def view_at(game: UUID, viewer: Seat | None, version: int) -> Seen:
    """Return what a seat, or a spectator, saw at a version.

    Raises Problem `not_found` for a version that the game has not reached.
    """
    seen = await views(game, viewer, version, version)
    if not seen:
        raise Problem("not_found", what="version")
    return seen[0]


async def views(game: UUID, viewer: Seat | None, first: int, last: int) -> Sequence[Seen]:
    """Return what a seat, or a spectator, saw at each version of a range, up to the head.

    `now` is the time of each commit, and `next_at` what the clock awaited then. Raises Problem
    `malformed` for a range of more than `VIEWS_MAX` versions.
    """
    if not 0 <= last - first < VIEWS_MAX:
        reason = f"expected from <= to, and at most {VIEWS_MAX} versions"
        raise Problem("malformed", path="$.to", reason=reason)
    head = await service.at_head(game)
    last = min(last, head.version)
    async with folds().lock:
        try:
            return await _folded(game, viewer, first, last)
        except WentBackError:
            folds().forget(game)  # its states are of a history that the database lost
            return await _folded(game, viewer, first, last)


async def _folded(game: UUID, viewer: Seat | None, first: int, last: int) -> Sequence[Seen]:
    """Return what was seen at each version of a range. Raises WentBackError."""
    seen: list[Seen] = []
    fold = await folds().of(game)
    past = fold.before(first)
    while past.version < last:
        until = min(last, past.version + COMMITS_PER_READ)
        commits = await past_commits(store(), game, past.version, until)
        if not commits:
            raise WentBackError(past.version)
        for commit in commits:
            past.replay([commit])
            fold.keep(past)
            if commit.version >= first:
                assert past.state is not None
                view = past.rules.view(past.state, viewer)
                hash_ = commit.hash.hex()
                ended, next_at = past.ended, commit.next_at
                seen.append(Seen(commit.version, hash_, view, ended, next_at, commit.at))
            await asyncio.sleep(0)  # a commit and a view take a few milliseconds
    return seen
