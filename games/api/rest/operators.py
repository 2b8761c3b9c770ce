"""What who runs the server does about games and talk, and the log of it: for who holds the scope
`admin`."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.rest import operation, person
from accounts.tokens import Scope
from games.api import types
from games.api.rest.games import AfterVersion, at_the_table
from games.operators import actions
from games.play import service
from games.reads import selectors
from games.reads.filters import ActionFilter, AnyGameFilter, AnyLobbyFilter
from kit.paging import page_of
from kit.validation import Body, Query


class Why(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason. The players of a game read it."""

    reason: actions.Reason


class Look(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason for the operators' log."""

    reason: actions.Reason


class LookAtCommits(AfterVersion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of commits, and the reason for the operators' log."""

    reason: actions.Reason


class Lobbies(APIView):
    @operation("list_all_lobbies", scope=Scope.ADMIN)
    def get(self, request: Request, query: AnyLobbyFilter) -> types.Page[types.Lobby]:
        """List everybody's lobbies, newest first, without invite codes. The request is logged."""
        found = page_of(actions.find_lobbies(person(request), query), query)
        return types.Page(
            items=[types.Lobby.of(lobby, None) for lobby in found.rows], next=found.next
        )


class Games(APIView):
    @operation("list_all_games", scope=Scope.ADMIN)
    def get(self, request: Request, query: AnyGameFilter) -> types.Page[types.Game]:
        """List everybody's games, newest first. The request is logged."""
        user = person(request)
        found = page_of(actions.find_games(user, query), query)
        return types.Page(items=[types.Game.of(game, user) for game in found.rows], next=found.next)


class WatchedView(APIView):
    @operation("watch_game", "rules_missing", "game_stalled", scope=Scope.ADMIN)
    def get(self, request: Request, game: UUID, query: Look) -> types.ViewAtHead:
        """Get a spectator's view of any game. The request and its reason are logged."""
        actions.watch(person(request), game, query.reason)
        return types.ViewAtHead.of(game, None, at_the_table(service.view(game, None)))


class WatchedCommits(APIView):
    @operation("watch_commits", "rules_missing", "game_stalled", scope=Scope.ADMIN)
    def get(self, request: Request, game: UUID, query: LookAtCommits) -> types.Commits:
        """List the commits of any game after a version, as a spectator may read them. The request
        and its reason are logged."""
        actions.watch(person(request), game, query.reason)
        records = at_the_table(service.commits(game, query.after, query.limit))
        return types.Commits.of(records, None, query.after)


class VoidGame(APIView):
    @operation("void_game", "game_voided", "busy", scope=Scope.ADMIN, status=204)
    def post(self, request: Request, game: UUID, body: Why) -> None:
        """Void a game, even one that has ended: open bets are voided and buy-ins returned."""
        actions.void_game(person(request), game, body.reason)


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
        """Void one bet, open or settled, during or after its game. Its transfers are reversed."""
        actions.void_bet(person(request), game, number, body.reason)


class Notes(APIView):
    @operation(
        "annotate_game",
        "game_voided",
        "game_stalled",
        "rules_missing",
        "busy",
        scope=Scope.ADMIN,
        status=204,
    )
    def post(self, request: Request, game: UUID, body: Why) -> None:
        """Add a note to the log of a game, even of one that has ended."""
        actions.annotate(person(request), game, body.reason)


class Mute(APIView):
    @operation("mute_as_operator", scope=Scope.ADMIN, status=204)
    def post(self, request: Request, lobby: UUID, user: UUID, body: Why) -> None:
        """Mute a user in a lobby, its host included, until an operator lifts it."""
        actions.mute(person(request), lobby, user, body.reason)


class Unmute(APIView):
    @operation("unmute_as_operator", scope=Scope.ADMIN, status=204)
    def post(self, request: Request, lobby: UUID, user: UUID, body: Why) -> None:
        """Unmute a user in a lobby, whoever muted them."""
        actions.unmute(person(request), lobby, user, body.reason)


class Actions(APIView):
    @operation("list_operator_actions", scope=Scope.ADMIN)
    def get(self, request: Request, query: ActionFilter) -> types.Page[types.OperatorAction]:
        """List what operators requested and why, newest first. The games' logs show the effects."""
        found = page_of(query.narrow(selectors.operator_actions()), query)
        return types.Page(
            items=[types.OperatorAction.of(action) for action in found.rows], next=found.next
        )
