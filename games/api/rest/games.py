"""Games: what they are, what one sees of them, and what one does in them."""

from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar
from uuid import UUID

import msgspec
from django.db import close_old_connections
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.rest import operation, person
from accounts.tokens import Scope
from games.api import types
from games.api.sockets.frames import PLAY_PROBLEMS
from games.engine import Seat
from games.play import service
from games.reads import selectors
from games.reads.filters import GameFilter
from kit import event_loop, validation
from kit.paging import page_of
from kit.problems import Problem
from kit.validation import Body, Query

Version = Annotated[int, Meta(ge=0, le=2**30)]
Most = Annotated[int, Meta(ge=1, le=500)]


class AfterVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of what follows a version."""

    after: Version = 0
    limit: Most = 100


class HowMany(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most commands to list."""

    limit: Most = 100


class NewCommand(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command under an id chosen by the client.

    The same id with the same command is carried out once and returns the same response, so send it
    again when a response was lost.
    """

    id: UUID
    command: types.RawCommand


T = TypeVar("T")


def at_the_table(work: Coroutine[Any, Any, T]) -> T:
    """What the store loop makes of this. Meanwhile this thread gives its database connection back:
    who waits holds none."""
    close_old_connections()
    return event_loop.call(work)


def viewer_of(request: Request, game: UUID) -> Seat | None:
    """Where the caller sits at this game; None for a spectator. Raises Problem `not_found`."""
    return at_the_table(service.viewer_of(person(request).id, game))


def seat_of(request: Request, game: UUID) -> Seat:
    """Where the caller sits at this game. Raises Problem `not_found`, `spectators_only_watch`."""
    seat = viewer_of(request, game)
    if seat is None:
        raise Problem("spectators_only_watch")
    return seat


class Games(APIView):
    @operation("list_games", scope=Scope.READ)
    def get(self, request: Request, query: GameFilter) -> types.Page[types.Game]:
        """List games of public lobbies and your own games, newest first."""
        user = person(request)
        found = page_of(query.narrow(selectors.games_for(user), user), query)
        return types.Page(items=[types.Game.of(game, user) for game in found.rows], next=found.next)


class Game(APIView):
    @operation("get_game", "rules_missing", "game_stalled", scope=Scope.READ)
    def get(self, request: Request, game: UUID) -> types.GameInFull:
        """Get one game, with its result once it has ended."""
        user = person(request)
        found = selectors.game_for(user, game)
        is_finished = found.head.ended == found.head.Ended.FINISHED
        result = types.Result.of(at_the_table(service.at_head(game))) if is_finished else None
        return types.GameInFull.of(found, user, result=result)


class View(APIView):
    @operation("get_view", "rules_missing", "game_stalled", scope=Scope.READ)
    def get(self, request: Request, game: UUID) -> types.ViewAtHead:
        """Get what your seat, or a spectator, sees now."""
        seat = viewer_of(request, game)
        return types.ViewAtHead.of(game, seat, at_the_table(service.view(game, seat)))


class Commits(APIView):
    @operation("list_commits", "rules_missing", "game_stalled", scope=Scope.READ)
    def get(self, request: Request, game: UUID, query: AfterVersion) -> types.Commits:
        """List the commits after a version, oldest first, with the events that you may read."""
        seat = viewer_of(request, game)
        records = at_the_table(service.commits(game, query.after, query.limit))
        return types.Commits.of(records, seat, query.after)


class Legal(APIView):
    @operation(
        "list_legal_commands",
        "spectators_only_watch",
        "rules_missing",
        "game_stalled",
        scope=Scope.READ,
    )
    def get(self, request: Request, game: UUID, query: HowMany) -> types.LegalCommands:
        """List the commands that your seat may send now, or a sample of them."""
        version, commands, is_complete = at_the_table(
            service.legal(game, seat_of(request, game), query.limit)
        )
        return types.LegalCommands(version=version, commands=commands, is_complete=is_complete)


class Commands(APIView):
    @operation(
        "play",
        *PLAY_PROBLEMS,
        scope=Scope.PLAY,
        status=201,
    )
    def post(self, request: Request, game: UUID, body: NewCommand) -> types.Commit:
        """Send a command for your seat. An accepted command is committed; a refused one changed
        nothing."""
        seat = seat_of(request, game)
        try:
            record = at_the_table(service.play(game, seat, bytes(body.command), body.id))
        except msgspec.ValidationError as error:
            raise validation.malformed(error, "$.command") from error
        except TimeoutError:
            raise Problem("outcome_unknown") from None
        return types.Commit.of(record, seat)
