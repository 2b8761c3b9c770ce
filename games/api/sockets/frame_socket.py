"""The base of all WebSockets: authentication, a bounded queue of frames, reading and writing.

They are plain ASGI under the router of Channels, whose consumers would use a thread for each frame.
"""

import asyncio
from abc import abstractmethod
from contextlib import suppress
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs
from uuid import UUID

import msgspec

from accounts import tokens
from accounts.tokens import Caller
from games.api.sockets import frames
from games.api.sockets.connection_registry import connection_registry
from games.api.sockets.frames import CloseCode
from games.api.sockets.texts import offer_texts, send_texts, writer_of
from games.api.sockets.websocket_connection import (
    ClosedError,
    Receive,
    Scope,
    Send,
    WebSocketConnection,
    address_of,
    closed_for,
    encode,
    explain,
    header_of,
)
from games.live import hubs
from games.live.room_followers import in_thread
from kit import validation
from kit.problems import Problem

AUTHENTICATE_WITHIN_S: Final = 5.0


def read_frame(text: str, decoder: msgspec.json.Decoder[Any]) -> frames.ClientFrame:
    """Decode a frame of a client. Raises Problem `malformed`."""
    try:
        validation.check_frame(text.encode())
        frame: frames.ClientFrame = decoder.decode(text)
    except RecursionError:
        raise Problem("malformed", path="$", reason="nested too deep") from None
    except msgspec.ValidationError as error:
        plain = validation.check(text.encode())
        raise validation.malformed(error, into=decoder.type, value=plain) from error
    except msgspec.MsgspecError as error:
        raise validation.malformed(error) from error
    return frame


class _Identified(msgspec.Struct):
    id: UUID


def refusal_of(text: str, problem: Problem) -> frames.ServerFrame:
    """Return the answer to a malformed frame: a refusal of its id, if that can be read."""
    try:
        found = msgspec.json.decode(text, type=_Identified)
    except (msgspec.MsgspecError, RecursionError):
        return frames.Error(code=problem.code, data=problem.data)
    return frames.Refused(id=found.id, code=problem.code, version=None, data=problem.data)


class FrameSocket(WebSocketConnection):
    """A connection that joins its subject, then receives and sends frames."""

    reads: ClassVar[msgspec.json.Decoder[Any]]
    """The decoder of client frames, which include `Authenticate`."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._loop = asyncio.get_running_loop()
        self._write_now = writer_of(scope)
        self._writes = True
        self._is_writing = False
        self._is_reading = False
        """Whether nothing before the next frame is still being handled."""
        self._waiting: asyncio.Task[None] | None = None
        """The task that waits until the client takes frames."""

    # Of each kind of connection

    @abstractmethod
    async def join(self) -> None:
        """Subscribe, and send the first frames. Raises ClosedError, Problem."""

    @abstractmethod
    async def take(self, frame: frames.ClientFrame) -> None:
        """Handle a frame. A Problem ends the connection."""

    def take_now(self, text: str) -> bool:
        """Handle a text as soon as it arrives, or return False if it is to be read as a frame."""
        return False

    # The connection

    @property
    def user(self) -> UUID:
        """The id of the authenticated user."""
        return self.caller.user.id

    async def accept(self) -> bool:
        """Accept every handshake: browsers hide the reason of a rejected one."""
        await self._send({"type": "websocket.accept"})
        return True

    async def serve(self) -> None:
        """Authenticate, join, then exchange frames."""
        self._caller = tokens.require(await self._authenticate(), tokens.Scope.READ)
        with connection_registry().holding(self):
            await self.join()
            await self._converse()

    async def say_goodbye(self, closed: ClosedError) -> None:
        """Send the reason and close; if the subject or the process goes, first the last frames."""
        self.disconnect_reason = "closed"
        goes = closed.code in {
            CloseCode.NOT_FOUND,
            CloseCode.RESTARTING,
            CloseCode.HISTORY_DAMAGED,
        }
        # After a frame that was not sent whole, the others would follow a gap.
        drains = goes and self.sending is None
        await explain(self._send, closed, *(self.outbox.drain() if drains else ()))

    # Authentication and query

    async def _authenticate(self) -> Caller | None:
        """Raises Problem `unauthenticated`, `busy`, `unavailable`, ClosedError."""
        header = header_of(self._scope, b"authorization")
        caller: Caller | None = await in_thread(tokens.caller_of, header)
        return caller or await in_thread(tokens.caller_with, await self._first_frame())

    async def _first_frame(self) -> str:
        """Raises ClosedError, Problem `busy`."""
        with connection_registry().awaiting(address_of(self._scope)):
            try:
                async with asyncio.timeout(AUTHENTICATE_WITHIN_S):
                    frame = read_frame(await self.next_text(), self.reads)
            except (TimeoutError, Problem) as error:
                raise ClosedError(CloseCode.UNAUTHENTICATED, "unauthenticated") from error
        if not isinstance(frame, frames.Authenticate):
            raise ClosedError(CloseCode.UNAUTHENTICATED, "unauthenticated")
        return frame.token

    def query(self, into: type[validation.AnyQuery]) -> validation.AnyQuery:
        """Read the query string. Raises Problem `malformed`."""
        given = parse_qs(self._scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if repeated := [name for name, values in given.items() if len(values) > 1]:
            raise Problem("malformed", path=f"$.{repeated[0]}", reason="given more than once")
        return validation.read_query({name: values[0] for name, values in given.items()}, into)

    # The conversation

    async def _converse(self) -> None:
        self.outbox.notify = self._write_soon
        self._write_soon()
        offer_texts(self._scope, lambda text: self._is_reading and self.take_now(text))
        try:
            await self._read()
        finally:
            self._writes = self._is_reading = False
            self.outbox.notify = hubs.ignore  # else both stay as garbage for long
            if self._waiting is not None:
                self._waiting.cancel()
                await asyncio.gather(self._waiting, return_exceptions=True)

    def _write_soon(self) -> None:
        """Write the frames of this turn of the loop together."""
        if not self._is_writing:
            self._is_writing = True
            self._loop.call_soon(self._write)

    def _write(self) -> None:
        if self._writes and (self._waiting is None or self._waiting.done()):
            self._write_all()

    def _write_all(self) -> None:
        while together := self.outbox.take_together():
            if not self._write_now(together):
                self._waiting = self._loop.create_task(self._write_later(together))
                return
        self._is_writing = False
        if self.outbox.problem is not None:
            self.end(closed_for(self.outbox.problem))

    async def _write_later(self, together: list[bytes]) -> None:
        """Write frames when the client takes them, then the rest."""
        with suppress(OSError):  # the reader notices that the client is gone
            await self._send_all(together)
            if self._writes:
                self._write_all()

    async def send_now(self, frame: bytes) -> None:
        """Send without the queue, before `_converse` starts."""
        await self._send_all([frame])

    async def _send_all(self, together: list[bytes]) -> None:
        # A timeout for each frame would cost as much as sending it: the registry ends stuck ones.
        self.sending = together[0]
        await send_texts(self._scope, self._send, together)
        self.sending = None

    def put(self, frame: frames.ServerFrame) -> None:
        """Queue a frame for this connection alone."""
        self.outbox.put(encode(frame))

    def put_now(self, frame: frames.ServerFrame) -> None:
        """Write a frame for this connection alone, after those that wait, before others write."""
        text = encode(frame)
        is_first = self._writes and not self._is_writing and self.outbox.problem is None
        if not is_first or not self._write_now([text]):
            self.outbox.put(text)
            self._write()

    async def _read(self) -> None:
        while True:
            self._is_reading = True
            text = await self.next_text()
            self._is_reading = False
            try:
                frame = read_frame(text, self.reads)
            except Problem as problem:
                self.put(refusal_of(text, problem))
                continue
            if isinstance(frame, frames.Authenticate):
                self.put(frames.Error(code="authenticated_already", data={}))
            else:
                await self.take(frame)
