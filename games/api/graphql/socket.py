"""GraphQL over a WebSocket: graphql-transport-ws, with the token in `connection_init`, or in the
header where one can be set.

Strawberry speaks the protocol. Here is what every socket of this server does besides: it is
counted, ends with its token, and is cut when it takes nothing any more."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import ExitStack
from datetime import timedelta
from typing import Any, Final

import structlog
from channels.db import database_sync_to_async
from graphql import GraphQLError
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http.async_base_view import AsyncWebSocketAdapter
from strawberry.http.exceptions import (
    NonJsonMessageReceived,
    NonTextMessageReceived,
    WebSocketDisconnected,
)
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
)
from strawberry.types.unset import UNSET, UnsetType

from accounts import tokens
from accounts.tokens import Origin
from games.api.graphql.calls import Context
from games.api.graphql.telling import Document, told
from games.api.sockets.base import (
    AUTHENTICATE_WITHIN_S,
    CLOSE_WITHIN_S,
    Closed,
    Connection,
    Receive,
    Scope,
    Send,
    address_of,
    header_of,
    open_sockets,
    why_gone,
)
from games.api.sockets.frames import CloseCode
from kit.problems import Problem

log = structlog.get_logger(__name__)

OPERATIONS_MAX: Final = 32
"""How much one connection may follow, or wait for, at the same time."""


class Handler(BaseGraphQLTransportWSHandler[Context, None]):
    """Strawberry's handler of the protocol."""

    websocket: "GraphQLSocket"

    @property
    def context(self) -> Context:
        """Every operation has a context of its own: what was looked up for one does not hold for
        ever."""
        return self.websocket.context()

    @context.setter
    def context(self, _: Context) -> None:
        """It is the socket's to say."""

    async def handle_connection_init(self, message: Any) -> None:
        """The token may come with it."""
        self.websocket.payload = message.get("payload") or {}
        await super().handle_connection_init(message)

    async def handle_subscribe(self, message: Any) -> None:
        """So much at once, and no more."""
        if len(self.operations) >= OPERATIONS_MAX and message["id"] not in self.operations:
            refused = told(
                GraphQLError("", original_error=Problem("too_many_commands")),
                self.websocket.document,
            )
            await self.send_message(
                {"id": message["id"], "type": "error", "payload": [refused.formatted]}
            )
        else:
            await super().handle_subscribe(message)


class GraphQLSocket(Connection, AsyncWebSocketAdapter):
    """A connection that sends operations of GraphQL, and follows subscriptions."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, schema: Any) -> None:
        super().__init__(scope, receive, send)
        self.disconnect_reason = "left"
        self._schema = schema
        self.document: Document = schema.document
        self._closed = False
        self._turn = asyncio.Lock()
        self._held = ExitStack()
        self._authorization = header_of(scope, b"authorization")
        self._origin = Origin(address_of(scope), header_of(scope, b"host"))
        self.payload: Any = {}

    def context(self) -> Context:
        """The context of one operation."""
        return Context(
            self._authorization,
            self._origin,
            own_thread=False,
            cut=lambda: self.end(Closed(CloseCode.TOO_SLOW, "too_slow")),
            disconnect_reason=lambda: self.disconnect_reason,
        )

    async def accept(self) -> bool:
        """Accept clients that speak the protocol."""
        if GRAPHQL_TRANSPORT_WS_PROTOCOL not in self._scope.get("subprotocols", ()):
            await self._send({"type": "websocket.close", "code": 4406})
            return False
        await self._send({"type": "websocket.accept", "subprotocol": GRAPHQL_TRANSPORT_WS_PROTOCOL})
        return True

    async def serve(self) -> None:
        """Let Strawberry speak the protocol."""
        within = timedelta(seconds=AUTHENTICATE_WITHIN_S)
        handler = Handler(self, self, self.context(), None, self._schema, within, OPERATIONS_MAX)  # type: ignore[arg-type]
        self._held.enter_context(open_sockets().awaiting(address_of(self._scope)))
        await handler.handle()

    async def say_goodbye(self, closed: Closed) -> None:
        """Close with the code and the problem; the protocol has no frame for it."""
        await self.close(closed.code, closed.problem)

    def leave(self) -> None:
        """Give the place among the open connections back."""
        self._held.close()

    async def on_ws_connect(self, _context: Context) -> UnsetType:
        """Who is it? What Strawberry asks of its views."""
        header = self._authorization or self._told()
        try:
            self._caller = tokens.require(
                await database_sync_to_async(tokens.caller_of)(header), tokens.Scope.READ
            )
            self._held.close()
            self._held.enter_context(open_sockets().holding(self))
        except Problem as problem:
            missing = problem.code == "scope_missing"
            await self.close(
                CloseCode.SCOPE_MISSING if missing else CloseCode.UNAUTHENTICATED, problem.code
            )
            raise ConnectionRejectionError from problem
        except Closed as closed:
            await self.close(closed.code, closed.problem)
            raise ConnectionRejectionError from closed
        self._authorization = header
        nothing: UnsetType = UNSET
        return nothing

    def _told(self) -> str:
        """What browsers cannot send as a header: the token, or, as GraphiQL and its like do, the
        header by its name."""
        told = {
            str(name).lower(): value
            for name, value in self.payload.items()
            if isinstance(value, str)
        }
        return told.get("authorization") or (f"Bearer {told['token']}" if "token" in told else "")

    # What Strawberry asks of a socket

    async def iter_json(
        self, *, ignore_parsing_errors: bool = False
    ) -> AsyncGenerator[object, None]:
        """What the client sends."""
        while not self._closed:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                self.disconnect_reason = why_gone(message)
                return
            text = message.get("text")
            if text is None:
                raise NonTextMessageReceived
            try:
                self._allowance.take(text)
            except Closed as closed:
                await self.close(closed.code, closed.problem)
                return
            try:
                yield json.loads(text)
            except (json.JSONDecodeError, RecursionError):
                raise NonJsonMessageReceived from None

    async def send_json(self, message: Mapping[str, object]) -> None:
        """Send, one after the other; who takes nothing any more is found by what is being sent."""
        async with self._turn:
            if self._closed:
                return
            text = json.dumps(message, default=str, separators=(",", ":"))
            self.sending = text.encode()
            try:
                await self._send({"type": "websocket.send", "text": text})
            except OSError:
                raise WebSocketDisconnected from None
            finally:
                self.sending = None

    async def close(self, code: int, reason: str) -> None:
        """Close; the first reason stands."""
        if self._closed:
            return
        self._closed = True
        self.disconnect_reason = "closed"
        try:
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self._send({"type": "websocket.close", "code": code, "reason": reason[:120]})
        except (TimeoutError, OSError, RuntimeError):
            log.debug("socket_gone_before_close", code=code)


def graphql_socket(schema: Callable[[], Any]) -> Callable[[Scope, Receive, Send], Any]:
    """The ASGI application behind /graphql/."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await GraphQLSocket(scope, receive, send, await asyncio.to_thread(schema)).run()

    return serve
