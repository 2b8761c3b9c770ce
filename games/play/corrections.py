"""Corrections: what an operator can do to a game, for a public reason."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from games.engine import RuleViolation, Seat
from games.engine.bets import called_off
from games.engine.server import Annotated, Voided, VoidedBet
from games.live import hubs
from games.play import commit
from games.play.commit import Refused
from games.store.commits import store
from games.store.heads import HeldHead
from games.store.loaded_games import Decided, LoadedGame, loaded_games
from kit.problems import Problem


async def void(game: UUID, reason: str, by: UUID | None = None) -> bool:
    """Void a game, even after its end: open bets are void, the log ends. Refunds follow later.

    Returns False if it was void already.
    """
    # The rules may be what failed, so nothing is loaded or replayed.
    loaded = LoadedGame(game, await store().open(game))
    command = Voided(reason, by)

    async def make(head: HeldHead) -> Decided | None:
        if head.ended == "voided":
            return None
        since = await head.commits(loaded.version)
        loaded.skip(since)
        return loaded.void(command, called_off(command, await head.open_bets()))

    record = await commit.write_held(loaded, make, append=HeldHead.append_after_the_end)
    loaded_games().forget(game)
    return record is not None


async def annotate(game: UUID, reason: str, by: UUID) -> hubs.CommitRecord:
    """Add a public note to the log of a game, even after its end. Raises as `void_bet`."""

    async def command(_: HeldHead) -> Annotated:
        return Annotated(reason, by)

    return await _intervene(game, command)


async def void_bet(game: UUID, bet: int, reason: str, by: UUID) -> hubs.CommitRecord:
    """Void one bet, open or settled, of a running or ended game, and return what it moved.

    Raises Problem `not_found`, `bet_void_already`, Refused `game_voided`, `game_stalled`, or with a
    code of the rules.
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
) -> hubs.CommitRecord:
    """Commit a command of an operator. Raises Refused."""
    loaded = await commit.load(game)

    async def make(head: HeldHead) -> Decided:
        if head.ended == "voided" or head.stalled:
            raise Refused("game_stalled" if head.stalled else "game_voided", head.version)
        await commit.catch_up_held(loaded, head)
        command = await command_of(head)
        try:
            decided = commit.decide(loaded, None, command)
        except RuleViolation as violation:
            raise Refused(violation.code, head.version, **violation.data) from violation
        if isinstance(command, VoidedBet) and command.payout is not None:
            entry = decided.entry
            (fate,) = entry.settlements
            await head.correct(fate.bet, entry.version, fate.payout)
            decided = decided._replace(entry=entry._replace(settlements=()))
        return decided

    async with loaded.lock:
        record = await commit.write_held(loaded, make, append=HeldHead.append_after_the_end)
    assert record is not None, "nothing comes before the writer who holds the head"
    return record
