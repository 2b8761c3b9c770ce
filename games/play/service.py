"""Running games: `play` for a seat, `advance` for the clock, and reads at the head.

All coroutines here run on the store loop. Every answer is decided at the head of the game's log.
"""

import asyncio
from collections.abc import Awaitable, Generator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from games.live import hubs
from games.live.presence import presence
from games.live.room_followers import in_thread
from games.models import Lobby
from games.play import absence, commit, signatures
from games.play.commit import ATTEMPTS_MAX, LOSSES_BEFORE_HOLDING, RefusedError, ViolationError
from games.reads.lobbies import is_banned
from games.store.commits import VERSION_MAX, store
from games.store.heads import Claim, SlowClaim
from games.store.loaded_games import LoadedGame, Make, WentBackError, loaded_games
from games.store.rows import HeadQuery, HeadState, NewCommit, StoredCommit
from kit import metrics, tracing, validation
from kit.problems import Problem
from railbird_engine import AnyRules, RuleViolation, Seat
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import Paused, Ticked

LATE_MS: Final = 1000
"""A clock that is later than this pauses the game instead of catching up."""

LATE_SLOW_MS: Final = 3_600_000
"""The same at a slow table."""

PAUSED_SLOW_MS_MAX: Final = 24 * 3_600_000
"""After a pause, players at a slow table have the time of their limit again, but at most this."""

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
    if seat is None and (not loaded.spectators or await in_thread(is_banned, user, loaded.lobby)):
        raise Problem("not_found", what="game")
    return seat


async def viewer_of_request(user: UUID, game: UUID) -> Seat | None:
    """Return the viewer for a request without a connection, and record the user's presence."""
    viewer = await viewer_of(user, game)
    presence().record_request((await commit.load(game)).lobby, user)
    return viewer


async def play(  # noqa: PLR0913  (what a client says of its command)
    game: UUID,
    seat: Seat,
    command: Any,
    command_id: UUID,
    *,
    not_after: datetime | None = None,
    by_bot: bool = False,
    signed: chain.Signed | None = None,
) -> StoredCommit:
    """Execute a command of a seat and return its commit.

    `command` is JSON or checked plain values. A repeated `command_id` executes nothing and returns
    the first commit. After `not_after`, by the database's clock, the command is refused. A user who
    plays takes the seat back from a bot that stood in; with `by_bot`, only bots' seats may play.
    `signed` is the signature of a player who signs.

    Raises RefusedError with a code of the rules, or `too_late`, `command_id_reused`, `game_voided`,
    `game_stalled`, `seat_forfeited`, `signature_refused`, `seat_taken` (for a bot). Raises
    Problem `malformed`, or `busy`, `unavailable`, `outcome_unknown`, after which the client retries
    with the same id; it does so after `ANSWER_WITHIN_S` at the latest.
    """
    return await begin(
        game, seat, command, command_id, not_after=not_after, by_bot=by_bot, signed=signed
    )


def begin(  # noqa: PLR0913  (as `play`)
    game: UUID,
    seat: Seat,
    command: Any,
    command_id: UUID,
    *,
    not_after: datetime | None = None,
    by_bot: bool = False,
    signed: chain.Signed | None = None,
) -> Awaitable[StoredCommit]:
    """Begin to execute a command, and return what waits for its commit. See `play`.

    If nothing must be awaited before, the command is decided, and sent to the database unless other
    commands share its statement, before this returns. A task that is made meanwhile costs no time.
    """
    query = HeadQuery(game, int(seat), command_id)
    playing = _Playing(query, command, not_after, by_bot=by_bot, signed=signed)
    playing.begin()
    return playing


def is_busy() -> bool:
    """Return whether other commands wait for a check of their signatures, or for the database."""
    return store().append.is_busy or signatures.checks().is_busy


async def stored_answer(
    game: UUID, seat: Seat, command: Any, command_id: UUID
) -> StoredCommit | None:
    """Return the commit of an earlier command with the same id, or None. It decides nothing.

    Raises Problem `malformed`, and RefusedError `command_id_reused` if that command differs.
    """
    playing = _Playing(HeadQuery(game, int(seat), command_id), command, None, by_bot=False)
    return await playing.stored()


class _Playing(Awaitable[StoredCommit]):
    """A command of a seat on its way to the log. Await it once."""

    def __init__(
        self,
        query: HeadQuery,
        command: Any,
        not_after: datetime | None,
        *,
        by_bot: bool,
        signed: chain.Signed | None = None,
    ) -> None:
        assert query.seat is not None
        self._query = query
        self._seat = Seat(query.seat)
        self._command = command
        self._not_after = not_after
        self._by_bot = by_bot
        self._signed = signed
        self._until = asyncio.get_running_loop().time() + ANSWER_WITHIN_S
        self._loaded: LoadedGame | None = None
        self._decoded: Any = None
        self._writing: Awaitable[StoredCommit | None] | None = None
        """The attempt that has begun."""

    def __await__(self) -> Generator[Any, None, StoredCommit]:
        return self._finish().__await__()

    def begin(self) -> None:
        """Begin the first attempt, unless something must be awaited before it."""
        self._loaded = loaded_games().loaded(self._query.game)
        # A command that is traced begins in its span.
        if self._loaded is None or self._must_come_back(self._loaded) or tracing.is_on():
            return
        if self._must_be_checked(self._loaded):
            return
        with suppress(Problem):  # `_finish` raises it
            self._decoded = _decoded(self._loaded.rules, self._command)
            self._writing = self._write(self._loaded, hold=False)
            store().append.start()

    async def stored(self) -> StoredCommit | None:
        """Return the commit of the command if it is stored already. Raises as `stored_answer`."""
        loaded = await commit.load(self._query.game)
        self._decoded = _decoded(loaded.rules, self._command)
        loaded, head = await commit.look(loaded, self._query)
        if head.committed_as is None:
            return None
        return await self._first_answer(loaded, head.committed_as)

    async def _finish(self) -> StoredCommit:
        """Attempt until there is a final answer."""
        try:
            async with asyncio.timeout_at(self._until):
                loaded = self._loaded or await commit.load(self._query.game)
                with metrics.counted(metrics.COMMANDS, loaded.rules.slug), tracing.span("command"):
                    if self._writing is None:
                        self._decoded = _decoded(loaded.rules, self._command)
                        if self._must_be_checked(loaded):
                            await signatures.check(loaded, self._seat, self._decoded, self._signed)
                        if self._must_come_back(loaded):
                            await absence.come_back(self._query.game, self._seat)
                    return await self._attempt(loaded)
        except TimeoutError as error:
            raise Problem("outcome_unknown") from error

    async def _attempt(self, loaded: LoadedGame) -> StoredCommit:
        for losses in range(ATTEMPTS_MAX):
            refusal: ViolationError | None = None
            hold = losses >= LOSSES_BEFORE_HOLDING
            try:
                stored = await (self._writing or self._write(loaded, hold=hold))
            except ViolationError as violated:
                stored, refusal = None, violated
            except WentBackError:
                stored = None
            if stored is not None:
                return stored
            self._writing = None
            known = loaded
            loaded, head = await commit.look(known, self._query)
            answer = await self._answer_at(head, loaded)
            if answer is not None:
                return answer
            if loaded is known:
                if refusal is not None and (refusal.was_head or head.version == refusal.version):
                    violation = refusal.violation
                    raise RefusedError(violation.code, refusal.version, **violation.data)
                loaded = await commit.reach(loaded, head.version)
            if self._signed is not None:  # its head may be lost since the first check
                await signatures.check_head(loaded, self._signed)
        raise Problem("busy")

    def _must_be_checked(self, loaded: LoadedGame) -> bool:
        """Return whether the player of the seat signs, or the command is signed."""
        return not self._by_bot and (self._signed is not None or self._seat in loaded.keys)

    def _must_come_back(self, loaded: LoadedGame) -> bool:
        """Return whether the user of the seat has left it."""
        return not self._by_bot and loaded.is_left(self._seat)

    def _write(self, loaded: LoadedGame, *, hold: bool) -> Awaitable[StoredCommit | None]:
        def make(after: NewCommit | None) -> NewCommit | None:
            if self._by_bot and self._seat not in loaded.bot_seats:
                raise RefusedError("seat_taken", loaded.version, seat=self._seat)
            if loaded.ended == "voided":
                return None
            signed, before = self._signed, loaded if after is None else after
            if signed is not None and before.version >= signed.until:
                # Unless an earlier copy of the command was in time.
                raise RuleViolation("signature_refused", reason="late")
            if signed is not None and not signatures.may_follow(loaded, signed):
                # Its head was in the database when it was checked, and may be lost by now.
                raise RuleViolation("signature_refused", reason="head")
            return commit.decide(
                loaded,
                self._seat,
                self._decoded,
                self._query.command_id,
                self._not_after,
                after=after,
                signed=signed,
            )

        return commit.write(loaded, make, hold=hold)

    async def _answer_at(self, head: HeadState, loaded: LoadedGame) -> StoredCommit | None:
        """Answer a command that was not committed now: return its earlier commit, or refuse it.

        Returns None if another attempt may succeed.
        """
        if head.committed_as is not None:
            return await self._first_answer(loaded, head.committed_as)
        if self._not_after is not None and head.now > self._not_after:
            return await self._final_answer(loaded)
        if loaded.ended == "voided" or head.ended == "voided":
            raise RefusedError("game_voided", head.version)
        commit.refuse_damaged(head)
        if head.stalled:
            raise RefusedError("game_stalled", head.version)
        return None

    async def _final_answer(self, loaded: LoadedGame) -> StoredCommit:
        """Answer a command after its `not_after`. Raises RefusedError `too_late`,
        `command_id_reused`.

        A copy of the command that was in time may still be about to commit, so this waits for it.
        """
        settled = await loaded.settled_head(self._query)
        head = await store().with_archived(self._query, settled)
        if head.committed_as is None:
            raise RefusedError("too_late", head.version, now=head.now.isoformat())
        return await self._first_answer(loaded, head.committed_as)

    async def _first_answer(self, loaded: LoadedGame, version: int) -> StoredCommit:
        """Return the commit of an earlier command with the same id.

        Raises RefusedError `command_id_reused` if its command differs.
        """
        (stored,) = await store().commits(loaded.game, version - 1, version)
        if loaded.decode_command(chain.decode_body(stored.body).command) != self._decoded:
            raise RefusedError("command_id_reused", version)
        return hubs.with_events(loaded.rules, stored)


def _decoded(rules: AnyRules, command: Any) -> Any:  # a command of any game
    """Decode a command of the game. Raises Problem `malformed` with the path of the bad field."""
    if isinstance(command, bytes):
        command = validation.check(command, path="$.command")
    wrapped = {"command": command}
    try:
        return msgspec.convert(wrapped, _wrapped(rules), str_keys=True).command
    except msgspec.ValidationError as error:
        raise validation.malformed(error, into=_wrapped(rules), value=wrapped) from error


@cache
def _wrapped(rules: AnyRules) -> Any:
    """Return a struct around a game's commands: a conversion to a bare union is far slower."""
    return msgspec.defstruct("Wrapped", [("command", rules.command_type)])


async def advance_slow(claims: Sequence[SlowClaim]) -> Sequence[bool | BaseException]:
    """Answer the alarms of claimed slow games, as `advance` does, but one after the other: most are
    not loaded, and replaying them together would keep the loop from the live ones.

    Users who let their time pass, and are not on vacation, are absent from now on. If all whom a
    game awaits are on vacation, or if the clock is more than an hour late, it is paused.
    """
    outcomes: list[bool | BaseException] = []
    for claim in claims:
        if claim.absence != Lobby.Absence.WAIT and not _is_paused(claim):
            with suppress(Problem):  # `advance` meets it again
                forfeits = claim.absence == Lobby.Absence.FORFEIT
                await absence.replace_late(claim.game, claim.alarm, claim.away, forfeits=forfeits)
        outcomes += await advance([claim])
    return outcomes


def _is_paused(claim: Claim | SlowClaim) -> bool:
    """Return whether an alarm is not answered, because nobody could have been in time."""
    if isinstance(claim, Claim):
        return claim.late_ms > LATE_MS
    return claim.away_ms is not None or claim.late_ms > LATE_SLOW_MS


async def advance(claims: Sequence[Claim | SlowClaim]) -> Sequence[bool | BaseException]:
    """Answer the alarms of claimed games together.

    The result of each is False if its alarm was answered already, or the exception: RefusedError
    `game_stalled` if the rules fail. A clock that is more than a second late commits `Paused`, and
    the game continues at its own pace.
    """
    # Games that are loaded share this task. The others, and those that lose a race, have their own.
    begun = [_begun(claim) for claim in claims]
    outcomes: list[bool | BaseException] = []
    for claim, writing in zip(claims, begun, strict=True):
        try:
            outcomes.append(writing is not None and await _answered(claim, writing))
        except Exception as error:  # noqa: BLE001  (returned)
            outcomes.append(error)
    open_ = [place for place, outcome in enumerate(outcomes) if outcome is False]
    again = (_advance_again(claims[place], lost=begun[place] is not None) for place in open_)
    for place, outcome in zip(
        open_, await asyncio.gather(*again, return_exceptions=True), strict=True
    ):
        outcomes[place] = outcome
    return outcomes


def _begun(claim: Claim | SlowClaim) -> Awaitable[StoredCommit | None] | None:
    """Begin to answer an alarm of a game that is loaded at the claimed version, or return None."""
    loaded = loaded_games().loaded(claim.game)
    if loaded is None or loaded.version < claim.version:
        return None
    with suppress(Problem):  # too many commits wait
        return commit.write(loaded, _tick(loaded, claim), hold=False)
    return None


async def _answered(claim: Claim | SlowClaim, writing: Awaitable[StoredCommit | None]) -> bool:
    """Wait for the answer to an alarm, and return whether it was stored. Raises RefusedError."""
    try:
        return await writing is not None
    except ViolationError as violated:
        # The rules refuse an answer to their own alarm.
        commit.stall(claim.game, violated.version, violated.violation)
        raise RefusedError("game_stalled", violated.version) from violated


async def _advance_again(claim: Claim | SlowClaim, *, lost: bool) -> bool:
    """Answer an alarm whose first attempt was `lost`, or not begun. Raises Problem."""
    loaded, version = await commit.load(claim.game), claim.version
    for losses in range(int(lost), ATTEMPTS_MAX):
        if losses:
            loaded, head = await commit.look(loaded, HeadQuery(claim.game))
            version = head.version
        loaded = await commit.reach(loaded, version)
        if losses and not _awaits(loaded, claim.alarm):
            return False
        hold = losses >= LOSSES_BEFORE_HOLDING
        if await _answered(claim, commit.write(loaded, _tick(loaded, claim), hold=hold)):
            return True
    return False


def _tick(loaded: LoadedGame, claim: Claim | SlowClaim) -> Make:
    """Return what makes the commit that answers this alarm, while the game awaits it."""
    alarm = claim.alarm
    command = Paused(alarm, round(claim.late_ms)) if _is_paused(claim) else Ticked(alarm)

    def make(after: NewCommit | None) -> NewCommit | None:
        if not _awaits(loaded, alarm, after):
            return None
        new = commit.decide(loaded, None, command, after=after)
        if isinstance(command, Paused) and isinstance(claim, SlowClaim):
            assert new.after_ms is not None
            after_ms = min(new.after_ms, PAUSED_SLOW_MS_MAX) + (claim.away_ms or 0.0)
            new = new._replace(after_ms=after_ms)
        return new

    return make


def _awaits(loaded: LoadedGame, alarm: int, after: NewCommit | None = None) -> bool:
    """Return whether the loaded game, or the game after a commit, awaits this alarm."""
    state = loaded if after is None else after
    awaited = None if state.ended else loaded.rules.alarm(state.state)
    return awaited is not None and awaited.number == alarm


# Reading at the head


async def at_head(game: UUID) -> LoadedGame:
    """Return a game at a version that was the head during this call.

    Raises Problem `not_found`, RefusedError `game_stalled` if the rules fail.
    """
    loaded, head = await commit.look(await commit.load(game), HeadQuery(game))
    commit.refuse_damaged(head)
    loaded = await commit.reach(loaded, head.version)
    if head.stalled:
        loaded.next_at = None  # The clock skips a stalled game.
    return loaded


class Seen(NamedTuple):
    """A view, its version, and the hash of that commit in hex. `ended` is empty while the game
    runs.

    `next_at` is when the clock acts next, and `now` the server's time.
    """

    version: int
    hash: str
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
    hash_ = loaded.hash.hex()
    return Seen(loaded.version, hash_, view, loaded.ended, loaded.next_at, datetime.now(UTC))


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
