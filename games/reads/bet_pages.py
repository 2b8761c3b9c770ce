"""Pages of bets by time, each of which reads a limited number of bets, however many there are.

A page follows an index in the order of the list and leaves out bets that do not match. After
`SCANNED` bets it ends, even if it is short, and the next page begins there.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from django.db.models import QuerySet

from games.models import Bet, Correction, Game, Head, Settlement
from games.reads.filters import AnyBetExport, AnyBetFilter, BetChoice, BetExport, BetFilter
from games.reads.histories import with_results
from kit.paging import Rows, beyond_cursor, page_among, page_of, until, values_ahead

SCANNED: Final = 2_000
"""How many bets a page reads at most from the index that it follows."""
FEW: Final = 1_000
"""So many bets are sorted instead, if an index finds them by their filter in another order."""
FEW_GAMES: Final = 100

Bets = QuerySet[Bet]
Query = BetFilter | AnyBetFilter
Along = Sequence[QuerySet[Any]]
"""The rows that a page follows, of one or more tables, in the order of the list."""


def page_of_own_bets(bets: Bets, query: Query) -> Rows:
    """Return a page of one user's bets, with their results. Raises as `page_of`."""
    matching = with_results(query.narrow(bets))
    if query.only_game:
        return page_of(matching, query)
    return _following(matching, query, [_by_index(bets, query)], covered={"user"})


def page_of_all_bets(bets: Bets, query: AnyBetFilter) -> Rows:
    """Return a page of everybody's bets, with their results. Raises as `page_of`."""
    if query.user is not None:
        return page_of_own_bets(bets.filter(user=query.user), query)
    matching = with_results(query.narrow(bets))
    if query.only_game:
        return page_of(matching, query)
    for keys in _few_keys(query):
        if keys.count() <= FEW:
            return page_of(matching.filter(pk__in=keys), query)
    if query.spot is not None:
        bets = bets.filter(spot=query.spot)
    elif query.outcome not in {None, "open"}:
        return _following(matching, query, list(_settled(bets, query)))
    return _following(matching, query, [_by_index(bets, query)], covered={"spot"})


def export_along(bets: Bets, query: BetExport | AnyBetExport) -> Bets | None:
    """Return the bets that an export follows, or None if it is of one game."""
    if query.only_game:
        return None
    if isinstance(query, AnyBetExport) and query.user is not None:
        bets = bets.filter(user=query.user)
    return bets.filter(**query.bounds("at"))


def _few_keys(query: AnyBetFilter) -> Iterator[QuerySet[Any, Any]]:
    """Yield the bets that match one filter, if an index finds them, each up to one beyond `FEW`."""
    found: list[Bets] = []
    stakes = {"stake__gte": query.stake_min, "stake__lte": query.stake_max}
    if given := {lookup: value for lookup, value in stakes.items() if value is not None}:
        found.append(Bet.objects.filter(**given).order_by("stake"))
    if query.spot_prefix is not None:
        found.append(Bet.objects.filter(spot__startswith=query.spot_prefix).order_by("spot"))
    games: list[QuerySet[Any, Any]] = []
    if query.slug is not None:
        of_rules = Game.objects.filter(slug=query.slug)
        games.append(of_rules.order_by("-id").values_list("id", flat=True))
    if query.outcome == "open":
        running = Head.objects.filter(ended="").order_by("game_id")
        games.append(running.values_list("game_id", flat=True))
    for each in games:
        ids = list(each[: FEW_GAMES + 1])
        if len(ids) <= FEW_GAMES:
            found.append(Bet.objects.filter(game__in=ids).order_by())
    return (bets.values("game_id", "number")[: FEW + 1] for bets in found)


def _by_index(bets: Bets, query: BetChoice) -> Bets:
    """Return bets by time alone, as an index has them."""
    return bets.filter(**query.bounds("at")).order_by(bets.query.order_by[0])


def _settled(bets: Bets, query: Query) -> Iterator[QuerySet[Any]]:
    """Yield the settlements, or corrections, of bets with an outcome, by the time of the bets."""
    order = str(bets.query.order_by[0]).replace("at", "placed_at")
    at = query.bounds("placed_at")
    yield Settlement.objects.filter(outcome=query.outcome, **at).order_by(order)
    if query.outcome == "void":
        yield Correction.objects.filter(**at).order_by(order)


def _following(
    matching: QuerySet[Bet, Any],
    query: Query,
    along: Along,
    covered: AbstractSet[str] = frozenset(),
) -> Rows:
    """Return the next page of the matching bets among those that `along` has.

    `covered` names filters that `along` has, in addition to those of the time. If there are no
    others, the page is just the next rows. Otherwise a short way is tried first: most pages are
    full by then.
    """
    if query.given <= covered | {"placed_after", "placed_before"}:
        return page_of(matching, query)
    nearest = max if str(matching.query.order_by[0]).startswith("-") else min
    for places in (4 * query.limit, SCANNED):
        ends = [tuple(found) for rows in along if (found := values_ahead(rows, query, places))]
        end = nearest(ends, default=())
        if along[0].model is Bet:
            page = page_of(until(matching, end) if end else matching, query, end)
        else:
            page = page_among(_first(matching, query, along, end), query, end)
        if not end or len(page.rows) == query.limit:
            break
    return page


def _first(
    matching: QuerySet[Bet, Any], query: Query, along: Along, end: Sequence[Any]
) -> QuerySet[Bet, Any]:
    """Return the first bets whose settlements or corrections match, enough for a page.

    The settlements are limited before their bets are read: the planner would rather read all bets
    of that time.
    """
    order = [str(name) for name in matching.query.order_by]
    by_placing = [name.replace("at", "placed_at") for name in order]
    keys: list[QuerySet[Any, Any]] = []
    for rows in along:
        ahead = query.narrow_settled(until(rows, end) if end else rows)
        ahead, _ = beyond_cursor(ahead.order_by(*by_placing), query)
        keys.append(ahead.values("game_id", "number")[: query.limit + 1])
    first = Bet.objects.filter(pk__in=keys[0].union(*keys[1:], all=True))
    return with_results(first.order_by(*order))
