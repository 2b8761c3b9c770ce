"""Agreements to void a slow game: it ends with refunds when all whose seats it has agree."""

from uuid import UUID

from games.play import commit, corrections
from games.play.commit import RefusedError
from games.store import heads
from kit.problems import Problem
from railbird_engine import Seat

AGREED = "agreed"
"""The reason with which such a game is voided."""


async def agree(game: UUID, seat: Seat, *, agrees: bool) -> None:
    """Note whether the user of a seat agrees to void a slow game, and void it once all do.

    Users who left their seats are not asked. Raises Problem `game_not_slow`, RefusedError
    `game_has_ended`, `seat_forfeited`.
    """
    loaded = await commit.load(game)
    if not loaded.is_slow:
        raise Problem("game_not_slow")
    async with heads.holding(game) as head:
        if head.ended:
            raise RefusedError("game_has_ended", head.version)
        found = await head.agreements()
        if seat in found.left:
            raise RefusedError("seat_forfeited", head.version, seat=seat)
        agreed = found.agreed | {seat} if agrees else found.agreed - {seat}
        if agreed != found.agreed:
            await head.agree(agreed)
    if loaded.users.keys() - found.left <= agreed:
        await corrections.void(game, AGREED)
