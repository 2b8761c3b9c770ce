"""What can be followed: the same hubs, the same resume, the same bounded queues as the sockets have."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any
from uuid import UUID

import msgspec
import strawberry
from strawberry.types.base import StrawberryList

from accounts.problems import Problem
from accounts.strict import Moment
from games import push, services
from games.api import answers
from games.api.following import Following
from games.api.graphql.calls import Context, Served
from games.api.graphql.fields import Argument, field
from games.api.graphql.outputs import Outputs
from games.api.graphql.scalars import Integer
from games.api.graphql.structs import Shape
from games.rules import AnyRules


class _Commit(msgspec.Struct, frozen=True):
    """A commit as the hub sends it; the rules say what its events are."""

    version: int
    at: Moment
    hash: str
    events: msgspec.Raw


class _Commits(msgspec.Struct, frozen=True, tag="commits", tag_field="type"):
    commits: list[_Commit]


_frames = msgspec.json.Decoder(_Commits | push.HeartbeatFrame)


def game_commits(outputs: Outputs, served: Served) -> Any:
    """The commits of a game as a field of the subscription."""

    async def resolve(info: strawberry.Info, game: UUID, after: int | None = None) -> AsyncIterator[list[answers.Commit]]:
        context: Context = info.context
        user = await context.admitted(served)
        viewer = await services.viewer_of(user.id, game)
        outbox = push.Outbox()
        following = Following(game, viewer, after, outbox)
        try:
            async with aclosing(following.missed()) as missed:
                async for records in missed:
                    yield [answers.Commit.of(record, viewer) for record in records]
            table = following.table
            assert table is not None
            if table.ended:
                return
            while (frame := await outbox.take()) is not None:
                match _frames.decode(frame):
                    case _Commits(commits=commits):
                        yield [_seen(commit, table.rules) for commit in commits]
                    case push.HeartbeatFrame(ended=ended) if ended:
                        return
        finally:
            following.leave()
        context.cut()
        raise Problem("too_slow")

    arguments = {
        "game": Argument(Shape(UUID)),
        "after": Argument(
            Shape(Integer),
            required=False,
            description="All commits after this version come first; without it, none from before.",
        ),
    }
    kind = StrawberryList(outputs.object_of(answers.Commit))
    description = (
        "Commits as they happen, in order, without a gap, as one may read them; one or several at a time. "
        "It completes when the game has ended."
    )
    return field(resolve, kind, arguments=arguments, description=description, is_subscription=True)


def _seen(commit: _Commit, rules: AnyRules) -> answers.Commit:
    events = list(push.decode_events(rules, commit.events))
    return answers.Commit(version=commit.version, at=commit.at, hash=commit.hash, events=events)
