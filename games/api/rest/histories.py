"""Histories of bets and of money."""

from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import Transfer
from accounts.rest import operation, person
from games import selectors
from games.api import answers
from games.filters import BetFilter, TransferFilter
from games.models import Bet
from games.paging import page_of


def _bets(bets: QuerySet[Bet], query: BetFilter) -> answers.Page[answers.Bet]:
    found = page_of(query.narrow(bets), query)
    return answers.Page(items=[answers.Bet.of(bet) for bet in found.rows], next=found.next)


def _transfers(transfers: QuerySet[Transfer], query: TransferFilter) -> answers.Page[answers.Moved]:
    found = page_of(query.narrow(transfers), query)
    return answers.Page(items=[answers.Moved.of(transfer) for transfer in found.rows], next=found.next)


class Bets(APIView):
    @operation("list_bets")
    def get(self, request: Request, query: BetFilter) -> answers.Page[answers.Bet]:
        """One's own bets in all games, newest first."""
        return _bets(selectors.bets_of(person(request)), query)


class BetsInGame(APIView):
    @operation("list_bets_in_game")
    def get(self, request: Request, game: UUID, query: BetFilter) -> answers.Page[answers.Bet]:
        """Everybody's bets in a game, in the order in which they were placed."""
        return _bets(selectors.bets_in(selectors.game_for(person(request), game)), query)


class Accounts(APIView):
    @operation("list_accounts")
    def get(self, request: Request) -> list[answers.Wallet]:
        """One's own accounts."""
        return [answers.Wallet.of(account) for account in selectors.accounts_of(person(request))]


class Transfers(APIView):
    @operation("list_transfers")
    def get(self, request: Request, query: TransferFilter) -> answers.Page[answers.Moved]:
        """What came to and left one's own accounts, newest first."""
        return _transfers(selectors.transfers_of(person(request)), query)


class TransfersInGame(APIView):
    @operation("list_transfers_in_game")
    def get(self, request: Request, game: UUID, query: TransferFilter) -> answers.Page[answers.Moved]:
        """What moved between the purses of a game, in order of version and position."""
        return _transfers(selectors.transfers_in(selectors.game_for(person(request), game)), query)
