"""Queries of bets, commits, accounts and transfers, limited to what the user may read."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    F,
    Manager,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from accounts import ledger
from accounts.models import Account, Transfer, User
from games.models import Bet, Commit, DetachedMonth, Game, Lobby, OperatorAction
from games.store.registry import catalogue
from kit.problems import Problem


def all_bets() -> QuerySet[Bet]:
    """Return the bets of all games, newest first (auditors only)."""
    return Bet.objects.order_by("-at", "-game_id", "-number")


def bets_of(user: User) -> QuerySet[Bet]:
    """Return a user's own bets, newest first."""
    return all_bets().filter(user=user)


def bets_in_all(games: Collection[UUID] | QuerySet[Game, Any]) -> QuerySet[Bet]:
    """Return the bets of games that the caller may see, by game in placing order."""
    return Bet.objects.filter(game__in=games).order_by("game_id", "number")


def with_results(bets: QuerySet[Bet]) -> QuerySet[Bet, Any]:
    """Return bets as named rows with their results, in the columns of the bet histories.

    `drawn_before` and `drawn_until` are null until the game has ended.
    """
    is_over = ~Q(game__head__ended="")
    return bets.annotate(
        slug=F("game__slug"),
        is_bot=Q(user=None) | Q(user__owner__isnull=False),
        outcome=Case(
            When(corrections__version__isnull=False, then=Value("void")),
            default=Coalesce("settlements__outcome", Value("open")),
        ),
        payout=F("settlements__payout") + Coalesce("corrections__payout", 0),
        settled_version=Coalesce("corrections__version", "settlements__version"),
        settled_at=Coalesce("corrections__at", "settlements__at"),
        drawn_before=Case(When(is_over, then="drawn")),
        drawn_until=Case(When(is_over, then="settlements__drawn")),
    ).values_list(
        "game_id",
        "slug",
        "number",
        "user_id",
        "is_bot",
        "seat",
        "spot",
        "stake",
        "odds",
        "version",
        "at",
        "outcome",
        "payout",
        "settled_version",
        "settled_at",
        "drawn_before",
        "drawn_until",
        named=True,
    )


def accounts_of(user: User) -> QuerySet[Account]:
    """Return a user's own accounts."""
    return Account.objects.filter(owner=user).order_by("id")


def transfers_of(user: User) -> QuerySet[Transfer]:
    """Return the transfers of a user's own accounts, newest first."""
    own = Account.objects.filter(owner=user).values("id")
    return _transfers(Transfer.objects.filter(Q(debit__in=own) | Q(credit__in=own))).order_by("-id")


def all_transfers() -> QuerySet[Transfer]:
    """Return all transfers, newest first (auditors only)."""
    return _transfers(Transfer.objects).order_by("-id")


def with_sides(transfers: QuerySet[Transfer]) -> QuerySet[Transfer, Any]:
    """Return transfers as named rows with their accounts, in the columns of the exports."""
    sides = ("debit__book", "debit__key", "credit__book", "credit__key")
    columns = ("id", "cause", "number", "position", *sides, "amount", "debit__unit", "reason", "at")
    return transfers.values_list(*columns, named=True)


def names_of(ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the names of people and lobbies, and the words of games, by their ids."""
    return {
        **dict(User.objects.filter(id__in=ids).values_list("id", "display_name")),
        **dict(Lobby.objects.filter(id__in=ids).values_list("id", "title")),
        **{
            game: catalogue()[slug].title["en"] if slug in catalogue() else slug
            for game, slug in Game.objects.filter(id__in=ids).values_list("id", "slug")
        },
    }


def commits_in_all(games: Collection[UUID]) -> QuerySet[Commit]:
    """Return the commits of games that the caller may see, by game in order.

    The caller of this function filters their content.
    """
    return Commit.objects.filter(game__in=games).order_by("game_id", "version")


def with_previous(commits: QuerySet[Commit]) -> QuerySet[Commit]:
    """Return commits with what their hashes follow: `previous`, the hash before, and for the first
    one of a game `genesis`."""
    before = Commit.objects.filter(game_id=OuterRef("game_id"), version=OuterRef("version") - 1)
    games = Game.objects.filter(id=OuterRef("game_id"))
    return commits.annotate(
        previous=Subquery(before.values("hash")),
        genesis=Case(When(version=1, then=Subquery(games.values("genesis")))),
    )


def transfers_in_all(games: Collection[UUID] | QuerySet[Game, Any]) -> QuerySet[Transfer]:
    """Return the transfers between the purses of games, by game, version and position.

    Games whose seats hide their money have none until they end.
    """
    moved = Transfer.objects.filter(cause__in=games, number__gt=0)
    found = moved.exclude(cause__in=_hiding_money().filter(id__in=games).values("id"))
    return _transfers(found).order_by("cause", "number", "position")


def _hiding_money() -> QuerySet[Game]:
    """Return the running games whose seats hide their money from each other."""
    hidden = Q(pk__in=())
    for slug, rules in catalogue().items():
        if rules.hides_money is not None:
            hidden |= Q(slug=slug, lobby__options__contains=rules.hides_money)
    return Game.objects.filter(hidden, head__ended="")


def purses_at(game: Game, version: int | None) -> Sequence[tuple[Account, int]]:
    """Return the purses of a game with their balances after a version, or now.

    A game whose seats hide their money shows none until it ends.
    """
    hidden = _hiding_money().filter(id=game.id).values("id")
    purses = list(Account.objects.filter(book=game.id).exclude(book__in=hidden).order_by("id"))
    if version is None:
        return [(purse, purse.balance) for purse in purses]
    balances = ledger.balances(
        Transfer.objects.filter(cause=game.id, number__gt=0, number__lte=version)
    )
    return [(purse, balances.get(purse.id, 0)) for purse in purses]


def balance_of(user: User, account: int, at: datetime | None) -> tuple[Account, int]:
    """Return one of a user's own accounts with its balance at a moment, or now.

    Raises Problem `not_found`.
    """
    own = accounts_of(user).filter(id=account).first()
    if own is None:
        raise Problem("not_found", what="account")
    return own, own.balance if at is None else ledger.balance_at(own, at)


def _transfers(transfers: QuerySet[Transfer] | Manager[Transfer]) -> QuerySet[Transfer]:
    return transfers.select_related("debit", "credit")


def archived_months() -> QuerySet[DetachedMonth]:
    """Return the archived months with their number of games, oldest first."""
    return DetachedMonth.objects.annotate(count=Count("games")).order_by("month")


def operator_actions() -> QuerySet[OperatorAction]:
    """Return the actions of operators, newest first (operators only)."""
    return OperatorAction.objects.order_by("-id")
