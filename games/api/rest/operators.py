"""What who runs the server does about games, and the log of it: for who holds the scope `admin`."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.rest import operation, person
from accounts.strict import Body
from accounts.tokens import Scope
from games import operators, selectors
from games.api import answers
from games.filters import ActFilter
from games.paging import page_of


class Why(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason, which the players read."""

    reason: Annotated[str, Meta(min_length=operators.REASON_MIN, max_length=operators.REASON_MAX)]


class VoidGame(APIView):
    @operation("void_game", "game_voided", "busy", scope=Scope.ADMIN, status=204)
    def post(self, request: Request, game: UUID, body: Why) -> None:
        """Call a game off, even one that has ended: open bets are void, buy-ins go back."""
        operators.void_game(person(request), game, body.reason)


class VoidBet(APIView):
    @operation(
        "void_bet",
        "bet_void_already",
        "bet_not_voidable",
        "insufficient_funds",
        "game_voided",
        "game_stalled",
        "rules_missing",
        "busy",
        scope=Scope.ADMIN,
        status=204,
    )
    def post(self, request: Request, game: UUID, number: int, body: Why) -> None:
        """Call one bet off, open or settled, in a game that runs or has ended: what it moved goes back."""
        operators.void_bet(person(request), game, number, body.reason)


class Notes(APIView):
    @operation("annotate_game", "game_voided", "game_stalled", "rules_missing", "busy", scope=Scope.ADMIN, status=204)
    def post(self, request: Request, game: UUID, body: Why) -> None:
        """Add a note to the log of a game, even of one that has ended."""
        operators.annotate(person(request), game, body.reason)


class Acts(APIView):
    @operation("list_operator_acts", scope=Scope.ADMIN)
    def get(self, request: Request, query: ActFilter) -> answers.Page[answers.OperatorAct]:
        """What operators asked for, and why, newest first; what came of it, the logs of the games say."""
        found = page_of(query.narrow(selectors.operator_acts()), query)
        return answers.Page(items=[answers.OperatorAct.of(act) for act in found.rows], next=found.next)
