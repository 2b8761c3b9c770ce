"""Notices of the end of a game: how it ended, the rank of each player, and what they received."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog
from django.db.models import Sum

from accounts.ledger import wallet_of
from accounts.models import Transfer
from games import lobbies
from games.models import Head, Seat
from games.play import service
from kit import event_loop
from kit.problems import Problem
from notices.kinds import Fact

log = structlog.get_logger(__name__)

GAMES_MAX: Final = 100


def facts_of(head: Head) -> list[Fact]:
    """Return the notices of the end of a game. A game that is voided after its end has others."""
    lobby = head.game.lobby
    ranks = _ranks(head) if head.ended == Head.Ended.FINISHED else {}
    facts: list[Fact] = []
    for seat in Seat.objects.filter(lobby=lobby, user__isnull=False).select_related("user"):
        assert seat.user is not None
        data = {"lobby": str(lobby.id), "game": str(head.game_id), "seat": seat.number}
        data |= {"ended": head.ended, "rank": ranks.get(seat.number)}
        if lobby.buy_in:
            data["payout"] = _received(seat, head.game_id)
        version = int(head.ended == Head.Ended.VOIDED)
        facts.append(Fact(seat.user.id, "game_over", head.game_id, version, data))
    return facts


def _received(seat: Seat, game: UUID) -> int:
    """Return what a player received from the payout of a game."""
    assert seat.user is not None
    own = Transfer.objects.filter(cause=game, credit=wallet_of(seat.user), reason="payout")
    return int(own.aggregate(coins=Sum("amount"))["coins"] or 0)


def _ranks(head: Head) -> dict[int, int]:
    """Return the rank of each seat, from 1; none if this build cannot read the game."""
    try:
        loaded = event_loop.call(service.at_head(head.game_id))
        result = loaded.rules.result(loaded.state)
    except Problem as problem:
        log.info("rank_not_told", game=str(head.game_id), code=problem.code)
        return {}
    if result is None:
        return {}
    ranks: dict[int, int] = {}
    ranking: Sequence[Sequence[int]] = result.ranking
    if head.game.lobby.buy_in:
        ranking = lobbies.forfeits_last(ranking, head.forfeited)
    for group in ranking:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return ranks
