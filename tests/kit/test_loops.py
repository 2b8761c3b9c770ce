"""Endless tasks: an exception is logged and counted, and the loop continues after a pause."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from errno import ETIMEDOUT
from pathlib import Path
from traceback import extract_tb
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import psycopg
import pytest
from channels.layers import get_channel_layer
from channels_redis.utils import create_pool
from django.db import OperationalError
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from structlog.testing import capture_logs

from games import lobbies
from games.api.sockets import connection_registry
from games.api.sockets.connection_registry import ConnectionRegistry
from games.live import hubs, signed_notes
from games.live.hubs import Switchboard
from games.live.presence import Presence
from games.live.room_followers import RoomFollowers
from games.log import sealing
from games.log.sealing import ForkedError, Sealer
from games.models import Lobby, RoomEvent
from games.reads.changes import news_of_rooms
from games.store import heads
from games.store.connections import Connections
from games.store.loaded_games import LoadedGame
from games.workers.clock import Clock
from kit import background, channel_layer, event_loop, pubsub
from kit.channel_layer import ChannelLayer
from kit.problems import Problem
from kit.pubsub import Hints
from tests.builders import NewUser
from tests.waiting import WITHIN_S, until

pytestmark = pytest.mark.usefixtures("database")


class FailsOnce:
    """A part of a loop that raises at the first call and records later calls."""

    def __init__(self) -> None:
        self.raised = False
        self.again = threading.Event()

    def __call__(self, *_: Any) -> Any:
        if not self.raised:
            self.raised = True
            raise RuntimeError("a fault that nobody thought of")
        self.again.set()
        return []

    async def later(self, *_: Any) -> Any:
        return self()


def watch_rooms(fault: FailsOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = RoomFollowers()
    monkeypatch.setattr(rooms, "_read_rooms", fault.later)
    rooms._watch()


def watch_hubs(fault: FailsOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "TURNS_EVERY_S", 0.01)
    switchboard = Switchboard()
    monkeypatch.setattr(switchboard, "_check_heads", fault.later)
    known = (0, b"")
    about = {"game": uuid4(), "rules": None, "log_name": uuid4(), "ended": "", "next_at": None}
    game = SimpleNamespace(version=0, known=known, **about)
    hub_of_nobody = switchboard.subscribe(cast("LoadedGame", game), None, hubs.Outbox())
    assert hub_of_nobody is not None


def watch_presence(fault: FailsOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    presence = Presence()
    monkeypatch.setattr(presence, "_write_down", fault.later)
    presence.connected(uuid4(), uuid4())


def watch_sockets(fault: FailsOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_registry, "CHECK_EVERY_S", 0.01)
    sockets = ConnectionRegistry()
    monkeypatch.setattr(sockets, "_end_stuck", fault)
    background.forever("sockets", sockets._check)


def watch_signing(fault: FailsOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed_notes, "LOOK_EVERY_S", 0.01)
    signer = signed_notes.Signing()
    monkeypatch.setattr(signer, "_read", fault.later)
    background.forever("signing", signer._look)


def watch_clock(fault: FailsOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "claim_due", fault.later)
    clock = Clock()
    background.forever("clock", clock._tick)


@pytest.mark.parametrize(
    ("loop", "watch"),
    [
        ("rooms", watch_rooms),
        ("hubs", watch_hubs),
        ("presence", watch_presence),
        ("signing", watch_signing),
        ("sockets", watch_sockets),
        ("clock", watch_clock),
    ],
)
def test_a_loop_that_raises_is_logged_and_counted_and_continues(
    loop: str,
    watch: Callable[[FailsOnce, pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault, before = FailsOnce(), background.failures[loop]

    async def start() -> set[asyncio.Task[Any]]:
        known = set(asyncio.all_tasks())
        watch(fault, monkeypatch)
        return asyncio.all_tasks() - known

    async def stop(tasks: set[asyncio.Task[Any]]) -> None:
        for task in tasks:
            task.cancel()

    with capture_logs() as logs:
        tasks = event_loop.call(start())
        assert fault.again.wait(WITHIN_S), f"{loop} never came again"
    event_loop.call(stop(tasks))
    assert background.failures[loop] == before + 1
    (shown,) = [line for line in logs if line["event"] == "loop_failed" and line["loop"] == loop]
    assert "nobody thought of" in shown["error"]
    assert isinstance(shown["exc_info"], RuntimeError)


def test_a_hint_that_raises_does_not_end_the_listener() -> None:
    group, fault = f"test-{uuid4().hex[:8]}", FailsOnce()

    async def listen_and_tell() -> None:
        pubsub.listen(group, fault.later)

    event_loop.call(listen_and_tell())
    until(lambda: bool(event_loop.call(shown(group)) or fault.again.is_set()), "another hint taken")
    assert background.failures[f"listening for {group}"] == 1
    assert event_loop.call(subscriptions(group)) == 1, "an old one would collect hints for ever"


@pytest.mark.parametrize("fails_to", ["subscribe", "take a hint"])
def test_a_listener_recovers_without_waiting_for_the_next_hint(
    fails_to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, layer = f"test-{uuid4().hex[:8]}", get_channel_layer()
    if fails_to == "subscribe":
        answers = iter([None])
        monkeypatch.setattr(pubsub, "get_channel_layer", lambda: next(answers, layer))
    monkeypatch.setattr(background, "STUCK_AFTER_S", -1.0)
    name = f"listening for {group}"

    async def listen() -> None:
        pubsub.listen(group, FailsOnce().later)

    event_loop.call(listen())
    until(
        lambda: (
            bool(background.failures[name])
            or (fails_to == "take a hint" and event_loop.call(shown(group)))
        ),
        "the failure",
    )
    until(lambda: name not in background.stuck(), "the recovery")


def test_a_subscription_returns_after_its_host_fell_silent() -> None:
    group, received = f"test-{uuid4().hex[:8]}", threading.Event()

    async def receive(_hint: Mapping[str, Any]) -> None:
        received.set()

    async def listen() -> None:
        pubsub.listen(group, receive)

    async def connection() -> Any:
        (shard,) = configured_layer()._shards
        return shard._pubsub.connection

    async def fall_silent() -> None:
        """Do as the transport does when keepalive probes remain without a response."""
        lost._writer.transport.get_protocol().connection_lost(TimeoutError(ETIMEDOUT, ""))

    event_loop.call(listen())
    until(lambda: event_loop.call(subscriptions(group)) == 1, "the subscription")
    lost = event_loop.call(connection())
    reader = lost._reader
    event_loop.call(fall_silent())
    try:
        until(lambda: bool(event_loop.call(shown(group), 5.0) or received.is_set()), "a hint")
    finally:
        if lost._reader is reader:  # frozen: free the loop for the other tests
            lost._reader = None


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://:secret@localhost:6380/2", channel_layer.TCP),
        ("rediss://localhost", channel_layer.TLS),
        ("unix:///run/valkey.sock?db=2", channel_layer.Unix),
    ],
)
async def test_each_kind_of_connection_notices_its_loss(
    url: str, kind: type[AbstractConnection]
) -> None:
    (shard,) = ChannelLayer(url, "test")._shards
    pool = create_pool(shard.host)
    assert pool.connection_class is kind
    given = dict(parse_url(url))
    assert issubclass(kind, given.pop("connection_class", Connection))  # type: ignore[arg-type]
    assert given.items() <= pool.connection_kwargs.items()


def test_a_lone_hint_waits_for_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub, "PUBLISH_EVERY_S", 3600.0)
    group, received = f"test-{uuid4().hex[:8]}", list[int]()
    first, second = uuid4(), uuid4()

    async def publish() -> None:
        for id_, version in ((first, 1), (second, 1), (first, 2)):
            hints.publish(id_, version)

    async def listen() -> Hints:
        hints = Hints(group, lambda _id, version: received.append(version))
        hints.listen()
        return hints

    hints = event_loop.call(listen())
    until(lambda: event_loop.call(subscriptions(group)) == 1, "the subscription")
    event_loop.call(publish())
    until(lambda: len(received) == 2, "the newest versions, together")
    assert sorted(received) == [1, 2]


def test_a_loop_that_closes_while_hints_wait_leaves_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pubsub, "PUBLISH_EVERY_S", 0.05)
    hints = Hints(f"test-{uuid4().hex[:8]}", lambda _id, _version: None)
    layers = configured_layer()._layers

    async def publish() -> None:
        layer = configured_layer()._get_layer()
        flush = layer.flush

        async def flush_slowly() -> None:
            await asyncio.sleep(2 * pubsub.PUBLISH_EVERY_S)
            await flush()

        layer.flush = flush_slowly
        hints.publish(uuid4(), 1)

    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        runner.run(publish())
    assert loop not in layers


def configured_layer() -> ChannelLayer:
    layer = get_channel_layer()
    assert isinstance(layer, ChannelLayer)
    return layer


async def subscriptions(group: str) -> int:
    layer = configured_layer()
    name: str = layer._get_group_channel_name(group)
    return len(layer.groups.get(name, ()))


async def shown(group: str) -> bool:
    await pubsub.publish(group, {})
    await asyncio.sleep(0.05)
    return False


def test_the_sealer_survives_a_full_disk_and_an_empty_checkpoint_file(
    own_log: Path, monkeypatch: pytest.MonkeyPatch, new_game: Callable[..., Any]
) -> None:
    """The draft of the checkpoint cannot be written, because a folder has its name."""
    monkeypatch.setattr(sealing, "EVERY_S", 0.05)
    beside = own_log.with_name(f"{own_log.name}.checkpoint")
    draft = beside.with_name(f"{beside.name}.draft")
    beside.write_text("")
    new_game()
    draft.mkdir()
    stopping, before = threading.Event(), background.failures["sealer"]
    thread = threading.Thread(target=sealing.run, args=[stopping])
    thread.start()
    try:
        until(lambda: background.failures["sealer"] > before, "the failure")
        draft.rmdir()
        until(lambda: (new_game(), beside.read_text())[1] != "", "the checkpoint that is kept")
        assert thread.is_alive()
    finally:
        stopping.set()
        thread.join(WITHIN_S)


def test_the_sealer_continues_after_an_unexpected_exception(
    own_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FailsOnce()
    monkeypatch.setattr(sealing, "EVERY_S", 0.05)
    monkeypatch.setattr(Sealer, "seal", lambda self, **_: len(fault()))
    stopping = threading.Event()
    thread = threading.Thread(target=sealing.run, args=[stopping])
    thread.start()
    assert fault.again.wait(WITHIN_S)
    stopping.set()
    thread.join(WITHIN_S)


def test_a_trouble_of_the_sealer_does_not_grow_while_another_has_the_lock(
    own_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping, found, sizes = threading.Event(), ForkedError("two histories"), list[int]()

    def seal(sealer: Sealer, **_: object) -> int:
        if not sizes:
            raise found
        return 0

    def failed(loop: background.Loop, error: Exception) -> float:
        assert error is found
        sizes.append(len(extract_tb(error.__traceback__)))
        if len(sizes) > 3:
            stopping.set()
        return 0.0

    monkeypatch.setattr(Sealer, "seal", seal)
    monkeypatch.setattr(background.Loop, "failed", failed)
    sealing.run(stopping)
    assert max(sizes) == sizes[0]


def test_a_loop_that_does_not_recover_is_reported_until_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = background.Loop(f"loop-{uuid4().hex[:8]}")
    loop.failed(RuntimeError("first"))
    assert loop.name not in background.stuck(), "it may recover soon"
    monkeypatch.setattr(background, "STUCK_AFTER_S", -1.0)
    assert loop.name in background.stuck()
    loop.worked()
    assert loop.name not in background.stuck()


def test_an_outage_is_one_line_at_its_start_and_one_at_its_end() -> None:
    loop = background.Loop(f"loop-{uuid4().hex[:8]}")
    words = ("terminating connection", "Connection refused", "the database system is starting up")
    outage: list[Exception] = [psycopg.OperationalError(text) for text in words]
    outage += [OperationalError("no answer"), Problem("unavailable"), ConnectionResetError()] * 9
    with capture_logs() as logs:
        for error in outage:
            loop.failed(error)
        loop.worked()
    told = [line["event"] for line in logs if line.get("loop") == loop.name]
    assert told == ["loop_failed", "loop_recovered"]
    with capture_logs() as logs:
        for error in (outage[0], psycopg.errors.UndefinedTable("no such table"), outage[1]):
            loop.failed(error)
    told = [line["event"] for line in logs if line.get("loop") == loop.name]
    assert told == ["loop_failed"] * 3, "what is no outage is reported"
    loop.ended()


def test_a_pause_after_a_failure_grows_up_to_its_bound() -> None:
    loop = background.Loop(f"loop-{uuid4().hex[:8]}", backoff_max_s=1.0)
    pauses = [loop.failed(RuntimeError("again")) for _ in range(6)]
    assert pauses[0] < 0.4
    assert 0.75 <= pauses[-1] <= 1.25
    loop.ended()


def test_a_loop_that_was_stopped_while_it_failed_is_not_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "STUCK_AFTER_S", -1.0)
    name, stopping, reported = f"loop-{uuid4().hex[:8]}", threading.Event(), list[str]()

    def fail_twice() -> None:
        if background.failures[name] == 1:
            reported.extend(background.stuck())
            stopping.set()
        raise RuntimeError("again")

    background.until(stopping, name, fail_twice)
    assert name in reported
    assert name not in background.stuck()

    async def cancel_after_a_failure() -> None:
        failing = asyncio.Event()

        async def fail() -> None:
            failing.set()
            raise RuntimeError("again")

        task = background.forever(name, fail)
        await failing.wait()
        task.cancel()
        await asyncio.wait([task])

    event_loop.call(cancel_after_a_failure())
    assert background.failures[name] == 3
    assert name not in background.stuck()


def test_a_follower_that_fails_is_dropped_and_the_others_get_the_news(new_user: NewUser) -> None:
    class Follower:
        version = 0

        def __init__(self, *, fails: bool) -> None:
            self.fails, self.received, self.closed = fails, 0, False

        def receive(self, news: Any) -> None:
            if self.fails:
                raise ValueError("one bad follower")
            self.received += 1

        def receive_presence(self, people: Any) -> None: ...

        def heartbeat(self) -> None: ...

        def disconnect(self) -> None:
            self.closed = True

    lobby = lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots"))
    bad, good = Follower(fails=True), Follower(fails=False)

    async def follow() -> None:
        rooms = RoomFollowers()
        assert rooms.follow(lobby.id, bad)
        assert rooms.follow(lobby.id, good)

    event_loop.call(follow())
    until(lambda: bool(good.received and bad.closed), "the news")


def test_an_event_of_another_version_keeps_its_number(new_user: NewUser) -> None:
    first, second = (
        lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots")) for _ in range(2)
    )
    RoomEvent.objects.create(
        lobby=first, version=first.version + 1, body=b'{"type":"from_the_future"}'
    )
    Lobby.objects.filter(id=first.id).update(version=first.version + 1)
    news = news_of_rooms({first.id: 0, second.id: 0})
    numbers = {one.lobby.id: [each.event.version for each in one.events] for one in news}
    assert numbers == {first.id: [1, 2, 3], second.id: [1, 2]}


@pytest.mark.parametrize("error", [None, AttributeError("closed meanwhile")])
async def test_a_loop_ends_although_its_step_hides_that_it_was_cancelled(
    error: Exception | None,
) -> None:
    begun = asyncio.Event()

    async def step() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if error is not None:
                raise error from None

    repeating = asyncio.create_task(background.repeat("hiding", step))
    await begun.wait()
    repeating.cancel()
    async with asyncio.timeout(WITHIN_S):
        with pytest.raises(asyncio.CancelledError):
            await repeating


async def test_a_store_that_closes_takes_lent_connections_back() -> None:
    own = Connections()
    async with own.lent() as connection:
        await own.close()
    assert connection.closed
