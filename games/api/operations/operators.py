"""Operators: watch, annotate and void games, moderate lobbies, suspend users, and read the log of
these actions."""

from uuid import UUID

from django.db.models import QuerySet

from accounts import tokens
from accounts.tokens import Caller, Scope
from games import models
from games.api import types
from games.api.operations.games import AfterVersion, at_the_table
from games.api.operations.lists import row_list
from games.api.operations.lobbies import LOBBY_ORDER
from games.api.sockets.frames import HISTORY_PROBLEMS
from games.lobbies import LobbyTitle
from games.operators import actions
from games.play import service
from games.reads.filters import ActionFilter, AnyGameFilter, AnyLobbyFilter
from games.reads.histories import operator_actions
from kit.operations import operation
from kit.validation import Body, Moment, Query


class Why(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason. The players of a game read it."""

    reason: actions.Reason


class NewTitle(Why, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new title of a lobby, and the reason."""

    title: LobbyTitle


class Suspension(Why, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When the suspension ends, and the reason. Without an end, it ends now."""

    until: Moment | None


class Look(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reason for the operators' log."""

    reason: actions.Reason


class LookAtCommits(AfterVersion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of commits, and the reason for the operators' log."""

    reason: actions.Reason


@row_list(
    "list_all_lobbies",
    types.Lobby,
    lambda lobby, _: types.Lobby.of(lobby, None),
    order=LOBBY_ORDER,
    scope=Scope.ADMIN,
    is_live=True,
)
def list_all_lobbies(caller: Caller, query: AnyLobbyFilter) -> QuerySet[models.Lobby]:
    """List everybody's lobbies, newest first, without invite codes. The request is logged."""
    return actions.find_lobbies(caller.user, query)


@row_list(
    "list_all_games",
    types.Game,
    types.Game.of,
    order={"started_at": "started_at", "slug": "slug"},
    scope=Scope.ADMIN,
    is_live=True,
)
def list_all_games(caller: Caller, query: AnyGameFilter) -> QuerySet[models.Game]:
    """List everybody's games, newest first. The request is logged."""
    return actions.find_games(caller.user, query)


@operation("watch_game", "rules_missing", "seed_key_missing", *HISTORY_PROBLEMS, scope=Scope.ADMIN)
def watch_game(caller: Caller, game: UUID, query: Look) -> types.ViewAtVersion:
    """Get a spectator's view of any game. The request and its reason are logged."""
    actions.watch(caller.user, game, query.reason)
    return types.ViewAtVersion.of(game, None, at_the_table(service.view(game, None)))


@operation(
    "watch_commits", "rules_missing", "seed_key_missing", *HISTORY_PROBLEMS, scope=Scope.ADMIN
)
def watch_commits(caller: Caller, game: UUID, query: LookAtCommits) -> types.Commits:
    """List the commits of any game after a version, as a spectator may read them. The request
    and its reason are logged."""
    actions.watch(caller.user, game, query.reason)
    records = at_the_table(service.commits(game, query.after, query.limit))
    return types.Commits.of(records, None, query.after)


@operation(
    "void_game",
    "second_factor_required",
    "game_voided",
    "busy",
    scope=Scope.ADMIN,
    status=204,
    is_keyed=True,
)
def void_game(caller: Caller, game: UUID, body: Why) -> None:
    """Void a game, even one that has ended: open bets are voided and buy-ins returned."""
    tokens.require_recent_proof(caller)
    actions.void_game(caller.user, game, body.reason)


@operation(
    "void_bet",
    "second_factor_required",
    "bet_void_already",
    "bet_not_voidable",
    "insufficient_funds",
    "game_voided",
    *HISTORY_PROBLEMS,
    "seed_key_missing",
    "rules_missing",
    "busy",
    scope=Scope.ADMIN,
    status=204,
    is_keyed=True,
)
def void_bet(caller: Caller, game: UUID, number: int, body: Why) -> None:
    """Void one bet, open or settled, during or after its game. Its transfers are reversed."""
    tokens.require_recent_proof(caller)
    actions.void_bet(caller.user, game, number, body.reason)


@operation(
    "annotate_game",
    "game_voided",
    *HISTORY_PROBLEMS,
    "seed_key_missing",
    "rules_missing",
    "busy",
    scope=Scope.ADMIN,
    status=204,
    is_keyed=True,
)
def annotate_game(caller: Caller, game: UUID, body: Why) -> None:
    """Add a note to the log of a game, even of one that has ended."""
    actions.annotate(caller.user, game, body.reason)


@operation("mute_as_operator", scope=Scope.ADMIN, status=204, is_keyed=True)
def mute_as_operator(caller: Caller, lobby: UUID, user: UUID, body: Why) -> None:
    """Mute a user in a lobby, its host included, until an operator lifts it."""
    actions.mute(caller.user, lobby, user, body.reason)


@operation("unmute_as_operator", scope=Scope.ADMIN, status=204, is_keyed=True)
def unmute_as_operator(caller: Caller, lobby: UUID, user: UUID, body: Why) -> None:
    """Unmute a user in a lobby, even one whom its host muted."""
    actions.unmute(caller.user, lobby, user, body.reason)


@operation("retitle_lobby_as_operator", scope=Scope.ADMIN, status=204, is_keyed=True)
def retitle_lobby_as_operator(caller: Caller, lobby: UUID, body: NewTitle) -> None:
    """Change the title of a lobby, even of one that has ended."""
    actions.retitle_lobby(caller.user, lobby, body.title, body.reason)


@operation(
    "close_lobby_as_operator",
    "second_factor_required",
    "lobby_not_open",
    scope=Scope.ADMIN,
    status=204,
    is_keyed=True,
)
def close_lobby_as_operator(caller: Caller, lobby: UUID, body: Why) -> None:
    """Close a lobby that has not started. Everybody leaves and gets the buy-in back."""
    tokens.require_recent_proof(caller)
    actions.close_lobby(caller.user, lobby, body.reason)


@operation(
    "suspend_user",
    "second_factor_required",
    "forbidden",
    scope=Scope.ADMIN,
    status=204,
    is_keyed=True,
)
def suspend_user(caller: Caller, user: UUID, body: Suspension) -> None:
    """Suspend a user until a time, or end the suspension. Staff cannot be suspended.

    Until then no token of the user or of their bot users is valid.
    """
    tokens.require_recent_proof(caller)
    actions.suspend(caller.user, user, body.until, body.reason)


@row_list(
    "list_operator_actions",
    types.OperatorAction,
    lambda action, _: types.OperatorAction.of(action),
    order={"at": "at", "action": "action"},
    scope=Scope.ADMIN,
)
def list_operator_actions(caller: Caller, query: ActionFilter) -> QuerySet[models.OperatorAction]:
    """List the actions of operators and their reasons, newest first."""
    return query.narrow(operator_actions())
