"""The doors to a running game: `play` for a seat, `advance` for the clock, and what is read at the
head.

All coroutines here run on the store loop. Every answer was decided at the head of the game's
log."""

from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from games.engine import AnyRules, RuleViolation, Seat, chain
from games.engine.server import Paused, Ticked
from games.live import hubs
from games.live.presence import presence
from games.play import absence, commit
from games.play.commit import ATTEMPTS_MAX, LOSSES_BEFORE_HOLDING, Refused
from games.store import heads
from games.store.commits import VERSION_MAX, HeadAsked, HeadFound, store
from games.store.loaded_games import Decided, LoadedGame
from kit import validation
from kit.problems import Problem

LATE_MS: Final = 1000
"""A clock that is later than this pauses the game instead of catching up."""


async def slug_of(game: UUID) -> str:
    """Return the slug of a game, whoever asks. Raises as `commit.load`."""
    return (await commit.load(game)).rules.slug


async def viewer_of(user: UUID, game: UUID) -> Seat | None:
    """Return a user's seat in this game, or None for a spectator. The one door from users to seats.

    Raises Problem `not_found` for a game that does not exist, or that this user may not see."""
    loaded = await commit.load(game)
    seat = loaded.seat_of.get(user)
    if seat is None and not loaded.spectators:
        raise Problem("not_found", what="game")
    return seat


async def asking_viewer(user: UUID, game: UUID) -> Seat | None:
    """The same for a request without a connection, whose sender counts as present for a while."""
    viewer = await viewer_of(user, game)
    presence().see((await commit.load(game)).lobby, user)
    return viewer


async def play(
    game: UUID,
    seat: Seat,
    command: Any,
    command_id: UUID,
    *,
    not_after: datetime | None = None,
    by_bot: bool = False,
) -> hubs.CommitRecord:
    """Carry out a seat's command, given as JSON or as checked plain values, and return its commit;
    once, however often it is sent with this id, and not after `not_after` by the database's clock.

    A person who plays a seat that a bot played for them has returned; a bot plays only where a bot
    is to play.

    Raises Refused (by the rules, with their code; `too_late`; `command_id_reused`; `game_voided`;
    `game_stalled`; `seat_forfeited`; `seat_taken` for a bot), or Problem (`malformed`; `busy`,
    `unavailable`, `outcome_unknown`: send it again with the same id)."""
    loaded = await commit.load(game)
    decoded = _decoded(loaded.rules, command)
    asked = HeadAsked(game, int(seat), command_id)
    if not by_bot:
        await absence.come_back(game, seat)
    for losses in range(ATTEMPTS_MAX):
        async with loaded.lock:
            refusal: RuleViolation | None = None

            def make() -> Decided | None:
                if by_bot and seat not in loaded.bots | loaded.stand_ins:
                    raise Refused("seat_taken", loaded.version, seat=seat)
                if loaded.ended == "voided":
                    return None
                return commit.decide(loaded, seat, decoded, command_id, not_after)

            try:
                record = await commit.write(loaded, make, hold=losses >= LOSSES_BEFORE_HOLDING)
            except RuleViolation as violation:
                record, refusal = None, violation
            if record is not None:
                return record
            version = loaded.version
        head = await store().head(asked)
        answer = await _answer_at(head, loaded, decoded, asked, not_after)
        if answer is not None:
            return answer
        if refusal is not None and head.version == version:
            raise Refused(refusal.code, version, **refusal.data)
        await commit.catch_up(loaded, head.version)
    raise Problem("busy")


def _decoded(rules: AnyRules, command: Any) -> Any:  # a command of any game
    """A command of the game. Raises Problem `malformed` with the path of the bad field."""
    if isinstance(command, bytes):
        command = validation.check(command, path="$.command")
    try:
        return msgspec.convert({"command": command}, _given(rules), str_keys=True).command
    except msgspec.ValidationError as error:
        raise validation.malformed(error) from error


@cache
def _given(rules: AnyRules) -> Any:
    """A struct around a game's commands: converting to a bare union is several times slower."""
    return msgspec.defstruct("Given", [("command", rules.command_type)])


async def _answer_at(
    head: HeadFound,
    loaded: LoadedGame,
    command: Any,
    asked: HeadAsked,
    not_after: datetime | None,
) -> hubs.CommitRecord | None:
    """What the head says of a command that was not committed just now: it was before, or it never
    can be; None: it may be tried again."""
    if head.known is not None:
        return await _first_answer(loaded, command, head.known)
    if not_after is not None and head.now > not_after:
        return await _answer_for_good(loaded, command, asked, head.now)
    if loaded.ended == "voided" or head.ended == "voided":
        raise Refused("game_voided", head.version)
    if head.stalled:
        raise Refused("game_stalled", head.version)
    return None


async def _answer_for_good(
    loaded: LoadedGame, command: Any, asked: HeadAsked, now: datetime
) -> hubs.CommitRecord:
    """Answer a command after its `not_after`. A copy of it that was in time may still be on its way
    to be committed, but then it holds the head: whoever holds the head next knows."""
    assert asked.seat is not None
    assert asked.command_id is not None
    async with heads.holding(loaded.game, read_only=True) as head:
        known = await head.known(asked.seat, asked.command_id)
    if known is None:
        raise Refused("too_late", head.version, now=now.isoformat())
    return await _first_answer(loaded, command, known)


async def _first_answer(loaded: LoadedGame, command: Any, version: int) -> hubs.CommitRecord:
    """Return the commit that carries this command id. Raises Refused `command_id_reused` when it is
    another command's."""
    (stored,) = await store().commits(loaded.game, version - 1, version)
    body = chain.decode_body(stored.body)
    if loaded.decode_command(body.command) != command:
        raise Refused("command_id_reused", version)
    return hubs.record_of(loaded.rules, stored)


async def advance(game: UUID, version: int, alarm: int, late_ms: float) -> bool:
    """Answer an alarm; `version` is where the head stood when it was claimed. False: another
    answered it already.

    More than a second late, a `Paused` commit says so, and the game goes on at its own pace.
    """
    loaded = await commit.load(game)
    command = Paused(alarm, round(late_ms)) if late_ms > LATE_MS else Ticked(alarm)

    def make() -> Decided | None:
        return commit.decide(loaded, None, command) if _awaits(loaded, alarm) else None

    for losses in range(ATTEMPTS_MAX):
        async with loaded.lock:
            await commit.catch_up_locked(loaded, version)
            try:
                hold = losses >= LOSSES_BEFORE_HOLDING
                if await commit.write(loaded, make, hold=hold) is not None:
                    return True
            except RuleViolation as violation:
                commit.stall(game, loaded.version, violation)
                raise Refused("game_stalled", loaded.version) from violation
            if not _awaits(loaded, alarm):
                return False
        version = (await store().head(HeadAsked(game))).version
    return False


def _awaits(loaded: LoadedGame, alarm: int) -> bool:
    """Whether the game, as this process knows it, awaits this alarm."""
    awaited = None if loaded.ended else loaded.rules.alarm(loaded.state)
    return awaited is not None and awaited.number == alarm


# Reading at the head


async def at_head(game: UUID) -> LoadedGame:
    """Return a game, at a version that was the head while this ran. Raises Problem `not_found`."""
    loaded = await commit.load(game)
    head = await store().head(HeadAsked(game))
    await commit.catch_up(loaded, head.version)
    return loaded


class Seen(NamedTuple):
    """A view and the version it shows. `ended` is empty while the game goes on; `next_at` is when
    the clock acts next, and `now` the server's time."""

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


async def legal(game: UUID, seat: Seat, most: int) -> tuple[int, list[Any], bool]:
    """Return the head version, up to `most` commands that the seat may give there, and whether
    these are all."""
    loaded = await at_head(game)
    if loaded.ended or loaded.state is None:
        return loaded.version, [], True
    commands: list[Any] = []
    for command in loaded.rules.legal(loaded.state, seat):
        if len(commands) == most:
            return loaded.version, commands, False
        commands.append(command)
    return loaded.version, commands, loaded.rules.legal_is_complete


async def commits(game: UUID, after: int, most: int) -> list[hubs.CommitRecord]:
    """Return up to `most` commits after a version, in order."""
    loaded = await commit.load(game)
    return [
        hubs.record_of(loaded.rules, record)
        for record in await store().commits(game, after, min(after + most, VERSION_MAX))
    ]
