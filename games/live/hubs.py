"""From commit to sockets: one hub per game at this process, fed by its own commits and, by version,
by everybody else's.

The channel layer carries hints only ("game g stands at v"). Losing, doubling or reordering them is
harmless: a hub that is behind reads the missing commits from the store, and looks there now and
then even when nobody hints."""

import asyncio
import random
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
import structlog
from msgspec import Meta

from games.engine import AnyRules, AnyServerEvent, Event, Seat, chain
from games.models import Head
from games.store.commits import HeadAsked, Record, store
from games.store.loaded_games import LoadedGame, loaded_games
from kit import background
from kit.event_loop import one_per_loop
from kit.notifier import HintLine
from kit.problems import Problem
from kit.validation import Count, Moment

log = structlog.get_logger(__name__)

HINTS: Final = "game-hints"
LOOK_EVERY_S: Final = 2.0
HEARTBEAT_EVERY_S: Final = 15.0
FRAMES_MAX: Final = 256
BYTES_MAX: Final = 1 << 20

Ended = Annotated[str, Meta(extra_json_schema={"enum": Head.Ended.values})]
"""How a game has ended; empty while it goes on."""


class CommitRecord(msgspec.Struct, frozen=True):
    """A stored commit with its events, before anybody in particular looks at it. `next_at`: when
    the clock acts next after it. `ended`: how the game has ended with it."""

    version: int
    at: datetime
    next_at: datetime | None
    hash: bytes
    events: tuple[Event, ...]
    ended: str


class CommitSeen(msgspec.Struct, frozen=True, tag_field=None):
    """A commit as one viewer may read it: its hash in hex and the events that the viewer may read.
    `next_at` is when the clock acts next after it, null if it awaits nothing."""

    version: Count
    at: Moment
    next_at: Moment | None
    hash: str
    events: tuple[Event, ...]


class HeartbeatFrame(msgspec.Struct, frozen=True, tag="heartbeat", tag_field="type"):
    """The connection is alive, and the game is at this version. `ended` is empty while the game
    runs. `next_at` is when the clock acts next, null if it awaits nothing; `now` is the server's
    time."""

    version: Count
    ended: Ended
    next_at: Moment | None
    now: Moment


class CommitsFrame(msgspec.Struct, frozen=True, tag="commits", tag_field="type"):
    """Commits in order, as they happen or to catch up. `now` is the server's time."""

    commits: list[CommitSeen]
    now: Moment


_encode = msgspec.json.Encoder().encode


def record_of(rules: AnyRules, record: Record) -> CommitRecord:
    """The commit in a stored row."""
    body = chain.decode_body(record.body)
    events = decode_events(rules, body.events)
    return CommitRecord(
        record.version, record.at, record.next_at, record.hash, events, record.ended
    )


def decode_events(rules: AnyRules, events: msgspec.Raw) -> tuple[Event, ...]:
    """Events as stored. A game's own and the engine's travel under one set of tags."""
    decoded: tuple[Event, ...] = _event_decoder(rules).decode(events)
    return decoded


@cache
def _event_decoder(rules: AnyRules) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(tuple[rules.event_type | AnyServerEvent, ...])  # type: ignore[name-defined]  # made at run time


def seen_by(record: CommitRecord, viewer: Seat | None) -> CommitSeen:
    """A commit with the events that a seat, or a spectator, may read: the only filter of events."""
    events = tuple(event for event in record.events if event.only is None or viewer in event.only)
    return CommitSeen(record.version, record.at, record.next_at, record.hash.hex(), events)


class Outbox:
    """The frames that wait for one socket, bounded in number and bytes; `overflowed` once it was
    too slow."""

    def __init__(self) -> None:
        self.overflowed = False
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._loop = asyncio.get_running_loop()
        self._taker: asyncio.Future[None] | None = None

    def put(self, frame: bytes) -> None:
        """Queue a frame; the one that would be too much marks the outbox as overflowed instead."""
        if len(self._frames) >= FRAMES_MAX or self._bytes + len(frame) > BYTES_MAX:
            self.break_off()
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        self._wake_taker()

    def break_off(self) -> None:
        """Mark the outbox as overflowed: its socket goes, and comes again."""
        self.overflowed = True
        self._wake_taker()

    def _wake_taker(self) -> None:
        # The taker may have gone: its socket has closed, and its place at the hub has not been
        # given back yet.
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)

    async def take(self) -> bytes | None:
        """The next frame, for one taker at a time; None when the socket was too slow and must
        go."""
        while not self._frames and not self.overflowed:
            # A bare future: an asyncio.Event costs several times as much, and this is paid for
            # every frame.
            self._taker = self._loop.create_future()
            await self._taker
        if self.overflowed:
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        return frame

    def rest(self) -> list[bytes]:
        """The frames that nobody took, for one who closes the connection."""
        rest, self._frames = list(self._frames), deque()
        return rest


class Subscription:
    """One socket's place at a hub. It gets every commit after `version` once, in order."""

    def __init__(self, hub: "Hub", viewer: Seat | None, version: int, outbox: Outbox) -> None:
        self.hub = hub
        self.viewer = viewer
        self.version = version
        self.outbox = outbox


class Hub:
    """The sockets of one game at this process, and the commits on their way to them."""

    def __init__(self, loaded: LoadedGame) -> None:
        self.game = loaded.game
        self.version = loaded.version
        self.known = loaded.version
        self.ended = loaded.ended
        self.next_at = loaded.next_at
        self.subscriptions: set[Subscription] = set()
        self._loop = asyncio.get_running_loop()
        self._pending: list[CommitRecord] = []
        self._flushing = False
        self._fetching = False

    def feed(self, record: CommitRecord) -> None:
        """A commit, perhaps known already, perhaps too early."""
        self.known = max(self.known, record.version)
        if record.version == self.version + 1:
            self.version = record.version
            self.next_at = record.next_at
            self._pending.append(record)
            if not self._flushing:
                self._flushing = True
                self._loop.call_soon(self._flush)
        elif record.version > self.version:
            self.hint(record.version)

    def hint(self, version: int) -> None:
        """Somebody says that the game stands at this version."""
        self.known = max(self.known, version)
        if self.known > self.version and not self._fetching and self.subscriptions:
            self._fetching = True
            background.spawn("hub", self._fetch())

    async def _fetch(self) -> None:
        try:
            loaded = await loaded_games().get(self.game)
            while self.version < self.known and self.subscriptions:
                for record in await store().commits(self.game, self.version):
                    if record.version == self.version + 1:
                        self.feed(record_of(loaded.rules, record))
        except Problem as problem:
            log.warning("hub_cannot_catch_up", game=str(self.game), code=problem.code)
        finally:
            self._fetching = False

    def _flush(self) -> None:
        self._flushing = False
        records, self._pending = self._pending, []
        restricted = any(event.only is not None for record in records for event in record.events)
        frames: dict[Any, bytes] = {}
        for subscription in self.subscriptions:
            start = subscription.version + 1 - records[0].version
            if start >= len(records):
                continue
            start = max(start, 0)
            audience = (subscription.viewer if restricted else None, start)
            frame = frames.get(audience)
            if frame is None:
                frame = frames[audience] = commits_frame(records[start:], audience[0])
            subscription.version = records[-1].version
            subscription.outbox.put(frame)
        if ended := records[-1].ended:
            self.ended = ended
            self.beat()

    def beat(self) -> None:
        """Say where the game stands."""
        frame = heartbeat_frame(self.known, self.ended, self.next_at)
        for subscription in self.subscriptions:
            subscription.outbox.put(frame)


def commits_frame(records: Sequence[CommitRecord], viewer: Seat | None) -> bytes:
    """The frame of these commits for one audience."""
    commits = [seen_by(record, viewer) for record in records]
    return _encode(CommitsFrame(commits, datetime.now(UTC)))


def heartbeat_frame(version: int, ended: str, next_at: datetime | None) -> bytes:
    """The frame that says where a game stands."""
    return _encode(HeartbeatFrame(version, ended, next_at, datetime.now(UTC)))


class Switchboard:
    """The hubs of one process, and its line to the other processes."""

    def __init__(self) -> None:
        self._hubs: dict[UUID, Hub] = {}
        self._line = HintLine(HINTS, self._heard)
        self._watching = False
        self._since_heartbeat = 0.0

    # Commits come in

    def committed(self, game: UUID, record: CommitRecord) -> None:
        """This process stored a commit."""
        if (hub := self._hubs.get(game)) is not None:
            hub.feed(record)
        self._line.tell(game, record.version)

    def caught_up(self, game: UUID, rules: AnyRules, records: Sequence[Record]) -> None:
        """This process read commits of others."""
        if (hub := self._hubs.get(game)) is not None:
            for record in records:
                if record.version > hub.version:
                    hub.feed(record_of(rules, record))

    # Sockets come and go

    def subscribe(
        self, loaded: LoadedGame, viewer: Seat | None, outbox: Outbox
    ) -> Subscription | None:
        """Take a place at the game's hub for a viewer who knows everything up to the version of
        `loaded`. Returns None when the hub knows more."""
        hub = self._hubs.get(loaded.game)
        if hub is None:
            hub = self._hubs[loaded.game] = Hub(loaded)
        if hub.version > loaded.version:
            return None
        subscription = Subscription(hub, viewer, loaded.version, outbox)
        hub.subscriptions.add(subscription)
        hub.hint(loaded.version)
        if not self._watching:
            self._watching = True
            self._line.listen()
            background.forever("hubs", self._look)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Give the place back."""
        hub = subscription.hub
        hub.subscriptions.discard(subscription)
        if not hub.subscriptions and self._hubs.get(hub.game) is hub:
            del self._hubs[hub.game]

    # Watching the others

    def _heard(self, game: UUID, version: int) -> None:
        if (hub := self._hubs.get(game)) is not None:
            hub.hint(version)

    async def _look(self) -> None:
        """Ask the store where the games stand: what a lost hint costs is bounded."""
        pause = LOOK_EVERY_S * (0.75 + random.random() / 2)  # noqa: S311  (jitter, not luck)
        await asyncio.sleep(pause)
        self._since_heartbeat += pause
        if self._since_heartbeat >= HEARTBEAT_EVERY_S:
            self._since_heartbeat = 0.0
            self._beat()
        games = list(self._hubs)
        heads = await asyncio.gather(
            *(store().head(HeadAsked(game)) for game in games), return_exceptions=True
        )
        for game, head in zip(games, heads, strict=True):
            hub = self._hubs.get(game)
            if hub is not None and not isinstance(head, BaseException):
                hub.hint(head.version)

    def _beat(self) -> None:
        for hub in self._hubs.values():
            hub.beat()


switchboard = one_per_loop(Switchboard)
"""The switchboard of the running loop."""
