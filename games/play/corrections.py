"""Corrections: what an operator can do to a game, for a public reason."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from uuid import UUID

from games.live import hubs
from games.play import commit
from games.play.commit import RefusedError
from games.store import heads
from games.store.commits import DamagedError, store
from games.store.heads import HeldHead
from games.store.loaded_games import GameLog, loaded_games
from games.store.rows import NewCommit, StoredCommit
from kit.problems import Problem
from railbird_engine import RuleViolation, Seat
from railbird_engine.kernel.bets import void_events
from railbird_engine.kernel.server_commands import Annotated, Voided, VoidedBet


async def void(game: UUID, reason: str, by: UUID | None = None) -> bool:
    """Void a game, even after its end: open bets are void, the log ends. Refunds follow later.

    Returns False if it was void already.
    """
    # The rules may be what failed, or what this build lacks, so nothing is loaded or replayed.
    log = GameLog(game, await store().game(game))
    with suppress(DamagedError):  # which notes the damage at the head
        await store().commits(game, log.version)
    command = Voided(reason, by)
    async with heads.holding(game) as head:
        if head.ended == "voided":
            return False
        if head.damaged is None:
            log.skip(await head.commits(log.version))
        else:
            log.jump(head.version, head.hash, await head.draws())
        new = log.void(command, void_events(command, await head.open_bets()))
        stored = await head.append_after_the_end(new)
    loaded_games().forget(game)
    if stored is not None:
        hubs.switchboard().committed(stored)
    return stored is not None


async def annotate(game: UUID, reason: str, by: UUID) -> StoredCommit:
    """Add a public note to the log of a game, even after its end. Raises as `void_bet`."""

    async def command(_: HeldHead) -> Annotated:
        return Annotated(reason, by)

    return await _intervene(game, command)


async def void_bet(game: UUID, bet: int, reason: str, by: UUID) -> StoredCommit:
    """Void one bet, open or settled, of a running or ended game, and return what it moved.

    Raises Problem `not_found`, `bet_void_already`, RefusedError `game_voided`, `game_stalled`,
    or with a code of the rules.
    """

    async def command(head: HeldHead) -> VoidedBet:
        found = await head.bet(bet)
        if found is None:
            raise Problem("not_found", what="bet")
        if found.is_void:
            raise Problem("bet_void_already", bet=bet)
        return VoidedBet(bet, Seat(found.seat), found.stake, found.payout, reason, by)

    return await _intervene(game, command)


async def _intervene(
    game: UUID, command_of: Callable[[HeldHead], Awaitable[VoidedBet | Annotated]]
) -> StoredCommit:
    """Commit a command of an operator. Raises RefusedError."""
    loaded = await commit.load(game)

    async def make(head: HeldHead) -> NewCommit:
        if head.damaged is not None:
            raise DamagedError(head.damaged)
        if head.ended == "voided" or head.stalled:
            raise RefusedError("game_stalled" if head.stalled else "game_voided", head.version)
        await commit.catch_up_held(loaded, head)
        command = await command_of(head)
        try:
            new = commit.decide(loaded, None, command)
        except RuleViolation as violation:
            raise RefusedError(violation.code, head.version, **violation.data) from violation
        if isinstance(command, VoidedBet) and command.payout is not None:
            (settlement,) = new.settlements
            await head.correct(settlement.bet, new.version, settlement.payout)
            new = new._replace(settlements=())
        return new

    async with loaded.lock:
        stored = await commit.write_held(loaded, make, append=HeldHead.append_after_the_end)
    assert stored is not None, "no other commit can be first while the head is held"
    return stored
