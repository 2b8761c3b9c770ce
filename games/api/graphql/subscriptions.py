"""What can be followed: the same hubs, the same resume, the same bounded queues as the sockets
have."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any
from uuid import UUID

import msgspec
import strawberry
from strawberry.types.base import StrawberryList

from games.api import types
from games.api.graphql.calls import Context, Served
from games.api.graphql.fields import Argument, arguments_of, field, given
from games.api.graphql.inputs import Inputs
from games.api.graphql.outputs import Outputs
from games.api.graphql.scalars import Integer
from games.api.graphql.structs import Shape
from games.api.sockets import frames
from games.api.sockets.feed import Feed, FeedFilter
from games.api.sockets.following import Following
from games.live import hubs
from games.play import service
from kit import validation
from kit.problems import Problem
from kit.validation import Count


class LobbyChanges(msgspec.Struct, frozen=True, tag="changes", tag_field="type"):
    """Lobbies that have changed, as they stand, and those that one may not see any more. Some are
    told twice."""

    cursor: Count
    lobbies: list[types.Lobby]
    gone: list[UUID]


_frames_of_game = msgspec.json.Decoder(hubs.CommitsFrame | hubs.HeartbeatFrame)
_frames_of_feed = msgspec.json.Decoder(frames.Lobbies | LobbyChanges | frames.FeedHeartbeat)


def game_commits(outputs: Outputs, served: Served) -> Any:
    """The commits of a game as a field of the subscription."""

    async def resolve(
        info: strawberry.Info, game: UUID, after: int | None = None
    ) -> AsyncIterator[list[hubs.Commit]]:
        context: Context = info.context
        user = await context.admitted(served.declared)
        viewer = await service.viewer_of_request(user.id, game)
        outbox = hubs.Outbox()
        following = Following(game, viewer, after, outbox)
        try:
            async with aclosing(following.missed()) as missed:
                async for records in missed:
                    yield [hubs.seen_by(record, viewer) for record in records]
            loaded = following.loaded
            assert loaded is not None
            if loaded.ended:
                return
            await following.attend(user.id)
            async for frame in _taken(outbox, context):
                match _frames_of_game.decode(frame):
                    case hubs.CommitsFrame(commits=commits):
                        yield [hubs.with_typed_events(loaded.rules, commit) for commit in commits]
                    case hubs.HeartbeatFrame(ended=ended) if ended:
                        return
        finally:
            following.leave(context.disconnect_reason())

    arguments = {
        "game": Argument(Shape(UUID)),
        "after": Argument(
            Shape(Integer),
            required=False,
            description="All commits after this version come first; without it, none from before.",
        ),
    }
    kind = StrawberryList(outputs.object_of(hubs.Commit))
    description = (
        "Commits as they happen, in order, without a gap, as one may read them; one "
        "or several at a time. "
        "It completes when the game has ended."
    )
    return field(resolve, kind, arguments=arguments, description=description, is_subscription=True)


def lobbies(outputs: Outputs, inputs: Inputs, served: Served) -> Any:
    """The list of lobbies as a field of the subscription."""
    arguments = arguments_of(FeedFilter, inputs)

    async def resolve(
        info: strawberry.Info, **values: Any
    ) -> AsyncIterator[frames.Lobbies | LobbyChanges]:
        context: Context = info.context
        user = await context.admitted(served.declared)
        outbox = hubs.Outbox()
        feed = Feed(
            user.id,
            validation.convert(given(arguments, values), FeedFilter),
            outbox,
        )
        try:
            await feed.join()
            async for frame in _taken(outbox, context):
                told = _frames_of_feed.decode(frame)
                if not isinstance(told, frames.FeedHeartbeat):
                    yield told
        finally:
            feed.leave(context.disconnect_reason())

    kind = outputs.union_of(
        "LobbyNews",
        {"lobbies": frames.Lobbies, "changes": LobbyChanges},
        "The open lobbies, or what has changed of them.",
    )
    description = (
        "The open lobbies that one may see, or with `after` what changed since that "
        "cursor; then what changes."
    )
    return field(resolve, kind, arguments=arguments, description=description, is_subscription=True)


async def _taken(outbox: hubs.Outbox, context: Context) -> AsyncIterator[bytes]:
    """The frames of an outbox, as long as they are taken fast enough; what hangs on each is read
    when it is told."""
    while (frame := await outbox.take()) is not None:
        context.look_again()
        yield frame
    context.cut()
    raise Problem("too_slow")
