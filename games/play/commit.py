"""The one writer of a game's log: decide, append, install, announce.

Nothing is announced before it is stored. All coroutines here run on the store loop.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import psycopg
import structlog

from games.live import hubs
from games.store import heads
from games.store.appending import Appended
from games.store.commits import DamagedError, store
from games.store.heads import HeldHead
from games.store.loaded_games import LoadedGame, Make, Waiting, WentBackError, loaded_games
from games.store.rows import HeadQuery, HeadState, NewCommit, StoredCommit
from kit import background, tracing
from kit.batching import resolve
from kit.problems import Problem
from railbird_engine import RuleViolation, Seat
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

LOSSES_BEFORE_HOLDING: Final = 2
ATTEMPTS_MAX: Final = 50
WAITING_MAX: Final = 2_000
"""The commits that may wait for one game in this process."""


class RefusedError(Problem):
    """A command that the rules or the state of the game refuse. `version` is the head by then."""

    def __init__(self, code: str, version: int, **data: object) -> None:
        super().__init__(code, **data)
        self.version = version


class ViolationError(Exception):
    """The rules refuse a command after a stored version.

    `was_head` is True if that version is known to have been the head of the game meanwhile.
    """

    def __init__(self, violation: RuleViolation, version: int, *, was_head: bool) -> None:
        super().__init__(violation.code)
        self.violation = violation
        self.version = version
        self.was_head = was_head


class UnfoundedError(Exception):
    """The rules failed in a state that is not stored, so nothing follows from it yet."""


async def load(game: UUID) -> LoadedGame:
    """Return a loaded game, perhaps behind its head.

    Raises Problem `not_found`, `busy`, `unavailable`, RefusedError `game_stalled`.
    """
    try:
        return await loaded_games().get(game)
    except Problem:
        raise
    except Exception as error:
        stall(game, 0, error)
        raise RefusedError("game_stalled", 0) from error


async def look(loaded: LoadedGame, query: HeadQuery) -> tuple[LoadedGame, HeadState]:
    """Read the head of a loaded game, and return both.

    If the database went back, or the damage of a history was repaired, the game is another one,
    loaded from what is stored now. Raises Problem `not_found` if nothing is stored of it any more.
    """
    known = loaded.known
    try:
        head = await store().head(query)
    except Problem as problem:
        if problem.code == "not_found":
            went_back(loaded, 0)
        raise
    if head.lacks(known):
        went_back(loaded, min(head.version, known[0] - 1))
    elif loaded.damaged is not None and head.damaged is None:
        loaded_games().forget(loaded.game)
    else:
        return loaded, head
    return await load(loaded.game), head


def went_back(loaded: LoadedGame, kept: int) -> None:
    """Forget a game of which the database lost the commits after `kept`, and close its sockets."""
    if loaded_games().loaded(loaded.game) is loaded:
        hubs.switchboard().lose(loaded.game, loaded.version, kept)


def refuse_damaged(head: HeadState) -> None:
    """Raise DamagedError for a game whose stored history is damaged."""
    if head.damaged is not None:
        raise DamagedError(head.damaged)


async def catch_up(loaded: LoadedGame, version: int) -> None:
    """Bring a loaded game to at least this version. Raises WentBackError, DamagedError."""
    if loaded.version < version:
        async with loaded.lock:
            await catch_up_locked(loaded, version)


async def reach(loaded: LoadedGame, version: int) -> LoadedGame:
    """Return a game at this version at least: another one if the database went back, and then moved
    on another way. Raises DamagedError."""
    try:
        await catch_up(loaded, version)
    except WentBackError:
        loaded = await load(loaded.game)
        await catch_up(loaded, version)
    return loaded


async def catch_up_locked(loaded: LoadedGame, version: int) -> None:
    """Bring a loaded game to at least this version. Expects its lock. Raises as `catch_up`."""
    if loaded.version < version:
        _replay_read(loaded)
    while loaded.version < version:
        commits = await store().commits(loaded.game, loaded.version)
        if not commits:
            return  # a hint of a commit that the database lost
        _replay(loaded, commits)


async def catch_up_held(loaded: LoadedGame, head: HeldHead) -> None:
    """Bring a loaded game to its head, which the caller holds. Expects the game's lock.

    Raises WentBackError, DamagedError.
    """
    if loaded.version >= head.version and loaded.known != (head.version, head.hash):
        went_back(loaded, min(head.version, loaded.version - 1))
        raise WentBackError(head.version)
    if loaded.version < head.version:
        _replay(loaded, await head.commits(loaded.version))


def _replay_read(loaded: LoadedGame) -> None:
    """Bring a loaded game to the commits that were read for sockets here. Raises as `catch_up`."""
    if read := hubs.switchboard().read_after(loaded.game, loaded.version):
        _replay(loaded, read)


def _replay(loaded: LoadedGame, commits: Sequence[StoredCommit]) -> None:
    try:
        loaded.replay(commits)
    except WentBackError:
        went_back(loaded, loaded.version - 1)
        raise
    except Exception as error:
        loaded_games().forget(loaded.game)
        stall(loaded.game, loaded.version, error)
        raise RefusedError("game_stalled", loaded.version) from error
    hubs.switchboard().caught_up(loaded.game, loaded.rules, commits)


def decide(  # noqa: PLR0913  (what a commit is made of)
    loaded: LoadedGame,
    seat: Seat | None,
    command: Any,
    command_id: UUID | None = None,
    not_after: datetime | None = None,
    *,
    after: NewCommit | None = None,
    signed: chain.Signed | None = None,
) -> NewCommit:
    """Return the commit that follows from a command of a seat or, without one, of the server.

    It follows `after`, which is not stored yet, or else the state of the loaded game.

    Raises RuleViolation, RefusedError `game_stalled` if the rules fail, UnfoundedError if they fail
    after a commit that is not stored.
    """
    try:
        return loaded.decide(seat, command, command_id, not_after, after=after, signed=signed)
    except RuleViolation:
        raise
    except Exception as error:
        if after is not None:
            raise UnfoundedError from error
        stall(loaded.game, loaded.version, error)
        raise RefusedError("game_stalled", loaded.version) from error


def write(loaded: LoadedGame, make: Make, *, hold: bool) -> Awaitable[StoredCommit | None]:
    """Begin to write the commit that `make` returns, and return what waits for it.

    Commits of one game that wait at the same moment are stored in one statement. The result is None
    if there is no commit, if another was first, or if it came after its `not_after`. With `hold`,
    the head is held and the game brought to it before `make` runs, so that no other commit can be
    first. If the caller is cancelled before the commit is made, it is not made.

    Raises Problem `busy` if too many commits of this game wait. The caller that waits
    receives ViolationError if the rules refuse the command, and any other exception of `make`.
    """
    if hold:
        return _write_holding(loaded, make)
    if len(loaded.waiting) >= WAITING_MAX:
        raise Problem("busy")
    outcome: asyncio.Future[StoredCommit | None] = asyncio.get_running_loop().create_future()
    loaded.waiting.append(Waiting(make, outcome, tracing.caller()))
    if not loaded.is_written:
        _write_waiting(loaded)
    return outcome


async def _write_holding(loaded: LoadedGame, make: Make) -> StoredCommit | None:
    async def caught_up(head: HeldHead) -> NewCommit | None:
        await catch_up_held(loaded, head)
        return make(None)

    async with loaded.lock:
        try:
            return await write_held(loaded, caught_up)
        except RuleViolation as violation:
            raise ViolationError(violation, loaded.version, was_head=True) from violation


def _write_waiting(loaded: LoadedGame, *, lost: bool = False) -> None:
    """Begin to store what waits for a game. The run before it may be `lost`."""
    loaded.is_written = True
    try:
        if not lost and not loaded.lock.is_held:
            with suppress(Problem):  # then its commit is lost
                _replay_read(loaded)
        is_behind = lost or loaded.version < hubs.switchboard().known_head(loaded.game)
        if not is_behind and loaded.lock.take():
            store().append.put(Run(loaded))
        else:
            background.spawn("writer", _catch_up_and_write(loaded, lost=lost))
    except Exception:
        log.exception("run_not_begun", game=str(loaded.game))
        loaded.is_written = False
        Run(loaded).fail(Problem("outcome_unknown"))


async def _catch_up_and_write(loaded: LoadedGame, *, lost: bool) -> None:
    await loaded.lock.acquire()
    run = Run(loaded)
    try:
        with suppress(Problem):
            version = hubs.switchboard().known_head(loaded.game)
            if lost:  # without its head, the next run would be lost as well
                version = (await store().head(HeadQuery(loaded.game))).version
            await catch_up_locked(loaded, version)
    except BaseException as error:
        run.end(error)
        raise
    store().append.put(run)


class Run:
    """Commits of one game that are decided just before they are stored together.

    Each follows the one before it. Nothing is answered before its state is stored: if a commit is
    not stored, all that was decided after it is decided again. It has the game's lock, and frees it
    at its end.
    """

    def __init__(self, loaded: LoadedGame) -> None:
        self._loaded = loaded
        self._decided: list[tuple[Waiting, NewCommit | Exception | None, int]] = []
        """The result for each that waited, and the version that it follows from."""
        self._lost = False
        """Whether a commit was not stored although the database accepts it."""

    def callers(self) -> Iterable[Any]:
        """Return what a trace calls those who want commits."""
        return (waiting.caller for waiting in self._loaded.waiting)

    def decide(self, most: int) -> Sequence[NewCommit]:
        """Decide up to `most` commits of those that wait."""
        loaded, commits = self._loaded, list[NewCommit]()
        known: set[tuple[int | None, UUID | None]] = set()
        while loaded.waiting and len(commits) < most:
            after = commits[-1] if commits else None
            if after is not None and after.ended:
                break
            waiting = loaded.waiting.popleft()
            if waiting.outcome.done():
                continue
            made: NewCommit | Exception | None
            try:
                made = waiting.make(after)
            except UnfoundedError:
                loaded.waiting.appendleft(waiting)
                break
            except Exception as error:  # noqa: BLE001  (its caller receives it)
                made = error
            version = loaded.version if after is None else after.version
            if isinstance(made, NewCommit):
                if made.command_id is not None and known and (made.seat, made.command_id) in known:
                    made = None  # a copy, whose caller finds the commit of the first
                else:
                    if loaded.waiting:
                        known.add((made.seat, made.command_id))
                    commits.append(made)
            self._decided.append((waiting, made, version))
        return commits

    def end(self, appended: Appended | BaseException) -> None:
        """Answer, free the lock of the game, and begin to store what waits by now."""
        loaded = self._loaded
        try:
            if isinstance(appended, BaseException):
                self.fail(appended)
            else:
                self._answer(appended)
        except Exception:
            log.exception("run_not_answered", game=str(loaded.game))
            self.fail(Problem("outcome_unknown"))
        finally:
            loaded.lock.release()
            loaded.is_written = False
            if loaded.waiting:
                _write_waiting(loaded, lost=self._lost)

    def _answer(self, appended: Appended) -> None:
        """Install what was stored, answer, and announce."""
        loaded, outcomes = self._loaded, iter(appended)
        answers = [
            next(outcomes) if isinstance(made, NewCommit) else made for _, made, _ in self._decided
        ]
        stored = [
            (made, answer)
            for (_, made, _), answer in zip(self._decided, answers, strict=True)
            if isinstance(made, NewCommit) and isinstance(answer, StoredCommit)
        ]
        first = loaded.version
        reached = first + len(stored)
        _install(loaded, stored)
        for (waiting, made, version), answer in zip(self._decided, answers, strict=True):
            if isinstance(made, NewCommit):
                self._lost = self._lost or answer is None
                _end(waiting, _failure(loaded, answer) if isinstance(answer, Exception) else answer)
            elif version > reached:
                _end(waiting, None)  # it was refused in a state that was not stored
            elif isinstance(made, RuleViolation):
                _end(waiting, ViolationError(made, version, was_head=reached > first))
            else:
                _end(waiting, made)
        # After the answers, so that players receive theirs before the commit itself.
        _announce(loaded, [each for _, each in stored])

    def fail(self, error: BaseException) -> None:
        """Answer all with an error, also those that are not decided yet."""
        if isinstance(error, Problem) and error.code == "outcome_unknown":
            loaded_games().forget(self._loaded.game)
        waiting = [*(each for each, _, _ in self._decided), *self._loaded.waiting]
        self._loaded.waiting.clear()
        for each in waiting:
            _end(each, error)


def _end(waiting: Waiting, outcome: StoredCommit | BaseException | None) -> None:
    """Give an outcome to its caller. If that fails, only this outcome is unknown."""
    try:
        resolve(waiting.outcome, outcome)
    except Exception:
        log.exception("outcome_not_taken")
        resolve(waiting.outcome, Problem("outcome_unknown"))


def _install(loaded: LoadedGame, commits: Sequence[tuple[NewCommit, StoredCommit]]) -> None:
    """Move a loaded game to the states after these commits, or forget it."""
    try:
        for new, stored in commits:
            loaded.install(new, stored.next_at)
    except Exception:
        log.exception("stored_commits_not_installed", game=str(loaded.game))
        loaded_games().forget(loaded.game)


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
    try:
        async with heads.holding(loaded.game) as head:
            new = await make(head)
            stored = None if new is None else await append(head, new)
    except (Problem, psycopg.Error) as error:
        raise _failure(loaded, error) from error
    if new is None or stored is None:
        return None
    _install(loaded, [(new, stored)])
    _announce(loaded, [stored])
    return stored


def _failure(loaded: LoadedGame, error: BaseException) -> BaseException:
    """Return what to raise for a failed write. Forget a game whose write got no answer, and stall
    one whose rows the database refused."""
    if isinstance(error, psycopg.Error):
        # The rules decided something that the database refuses, such as an overdrawn purse.
        stall(loaded.game, loaded.version, error)
        return RefusedError("game_stalled", loaded.version)
    if isinstance(error, Problem) and error.code == "outcome_unknown":
        loaded_games().forget(loaded.game)
    return error


def _announce(loaded: LoadedGame, commits: Sequence[StoredCommit]) -> None:
    """Announce commits that were stored. If that fails, hubs find them when they look."""
    try:
        for stored in commits:
            hubs.switchboard().committed(stored)
        if (snapshot := loaded.snapshot()) is not None:
            background.spawn("snapshot", store().keep_snapshot(loaded.game, snapshot))
    except Exception:
        log.exception("commits_not_announced", game=str(loaded.game))


def stall(game: UUID, version: int, error: BaseException) -> None:
    """Stall a game whose rules failed, in the background. The process continues."""
    log.error("game_stalled", game=str(game), version=version, exc_info=error)
    why = f"{type(error).__name__} after version {version}"
    background.spawn("stall", store().stall(game, why))
