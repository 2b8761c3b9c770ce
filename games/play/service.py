"""Running games: `play` for a seat, `advance` for the clock, and reads at the head.

All coroutines here run on the store loop. Every answer is decided at the head of the game's log.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from games.live import hubs
from games.live.presence import presence
from games.play import absence, commit
from games.play.commit import ATTEMPTS_MAX, LOSSES_BEFORE_HOLDING, Refused, Violated
from games.store.commits import VERSION_MAX, store
from games.store.heads import Claim
from games.store.loaded_games import LoadedGame, Make, loaded_games
from games.store.rows import HeadQuery, HeadState, NewCommit, StoredCommit
from kit import metrics, tracing, validation
from kit.batching import resolve
from kit.problems import Problem
from railbird_engine import AnyRules, Seat
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import Paused, Ticked

LATE_MS: Final = 1000
"""A clock that is later than this pauses the game instead of catching up."""

ANSWER_WITHIN_S: Final = 8.0
"""A command that takes longer gets an answer without its outcome."""


async def slug_of(game: UUID) -> str:
    """Return the slug of a game, without a check of rights. Raises as `commit.load`."""
    return (await commit.load(game)).rules.slug


async def viewer_of(user: UUID, game: UUID) -> Seat | None:
    """Return a user's seat in a game, or None for a spectator. Every request passes this check.

    Raises Problem `not_found` also for a game that this user may not see.
    """
    loaded = await commit.load(game)
    seat = loaded.seat_of.get(user)
    if seat is None and not loaded.spectators:
        raise Problem("not_found", what="game")
    return seat


async def viewer_of_request(user: UUID, game: UUID) -> Seat | None:
    """Return the viewer for a request without a connection, and record the user's presence."""
    viewer = await viewer_of(user, game)
    presence().record_request((await commit.load(game)).lobby, user)
    return viewer


class Begun:
    """A decoded command that is about to be stored. `outcome` is that of the first attempt.

    `ended` is called once the outcome is known, at the latest at `until`, `ANSWER_WITHIN_S` from
    now by the loop's clock. A caller that cancels `outcome` wants no answer any more.
    """

    def __init__(self, rules: AnyRules, command: Any, ended: "Callable[[Begun], None]") -> None:
        loop = asyncio.get_running_loop()
        self.command = command
        self.outcome: asyncio.Future[StoredCommit | None] = loop.create_future()
        self._slug = rules.slug
        self._ended = ended
        self.until = loop.time() + ANSWER_WITHIN_S
        self._timer: asyncio.TimerHandle | None = None

    def limit(self) -> None:
        """Limit the time until the outcome."""
        if not self.outcome.done():
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(self.until, self.take, Problem("outcome_unknown"))

    def take(self, outcome: StoredCommit | BaseException | None) -> None:
        """Take the outcome."""
        if self._timer is not None:
            self._timer.cancel()
        if not self.outcome.done():
            resolve(self.outcome, outcome)
            self._ended(self)

    @property
    def accepted(self) -> StoredCommit | None:
        """The commit of the command, or None if it was not stored: `play` finishes it."""
        if self.outcome.cancelled() or self.outcome.exception() is not None:
            return None
        return self.outcome.result()

    def count(self) -> None:
        """Count the command as accepted. `play` counts those that it finishes."""
        metrics.count(metrics.COMMANDS, self._slug, "ok")


def begin(
    game: UUID,
    seat: Seat,
    command: bytes,
    command_id: UUID,
    not_after: datetime | None,
    ended: Callable[[Begun], None],
) -> Begun | None:
    """Begin to execute a command of a user. `play` finishes it, unless it was accepted at once.

    Returns None, and does nothing, if the command must wait for anything, or is malformed.
    """
    loaded = loaded_games().loaded(game)
    # A command that is traced begins in its span.
    if loaded is None or loaded.is_left(seat) or tracing.is_on():
        return None
    try:
        decoded = _decoded(loaded.rules, command)
        make = _making(loaded, seat, decoded, command_id, not_after)
    except Problem:
        return None
    begun = Begun(loaded.rules, decoded, ended)
    try:
        commit.put(loaded, make, begun.take, begun.outcome.done)
    except Problem:
        begun.outcome.cancel()
        return None
    store().append.start()
    begun.limit()
    return begun


async def play(
    game: UUID,
    seat: Seat,
    command: Any,
    command_id: UUID,
    *,
    not_after: datetime | None = None,
    by_bot: bool = False,
) -> StoredCommit:
    """Execute a command of a seat and return its commit.

    `command` is JSON, checked plain values, or what `begin` returned. A repeated `command_id`
    executes nothing and returns the first commit. After `not_after`, by the database's clock, the
    command is refused. A user who plays takes the seat back from a bot that stood in; with
    `by_bot`, only bots' seats may play.

    Raises Refused with a code of the rules, or `too_late`, `command_id_reused`, `game_voided`,
    `game_stalled`, `seat_forfeited`, `seat_taken` (for a bot). Raises Problem `malformed`, or
    `busy`, `unavailable`, `outcome_unknown`, after which the client retries with the same id; it
    does so after `ANSWER_WITHIN_S` at the latest.
    """
    until = asyncio.get_running_loop().time() + ANSWER_WITHIN_S
    if isinstance(command, Begun):
        until = command.until
    try:
        async with asyncio.timeout_at(until):
            loaded = await commit.load(game)
            with metrics.counted(metrics.COMMANDS, loaded.rules.slug), tracing.span("command"):
                query = HeadQuery(game, int(seat), command_id)
                if isinstance(command, Begun):
                    decoded, writing = command.command, command.outcome
                else:
                    decoded, writing = _decoded(loaded.rules, command), None
                    if not by_bot and loaded.is_left(seat):
                        await absence.come_back(game, seat)
                make = _making(loaded, seat, decoded, command_id, not_after, by_bot=by_bot)
                return await _play(loaded, decoded, make, writing, query, not_after)
    except TimeoutError as error:
        raise Problem("outcome_unknown") from error


def _making(
    loaded: LoadedGame,
    seat: Seat,
    decoded: Any,
    command_id: UUID,
    not_after: datetime | None,
    *,
    by_bot: bool = False,
) -> Make:
    """Return what makes the commit of a decoded command."""

    def make(after: NewCommit | None) -> NewCommit | None:
        if by_bot and seat not in loaded.bot_seats:
            raise Refused("seat_taken", loaded.version, seat=seat)
        if loaded.ended == "voided":
            return None
        return commit.decide(loaded, seat, decoded, command_id, not_after, after=after)

    return make


async def _play(
    loaded: LoadedGame,
    decoded: Any,
    make: Make,
    writing: Awaitable[StoredCommit | None] | None,
    query: HeadQuery,
    not_after: datetime | None,
) -> StoredCommit:
    """Execute a decoded command, which may be being written. It has no time limit. See `play`."""
    for losses in range(ATTEMPTS_MAX):
        refusal: Violated | None = None
        if writing is None:
            writing = commit.write(loaded, make, hold=losses >= LOSSES_BEFORE_HOLDING)
        try:
            stored = await writing
        except Violated as violated:
            stored, refusal = None, violated
        if stored is not None:
            return stored
        writing = None
        head = await store().head(query)
        answer = await _answer_at(head, loaded, decoded, query, not_after)
        if answer is not None:
            return answer
        if refusal is not None and (refusal.was_head or head.version == refusal.version):
            violation = refusal.violation
            raise Refused(violation.code, refusal.version, **violation.data)
        await commit.catch_up(loaded, head.version)
    raise Problem("busy")


def _decoded(rules: AnyRules, command: Any) -> Any:  # a command of any game
    """Decode a command of the game. Raises Problem `malformed` with the path of the bad field."""
    if isinstance(command, bytes):
        command = validation.check(command, path="$.command")
    try:
        return msgspec.convert({"command": command}, _wrapped(rules), str_keys=True).command
    except msgspec.ValidationError as error:
        raise validation.malformed(error) from error


@cache
def _wrapped(rules: AnyRules) -> Any:
    """Return a struct around a game's commands: a conversion to a bare union is far slower."""
    return msgspec.defstruct("Wrapped", [("command", rules.command_type)])


async def _answer_at(
    head: HeadState,
    loaded: LoadedGame,
    command: Any,
    query: HeadQuery,
    not_after: datetime | None,
) -> StoredCommit | None:
    """Answer a command that was not committed now: return its earlier commit, or refuse it.

    Returns None if another attempt may succeed.
    """
    if head.committed_as is not None:
        return await _first_answer(loaded, command, head.committed_as)
    if not_after is not None and head.now > not_after:
        return await _final_answer(loaded, command, query)
    if loaded.ended == "voided" or head.ended == "voided":
        raise Refused("game_voided", head.version)
    if head.stalled:
        raise Refused("game_stalled", head.version)
    return None


async def _final_answer(loaded: LoadedGame, command: Any, query: HeadQuery) -> StoredCommit:
    """Answer a command after its `not_after`. Raises Refused `too_late`, `command_id_reused`.

    A copy of the command that was in time may still be about to commit, so this waits for it.
    """
    head = await store().with_archived(query, await loaded.settled_head(query))
    if head.committed_as is None:
        raise Refused("too_late", head.version, now=head.now.isoformat())
    return await _first_answer(loaded, command, head.committed_as)


async def _first_answer(loaded: LoadedGame, command: Any, version: int) -> StoredCommit:
    """Return the commit of an earlier command with the same id.

    Raises Refused `command_id_reused` if its command differs.
    """
    (stored,) = await store().commits(loaded.game, version - 1, version)
    if loaded.decode_command(chain.decode_body(stored.body).command) != command:
        raise Refused("command_id_reused", version)
    return hubs.with_events(loaded.rules, stored)


async def advance_all(claims: Sequence[Claim]) -> Sequence[bool | BaseException]:
    """Answer the alarms of claimed games as `advance` does. Return what it returns or raises.

    Games that are loaded share a task. The others, and those that lost a race, have their own.
    """
    begun: list[Awaitable[StoredCommit | bool | None]] = [
        _begun(*claim) or asyncio.create_task(advance(*claim)) for claim in claims
    ]
    outcomes: list[bool | BaseException] = []
    lost: list[int] = []
    for place, answering in enumerate(begun):
        try:
            answer = await answering
        except Violated as violated:
            outcomes.append(_stalled(claims[place].game, violated))
        except Exception as error:  # noqa: BLE001  (returned)
            outcomes.append(error)
        else:
            outcomes.append(answer is not None and answer is not False)
            if answer is None:
                lost.append(place)
    again = await asyncio.gather(
        *(advance(*claims[place]) for place in lost), return_exceptions=True
    )
    for place, outcome in zip(lost, again, strict=True):
        outcomes[place] = outcome
    return outcomes


def _begun(
    game: UUID, version: int, alarm: int, late_ms: float
) -> asyncio.Future[StoredCommit | None] | None:
    """Begin to answer an alarm of a game that is loaded at this version, or return None."""
    loaded = loaded_games().loaded(game)
    if loaded is None or loaded.version < version:
        return None
    try:
        return commit.begin(loaded, _tick(loaded, alarm, late_ms))
    except Problem:  # too many commits wait; `advance` says so
        return None


async def advance(game: UUID, version: int, alarm: int, late_ms: float) -> bool:
    """Answer an alarm of a game that was claimed at `version`.

    Returns False if the alarm was answered already. A clock that is more than a second late commits
    `Paused`, and the game continues at its own pace. Raises Refused `game_stalled` if the rules
    fail.
    """
    loaded = await commit.load(game)
    make = _tick(loaded, alarm, late_ms)
    for losses in range(ATTEMPTS_MAX):
        await commit.catch_up(loaded, version)
        try:
            hold = losses >= LOSSES_BEFORE_HOLDING
            if await commit.write(loaded, make, hold=hold) is not None:
                return True
        except Violated as violated:
            raise _stalled(game, violated) from violated
        if not _awaits(loaded, alarm):
            return False
        version = (await store().head(HeadQuery(game))).version
    return False


def _tick(loaded: LoadedGame, alarm: int, late_ms: float) -> Make:
    """Return what makes the commit that answers this alarm, while the game awaits it."""
    command = Paused(alarm, round(late_ms)) if late_ms > LATE_MS else Ticked(alarm)

    def make(after: NewCommit | None) -> NewCommit | None:
        if not _awaits(loaded, alarm, after):
            return None
        return commit.decide(loaded, None, command, after=after)

    return make


def _stalled(game: UUID, violated: Violated) -> Refused:
    """Stall a game whose rules refuse an answer to their own alarm."""
    commit.stall(game, violated.version, violated.violation)
    return Refused("game_stalled", violated.version)


def _awaits(loaded: LoadedGame, alarm: int, after: NewCommit | None = None) -> bool:
    """Return whether the loaded game, or the game after a commit, awaits this alarm."""
    state = loaded if after is None else after
    awaited = None if state.ended else loaded.rules.alarm(state.state)
    return awaited is not None and awaited.number == alarm


# Reading at the head


async def at_head(game: UUID) -> LoadedGame:
    """Return a game at a version that was the head during this call.

    Raises Problem `not_found`, Refused `game_stalled` if the rules fail.
    """
    loaded = await commit.load(game)
    head = await store().head(HeadQuery(game))
    await commit.catch_up(loaded, head.version)
    if head.stalled:
        loaded.next_at = None  # The clock skips a stalled game.
    return loaded


class Seen(NamedTuple):
    """A view and its version. `ended` is empty while the game runs.

    `next_at` is when the clock acts next, and `now` the server's time.
    """

    version: int
    view: msgspec.Struct
    ended: str
    next_at: datetime | None
    now: datetime


async def view(game: UUID, viewer: Seat | None) -> Seen:
    """Return what a seat, or a spectator, sees at the head."""
    return seen(await at_head(game), viewer)


def seen(loaded: LoadedGame, viewer: Seat | None) -> Seen:
    """Return what a seat, or a spectator, sees of this game now."""
    assert loaded.state is not None
    view = loaded.rules.view(loaded.state, viewer)
    return Seen(loaded.version, view, loaded.ended, loaded.next_at, datetime.now(UTC))


class Legal(NamedTuple):
    """Commands that a viewer may send at a version; `is_complete` if there are no others."""

    version: int
    commands: list[Any]
    is_complete: bool


async def legal(game: UUID, viewer: Seat | None, most: int) -> Legal:
    """Return up to `most` commands that a seat may send at the head. A spectator may send none."""
    loaded = await at_head(game)
    if loaded.ended or loaded.state is None or viewer is None:
        return Legal(loaded.version, [], is_complete=True)
    commands: list[Any] = []
    for command in loaded.rules.legal(loaded.state, viewer):
        if len(commands) == most:
            return Legal(loaded.version, commands, is_complete=False)
        commands.append(command)
    return Legal(loaded.version, commands, loaded.rules.legal_is_complete)


async def commits(game: UUID, after: int, most: int) -> list[StoredCommit]:
    """Return up to `most` commits after a version, in order and with their events."""
    loaded = await commit.load(game)
    return [
        hubs.with_events(loaded.rules, stored)
        for stored in await store().commits(game, after, min(after + most, VERSION_MAX))
    ]
