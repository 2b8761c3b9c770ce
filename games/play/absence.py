"""Replace absent users by bots, and give seats back to users who return."""

from collections.abc import Collection
from uuid import UUID

from games.live.room_followers import room_followers
from games.play import commit
from games.play.commit import RefusedError
from games.store.heads import HeldHead
from games.store.loaded_games import LoadedGame
from games.store.rows import HeadQuery, NewCommit
from railbird_engine import Seat
from railbird_engine.kernel.server_commands import SeatReplaced, SeatReturned


async def replace(game: UUID, seat: Seat, *, forfeits: bool) -> bool:
    """Let a bot play for an absent user if the game awaits this seat now. Return whether so."""
    loaded = await _at_head(game)
    if loaded.ended or next(iter(loaded.rules.legal(loaded.state, seat)), None) is None:
        return False
    return await _change_player(loaded, SeatReplaced(seat, forfeits))


async def replace_late(game: UUID, alarm: int, away: Collection[UUID], *, forfeits: bool) -> None:
    """Let bots play for the users who let their time for this alarm of a slow game pass, except
    those who are `away`."""
    loaded = await _at_head(game)
    awaited = None if loaded.ended else loaded.rules.alarm(loaded.state)
    if awaited is None or awaited.number != alarm:
        return
    for seat in sorted(loaded.rules.awaited(loaded.state) - loaded.bot_seats):
        if loaded.users[seat] not in away:
            await _change_player(loaded, SeatReplaced(seat, forfeits))


async def resign(game: UUID, seat: Seat) -> None:
    """Let a bot play to the end for a user who gives up; repeating changes nothing.

    Raises RefusedError `game_has_ended`.
    """
    loaded = await _at_head(game)
    if loaded.ended:
        raise RefusedError("game_has_ended", loaded.version)
    if seat in loaded.forfeited:
        return
    await come_back(game, seat)  # from a bot that plays until then
    await _change_player(loaded, SeatReplaced(seat, forfeits=True))


async def come_back(game: UUID, seat: Seat) -> None:
    """Take the seat back from a bot. Raises RefusedError `seat_forfeited`."""
    loaded = await commit.load(game)
    if seat in loaded.stand_ins:
        loaded = await _at_head(game)
    if seat in loaded.forfeited:
        raise RefusedError("seat_forfeited", loaded.version, seat=seat)
    if seat in loaded.stand_ins:
        await _change_player(loaded, SeatReturned(seat))


async def _at_head(game: UUID) -> LoadedGame:
    loaded, head = await commit.look(await commit.load(game), HeadQuery(game))
    commit.refuse_damaged(head)
    return await commit.reach(loaded, head.version)


async def _change_player(loaded: LoadedGame, command: SeatReplaced | SeatReturned) -> bool:
    """Commit who plays a seat from now on; False if nothing changes or the game has ended."""

    async def make(head: HeldHead) -> NewCommit | None:
        await commit.catch_up_held(loaded, head)
        returns = isinstance(command, SeatReturned)
        plays = command.seat in loaded.bot_seats
        if loaded.ended or returns != plays:
            return None
        forfeited = (
            {command.seat} if isinstance(command, SeatReplaced) and command.forfeits else set()
        )
        await head.change_players(
            loaded.stand_ins ^ {command.seat}, loaded.forfeited | forfeited, -1 if returns else 1
        )
        return commit.decide(loaded, None, command)

    async with loaded.lock:
        if await commit.write_held(loaded, make) is None:
            return False
    room_followers().refresh(loaded.lobby)
    return True
