"""Delivery of commits to sockets: one hub per followed game in each process.

A hub receives the commits of its own process directly, and hints from other processes ("game g is
at version v"). Lost, repeated or reordered hints do no harm: a hub reads missing commits from the
store, which it also asks every two seconds unless hints have told it of commits meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
import structlog
from msgspec import Meta

from games.live.signed_notes import signing
from games.models import Head
from games.store.appending import GROUP_MAX
from games.store.commits import DamagedError, History, store
from games.store.loaded_games import LoadedGame, loaded_games
from games.store.rows import HeadQuery, StoredCommit
from kit import background, metrics
from kit.event_loop import one_per_loop
from kit.problems import Problem
from kit.pubsub import Hints
from kit.round_robin import RoundRobin
from kit.validation import Count, Moment
from railbird_engine import AnyRules, AnyServerEvent, Event, Seat
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

HINTS: Final = "game-hints"
LOOK_EVERY_S: Final = 2.0
HEARTBEAT_EVERY_S: Final = 15.0
TURNS_EVERY_S: Final = 0.25
HEADS_EVERY_S: Final = 0.1
"""A signature costs as much as a move, so a busy game gets no more of them."""
NOTE_EVERY_S: Final = 60.0
CLOSED_PER_S: Final = 500
"""The connections that a process closes in a second for one reason: their clients reconnect."""
READ_KEPT_MAX: Final = 16
READ_AT_ONCE_MAX: Final = 64
"""The commits of a game that a statement reads for its sockets: it reads those of many games."""
FRAMES_MAX: Final = 256
BYTES_MAX: Final = 1 << 20
TOGETHER_BYTES_MAX: Final = 1 << 16
"""The most bytes of frames in one write. Bytes that are being written do not count as waiting."""

Ended = Annotated[str, Meta(extra_json_schema={"enum": Head.Ended.values})]
"""How a game has ended; empty while it runs."""


AnyEvent = Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/GameEvent"})]
"""An event of any game."""


class Commit(msgspec.Struct, frozen=True):
    """An accepted command, or a commit by the server: its events as you may read them, and its hash
    in hex. `next_at` is when the clock acts next after it, null if it awaits nothing."""

    version: Count
    at: Moment
    next_at: Moment | None
    hash: str
    events: tuple[AnyEvent, ...]


class HeartbeatFrame(msgspec.Struct, frozen=True, tag="heartbeat", tag_field="type"):
    """The connection is alive, and the game is at this version. `ended` is empty while the game
    runs. `next_at` is when the clock acts next, null if it awaits nothing; `now` is the server's
    time. `head` is the signed head of the newest commit that the client knows, if it asked and no
    frame had one."""

    version: Count
    ended: Ended
    next_at: Moment | None
    now: Moment
    head: str | None = None


class CommitsFrame(msgspec.Struct, frozen=True, tag="commits", tag_field="type"):
    """Commits in order, as they happen or to catch up. `previous` is the hash of the commit before
    the first of them, in hex: a client that knows another one was shown a history that was changed.
    `now` is the server's time. `head` is the signed head of the last of them, if the connection
    asked; in a busy game, a heartbeat brings it."""

    commits: list[Commit]
    previous: str
    now: Moment
    head: str | None = None


_encode = msgspec.json.Encoder().encode


def with_events(rules: AnyRules, commit: StoredCommit) -> StoredCommit:
    """Return a stored commit with its events decoded."""
    return commit._replace(events=decode_events(rules, chain.decode_body(commit.body).events))


def decode_events(rules: AnyRules, events: msgspec.Raw) -> tuple[Event, ...]:
    """Decode events of a game or of the engine. Their tags differ."""
    decoded: tuple[Event, ...] = _event_decoder(rules).decode(events)
    return decoded


@cache
def _event_decoder(rules: AnyRules) -> msgspec.json.Decoder[Any]:
    kind: Any = tuple[rules.event_type | AnyServerEvent, ...]  # type: ignore[name-defined]  # made at run time
    return msgspec.json.Decoder(kind)


def seen_by(commit: StoredCommit, viewer: Seat | None) -> Commit:
    """Return a commit as a seat or spectator may read it. This is the only filter of events."""
    assert commit.events is not None, "the caller decoded the events"
    events = tuple(event for event in commit.events if event.only is None or viewer in event.only)
    return Commit(commit.version, commit.at, commit.next_at, commit.hash.hex(), events)


def ignore() -> None:
    """Do nothing: nobody takes the frames yet."""


class Outbox:
    """The frames that wait for one socket, limited in number and bytes.

    `problem` is why its connection is to end, such as `too_slow`.
    """

    def __init__(self) -> None:
        self.problem: Problem | None = None
        self.notify: Callable[[], None] = ignore
        """Called after each frame, and when the connection is to end."""
        self._frames: deque[bytes] = deque()
        self._bytes = 0

    def put(self, frame: bytes) -> None:
        """Queue a frame, or end the connection if the frame exceeds a limit."""
        if len(self._frames) >= FRAMES_MAX or self._bytes + len(frame) > BYTES_MAX:
            self.overflow()
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        self.notify()

    def overflow(self) -> None:
        """End the connection of a slow client, which then reconnects."""
        self.end(Problem("too_slow"))

    def end(self, problem: Problem) -> None:
        """End the connection. The first problem counts."""
        self.problem = self.problem or problem
        self.notify()

    async def take(self) -> bytes:
        """Wait for the next frame. One caller at a time. Raises Problem if the connection ends."""
        arrived = asyncio.Event()
        self.notify = arrived.set
        while not self._frames and self.problem is None:
            arrived.clear()
            await arrived.wait()
        if self.problem is not None:
            raise self.problem
        return self._take_first()

    def take_together(self) -> list[bytes]:
        """Return the waiting frames to write at once; none if the connection is to end."""
        together: list[bytes] = []
        left = TOGETHER_BYTES_MAX
        while self._frames and self.problem is None:
            left -= len(self._frames[0])
            if together and left < 0:
                break
            together.append(self._take_first())
        return together

    def _take_first(self) -> bytes:
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        return frame

    @property
    def waiting(self) -> tuple[int, int]:
        """How many frames and bytes wait."""
        return len(self._frames), self._bytes

    def drain(self) -> list[bytes]:
        """Remove and return all waiting frames, for the end of a connection."""
        frames, self._frames, self._bytes = list(self._frames), deque(), 0
        return frames


class Subscription:
    """One socket of a hub. It receives each commit after `version` once, in order."""

    def __init__(
        self, hub: "Hub", viewer: Seat | None, version: int, outbox: Outbox, *, heads: bool
    ) -> None:
        self.hub = hub
        self.viewer = viewer
        self.version = version
        self.outbox = outbox
        self.heads = heads
        """Whether its frames have signed heads."""


class Hub:
    """The sockets of one game in this process, and the commits that they are about to receive."""

    def __init__(self, loaded: LoadedGame) -> None:
        self.game = loaded.game
        self._rules = loaded.rules
        self._log_name = loaded.log_name
        self.version, self.hash = loaded.known
        self.head = loaded.version
        """The newest version that this process knows of."""
        self.was_told = False
        """Whether hints told of new commits since its last turn to look."""
        self.ended = loaded.ended
        self.next_at = loaded.next_at
        self.subscriptions: set[Subscription] = set()
        self._loop = asyncio.get_running_loop()
        self._pending: list[StoredCommit] = []
        self._read: deque[StoredCommit] = deque(maxlen=READ_KEPT_MAX)
        """The newest commits that came from other processes, for a game that catches up."""
        self._flushing = False
        self._signed = 0
        """The version of the newest signed head."""
        self._signs_at = 0.0
        """When the next head may be signed."""
        self._signs = False
        """Whether the hub looks soon whether one is missing."""

    @property
    def known(self) -> tuple[int, bytes]:
        """The version and the hash of the newest commit that its sockets receive."""
        return self.version, self.hash

    def committed(self, commit: StoredCommit) -> None:
        """Receive a commit that this process stored, so that its game is at that version."""
        self._read.clear()
        self.feed(commit)

    def feed(self, commit: StoredCommit) -> None:
        """Receive a commit with its events. It may be an old one, or arrive too early."""
        self.head = max(self.head, commit.version)
        if commit.version == self.version + 1:
            if commit.previous != self.hash:
                switchboard().lose(self.game, self.version, self.version - 1)
                return
            self.version, self.hash = commit.version, commit.hash
            self.next_at = commit.next_at
            self._pending.append(commit)
            if not self._flushing:
                self._flushing = True
                # An answer that was just written leaves the process at the end of this turn.
                self._loop.call_soon(self._flush)
        elif commit.version > self.version:
            self.hint(commit.version)

    def hint(self, version: int) -> None:
        """Receive the version of the game's head, and read what is missing up to it."""
        self.head = max(self.head, version)
        if self.is_behind:
            switchboard().read(self)

    @property
    def is_behind(self) -> bool:
        """Whether its sockets lack commits."""
        return self.head > self.version and bool(self.subscriptions)

    def take(self, commits: Sequence[StoredCommit]) -> None:
        """Receive the stored commits after a version that it knew."""
        if not commits:
            self.head = self.version  # the database lost the commit of the hint
        for commit in commits:
            if commit.version == self.version + 1:
                self._keep(commit)
                self.feed(with_events(self._rules, commit))
        if self.is_behind:
            switchboard().read(self)

    async def read_again(self) -> None:
        """Read commits that are archived, or of which one was damaged."""
        try:
            self.take(await store().commits(self.game, self.version))
        except DamagedError as damaged:
            self._end(damaged)
        except Problem as problem:
            log.warning("hub_cannot_catch_up", game=str(self.game), code=problem.code)

    def lose(self, kept: int) -> None:
        """End the connections, because the database lost the commits after `kept`."""
        for subscription in self.subscriptions:
            seen = subscription.version
            problem = Problem("history_lost", version=kept, seen=seen)
            switchboard().end_in_turn(subscription.outbox, problem)
        self.subscriptions.clear()

    def _end(self, problem: Problem) -> None:
        self._flush()
        for subscription in self.subscriptions:
            switchboard().end_in_turn(subscription.outbox, problem)
        self.subscriptions.clear()

    def _keep(self, commit: StoredCommit) -> None:
        if self._read and self._read[-1].version + 1 != commit.version:
            self._read.clear()
        self._read.append(commit)

    def read_after(self, version: int) -> list[StoredCommit]:
        """Return the commits after a version that were read for the sockets, without a gap."""
        read = [commit for commit in self._read if commit.version > version]
        return read if read and read[0].version == version + 1 else []

    def _flush(self) -> None:
        self._flushing = False
        commits, self._pending = self._pending, []
        if not commits:
            return
        restricted = any(
            event.only is not None for commit in commits for event in commit.events or ()
        )
        frames: dict[Any, bytes] = {}
        head = self._head(is_last=bool(commits[-1].ended))
        for subscription in self.subscriptions:
            start = subscription.version + 1 - commits[0].version
            if start >= len(commits):
                continue
            start = max(start, 0)
            signed = head if subscription.heads else None
            audience = (subscription.viewer if restricted else None, start, signed)
            frame = frames.get(audience)
            if frame is None:
                frame = frames[audience] = commits_frame(commits[start:], audience[0], signed)
            subscription.version = commits[-1].version
            subscription.outbox.put(frame)
        if ended := commits[-1].ended:
            self.ended = ended
            self.send_heartbeat()

    def _head(self, *, is_last: bool = False) -> str | None:
        """Return the signed head, or sign it soon if another one was signed just before."""
        if not any(subscription.heads for subscription in self.subscriptions):
            return None
        now = self._loop.time()
        if now < self._signs_at and not is_last:
            if not self._signs:
                self._signs = True
                self._loop.call_at(now + HEADS_EVERY_S, self._send_head)
            return None
        self._signs_at, self._signed = now + HEADS_EVERY_S, self.version
        return signing().head(self._log_name, self.game, self.version, self.hash)

    def _send_head(self) -> None:
        """Send the signed head of the commits whose frames had none, unless a later one had."""
        self._flush()
        self._signs = False
        if self._signed < self.version and (head := self._head()) is not None:
            frame = heartbeat_frame(self.head, self.ended, self.next_at, head)
            for subscription in self.subscriptions:
                if subscription.heads and subscription.version == self.version:
                    subscription.outbox.put(frame)

    def send_heartbeat(self) -> None:
        """Send a heartbeat with the version of the head."""
        frame = heartbeat_frame(self.head, self.ended, self.next_at)
        for subscription in self.subscriptions:
            subscription.outbox.put(frame)


def commits_frame(
    commits: Sequence[StoredCommit], viewer: Seat | None, head: str | None = None
) -> bytes:
    """Return the frame of these commits for one audience."""
    seen = [seen_by(commit, viewer) for commit in commits]
    return _encode(CommitsFrame(seen, commits[0].previous.hex(), datetime.now(UTC), head))


def heartbeat_frame(
    version: int, ended: str, next_at: datetime | None, head: str | None = None
) -> bytes:
    """Return a heartbeat frame."""
    return _encode(HeartbeatFrame(version, ended, next_at, datetime.now(UTC), head))


class Switchboard:
    """The hubs of one process, and the hints that it exchanges with others."""

    def __init__(self) -> None:
        self._hubs: dict[UUID, Hub] = {}
        self._loop = asyncio.get_running_loop()
        self._note_at = 0.0
        """When to say again that the database went back."""
        self._end_at = 0.0
        """When the last connection ends of those that end in turn."""
        self._hints = Hints(HINTS, self._receive_hint)
        self._behind: dict[Hub, None] = {}
        """The hubs that wait for commits, in order."""
        self._reading = False
        self._watching = False
        self._looks: RoundRobin[Hub] = RoundRobin(LOOK_EVERY_S)
        self._heartbeats: RoundRobin[Hub] = RoundRobin(HEARTBEAT_EVERY_S)

    # Commits arrive

    def committed(self, commit: StoredCommit) -> None:
        """Announce a commit that this process stored."""
        if (hub := self._hubs.get(commit.game)) is not None:
            hub.committed(commit)
        self._hints.publish(commit.game, commit.version)

    def caught_up(self, game: UUID, rules: AnyRules, commits: Sequence[StoredCommit]) -> None:
        """Deliver commits that this process read from the store."""
        if (hub := self._hubs.get(game)) is not None:
            for commit in commits:
                if commit.version > hub.version:
                    hub.feed(with_events(rules, commit))

    def lose(self, game: UUID, seen: int, kept: int) -> None:
        """Forget a game of which the database lost the commits after `kept`, and end its
        connections; this process knew those up to `seen`."""
        loaded_games().forget(game)
        now = self._loop.time()
        if now >= self._note_at:
            self._note_at = now + NOTE_EVERY_S
            log.critical("database_went_back", remedy="see the log for each game that lost commits")
        log.error("history_lost", game=str(game), seen=seen, kept=kept)
        metrics.HISTORIES_LOST.inc()
        if (hub := self._hubs.pop(game, None)) is not None:
            self._looks.discard(hub)
            self._heartbeats.discard(hub)
            hub.lose(kept)

    # Games catch up

    def known_head(self, game: UUID) -> int:
        """Return the newest version of a game that sockets here have heard of, or 0."""
        return 0 if (hub := self._hubs.get(game)) is None else hub.head

    def read_after(self, game: UUID, version: int) -> list[StoredCommit]:
        """Return the commits after a version that were read for sockets, without a gap."""
        return [] if (hub := self._hubs.get(game)) is None else hub.read_after(version)

    # Sockets

    def subscribe(
        self, loaded: LoadedGame, viewer: Seat | None, outbox: Outbox, *, heads: bool = False
    ) -> Subscription | None:
        """Subscribe a viewer who knows all commits up to the version of `loaded`.

        Returns None if the hub has newer commits.
        """
        hub = self._hubs.get(loaded.game)
        if hub is None:
            hub = self._hubs[loaded.game] = Hub(loaded)
            self._looks.add(hub)
            self._heartbeats.add(hub)
        if hub.version > loaded.version:
            return None
        subscription = Subscription(hub, viewer, loaded.version, outbox, heads=heads)
        hub.subscriptions.add(subscription)
        hub.hint(loaded.version)
        if not self._watching:
            self._watching = True
            self._hints.listen()
            store().connections.on_change.append(self._look_at_all)
            background.forever("hubs", self._look)
        return subscription

    def end_in_turn(self, outbox: Outbox, problem: Problem) -> None:
        """End a connection, soon after those that ended before it, so that not all clients
        reconnect at the same moment. It receives no more commits meanwhile."""
        self._end_at = max(self._end_at + 1 / CLOSED_PER_S, self._loop.time())
        self._loop.call_at(self._end_at, outbox.end, problem)

    def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription. A hub without subscriptions is removed."""
        hub = subscription.hub
        hub.subscriptions.discard(subscription)
        if not hub.subscriptions and self._hubs.get(hub.game) is hub:
            del self._hubs[hub.game]
            self._looks.discard(hub)
            self._heartbeats.discard(hub)

    # Hints and checks

    def _receive_hint(self, game: UUID, version: int) -> None:
        if (hub := self._hubs.get(game)) is not None:
            hub.was_told |= version > hub.version
            hub.hint(version)

    def read(self, hub: Hub) -> None:
        """Read the commits that a hub lacks, in one statement with those of others."""
        self._behind[hub] = None
        if not self._reading:
            self._reading = True
            background.spawn("hubs", self._read())

    async def _read(self) -> None:
        try:
            while self._behind:
                first = list(islice(self._behind, GROUP_MAX))
                for hub in first:
                    del self._behind[hub]
                hubs = [hub for hub in first if hub.is_behind]
                asked = [(hub.game, hub.version, hub.version + READ_AT_ONCE_MAX) for hub in hubs]
                histories = await store().histories(asked) if hubs else ()
                for hub, history in zip(hubs, histories, strict=True):
                    self._deliver(hub, history)
        except Problem as problem:
            log.warning("hub_cannot_catch_up", code=problem.code)
        finally:
            self._behind.clear()  # the next hint or look comes soon
            self._reading = False

    def _deliver(self, hub: Hub, history: History) -> None:
        """Pass on what was read for a hub. A failure of one does not affect the others."""
        if history.damaged is not None:
            background.spawn("hub", hub.read_again())
            return
        try:
            hub.take(history.commits)
        except Exception:
            log.exception("commits_not_announced", game=str(hub.game))

    def _look_at_all(self) -> None:
        background.spawn("hubs", self._check_heads(list(self._hubs.values())))

    async def _look(self) -> None:
        await asyncio.sleep(TURNS_EVERY_S)
        now = asyncio.get_running_loop().time()
        for hub in self._heartbeats.due(now):
            hub.send_heartbeat()
        # A hub reads commits that hints tell of, and compares them with what it knows.
        due = self._looks.due(now)
        untold = [hub for hub in due if not hub.was_told]
        for hub in due:
            hub.was_told = False
        await self._check_heads(untold)

    async def _check_heads(self, hubs: Sequence[Hub]) -> None:
        """Compare hubs with the heads in the database, because hints may be lost."""
        known = [hub.known for hub in hubs]
        heads = await store().heads([HeadQuery(hub.game) for hub in hubs]) if hubs else ()
        for hub, before, head in zip(hubs, known, heads, strict=True):
            if isinstance(head, Problem):
                if head.code == "not_found":
                    self.lose(hub.game, before[0], 0)
                continue
            if head.lacks(before):
                self.lose(hub.game, before[0], min(head.version, before[0] - 1))
                continue
            hub.hint(head.version)
            if head.stalled:
                hub.next_at = None


switchboard = one_per_loop(Switchboard)
"""The switchboard of the running loop."""
