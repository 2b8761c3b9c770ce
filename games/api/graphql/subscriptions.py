"""Subscriptions: the commits of a game and the list of lobbies, from the hubs of the sockets."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import msgspec
import strawberry
from strawberry.types.base import StrawberryList
from strawberry.types.field import StrawberryField

from games.api import types
from games.api.graphql.context import Context
from games.api.graphql.delivery import Asked, running
from games.api.graphql.structs import Integer, Types, field, optional
from games.api.operations import games
from games.api.operations import lobbies as operations
from games.api.sockets import frames
from games.api.sockets.game_subscription import GameSubscription
from games.api.sockets.inbox import InboxSubscription
from games.api.sockets.lobby_list import LobbyListFilter, LobbyListSubscription
from games.live import hubs
from games.play import service
from kit import validation
from kit.problems import Problem
from kit.validation import Count
from notices.api import Notices, list_notices
from railbird_engine import AnyRules


class LobbyChanges(msgspec.Struct, frozen=True, tag="changes", tag_field="type"):
    """Lobbies as they are after a change, and those that you may no longer see. A change may be
    sent twice."""

    cursor: Count
    lobbies: list[types.Lobby]
    gone: list[UUID]


class EncodedCommit(msgspec.Struct, frozen=True):
    """A commit of a frame, its events not yet decoded."""

    version: int
    at: datetime
    next_at: datetime | None
    hash: str
    events: msgspec.Raw

    def decoded(self, rules: AnyRules) -> hubs.Commit:
        """Return the commit, its events as structs of the game."""
        events = hubs.decode_events(rules, self.events)
        return hubs.Commit(self.version, self.at, self.next_at, self.hash, events)


class EncodedCommits(msgspec.Struct, frozen=True, tag="commits", tag_field="type"):
    """The frame of commits, the events of its commits not yet decoded."""

    commits: list[EncodedCommit]


RESULTS_MAX: Final = 64
"""The newest results that are kept: the connections of a game take a commit in the same moment."""

GAME_FRAMES: Final = msgspec.json.Decoder(EncodedCommits | hubs.HeartbeatFrame)
INBOX_FRAMES: Final = msgspec.json.Decoder(frames.NoticesFrame | frames.InboxHeartbeat)
FEED_FRAMES: Final = msgspec.json.Decoder(frames.Lobbies | LobbyChanges | frames.FeedHeartbeat)


def game_commits(types_: Types) -> StrawberryField:
    """Return the subscription of the commits of a game."""

    async def follow(
        info: strawberry.Info, game: UUID, after: int | None = None
    ) -> AsyncIterator[list[hubs.Commit]]:
        context: Context = info.context
        user = (await context.admit_once(games.list_commits)).user
        viewer = await service.viewer_of(user.id, game)
        outbox = hubs.Outbox()
        subscription = GameSubscription(game, viewer, after, outbox)
        try:
            async with aclosing(subscription.missed()) as missed:
                async for records in missed:
                    yield [hubs.seen_by(record, viewer) for record in records]
            loaded = subscription.loaded
            assert loaded is not None
            if viewer is None:
                context.watched.add(loaded.lobby)
            if loaded.ended:
                return
            await subscription.attend(user.id)
            asked, rules = Asked.of(running.get(), info.schema), loaded.rules
            with _cutting(context):
                await context.deliver(outbox, lambda frame: _result(frame, asked, rules))
        finally:
            subscription.leave(context.disconnect_reason())

    return field(
        "game_commits",
        StrawberryList(types_.object(hubs.Commit)),
        follow,
        arguments={"game": UUID, "after": optional(Integer)},
        text="Follow the commits of a game after a version, by default from now on: one or several "
        "at a time, in order and without gaps, with the events that you may read. Completes when "
        "the game has ended.",
        is_subscription=True,
    )


def lobbies(types_: Types) -> StrawberryField:
    """Return the subscription of the list of lobbies."""

    async def follow(
        info: strawberry.Info, **values: Any
    ) -> AsyncIterator[frames.Lobbies | LobbyChanges]:
        context: Context = info.context
        user = (await context.admit_once(operations.list_lobbies)).user
        outbox = hubs.Outbox()
        feed = LobbyListSubscription(user.id, validation.convert(values, LobbyListFilter), outbox)
        try:
            await feed.join()
            async for frame in _frames(outbox, context):
                news = FEED_FRAMES.decode(frame)
                if not isinstance(news, frames.FeedHeartbeat):
                    yield news
        finally:
            feed.leave(context.disconnect_reason())

    return field(
        "lobbies",
        types_.union("LobbyNews", [frames.Lobbies, LobbyChanges], "Lobbies, or their changes."),
        follow,
        arguments=types_.arguments(LobbyListFilter),
        text="Follow the open lobbies that you may see: first the list, or what changed "
        "since the cursor `after`; then the changes.",
        is_subscription=True,
    )


def notices(types_: Types) -> StrawberryField:
    """Return the subscription of the caller's notices."""

    async def follow(info: strawberry.Info, after: int | None = None) -> AsyncIterator[Notices]:
        context: Context = info.context
        user = (await context.admit_once(list_notices)).user
        outbox = hubs.Outbox()
        subscription = InboxSubscription(user.id, after, outbox)
        try:
            await subscription.join()
            async for frame in _frames(outbox, context):
                news = INBOX_FRAMES.decode(frame)
                if isinstance(news, frames.NoticesFrame):
                    names = Notices.__struct_fields__
                    yield Notices(**{name: getattr(news, name) for name in names})
        finally:
            subscription.leave()

    return field(
        "notices",
        types_.object(Notices),
        follow,
        arguments={"after": optional(Integer)},
        text="Follow your notices after a number, by default from now on, in order and without "
        "gaps.",
        is_subscription=True,
    )


@lru_cache(RESULTS_MAX)
def _result(frame: bytes, asked: Asked, rules: AnyRules) -> bytes | None:
    """Return the result of a frame as JSON, empty if it has none; None once the game has ended."""
    match GAME_FRAMES.decode(frame):
        case EncodedCommits(commits=commits):
            return asked.text_of([each.decoded(rules) for each in commits])
        case hubs.HeartbeatFrame(ended=ended) if ended:
            return None
    return b""


async def _frames(outbox: hubs.Outbox, context: Context) -> AsyncIterator[bytes]:
    """Yield frames until the connection must end. Raises Problem, such as `too_slow`."""
    with _cutting(context):
        while True:
            frame = await outbox.take()
            context.forget()
            yield frame


@contextmanager
def _cutting(context: Context) -> Iterator[None]:
    """Close the connection of a client that reads too slowly."""
    try:
        yield
    except Problem as problem:
        if problem.code == "too_slow":
            context.cut()
        raise
