"""The coins that seats are owed after a game. The server pays them, and verifiers compute them."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from railbird_engine.kernel.chain import Ranking


def owed(
    buy_in: int,
    prizes: Sequence[int],
    people: Collection[int],
    ranking: Ranking | None,
    forfeited: Collection[int],
) -> dict[int, int]:
    """Return what each seat with a person is owed: its share of the pot by rank, or without a
    ranking, for a game that was voided, its buy-in. Nobody is owed anything without a buy-in."""
    if not buy_in:
        return {}
    if ranking is None:
        return dict.fromkeys(sorted(people), buy_in)
    shares = share(buy_in * len(people), prizes, forfeits_last(ranking, sorted(forfeited)))
    return {seat: shares[seat] for seat in sorted(people)}


def forfeits_last(ranking: Sequence[Sequence[int]], forfeited: Sequence[int]) -> list[list[int]]:
    """Return the ranking for the payout: seats that forfeited share the last rank.

    If all have forfeited, the ranking stands: to leave does not return a buy-in.
    """
    if len(forfeited) == sum(map(len, ranking)):
        return [list(group) for group in ranking]
    kept = [[seat for seat in group if seat not in forfeited] for group in ranking]
    return [group for group in [*kept, sorted(forfeited)] if group]


def share(pot: int, prizes: Sequence[int], ranking: Sequence[Sequence[int]]) -> dict[int, int]:
    """Split the whole pot by rank and return each seat's coins.

    `prizes` are the weights of the ranks. Seats that tie share the prizes of the ranks that they
    fill. Nobody is a coin away from an exact share: coins left over from rounding go to the largest
    fractions, among equal ones to the best seats first, in seat order.
    """
    seats = sum(len(group) for group in ranking)
    weights = [*prizes, *([0] * seats)][:seats]
    exact: dict[int, Fraction] = {}
    place = 0
    for group in ranking:
        weight = sum(weights[place : place + len(group)])
        place += len(group)
        exact |= dict.fromkeys(sorted(group), Fraction(pot * weight, sum(weights) * len(group)))
    shares = {seat: int(coins) for seat, coins in exact.items()}
    by_fraction = sorted(exact, key=lambda seat: shares[seat] - exact[seat])
    for seat in by_fraction[: pot - sum(shares.values())]:
        shares[seat] += 1
    return shares
