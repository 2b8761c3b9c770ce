"""Notices of the end of a game: how it ended, the rank of each player, and what they received."""

from collections import Counter
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog

from accounts.models import Account
from games import lobbies
from games.models import Head, Seat
from games.play import service
from kit import event_loop
from kit.problems import Problem
from notices.kinds import Fact
from railbird_engine.kernel.payouts import forfeits_last

log = structlog.get_logger(__name__)

GAMES_MAX: Final = 100


def facts_of(head: Head) -> list[Fact]:
    """Return the notices of the end of a game. A game that is voided after its end has others."""
    lobby = head.game.lobby
    ranks = _ranks(head) if head.ended == Head.Ended.FINISHED else {}
    received = _received(head.game_id) if lobby.buy_in else {}
    facts: list[Fact] = []
    for seat in Seat.objects.filter(lobby=lobby, user__isnull=False):
        assert seat.user_id is not None
        data = {"lobby": str(lobby.id), "game": str(head.game_id), "seat": seat.number}
        data |= {"ended": head.ended, "rank": ranks.get(seat.number)}
        if lobby.buy_in:
            data["payout"] = received.get(seat.user_id, 0)
        version = int(head.ended == Head.Ended.VOIDED)
        facts.append(Fact(seat.user_id, "game_over", head.game_id, version, data))
    return facts


def _received(game: UUID) -> Counter[UUID | None]:
    """Return the coins that users received from a game, in wallets and against debts."""
    of_accounts = lobbies.received_from(game)
    coins: Counter[UUID | None] = Counter()
    owners = Account.objects.filter(id__in=of_accounts, owner__isnull=False)
    for account, owner in owners.values_list("id", "owner"):
        coins[owner] += of_accounts[account]
    return coins


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
        ranking = forfeits_last(ranking, head.forfeited)
    for group in ranking:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return ranks
