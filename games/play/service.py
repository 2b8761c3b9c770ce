"""The two doors to a running game: `play` for a seat and `advance` for the clock; and starting and
voiding one.

All coroutines here run on the store loop. What was answered was decided at the head of the game's
log."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import psycopg
import structlog
from psycopg import AsyncConnection
from psycopg.errors import LockNotAvailable

from games.engine import RuleViolation, Seat, VoidedBet, chain
from games.engine.bets import called_off
from games.engine.server import Annotated, Paused, SeatReplaced, SeatReturned, Ticked, Voided
from games.live import hubs
from games.live.presence import presence
from games.live.rooms import rooms
from games.store.commits import VERSION_MAX, Entry, HeadAsked, store
from games.store.loaded_games import Decided, LoadedGame, loaded_games
from kit.problems import Problem

log = structlog.get_logger(__name__)

LOSSES_BEFORE_HOLDING: Final = 2
ATTEMPTS_MAX: Final = 50
LATE_MS: Final = 1000
"""A clock that is later than this pauses the game instead of catching up."""


class Refused(Problem):
    """The rules, or the state of the game, refuse a command. `version` is the head at which they
    did."""

    def __init__(self, code: str, version: int, **data: object) -> None:
        super().__init__(code, **data)
        self.version = version


def parse_command(loaded: LoadedGame, command: Any) -> Any:
    """The command in these JSON bytes, or in values that JSON could hold. Raises
    msgspec.ValidationError with the path of the bad field."""
    kind = loaded.rules.command_type
    if isinstance(command, bytes):
        return msgspec.json.decode(command, type=kind)
    return msgspec.convert(command, kind, strict=True, str_keys=True)


async def _loaded(game: UUID) -> LoadedGame:
    """A game as this process knows it. Raises Problem `not_found`, Refused
    `game_stalled`."""
    try:
        return await loaded_games().get(game)
    except Problem:
        raise
    except Exception as error:
        stall(game, 0, error)
        raise Refused("game_stalled", 0) from error


async def slug_of(game: UUID) -> str:
    """Which game this is. It does not ask who may know. Raises as `_loaded`."""
    return (await _loaded(game)).rules.slug


async def viewer_of(user: UUID, game: UUID) -> Seat | None:
    """Who a person is at this game: a seat, or None for a spectator. The one door from people to
    seats.

    Raises Problem `not_found` for a game that does not exist, and just so for one that this person
    may not see."""
    loaded = await _loaded(game)
    seat = loaded.seat_of.get(user)
    if seat is None and not loaded.spectators:
        raise Problem("not_found", what="game")
    presence().see(loaded.lobby, user)
    return seat


async def play(
    game: UUID, seat: Seat, command: Any, command_id: UUID, *, by_bot: bool = False
) -> hubs.CommitRecord:
    """Carry out a seat's command, given as JSON; once, however often it is asked with this id.
    Answers its commit.

    A person who plays a seat that a bot played for them has returned; a bot plays only where a bot
    is to play.

    Raises msgspec.ValidationError (bad shape), Refused (by the rules, with their code;
    `command_id_reused`; `game_voided`; `game_stalled`; `seat_forfeited`; `seat_taken` for a bot),
    or Problem (`busy`, `unavailable`, `outcome_unknown`: the same id asks again)."""
    loaded = await _loaded(game)
    decoded = parse_command(loaded, command)
    asked = HeadAsked(game, int(seat), command_id)
    lost = 0
    if not by_bot:
        await come_back(game, seat)
    for _ in range(ATTEMPTS_MAX):
        async with loaded.lock:
            version = loaded.version
            if by_bot and seat not in loaded.bots | loaded.stand_ins:
                raise Refused("seat_taken", version, seat=seat)
            refusal, decided = _try(loaded, seat, decoded, command_id)
            if decided is not None:
                record = await _append(loaded, decided, hold=lost >= LOSSES_BEFORE_HOLDING)
                if record is not None:
                    return record
                lost += 1
        head = await store().head(asked)
        if head.known is not None:
            return await _first_answer(loaded, decoded, head.known)
        if loaded.ended == "voided" or head.ended == "voided":
            raise Refused("game_voided", head.version)
        if head.stalled:
            raise Refused("game_stalled", head.version)
        if refusal is not None and head.version == version:
            raise Refused(refusal.code, version, **refusal.data)
        await _catch_up(loaded, head.version)
    raise Problem("busy")


def _try(
    loaded: LoadedGame, seat: Seat | None, command: Any, command_id: UUID | None
) -> tuple[RuleViolation | None, Decided | None]:
    """Decide at the version that this process knows: a refusal, a decision, or neither when the
    game is no more."""
    if loaded.ended == "voided":
        return None, None
    try:
        return None, loaded.decide(seat, command, command_id)
    except RuleViolation as violation:
        return violation, None
    except Exception as error:
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error


async def _append(loaded: LoadedGame, decided: Decided, *, hold: bool) -> hubs.CommitRecord | None:
    """Store a decision and stand after it; None when the head was elsewhere. Expects the loaded
    game's lock."""
    try:
        at = await (
            _append_holding(loaded, decided.entry) if hold else store().append(decided.entry)
        )
    except Problem as problem:
        if problem.code == "outcome_unknown":
            loaded_games().forget(loaded.game)
        raise
    except psycopg.Error as error:
        # The database refuses what the rules decided, an overdrawn purse perhaps: this game cannot
        # go on.
        stall(loaded.game, loaded.version, error)
        raise Refused("game_stalled", loaded.version) from error
    return None if at is None else _install(loaded, decided, at)


def _install(loaded: LoadedGame, decided: Decided, at: datetime) -> hubs.CommitRecord:
    """What was decided is stored: stand after it, and tell it."""
    loaded.install(decided)
    entry = decided.entry
    record = hubs.CommitRecord(entry.version, at, entry.hash, decided.events, entry.ended)
    hubs.switchboard().committed(loaded.game, record)
    if (kept := loaded.snapshot()) is not None:
        _in_background(store().keep_snapshot(*kept))
    return record


async def _append_holding(loaded: LoadedGame, entry: Entry) -> datetime | None:
    """Append with the head row held, for one who lost too often: whoever comes meanwhile waits or
    passes by."""
    try:
        async with store().connection() as connection, connection.transaction():
            await connection.execute(
                "SELECT 1 FROM games_head WHERE game_id = %s FOR NO KEY UPDATE", (loaded.game,)
            )
            return (await store().append_in(connection, [entry])).get(entry.game)
    except LockNotAvailable:
        raise Problem("busy") from None


async def _first_answer(loaded: LoadedGame, command: Any, version: int) -> hubs.CommitRecord:
    """What this command id was answered the first time. Raises Refused `command_id_reused` for
    another command."""
    (stored,) = await store().commits(loaded.game, version - 1, version)
    body = chain.decode_body(stored.body)
    if msgspec.json.decode(body.command, type=loaded.rules.command_type) != command:
        raise Refused("command_id_reused", version)
    return hubs.record_of(loaded.rules, stored)


async def _catch_up(loaded: LoadedGame, version: int) -> None:
    """Bring the game to at least this version, if it is not there yet."""
    async with loaded.lock:
        await _catch_up_locked(loaded, version)


async def _catch_up_locked(loaded: LoadedGame, version: int) -> None:
    if loaded.version < version:
        records = await store().commits(loaded.game, loaded.version)
        try:
            loaded.replay(records)
        except Exception as error:
            loaded_games().forget(loaded.game)
            stall(loaded.game, loaded.version, error)
            raise Refused("game_stalled", version) from error
        hubs.switchboard().caught_up(loaded.game, loaded.rules, records)


def stall(game: UUID, version: int, error: BaseException) -> None:
    """One game whose rules failed is taken off the clock, soon; the process lives on."""
    log.error("game_stalled", game=str(game), version=version, exc_info=error)
    _in_background(store().stall(game, f"{type(error).__name__} after version {version}"))


_background: set[asyncio.Task[None]] = set()


def _in_background(coroutine: Any) -> None:
    """Work whose loss costs nothing but time: it is logged when it fails."""

    async def guarded() -> None:
        try:
            await coroutine
        except Problem as problem:
            log.warning("background_work_failed", code=problem.code)

    task = asyncio.get_running_loop().create_task(guarded())
    _background.add(task)
    task.add_done_callback(_background.discard)


# The absent


async def replace(game: UUID, seat: Seat, *, forfeits: bool) -> bool:
    """Let a bot play on for a person who has gone, if the game awaits this seat now. False: it does
    not, or a bot plays."""
    loaded = await at_head(game)
    if (
        loaded.ended
        or seat in loaded.bots | loaded.stand_ins
        or next(iter(loaded.rules.legal(loaded.state, seat)), None) is None
    ):
        return False
    return await _change_player(loaded, SeatReplaced(seat, forfeits))


async def come_back(game: UUID, seat: Seat) -> None:
    """Take the seat back from the bot that played it meanwhile, if one did. Raises Refused
    `seat_forfeited`."""
    loaded = await _loaded(game)
    if seat in loaded.stand_ins:
        loaded = await at_head(game)
    if seat in loaded.forfeited:
        raise Refused("seat_forfeited", loaded.version, seat=seat)
    if seat in loaded.stand_ins and not loaded.ended:
        await _change_player(loaded, SeatReturned(seat))


CHANGE_PLAYER: Final = """
UPDATE games_head SET stand_ins = %(stand_ins)s::smallint[], forfeited = %(forfeited)s::smallint[], bots = bots + %(more)s
WHERE game_id = %(game)s
"""


async def _change_player(loaded: LoadedGame, command: SeatReplaced | SeatReturned) -> bool:
    """Commit who plays a seat from now on; False when that was done already, or the game has
    ended."""
    for _ in range(ATTEMPTS_MAX):
        async with loaded.lock:
            returns = isinstance(command, SeatReturned)
            if loaded.ended or returns == (command.seat not in loaded.stand_ins):
                return False
            _, decided = _try(loaded, None, command, None)
            assert decided is not None, "nothing refuses a change of players"
            async with store().connection() as connection, connection.transaction():
                lock = "SELECT version FROM games_head WHERE game_id = %s FOR NO KEY UPDATE"
                ((version,),) = await (await connection.execute(lock, (loaded.game,))).fetchall()
                taken = {}
                if version == loaded.version:
                    stand_ins = loaded.stand_ins ^ {command.seat}
                    forfeited = loaded.forfeited | (
                        {command.seat} if getattr(command, "forfeits", False) else set()
                    )
                    change = {
                        "game": loaded.game,
                        "stand_ins": sorted(stand_ins),
                        "forfeited": sorted(forfeited),
                        "more": -1 if returns else 1,
                    }
                    await connection.execute(CHANGE_PLAYER, change)
                    taken = await store().append_in(connection, [decided.entry])
                    assert loaded.game in taken or loaded.ended
            if taken:
                loaded.note(command)
                _install(loaded, decided, taken[loaded.game])
                rooms().stir(loaded.lobby)
                return True
        await _catch_up(loaded, version)
    raise Problem("busy")


# The clock


async def advance(game: UUID, version: int, alarm: int, late_ms: float) -> bool:
    """Answer an alarm; `version` is where the head stood when it was claimed. False: another
    answered it already.

    More than a second late, a `Paused` commit says so, and the game goes on at its own pace.
    """
    loaded = await _loaded(game)
    command: Ticked | Paused = Ticked(alarm)
    if late_ms > LATE_MS:
        command = Paused(alarm, round(late_ms))
    lost = 0
    for _ in range(ATTEMPTS_MAX):
        async with loaded.lock:
            await _catch_up_locked(loaded, version)
            awaited = None if loaded.ended else loaded.rules.alarm(loaded.state)
            if awaited is None or awaited.number != alarm:
                return False
            refusal, decided = _try(loaded, None, command, None)
            if decided is None:
                stall(
                    game, loaded.version, refusal or AssertionError("the clock found a voided game")
                )
                raise Refused("game_stalled", loaded.version)
            if await _append(loaded, decided, hold=lost >= LOSSES_BEFORE_HOLDING) is not None:
                return True
            lost += 1
        version = (await store().head(HeadAsked(game))).version
    return False


# Reading at the head


async def at_head(game: UUID) -> LoadedGame:
    """A game, at a version that was the head while this ran. Raises Problem
    `not_found`."""
    loaded = await _loaded(game)
    head = await store().head(HeadAsked(game))
    await _catch_up(loaded, head.version)
    return loaded


class Seen(NamedTuple):
    """A view and the version it shows. `ended` is empty while the game goes on."""

    version: int
    view: msgspec.Struct
    ended: str


async def view(game: UUID, viewer: Seat | None) -> Seen:
    """What a seat, or a spectator, sees at the head."""
    return seen(await at_head(game), viewer)


def seen(loaded: LoadedGame, viewer: Seat | None) -> Seen:
    """What a seat, or a spectator, sees of this game now."""
    assert loaded.state is not None
    return Seen(loaded.version, loaded.rules.view(loaded.state, viewer), loaded.ended)


async def legal(game: UUID, seat: Seat, most: int) -> tuple[int, list[Any], bool]:
    """The head version, up to `most` commands that the seat may give there, and whether these are
    all."""
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
    """Up to `most` commits after a version, in order."""
    loaded = await _loaded(game)
    return [
        hubs.record_of(loaded.rules, record)
        for record in await store().commits(game, after, min(after + most, VERSION_MAX))
    ]


# Corrections: what who runs the server may do about a game, for a reason that everybody may read


class _Head(NamedTuple):
    """A head that is held."""

    version: int
    hash: bytes
    ended: str
    ended_at: datetime | None
    stalled: str


HOLD: Final = "SELECT version, hash, ended, ended_at, stalled FROM games_head WHERE game_id = %s FOR NO KEY UPDATE"

# The log takes nothing after the end but this: whoever holds the head opens it for one entry. What
# was paid out is settled again afterwards, by the difference, and the head is sealed again.
REOPEN: Final = "UPDATE games_head SET ended = '', stalled = '' WHERE game_id = %s"
SETTLE_AGAIN: Final = """
UPDATE games_head SET settled = false, sealed = false, ended_at = coalesce(%s, ended_at) WHERE game_id = %s
"""

BET: Final = """
SELECT b.seat, b.stake, s.payout, s.outcome, c.version FROM games_bet b
LEFT JOIN games_settlement s USING (game_id, number) LEFT JOIN games_correction c USING (game_id, number)
WHERE b.game_id = %s AND b.number = %s
"""
CORRECT: Final = (
    "INSERT INTO games_correction (game_id, number, version, payout) VALUES (%s, %s, %s, %s)"
)


async def _hold(connection: AsyncConnection[Any], game: UUID) -> _Head:
    """The head of a game, for the rest of the transaction."""
    try:
        cursor = await connection.execute(HOLD, (game,))
        row = await cursor.fetchone()
    except LockNotAvailable:
        raise Problem("busy") from None
    if row is None:
        raise Problem("not_found", what="game")
    return _Head(*row)


async def void(game: UUID, reason: str, by: UUID | None = None) -> bool:
    """Call a game off, even one that has ended: open bets are void, the log ends. False when it was
    void already. Buy-ins go back by settling."""
    # The rules may be what failed: the loaded game is not asked what they say, it only knows how to
    # write the last commit.
    loaded = LoadedGame(game, await store().open(game))
    command = Voided(reason, by)
    async with store().connection() as connection, connection.transaction():
        head = await _hold(connection, game)
        if head.ended == "voided":
            return False
        cursor = await connection.execute(
            """SELECT b.number FROM games_bet b LEFT JOIN games_settlement s USING (game_id, number)
            WHERE b.game_id = %s AND s.number IS NULL ORDER BY b.number""",
            (game,),
        )
        events = called_off(command, [number for (number,) in await cursor.fetchall()])
        since = await store().commits(game, loaded.version)
        loaded.drawn += sum(len(chain.decode_body(record.body).draws) for record in since)
        loaded.version, loaded.hash = head.version, head.hash
        entry = loaded.void(command, events)
        await connection.execute(REOPEN, (game,))
        taken = await store().append_in(connection, [entry])
        assert game in taken
        await connection.execute(SETTLE_AGAIN, (None, game))
    loaded_games().forget(game)
    hubs.switchboard().committed(
        game, hubs.CommitRecord(entry.version, taken[game], entry.hash, events, entry.ended)
    )
    return True


async def annotate(game: UUID, reason: str, by: UUID) -> hubs.CommitRecord:
    """Add a note to the log of a game, even one that has ended; everybody may read it. Raises as
    `void_bet`."""

    async def command(_: AsyncConnection[Any]) -> Annotated:
        return Annotated(reason, by)

    return await _intervene(game, command)


async def void_bet(game: UUID, bet: int, reason: str, by: UUID) -> hubs.CommitRecord:
    """Call one bet off, be it open or settled, of a game that runs or has ended: what it moved goes
    back.

    Raises Problem `not_found`, Refused `bet_void_already`, `game_voided`, `game_stalled`, or by the
    rules."""

    async def command(connection: AsyncConnection[Any]) -> VoidedBet:
        cursor = await connection.execute(BET, (game, bet))
        row = await cursor.fetchone()
        if row is None:
            raise Problem("not_found", what="bet")
        seat, stake, payout, outcome, corrected = row
        if outcome == "void" or corrected is not None:
            raise Problem("bet_void_already", bet=bet)
        return VoidedBet(bet, Seat(seat), stake, payout, reason, by)

    return await _intervene(game, command)


async def _intervene(
    game: UUID, make: Callable[[AsyncConnection[Any]], Awaitable[VoidedBet | Annotated]]
) -> hubs.CommitRecord:
    """Append a command of who runs the server, while the head is held."""
    loaded = await _loaded(game)
    async with loaded.lock:
        async with store().connection() as connection, connection.transaction():
            head = await _hold(connection, game)
            if head.ended == "voided" or head.stalled:
                raise Refused("game_stalled" if head.stalled else "game_voided", head.version)
            await _catch_up_locked(loaded, head.version)
            command = await make(connection)
            try:
                decided = loaded.decide(None, command)
            except RuleViolation as violation:
                raise Refused(violation.code, head.version, **violation.data) from violation
            entry = decided.entry
            if isinstance(command, VoidedBet) and command.payout is not None:
                (fate,) = entry.settlements
                await connection.execute(CORRECT, (game, fate.bet, entry.version, fate.payout))
                decided = decided._replace(entry=entry._replace(settlements=[]))
            await connection.execute(REOPEN, (game,))
            taken = await store().append_in(connection, [decided.entry])
            if head.ended:
                await connection.execute(SETTLE_AGAIN, (head.ended_at, game))
        loaded.install(decided)
    record = hubs.CommitRecord(entry.version, taken[game], entry.hash, decided.events, entry.ended)
    hubs.switchboard().committed(game, record)
    return record
