"""The WebSocket protocol of a web process: many texts in one write, and a few read ahead; and the
sockets that write with it."""

import asyncio
import gc
import json
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.extensions import permessage_deflate

from games.api.sockets import frames, websocket_connection
from games.api.sockets.frame_socket import FrameSocket
from games.api.sockets.texts import TEXTS, offer_texts, send_texts
from games.api.sockets.websocket_connection import ClosedError
from gameserver.processes.connections import bounded
from gameserver.processes.sockets import AHEAD_BYTES_MAX, AHEAD_MAX, SocketProtocol
from tests.waiting import WITHIN_S

SIZES = (0, 1, 125, 126, 127, 65_535, 65_536, 200_000)
MANY = 500
LONG = 60_000

Application = Callable[[Any, Any, Any], Any]


class Written:
    """A transport that counts writes and notes pauses."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self.writes = 0
        self.paused = asyncio.Event()

    def write(self, data: bytes) -> None:
        self.writes += 1
        self._transport.write(data)

    def pause_reading(self) -> None:
        self.paused.set()
        self._transport.pause_reading()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Counted(SocketProtocol):
    """The protocol under test, on a transport that counts."""

    def connection_made(self, transport: Any) -> None:
        self.is_lost = asyncio.Event()
        super().connection_made(Written(transport))  # type: ignore[arg-type]  # it acts as one

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.is_lost.set()


@asynccontextmanager
async def served(
    application: Application, *, compresses: bool = False
) -> AsyncIterator[tuple[ClientConnection, Counted]]:
    """A client of an application, and the protocol of its connection."""
    config = uvicorn.Config(application, log_config=None, ws_per_message_deflate=compresses)
    config.load()
    made: list[Counted] = []

    def make() -> Counted:
        made.append(Counted(config=config, server_state=ServerState(), app_state={}))
        return made[-1]

    extensions = [permessage_deflate.ClientPerMessageDeflateFactory()] if compresses else None
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    async with server:
        address = "ws://{}:{}/".format(*server.sockets[0].getsockname())
        async with (
            asyncio.timeout(WITHIN_S),
            connect(address, compression=None, extensions=extensions, max_size=None) as client,
        ):
            yield client, made[0]


def sending(texts: list[bytes]) -> Application:
    """An application that sends texts when it receives one, until the client leaves."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            await send_texts(scope, send, texts)

    return application


@pytest.mark.parametrize("compresses", [False, True])
async def test_texts_of_any_length_arrive_whole_and_in_order(*, compresses: bool) -> None:
    """A compressed connection takes the way of plain ASGI."""
    texts = ["é" * (size // 2) + "x" * (size % 2) for size in SIZES]
    application = sending([text.encode() for text in texts])
    async with served(application, compresses=compresses) as (client, protocol):
        await client.send("now")
        assert [await client.recv() for _ in texts] == texts
        assert (TEXTS in protocol.scope["extensions"]) is not compresses


async def test_texts_that_are_sent_together_are_one_write() -> None:
    async with served(sending([b"one", b"two", b"three"])) as (client, protocol):
        before = protocol.transport.writes  # type: ignore[attr-defined]  # it counts
        await client.send("now")
        assert [await client.recv() for _ in range(3)] == ["one", "two", "three"]
        assert protocol.transport.writes == before + 1  # type: ignore[attr-defined]


async def test_a_connection_that_has_ended_leaves_no_garbage() -> None:
    """Old garbage is hardly ever collected: see `startup.COLLECT_AFTER`."""
    left: list[weakref.ref[Any]] = []

    class Noted(SocketProtocol):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            left.append(weakref.ref(self))

    http = bounded(arrive_within_s=WITHIN_S, most_per_address=0, proxies=())
    config = uvicorn.Config(sending([b"one"]), http=http, ws=Noted, log_config=None)
    config.load()

    def make() -> Any:
        made = http(config, ServerState(), {})
        left.append(weakref.ref(made))
        return made

    gc.disable()
    try:
        async with await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0) as server:
            address = "ws://{}:{}/".format(*server.sockets[0].getsockname())
            async with connect(address) as client:
                await client.send("now")
                assert await client.recv() == "one"
            async with asyncio.timeout(WITHIN_S):
                while any(each() for each in left):  # noqa: ASYNC110 -- its connection ends
                    await asyncio.sleep(0.01)
    finally:
        gc.enable()
    assert len(left) == 2


async def test_a_text_waits_again_if_others_fill_the_buffer_before_its_turn() -> None:
    sends = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        sends.set()
        await send_texts(scope, send, [b"late"])
        await receive()

    async with served(application) as (client, protocol):
        protocol.pause_writing()
        await client.send("now")
        await sends.wait()
        protocol.resume_writing()
        protocol.pause_writing()
        await asyncio.sleep(0)  # the turn of the task that sends
        protocol.resume_writing()
        assert await client.recv() == "late"


async def test_a_text_is_read_without_a_pause_and_a_flood_with_one() -> None:
    heard: list[str] = []
    may_read, has_read, has_heard_all = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def application(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        heard.append((await receive())["text"])
        has_read.set()
        await may_read.wait()
        while (message := await receive())["type"] == "websocket.receive":
            heard.append(message["text"])
            if len(heard) == MANY + 1:
                has_heard_all.set()

    async with served(application) as (client, protocol):
        await client.send("first")
        await has_read.wait()
        paused: asyncio.Event = protocol.transport.paused  # type: ignore[attr-defined]  # ours
        assert not paused.is_set()
        for number in range(MANY):
            await client.send(str(number))
        await client.ping()
        await paused.wait()
        assert protocol.queue.qsize() >= AHEAD_MAX
        may_read.set()
        await has_heard_all.wait()
    assert heard == ["first", *map(str, range(MANY))]


async def test_a_text_is_offered_when_it_arrives_unless_one_before_it_waits() -> None:
    offered: list[str] = []
    received: list[str] = []
    receives = asyncio.Event()

    def take(text: str) -> bool:
        offered.append(text)
        return text != "leave"

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        offer_texts(scope, take)
        await receives.wait()
        while (message := await receive())["type"] == "websocket.receive":
            received.append(message["text"])

    async with served(application) as (client, _):
        for text in ("take", "leave", "waits behind it"):
            await client.send(text)
        await (await client.ping())
        receives.set()
        while len(received) < 2:  # noqa: ASYNC110  (the application signals nothing)
            await asyncio.sleep(0)
        await client.send("take again")
        await (await client.ping())
    assert offered == ["take", "leave", "take again"]
    assert received == ["leave", "waits behind it"]


def masked(text: str) -> bytes:
    """The frame of a text from a client."""
    data, mask = text.encode(), b"\x01\x80\xff\x00"
    size = len(data)
    length = bytes((128 + size,)) if size <= 125 else b"\xfe" + size.to_bytes(2, "big")
    return b"\x81" + length + mask + bytes(each ^ mask[at % 4] for at, each in enumerate(data))


def taking(taken: list[str], offers: asyncio.Event) -> Application:
    """An application that takes the texts that it is offered."""

    def take(text: str) -> bool:
        taken.append(text)
        return True

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        offer_texts(scope, take)
        offers.set()
        assert (await receive())["type"] == "websocket.disconnect"

    return application


@pytest.mark.parametrize("size", [1, 9, 100, 1000])
async def test_texts_arrive_however_their_bytes_are_divided(size: int) -> None:
    lengths = ["x" * size for size in (1, 125, 126, AHEAD_BYTES_MAX)]
    texts = ["", *lengths, "é" * 62, "é" * 200, "last"]
    taken: list[str] = []
    offers = asyncio.Event()
    async with served(taking(taken, offers)) as (_, protocol):
        await offers.wait()
        for text in texts:
            protocol.data_received(masked(text))
        together = b"".join(map(masked, texts))
        for start in range(0, len(together), size):
            protocol.data_received(together[start : start + size])
    assert taken == texts + texts


async def test_a_part_of_a_text_that_looks_like_a_text_is_none() -> None:
    taken: list[str] = []
    offers = asyncio.Event()
    text = "\N{LEFT SQUARE BRACKET WITH QUILL}maskhello"
    first, second = text.encode()[:1], text.encode()[1:]
    assert second[:2] == b"\x81\x85", "the head of a text of five bytes"
    async with served(taking(taken, offers)) as (_, protocol):
        await offers.wait()
        protocol.data_received(b"\x81" + bytes((128 + len(text.encode()),)) + bytes(4) + first)
        protocol.data_received(second)
    assert taken == [text]


@pytest.mark.parametrize("offers", [False, True])
@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x81\x81\0\0\0\0\xff", 1007),
        (b"\x81\xfe\x01\0\0\0\0\0" + b"\xff" * 256, 1007),
        (b"\x81\x05hello", 1002),
        (b"\x81\x7e\x01\0" + b"hellohello" * 25 + b"hello!", 1002),
    ],
)
async def test_a_text_that_is_not_utf_8_or_masked_closes_the_connection(
    frame: bytes, code: int, *, offers: bool
) -> None:
    is_offered, taken = asyncio.Event(), list[str]()
    application = taking(taken, is_offered) if offers else sending([b"never"])
    async with served(application) as (client, protocol):
        if offers:
            await is_offered.wait()
        protocol.data_received(frame)
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert (client.close_code, taken) == (code, [])


class Counting(FrameSocket):
    """A socket without users. It answers each request with three numbers, or with too much."""

    reads = msgspec.json.Decoder(frames.AnyFeedClientFrame)
    tasks = 0
    sent = 0
    is_waiting = False

    def __init__(self, scope: Any, receive: Any, send: Any) -> None:
        super().__init__(scope, receive, send)
        self.has_flooded = asyncio.Event()

    async def serve(self) -> None:
        await self._converse()

    async def join(self) -> None:
        raise AssertionError("a socket without users joins nothing")

    async def take(self, frame: frames.ClientFrame) -> None:
        before = asyncio.all_tasks()
        for number in range(3):
            self.outbox.put(b"%d" % number)
        await asyncio.sleep(0)
        self.tasks = len(asyncio.all_tasks() - before)

    def leave(self) -> None:
        """Release nothing."""


class Flooding(Counting):
    """A socket that sends numbers of `LONG` digits until its client is too slow."""

    async def take(self, frame: frames.ClientFrame) -> None:
        while self.outbox.problem is None:
            self.outbox.put(b"%0*d" % (LONG, self.sent))
            self.sent += 1
            await asyncio.sleep(0)
        self.is_waiting = self.sending is not None
        self.has_flooded.set()


@asynccontextmanager
async def counted(kind: type[Counting]) -> AsyncIterator[tuple[ClientConnection, Any, Counting]]:
    made: list[Counting] = []
    has_started = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        made.append(kind(scope, receive, send))
        has_started.set()
        await made[0].run()

    async with served(application) as (client, protocol):
        await client.send(b'{"type":"look"}', text=True)
        await has_started.wait()
        yield client, protocol, made[0]


async def test_frames_of_one_turn_are_one_write_without_a_task() -> None:
    async with counted(Counting) as (client, protocol, socket):
        before = protocol.transport.writes
        assert [await client.recv() for _ in range(3)] == ["0", "1", "2"]
        assert (protocol.transport.writes - before, socket.tasks) == (1, 0)


async def test_a_slow_client_receives_no_gap_and_then_the_reason() -> None:
    async with counted(Flooding) as (client, _, socket):
        await socket.has_flooded.wait()
        received: list[str] = []
        with suppress(ConnectionClosed):
            while True:
                received.append(str(await client.recv()))
        assert socket.is_waiting
        assert [int(text[-9:]) for text in received[:-1]] == list(range(len(received) - 1))
        assert len(received) < socket.sent
        assert json.loads(received[-1])["code"] == "too_slow"
        assert client.close_code == frames.CloseCode.TOO_SLOW


async def test_a_restart_leaves_no_gap_after_a_frame_that_a_slow_client_did_not_take() -> None:
    async with counted(Flooding) as (client, _, socket):
        await socket.has_flooded.wait()
        assert socket.is_waiting
        socket.end(ClosedError(frames.CloseCode.RESTARTING, "restarting"))
        await asyncio.sleep(0)  # the frame is given up before the client reads again
        received: list[str] = []
        with suppress(ConnectionClosed):
            while True:
                received.append(str(await client.recv()))
        assert [int(text[-9:]) for text in received[:-1]] == list(range(len(received) - 1))
        assert json.loads(received[-1])["code"] == "restarting"


@pytest.mark.parametrize("ended_by", ["server", "keepalive"])
async def test_a_client_that_reads_nothing_is_cut(
    ended_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_connection, "CLOSE_WITHIN_S", 0.01)
    async with counted(Flooding) as (client, protocol, socket):
        await socket.has_flooded.wait()
        protocol.close_timeout = 0.01
        if ended_by == "server":
            socket.end(ClosedError(frames.CloseCode.TOO_SLOW, "too_slow"))
        else:
            protocol.keepalive_timeout()
        await protocol.is_lost.wait()
        await socket.ended()
        assert protocol not in protocol.connections
        client.transport.abort()


async def test_nothing_is_written_to_a_client_who_has_gone() -> None:
    failed: list[BaseException] = []
    gone = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        assert (await receive())["type"] == "websocket.disconnect"
        try:
            await send_texts(scope, send, [b"late"])
        except OSError as error:
            failed.append(error)
        gone.set()

    async with served(application) as (client, protocol):
        await client.close()
        await gone.wait()
        assert len(failed) == 1
        assert protocol.transport.is_closing()
