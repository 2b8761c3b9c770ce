"""Histories of bets and of money: pages, files, balances then and now."""

from typing import Annotated, Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils import timezone
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import Transfer
from accounts.rest import WhateverIsAccepted, operation, person
from accounts.tokens import Scope
from games.api import types
from games.api.exports import BETS, TRANSFERS, WRITERS, Sheet, Stream, parts
from games.models import Bet
from games.reads import selectors
from games.reads.filters import (
    AccountFilter,
    AnyBetExport,
    AnyBetFilter,
    BetExport,
    BetFilter,
    Format,
    TransferExport,
    TransferFilter,
)
from kit.paging import page_of
from kit.validation import Moment, Query

Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]

MEDIA: Final = tuple(writer.media_type for writer in WRITERS.values())


class AtMoment(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The moment of the balance."""

    at: Moment | None = None


class AtVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The version of the game."""

    version: Version | None = None


def _bets(bets: QuerySet[Bet], query: BetFilter | AnyBetFilter) -> types.Page[types.Bet]:
    found = page_of(selectors.with_fates(query.narrow(bets)), query)
    return types.Page(items=[types.Bet.of(row) for row in found.rows], next=found.next)


def _file(sheet: Sheet, chosen: QuerySet[Any], form: Format) -> StreamingHttpResponse:
    writer = WRITERS[form](sheet.kind)
    name = f"{sheet.name}-{timezone.now():%Y%m%dT%H%M%SZ}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(
        Stream(part for _, part in parts(sheet, chosen, writer)),
        content_type=writer.media_type,
        headers=headers,
    )


def _transfers(transfers: QuerySet[Transfer], query: TransferFilter) -> types.Page[types.Transfer]:
    found = page_of(query.narrow(transfers), query)
    return types.Page(
        items=[types.Transfer.of(transfer) for transfer in found.rows], next=found.next
    )


class Bets(APIView):
    @operation("list_bets", scope=Scope.READ)
    def get(self, request: Request, query: BetFilter) -> types.Page[types.Bet]:
        """List your bets in all games, newest first."""
        return _bets(selectors.bets_of(person(request)), query)


class ExportedBets(APIView):
    content_negotiation_class = WhateverIsAccepted

    @operation("export_bets", "busy", scope=Scope.READ, media=MEDIA)
    def get(self, request: Request, query: BetExport) -> StreamingHttpResponse:
        """Download your bets in all games as a file, oldest first.

        The file holds every bet placed before the request. It is cut short only if the connection
        breaks.
        """
        return _file(BETS, query.narrow(selectors.bets_of(person(request))), query.format)


class AllBets(APIView):
    @operation("list_all_bets", scope=Scope.AUDIT)
    def get(self, request: Request, query: AnyBetFilter) -> types.Page[types.Bet]:
        """List everybody's bets in all games, newest first (auditors only)."""
        return _bets(selectors.all_bets(), query)


class ExportedAllBets(APIView):
    content_negotiation_class = WhateverIsAccepted

    @operation("export_all_bets", "busy", scope=Scope.AUDIT, media=MEDIA)
    def get(self, request: Request, query: AnyBetExport) -> StreamingHttpResponse:
        """Download everybody's bets in all games as a file, oldest first (auditors only)."""
        return _file(BETS, query.narrow(selectors.all_bets()), query.format)


class BetsInGame(APIView):
    @operation("list_bets_in_game", scope=Scope.READ)
    def get(self, request: Request, game: UUID, query: BetFilter) -> types.Page[types.Bet]:
        """List all bets of a game in the order in which they were placed."""
        return _bets(selectors.bets_in(selectors.game_for(person(request), game)), query)


class Accounts(APIView):
    @operation("list_accounts", scope=Scope.READ)
    def get(self, request: Request, query: AccountFilter) -> types.Page[types.Account]:
        """List your ledger accounts, oldest first."""
        found = page_of(query.narrow(selectors.accounts_of(person(request))), query)
        return types.Page(
            items=[types.Account.of(account) for account in found.rows], next=found.next
        )


class Balance(APIView):
    @operation("get_balance", "not_found", scope=Scope.READ)
    def get(self, request: Request, account: int, query: AtMoment) -> types.Balance:
        """Get the balance of one of your accounts at a moment, by default now."""
        return types.Balance.of(*selectors.balance_of(person(request), account, query.at))


class Transfers(APIView):
    @operation("list_transfers", scope=Scope.READ)
    def get(self, request: Request, query: TransferFilter) -> types.Page[types.Transfer]:
        """List the transfers to and from your accounts, newest first."""
        return _transfers(selectors.transfers_of(person(request)), query)


class ExportedTransfers(APIView):
    content_negotiation_class = WhateverIsAccepted

    @operation("export_transfers", "busy", scope=Scope.READ, media=MEDIA)
    def get(self, request: Request, query: TransferExport) -> StreamingHttpResponse:
        """Download the transfers to and from your accounts as a file, oldest first."""
        return _file(TRANSFERS, query.narrow(selectors.transfers_of(person(request))), query.format)


class ExportedAllTransfers(APIView):
    content_negotiation_class = WhateverIsAccepted

    @operation("export_all_transfers", "busy", scope=Scope.AUDIT, media=MEDIA)
    def get(self, request: Request, query: TransferExport) -> StreamingHttpResponse:
        """Download all transfers, in games and outside, as a file, oldest first (auditors only)."""
        return _file(TRANSFERS, query.narrow(selectors.all_transfers()), query.format)


class Purses(APIView):
    @operation("list_purses", scope=Scope.READ)
    def get(self, request: Request, game: UUID, query: AtVersion) -> list[types.Balance]:
        """List the purses of a game with their balances after a version, by default now."""
        found = selectors.purses_at(selectors.game_for(person(request), game), query.version)
        return [types.Balance.of(purse, balance) for purse, balance in found]


class TransfersInGame(APIView):
    @operation("list_transfers_in_game", scope=Scope.READ)
    def get(
        self, request: Request, game: UUID, query: TransferFilter
    ) -> types.Page[types.Transfer]:
        """List the transfers of a game by version and position."""
        return _transfers(selectors.transfers_in(selectors.game_for(person(request), game)), query)
