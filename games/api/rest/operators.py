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
from games.reads.filters import ActFilter, AnyGameFilter, AnyLobbyFilter
from kit.paging import page_of
from kit.validation import Body, Query


class Why(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason. What is done to a game, its players read."""

    reason: actions.Reason


class Look(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why one looks, which goes into the log of operators."""

    reason: actions.Reason


class LookAtCommits(AfterVersion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The commits that follow a version; and why one looks, which goes into the log of
    operators."""

    reason: actions.Reason


class Lobbies(APIView):
    @operation("list_all_lobbies", scope=Scope.ADMIN)
    def get(self, request: Request, query: AnyLobbyFilter) -> types.Page[types.Lobby]:
        """Everybody's lobbies, newest first, as a stranger sees public ones: without invite codes.
        It is written down."""
        found = page_of(actions.find_lobbies(person(request), query), query)
        return types.Page(
            items=[types.Lobby.of(lobby, None) for lobby in found.rows], next=found.next
        )


class Games(APIView):
    @operation("list_all_games", scope=Scope.ADMIN)
    def get(self, request: Request, query: AnyGameFilter) -> types.Page[types.Game]:
        """Everybody's games, newest first. It is written down."""
        user = person(request)
        found = page_of(actions.find_games(user, query), query)
        return types.Page(items=[types.Game.of(game, user) for game in found.rows], next=found.next)


class WatchedView(APIView):
    @operation("watch_game", "rules_missing", "game_stalled", scope=Scope.ADMIN)
    def get(self, request: Request, game: UUID, query: Look) -> types.ViewAtHead:
        """What a spectator of any game sees now, were there one. That one looked, and why, is
        written down."""
        actions.watch(person(request), game, query.reason)
        return types.ViewAtHead.of(game, None, at_the_table(service.view(game, None)))


class WatchedCommits(APIView):
    @operation("watch_commits", "rules_missing", "game_stalled", scope=Scope.ADMIN)
    def get(self, request: Request, game: UUID, query: LookAtCommits) -> types.Commits:
        """The commits of any game after a version, as a spectator may read them. That one looked,
        and why, is written down."""
        actions.watch(person(request), game, query.reason)
        records = at_the_table(service.commits(game, query.after, query.limit))
        return types.Commits.of(records, None, query.after)


class VoidGame(APIView):
    @operation("void_game", "game_voided", "busy", scope=Scope.ADMIN, status=204)
    def post(self, request: Request, game: UUID, body: Why) -> None:
        """Call a game off, even one that has ended: open bets are void, buy-ins go back."""
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
        """Call one bet off, open or settled, in a game that runs or has ended: what it moved goes
        back."""
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
        """Let a person talk no more in a lobby, its host too, until an operator lifts it."""
        actions.mute(person(request), lobby, user, body.reason)


class Unmute(APIView):
    @operation("unmute_as_operator", scope=Scope.ADMIN, status=204)
    def post(self, request: Request, lobby: UUID, user: UUID, body: Why) -> None:
        """Let a person talk again in a lobby, whoever muted them."""
        actions.unmute(person(request), lobby, user, body.reason)


class Acts(APIView):
    @operation("list_operator_acts", scope=Scope.ADMIN)
    def get(self, request: Request, query: ActFilter) -> types.Page[types.OperatorAct]:
        """What operators asked for, and why, newest first; what came of it, the logs of the games
        say."""
        found = page_of(query.narrow(selectors.operator_acts()), query)
        return types.Page(items=[types.OperatorAct.of(act) for act in found.rows], next=found.next)
