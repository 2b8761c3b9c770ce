"""GraphQL over a WebSocket, by the protocol graphql-transport-ws.

Strawberry speaks the protocol. `GraphQLSocket` adds the limits of all sockets of this server.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import ExitStack, suppress
from datetime import timedelta
from typing import Annotated, Any, Final, cast

import msgspec
from graphql import GraphQLError, OperationType, get_operation_ast, parse
from strawberry.http.async_base_view import AsyncWebSocketAdapter
from strawberry.http.exceptions import WebSocketDisconnected
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
    Operation,
)
from strawberry.types.unset import UNSET, UnsetType

from accounts import tokens
from accounts.tokens import Origin
from games.api.graphql.context import Context
from games.api.graphql.delivery import Delivery, Result, running
from games.api.graphql.limits import TOKENS_MAX
from games.api.graphql.schema import Schema
from games.api.sockets import websocket_connection
from games.api.sockets.connection_registry import connection_registry
from games.api.sockets.frame_socket import AUTHENTICATE_WITHIN_S
from games.api.sockets.frames import CloseCode
from games.api.sockets.texts import send_texts, writer_of
from games.api.sockets.websocket_connection import (
    ClosedError,
    Receive,
    Scope,
    Send,
    WebSocketConnection,
    address_of,
    header_of,
)
from games.live import hubs
from games.live.room_followers import in_thread
from kit import validation
from kit.problems import Problem

OPERATIONS_MAX: Final = 32
"""The most operations that one connection runs at a time."""

INVALID_MESSAGE: Final = 4400
UNSUPPORTED_PROTOCOL: Final = 4406


class Message(msgspec.Struct, omit_defaults=True):
    """A message of a client."""

    type: str
    id: str | None = None
    payload: dict[str, Any] | None = None


class Subscribe(msgspec.Struct, rename="camel"):
    """The payload of a message that starts an operation."""

    query: Annotated[str, msgspec.Meta(min_length=1)]
    variables: dict[str, Any] | None = None
    operation_name: str | None = None


class Handler(BaseGraphQLTransportWSHandler[Context, None]):
    """The protocol, with a limit of operations."""

    schema: Schema

    async def handle_subscribe(self, message: Any) -> None:
        """Start an operation, unless too many are running."""
        if len(self.operations) < OPERATIONS_MAX or message["id"] in self.operations:
            await super().handle_subscribe(message)
            return
        busy = GraphQLError("", original_error=Problem("too_many_commands"))
        payload = [self.schema.as_problem(busy).formatted]
        await self.send_message({"id": message["id"], "type": "error", "payload": payload})

    async def run_operation(self, operation: Operation[Context, None]) -> None:
        """Run an operation, which `running` then names."""
        running.set(operation)
        await super().run_operation(operation)

    async def shutdown(self) -> None:
        """Finish the queries and mutations that a restart would interrupt, and end the others."""
        if cast("GraphQLSocket", self.websocket).is_restarted:
            ending = {each.task for each in self.operations.values() if each.task and _ends(each)}
            if ending:
                await asyncio.wait(ending, timeout=websocket_connection.CLOSE_WITHIN_S)
        await super().shutdown()


def _ends(operation: Operation[Context, None]) -> bool:
    """Whether an operation ends by itself."""
    try:
        document = parse(operation.query, max_tokens=TOKENS_MAX)
        found = get_operation_ast(document, operation.operation_name)
    except GraphQLError:
        return True
    return found is None or found.operation is not OperationType.SUBSCRIPTION


class GraphQLSocket(WebSocketConnection, AsyncWebSocketAdapter):
    """A connection that sends GraphQL operations."""

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        schema: Schema,
    ) -> None:
        super().__init__(scope, receive, send)
        self.disconnect_reason = "left"
        self._schema = schema
        self._closed = False
        self._turn = asyncio.Lock()
        self._write_now = writer_of(scope)
        self._held = ExitStack()

    async def accept(self) -> bool:
        """Accept clients that speak the protocol."""
        if GRAPHQL_TRANSPORT_WS_PROTOCOL not in self._scope.get("subprotocols", ()):
            await self._send({"type": "websocket.close", "code": UNSUPPORTED_PROTOCOL})
            return False
        await self._send({"type": "websocket.accept", "subprotocol": GRAPHQL_TRANSPORT_WS_PROTOCOL})
        return True

    async def serve(self) -> None:
        """Run the protocol."""
        context = Context(
            header_of(self._scope, b"authorization"),
            Origin(address_of(self._scope)),
            own_thread=False,
            deliver=self.deliver,
            cut=lambda: self.end(ClosedError(CloseCode.TOO_SLOW, "too_slow")),
            watched=self.watched,
            disconnect_reason=lambda: self.disconnect_reason,
        )
        within = timedelta(seconds=AUTHENTICATE_WITHIN_S)
        view: Any = self
        self._held.enter_context(connection_registry().awaiting(context.origin.address))
        await Handler(view, self, context, None, self._schema, within).handle()

    async def say_goodbye(self, closed: ClosedError) -> None:
        """Close with the code; the protocol has no frame for problems."""
        await self.close(closed.code, closed.problem)

    def leave(self) -> None:
        """Release the place among the open connections."""
        self._held.close()

    async def on_ws_connect(self, context: Context) -> UnsetType:
        """Authenticate the client: Strawberry calls this after `connection_init`.

        Raises Problem and ClosedError, which end the connection.
        """
        context.authorization = context.authorization or _authorization(context.connection_params)
        caller = await in_thread(tokens.caller_of, context.authorization)
        self._caller = tokens.require(caller, tokens.Scope.READ)
        self._held.close()
        self._held.enter_context(connection_registry().holding(self))
        nothing: UnsetType = UNSET
        return nothing

    async def iter_json(
        self, *, ignore_parsing_errors: bool = False
    ) -> AsyncGenerator[object, None]:
        """Yield the messages of the client. Raises ClosedError for an invalid one."""
        try:
            while not self._closed:
                yield msgspec.to_builtins(_message(await self.next_text()))
        except ClosedError:
            self.disconnect_reason = "closed"
            raise

    async def send_json(self, message: Mapping[str, object]) -> None:
        """Send a message of Strawberry."""
        text = json.dumps(message, default=str, separators=(",", ":"))
        try:
            await self._send_in_turn([text.encode()])
        except OSError:
            raise WebSocketDisconnected from None

    async def deliver(self, outbox: hubs.Outbox, result: Result) -> None:
        """Send results without a detour through messages: many connections share their texts."""
        delivery = Delivery(outbox, result, self._write_results)
        try:
            await delivery.ended
        finally:
            delivery.stop()

    def _write_results(self, texts: list[bytes]) -> Awaitable[None] | None:
        """Write texts now, or return what waits until the client takes them."""
        written = self._closed or self._write_now(texts)
        return None if written else self._write_later(texts)

    async def _write_later(self, texts: list[bytes]) -> None:
        """Write texts when the client takes them."""
        with suppress(OSError):  # the reader notices that the client is gone
            await self._send_in_turn(texts)

    async def _send_in_turn(self, texts: list[bytes]) -> None:
        """Send texts after those before them. `sending` tells whether the client takes them."""
        async with self._turn:
            if self._closed:
                return
            self.sending = texts[0]
            try:
                await send_texts(self._scope, self._send, texts)
            finally:
                self.sending = None  # the connection may outlive a cancelled operation

    async def close(self, code: int, reason: str) -> None:
        """Close, unless closed already."""
        if not self._closed:
            self._closed = True
            self.disconnect_reason = "closed"
            await websocket_connection.close(self._send, code, reason)


def _message(text: str) -> Message:
    try:
        message = msgspec.convert(validation.load(text), Message)
        if message.type == "subscribe":
            msgspec.convert(message.payload, Subscribe)
    except (Problem, msgspec.ValidationError) as error:
        raise ClosedError(INVALID_MESSAGE, str(error)) from error
    return message


def _authorization(payload: Mapping[str, Any]) -> str:
    """Return the authorization in a payload: a token, or the header as GraphiQL sends it."""
    sent = {name.lower(): value for name, value in payload.items() if isinstance(value, str)}
    return sent.get("authorization") or (f"Bearer {sent['token']}" if "token" in sent else "")
