"""Games: lists, views, commits and commands."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, TypeVar
from uuid import UUID

import msgspec
from django.db import close_old_connections
from django.db.models import QuerySet
from msgspec import Meta

from accounts.tokens import Caller, Scope
from games import models
from games.api import types
from games.api.operations.lists import row_list
from games.api.sockets.frames import HISTORY_PROBLEMS, PLAY_PROBLEMS, LegalCount
from games.live.hubs import seen_by
from games.play import absence, agreements, replay, service
from games.play.places import no_place, places_of_commands
from games.proofs.acknowledgements import acknowledge
from games.reads.filters import GameFilter
from games.reads.games import game_for, games_for
from kit import event_loop, rate_limits
from kit.operations import operation
from kit.problems import Problem
from kit.rate_limits import Spent
from kit.validation import Body, Moment, Query
from railbird_engine import Seat
from railbird_engine.kernel import chain

Version = Annotated[int, Meta(ge=0, le=2**30)]
PastVersion = Annotated[int, Meta(ge=1, le=2**30)]
Most = Annotated[int, Meta(ge=1, le=500)]


class AfterVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of what comes after a version."""

    after: Version = 0
    limit: Most = 100


class AtVersion(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A version from 1 up to the head. Without one: the head."""

    version: PastVersion | None = None


class Versions(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A range of up to 100 versions; without `to`, the 100 versions from `from`."""

    from_: PastVersion = msgspec.field(default=1, name="from")
    to: PastVersion | None = None


class HowMany(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most commands to list."""

    limit: LegalCount = 100


class NewCommand(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command under an id chosen by the client.

    The same id with the same command is carried out once and returns the same response, so send it
    again when a response was lost. It is not carried out after `not_after`, a time of the server's
    database clock: from then on the response is final. With `acknowledge` the response contains a
    signed acknowledgement, which proves what the server accepted. A player who committed with a
    `key` has `signed` every command.
    """

    id: UUID
    command: types.AnyCommand
    signed: types.CommandSignature | None = None
    not_after: Moment | None = None
    acknowledge: bool = False


T = TypeVar("T")


def at_the_table(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the store loop. Meanwhile this thread holds no database connection."""
    close_old_connections()
    return event_loop.call(work)


async def seat_of(caller: Caller, game: UUID) -> Seat:
    """Return the caller's seat. Raises Problem `not_found`, `spectators_only_watch`."""
    seat = await service.viewer_of_request(caller.user.id, game)
    if seat is None:
        raise Problem("spectators_only_watch")
    return seat


@row_list(
    "list_games",
    types.Game,
    types.Game.of,
    order={"started_at": "started_at", "slug": "slug"},
)
def list_games(caller: Caller, query: GameFilter) -> QuerySet[models.Game]:
    """List games of public lobbies and your own games, newest first."""
    return query.narrow(games_for(caller.user), caller.user)


@operation("get_game", "rules_missing", "seed_key_missing", *HISTORY_PROBLEMS, scope=Scope.READ)
def get_game(caller: Caller, game: UUID) -> types.GameInFull:
    """Get one game, with its result once it has ended."""
    user = caller.user
    found = game_for(user, game)
    is_finished = found.head.ended == found.head.Ended.FINISHED
    result = types.Result.of(at_the_table(service.at_head(game))) if is_finished else None
    alone = chain.decode_genesis(bytes(found.genesis)).rows_salt is None
    return types.GameInFull.of(found, user, result=result, dice_of_server=alone)


@operation("get_genesis", scope=Scope.READ)
def get_genesis(caller: Caller, game: UUID) -> types.Genesis:
    """Get the genesis of a game: its terms, its seats, and the entropy that players added."""
    return types.Genesis.of(game_for(caller.user, game))


@operation(
    "get_view", "busy", "rules_missing", "seed_key_missing", *HISTORY_PROBLEMS, scope=Scope.READ
)
async def get_view(caller: Caller, game: UUID, query: AtVersion) -> types.ViewAtVersion:
    """Get what your seat, or a spectator, sees now, or saw at a version."""
    seat = await service.viewer_of_request(caller.user.id, game)
    if query.version is None:
        return types.ViewAtVersion.of(game, seat, await service.view(game, seat))
    async with _replay(caller):
        seen = await replay.view_at(game, seat, query.version)
    return types.ViewAtVersion.of(game, seat, seen)


@operation(
    "list_views", "busy", "rules_missing", "seed_key_missing", *HISTORY_PROBLEMS, scope=Scope.READ
)
async def list_views(caller: Caller, game: UUID, query: Versions) -> types.Views:
    """List what your seat, or a spectator, saw at up to 100 versions, oldest first.

    Versions beyond the head are left out. In each view, `now` is the time of the commit.
    """
    seat = await service.viewer_of_request(caller.user.id, game)
    last = query.from_ + replay.VIEWS_MAX - 1 if query.to is None else query.to
    async with _replay(caller):
        seen = await replay.views(game, seat, query.from_, last)
    return types.Views(views=[types.ViewAtVersion.of(game, seat, each) for each in seen])


@asynccontextmanager
async def _replay(caller: Caller) -> AsyncIterator[None]:
    """Count a request for past views. Raises Problem `too_many_requests`, `busy`."""
    await asyncio.to_thread(rate_limits.spend, Spent("replay", str(caller.user.answerable)))
    async with replay.folds().turn_of(caller.user.answerable):
        yield


@operation("list_commits", "rules_missing", "seed_key_missing", *HISTORY_PROBLEMS, scope=Scope.READ)
async def list_commits(caller: Caller, game: UUID, query: AfterVersion) -> types.Commits:
    """List the commits after a version, oldest first, with the events that you may read."""
    seat = await service.viewer_of_request(caller.user.id, game)
    records = await service.commits(game, query.after, query.limit)
    return types.Commits.of(records, seat, query.after)


@operation(
    "list_legal_commands",
    "spectators_only_watch",
    "rules_missing",
    "seed_key_missing",
    *HISTORY_PROBLEMS,
    scope=Scope.READ,
)
async def list_legal_commands(caller: Caller, game: UUID, query: HowMany) -> types.LegalCommands:
    """List the commands that your seat may send now, or a sample of them."""
    seat = await seat_of(caller, game)
    legal = await service.legal(game, seat, query.limit)
    return types.LegalCommands(**legal._asdict())


@operation("play", *PLAY_PROBLEMS, scope=Scope.PLAY, status=201)
async def play(caller: Caller, game: UUID, body: NewCommand) -> types.Committed:
    """Send a command for your seat. An accepted command is committed; a refused one changed
    nothing."""
    seat = await seat_of(caller, game)
    async with places_of_commands().one_for(caller.user.answerable) as has_place:
        if has_place:
            stored = await service.play(
                game,
                seat,
                body.command,
                body.id,
                not_after=body.not_after,
                signed=None if body.signed is None else body.signed.of(body.id),
            )
        elif (known := await service.stored_answer(game, seat, body.command, body.id)) is not None:
            stored = known
        else:
            raise no_place()
    signed = None
    if body.acknowledge:
        signed = await acknowledge(seat, body.id, stored)
    seen = msgspec.structs.asdict(seen_by(stored, seat))
    return types.Committed(**seen, acknowledgement=signed)


@operation(
    "resign",
    "spectators_only_watch",
    "game_has_ended",
    "rules_missing",
    "seed_key_missing",
    *HISTORY_PROBLEMS,
    scope=Scope.PLAY,
    status=204,
)
async def resign(caller: Caller, game: UUID) -> None:
    """Resign: a bot plays your seat to the end, and your share of the buy-ins is that of the last
    rank. Resigning again changes nothing."""
    await absence.resign(game, await seat_of(caller, game))


AGREEMENT_PROBLEMS: Final = (
    *("spectators_only_watch", "game_has_ended", "game_not_slow", "seat_forfeited"),
    *("rules_missing", "seed_key_missing", *HISTORY_PROBLEMS),
)


@operation("agree_to_void", *AGREEMENT_PROBLEMS, scope=Scope.PLAY, status=204)
async def agree_to_void(caller: Caller, game: UUID) -> None:
    """Agree to void a slow game. It is voided, with refunds, once all players agree who have not
    left it."""
    await agreements.agree(game, await seat_of(caller, game), agrees=True)


@operation("withdraw_agreement", *AGREEMENT_PROBLEMS, scope=Scope.PLAY, status=204)
async def withdraw_agreement(caller: Caller, game: UUID) -> None:
    """Agree no longer to void a slow game."""
    await agreements.agree(game, await seat_of(caller, game), agrees=False)
