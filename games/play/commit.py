"""The one writer of a game's log: decide, append, install, announce.

Nothing is announced before it is stored. All coroutines here run on the store loop.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import psycopg
import structlog

from games.engine import RuleViolation, Seat
from games.live import hubs
from games.store import heads
from games.store.commits import store
from games.store.heads import HeldHead
from games.store.loaded_games import LoadedGame, loaded_games
from games.store.rows import NewCommit, StoredCommit
from kit import background
from kit.problems import Problem

log = structlog.get_logger(__name__)

LOSSES_BEFORE_HOLDING: Final = 2
ATTEMPTS_MAX: Final = 50


class Refused(Problem):
    """A command that the rules or the state of the game refuse. `version` is the head by then."""

    def __init__(self, code: str, version: int, **data: object) -> None:
        super().__init__(code, **data)
        self.version = version


async def load(game: UUID) -> LoadedGame:
    """Return a loaded game, perhaps behind its head.

    Raises Problem `not_found`, Refused `game_stalled`.
    """
    try:
        return await loaded_games().get(game)
    except Problem:
        raise
    except Exception as error:
        stall(game, 0, error)
        raise Refused("game_stalled", 0) from error


async def catch_up(loaded: LoadedGame, version: int) -> None:
    """Bring a loaded game to at least this version."""
    async with loaded.lock:
        await catch_up_locked(loaded, version)


async def catch_up_locked(loaded: LoadedGame, version: int) -> None:
    """Bring a loaded game to at least this version. Expects its lock."""
    if loaded.version < version:
        _replay(loaded, await store().commits(loaded.game, loaded.version))


async def catch_up_held(loaded: LoadedGame, head: HeldHead) -> None:
    """Bring a loaded game to its head, which the caller holds. Expects the game's lock."""
    if loaded.version < head.version:
        _replay(loaded, await head.commits(loaded.version))


def _replay(loaded: LoadedGame, commits: Sequence[StoredCommit]) -> None:
    try:
        loaded.replay(commits)
    except Exception as error:
        loaded_games().forget(loaded.game)
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error
    hubs.switchboard().caught_up(loaded.game, loaded.rules, commits)


def decide(
    loaded: LoadedGame,
    seat: Seat | None,
    command: Any,
    command_id: UUID | None = None,
    not_after: datetime | None = None,
) -> NewCommit:
    """Return the commit that follows from a command of a seat or, without one, of the server.

    Raises RuleViolation, Refused `game_stalled` if the rules fail.
    """
    try:
        return loaded.decide(seat, command, command_id, not_after)
    except RuleViolation:
        raise
    except Exception as error:
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error


async def write(
    loaded: LoadedGame, make: Callable[[], NewCommit | None], *, hold: bool
) -> StoredCommit | None:
    """Write the commit that `make` returns. Expects the game's lock.

    Returns None if there is none, if another commit was first, or if it came after its `not_after`.
    With `hold`, the head is held and the game brought to it before `make` runs, so that no other
    commit can be first.
    """
    if hold:
        return await write_held(loaded, lambda head: _caught_up(loaded, head, make))
    new = make()
    if new is None:
        return None
    with _storing(loaded):
        stored = await store().append(new)
    return _installed(loaded, new, stored)


async def _caught_up(
    loaded: LoadedGame, head: HeldHead, make: Callable[[], NewCommit | None]
) -> NewCommit | None:
    await catch_up_held(loaded, head)
    return make()


async def write_held(
    loaded: LoadedGame,
    make: Callable[[HeldHead], Awaitable[NewCommit | None]],
    *,
    append: Callable[[HeldHead, NewCommit], Awaitable[StoredCommit | None]] = HeldHead.append,
) -> StoredCommit | None:
    """Write the commit that `make` returns while this process holds the head.

    What `make` changes through the held head is stored in the same transaction. Expects the game's
    lock.
    """
    with _storing(loaded):
        async with heads.holding(loaded.game) as head:
            new = await make(head)
            stored = None if new is None else await append(head, new)
    return None if new is None else _installed(loaded, new, stored)


@contextmanager
def _storing(loaded: LoadedGame) -> Iterator[None]:
    """Forget a game whose write got no answer, and stall one whose rows the database refused."""
    try:
        yield
    except Problem as problem:
        if problem.code == "outcome_unknown":
            loaded_games().forget(loaded.game)
        raise
    except psycopg.Error as error:
        # The rules decided something that the database refuses, such as an overdrawn purse.
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error


def _installed(
    loaded: LoadedGame, new: NewCommit, stored: StoredCommit | None
) -> StoredCommit | None:
    """Move the loaded game to the state after a stored commit, and announce the commit."""
    if stored is None:
        return None
    loaded.install(new, stored.next_at)
    hubs.switchboard().committed(stored)
    if (snapshot := loaded.snapshot()) is not None:
        background.spawn("snapshot", store().keep_snapshot(*snapshot))
    return stored


def stall(game: UUID, version: int, error: BaseException) -> None:
    """Stall a game whose rules failed, in the background. The process continues."""
    log.error("game_stalled", game=str(game), version=version, exc_info=error)
    why = f"{type(error).__name__} after version {version}"
    background.spawn("stall", store().stall(game, why))
