"""Histories of bets and money: lists, exports, and balances at any time."""

from collections.abc import Collection
from typing import Annotated, Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils import timezone
from msgspec import Meta

from accounts.models import Account, Transfer, User
from accounts.tokens import Caller, Scope
from games.api import types
from games.api.exports import BETS, TRANSFERS, WRITERS, Sheet, Stream, parts
from games.api.operations.lists import row_list
from games.archive.reading import opened
from games.models import Bet, Game
from games.reads.bet_pages import export_along, page_of_all_bets, page_of_own_bets
from games.reads.filters import (
    AccountFilter,
    AnyBetExport,
    AnyBetFilter,
    BetExport,
    BetFilter,
    TransferExport,
    TransferFilter,
)
from games.reads.games import game_for
from games.reads.histories import (
    accounts_of,
    all_bets,
    all_transfers,
    archived_months,
    balance_of,
    bets_in_all,
    bets_of,
    purses_at,
    transfers_in_all,
    transfers_of,
    with_results,
)
from kit.operations import operation
from kit.replicas import reading
from kit.validation import Moment, Query

Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]

MEDIA: Final = tuple(writer.media_type for writer in WRITERS.values())
NO_FILE: Final = ("busy", "archive_damaged", "format_not_installed")


Games = Collection[UUID] | QuerySet[Game, Any]


class AtMoment(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The moment of the balance."""

    at: Moment | None = None


class AtVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The version of the game."""

    version: Version | None = None


def _file(
    sheet: Sheet,
    rows: QuerySet[Any],
    query: BetExport | AnyBetExport | TransferExport,
    among: QuerySet[Any] | None = None,
) -> StreamingHttpResponse:
    now = timezone.now()
    name = f"{sheet.name}-{now:%Y%m%dT%H%M%SZ}.{query.format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    with reading() as as_of:
        found = parts(sheet, query.narrow(rows), query, query.only_game, as_of or now, among)
    if as_of is not None:
        headers["As-Of"] = as_of.isoformat()
    return StreamingHttpResponse(
        Stream((part for _, part in found), as_of),
        content_type=WRITERS[query.format].media_type,
        headers=headers,
    )


BET_ORDER: Final = {"placed_at": "at"}
TRANSFER_ORDER: Final = {"at": "at", "amount": "amount", "number": "number"}


def _bet(row: Any, _: User) -> types.Bet:
    return types.Bet.of(row)


def _transfer(transfer: Transfer, _: User) -> types.Transfer:
    return types.Transfer.of(transfer)


@row_list("list_bets", types.Bet, _bet, order=BET_ORDER, page=page_of_own_bets)
def list_bets(caller: Caller, query: BetFilter) -> QuerySet[Bet, Any]:
    """List your bets in all games, newest first."""
    return bets_of(caller.user)


@operation("export_bets", *NO_FILE, scope=Scope.READ, media=MEDIA)
def export_bets(caller: Caller, query: BetExport) -> StreamingHttpResponse:
    """Download your bets in all games as a file, oldest first.

    The file holds every bet placed before the request. It is cut short only if the connection
    breaks.
    """
    bets = bets_of(caller.user)
    return _file(BETS, bets, query, export_along(bets, query))


@row_list(
    "list_all_bets",
    types.Bet,
    _bet,
    order=BET_ORDER,
    scope=Scope.AUDIT,
    page=page_of_all_bets,
)
def list_all_bets(caller: Caller, query: AnyBetFilter) -> QuerySet[Bet, Any]:
    """List everybody's bets in all games, newest first (auditors only)."""
    return all_bets()


@operation("export_all_bets", *NO_FILE, scope=Scope.AUDIT, media=MEDIA)
def export_all_bets(caller: Caller, query: AnyBetExport) -> StreamingHttpResponse:
    """Download everybody's bets in all games as a file, oldest first (auditors only)."""
    bets = all_bets()
    return _file(BETS, bets, query, export_along(bets, query))


@row_list(
    "list_bets_in_game",
    types.Bet,
    _bet,
    order={**BET_ORDER, "stake": "stake"},
    by="game_id",
)
def list_bets_in_game(games: Games, query: BetFilter) -> QuerySet[Bet, Any]:
    """List all bets of a game in the order in which they were placed."""
    return with_results(query.narrow(bets_in_all(games)))


@row_list(
    "list_accounts",
    types.Account,
    lambda account, _: types.Account.of(account),
    order={"unit": "unit", "key": "key"},
)
def list_accounts(caller: Caller, query: AccountFilter) -> QuerySet[Account]:
    """List your ledger accounts, oldest first."""
    return query.narrow(accounts_of(caller.user))


@operation("get_balance", "not_found", scope=Scope.READ)
def get_balance(caller: Caller, account: int, query: AtMoment) -> types.Balance:
    """Get the balance of one of your accounts at a moment, by default now."""
    return types.Balance.of(*balance_of(caller.user, account, query.at))


@row_list("list_transfers", types.Transfer, _transfer, order=TRANSFER_ORDER)
def list_transfers(caller: Caller, query: TransferFilter) -> QuerySet[Transfer]:
    """List the transfers to and from your accounts, newest first."""
    return query.narrow(transfers_of(caller.user))


@operation("export_transfers", *NO_FILE, scope=Scope.READ, media=MEDIA)
def export_transfers(caller: Caller, query: TransferExport) -> StreamingHttpResponse:
    """Download the transfers to and from your accounts as a file, oldest first."""
    return _file(TRANSFERS, transfers_of(caller.user), query)


@operation("export_all_transfers", *NO_FILE, scope=Scope.AUDIT, media=MEDIA)
def export_all_transfers(caller: Caller, query: TransferExport) -> StreamingHttpResponse:
    """Download all transfers, in games and outside, as a file, oldest first (auditors only)."""
    return _file(TRANSFERS, all_transfers(), query)


@operation("list_archived_months", scope=Scope.READ)
def list_archived_months(caller: Caller) -> list[types.ArchivedMonth]:
    """List the months of games whose histories are archived, oldest first.

    Calls about a single game answer as before. Lists and exports over several games leave archived
    ones out. A game belongs to the month in which its lobby opened, by the time in its id."""
    return [types.ArchivedMonth.of(row) for row in archived_months()]


@operation("list_purses", scope=Scope.READ)
def list_purses(caller: Caller, game: UUID, query: AtVersion) -> list[types.Balance]:
    """List the purses of a game with their balances after a version, by default now."""
    visible = game_for(caller.user, game)
    with opened([game]):
        found = purses_at(visible, query.version)
    return [types.Balance.of(purse, balance) for purse, balance in found]


@row_list(
    "list_transfers_in_game",
    types.Transfer,
    _transfer,
    order=TRANSFER_ORDER,
    by="cause",
)
def list_transfers_in_game(games: Games, query: TransferFilter) -> QuerySet[Transfer]:
    """List the transfers of a game by version and position."""
    return query.narrow(transfers_in_all(games))
