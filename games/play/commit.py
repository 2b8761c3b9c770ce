"""The one writer of a game's log: decide, append, install, announce.

Nothing is announced before it is stored. All coroutines here run on the store loop."""

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
from games.store.commits import Entry, Record, Stored, store
from games.store.heads import HeldHead
from games.store.loaded_games import Decided, LoadedGame, loaded_games
from kit import background
from kit.problems import Problem

log = structlog.get_logger(__name__)

LOSSES_BEFORE_HOLDING: Final = 2
ATTEMPTS_MAX: Final = 50


class Refused(Problem):
    """The rules, or the state of the game, refuse a command. `version` is the head at which they
    did."""

    def __init__(self, code: str, version: int, **data: object) -> None:
        super().__init__(code, **data)
        self.version = version


async def load(game: UUID) -> LoadedGame:
    """Return a game as this process knows it. Raises Problem `not_found`, Refused
    `game_stalled`."""
    try:
        return await loaded_games().get(game)
    except Problem:
        raise
    except Exception as error:
        stall(game, 0, error)
        raise Refused("game_stalled", 0) from error


async def catch_up(loaded: LoadedGame, version: int) -> None:
    """Bring a game to at least this version, if it is not there yet."""
    async with loaded.lock:
        await catch_up_locked(loaded, version)


async def catch_up_locked(loaded: LoadedGame, version: int) -> None:
    """The same, for a caller that holds the game's lock."""
    if loaded.version < version:
        _replay(loaded, await store().commits(loaded.game, loaded.version))


async def catch_up_held(loaded: LoadedGame, head: HeldHead) -> None:
    """Bring a game to its head, which is held. Expects the game's lock."""
    if loaded.version < head.version:
        _replay(loaded, await head.commits(loaded.version))


def _replay(loaded: LoadedGame, records: Sequence[Record]) -> None:
    try:
        loaded.replay(records)
    except Exception as error:
        loaded_games().forget(loaded.game)
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error
    hubs.switchboard().caught_up(loaded.game, loaded.rules, records)


def decide(
    loaded: LoadedGame,
    seat: Seat | None,
    command: Any,
    command_id: UUID | None = None,
    not_after: datetime | None = None,
) -> Decided:
    """Decide a command of a seat, or one of the server's own, on the state that this process knows.
    Raises RuleViolation, Refused `game_stalled` when the rules fail."""
    try:
        return loaded.decide(seat, command, command_id, not_after)
    except RuleViolation:
        raise
    except Exception as error:
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error


async def write(
    loaded: LoadedGame, make: Callable[[], Decided | None], *, hold: bool
) -> hubs.CommitRecord | None:
    """Commit what `make` decides. Returns None when it decides nothing, when the head moved first,
    or when the entry came too late.

    With `hold` the head is held and caught up with before `make` runs, so nobody moves it. Expects
    the game's lock."""
    if hold:
        return await write_held(loaded, lambda head: _caught_up(loaded, head, make))
    decided = make()
    if decided is None:
        return None
    with _storing(loaded):
        stored = await store().append(decided.entry)
    return None if stored is None else _install(loaded, decided, stored)


async def _caught_up(
    loaded: LoadedGame, head: HeldHead, make: Callable[[], Decided | None]
) -> Decided | None:
    await catch_up_held(loaded, head)
    return make()


async def write_held(
    loaded: LoadedGame,
    make: Callable[[HeldHead], Awaitable[Decided | None]],
    *,
    append: Callable[[HeldHead, Entry], Awaitable[Stored | None]] = HeldHead.append,
) -> hubs.CommitRecord | None:
    """Commit what `make` decides while it holds the head, in one transaction with all that it
    changes beside. Expects the game's lock."""
    with _storing(loaded):
        async with heads.holding(loaded.game) as head:
            decided = await make(head)
            stored = None if decided is None else await append(head, decided.entry)
    return None if decided is None or stored is None else _install(loaded, decided, stored)


@contextmanager
def _storing(loaded: LoadedGame) -> Iterator[None]:
    """What a write that fails means for the game."""
    try:
        yield
    except Problem as problem:
        if problem.code == "outcome_unknown":
            loaded_games().forget(loaded.game)
        raise
    except psycopg.Error as error:
        # The database refuses what the rules decided, an overdrawn purse perhaps: this game cannot
        # go on.
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error


def _install(loaded: LoadedGame, decided: Decided, stored: Stored) -> hubs.CommitRecord:
    """What was decided is stored: stand after it, and announce it."""
    loaded.install(decided, stored.next_at)
    entry = decided.entry
    record = hubs.CommitRecord(
        entry.version, stored.at, stored.next_at, entry.hash, decided.events, entry.ended
    )
    hubs.switchboard().committed(loaded.game, record)
    if (kept := loaded.snapshot()) is not None:
        background.spawn("snapshot", store().keep_snapshot(*kept))
    return record


def stall(game: UUID, version: int, error: BaseException) -> None:
    """Take one game whose rules failed off the clock, soon; the process lives on."""
    log.error("game_stalled", game=str(game), version=version, exc_info=error)
    why = f"{type(error).__name__} after version {version}"
    background.spawn("stall", store().stall(game, why))
