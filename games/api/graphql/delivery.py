"""Results of subscriptions as texts, made once for all connections that ask for the same."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import msgspec
import strawberry
from graphql import Executor, GraphQLObjectType, Visitor, parse, visit
from graphql.execution.collect_fields import GroupedFieldSet, collect_fields
from graphql.language import ast
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import Operation

from games.live.hubs import Outbox, ignore

Result = Callable[[bytes], bytes | None]
"""The result of a frame as JSON, empty if it has none; None after the last one."""

Write = Callable[[list[bytes]], Awaitable[None] | None]
"""Write texts now, or return what waits until the client takes them."""

DOCUMENTS_MAX: Final = 64


@dataclass(frozen=True)
class Asked:
    """The request of an operation. Equal ones have the same results for the same value."""

    query: str
    name: str | None
    used: bytes
    """The variables that results depend on."""
    executor: Executor[Any] = field(compare=False)
    fields: GroupedFieldSet = field(compare=False)

    @classmethod
    def of(cls, operation: Operation[Any, None], schema: strawberry.Schema) -> "Asked":
        """Return the request of an operation, which is valid and within the limits."""
        document, used = _parsed(operation.query)
        given = operation.variables or {}
        values = msgspec.json.encode([given.get(each) for each in used])
        name = operation.operation_name
        executor = Executor.build(
            schema._schema, document, raw_variable_values=dict(given), operation_name=name
        )
        assert isinstance(executor, Executor), executor
        # Fields that are collected once are known for all results: the executor remembers the lists
        # of those inside them.
        fields = collect_fields(
            executor.schema,
            executor.fragments,
            executor.variable_values,
            _root_of(executor),
            executor.operation,
            hide_suggestions=True,
        )
        return _shared(cls(operation.query, name, values, executor, fields.grouped_field_set))

    def text_of(self, value: object) -> bytes:
        """Return the result for a value that the subscription yields, as JSON."""
        each, root = self.executor.build_per_event_executor(value), _root_of(self.executor)
        data = each.execute_collected_root_fields(root, value, self.fields, False, [])
        assert isinstance(data, dict), "a field of a subscription is read from a value"
        assert not each.collected_errors.errors, each.collected_errors.errors
        return msgspec.json.encode({"data": data})


def _root_of(executor: Executor[Any]) -> GraphQLObjectType:
    root = executor.schema.subscription_type
    assert root is not None
    return root


class Delivery:
    """Sends results of the running operation as frames arrive, without a task for each, as the game
    socket does. `ended` is done after the last result. It raises the Problem of the outbox."""

    def __init__(self, outbox: Outbox, result: Result, write: Write) -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._start = b'{"id":%b,"type":"next","payload":' % msgspec.json.encode(running.get().id)
        self._outbox = outbox
        self._result = result
        self._write = write
        self._is_writing = False
        self._has_last = False
        self._waiting: asyncio.Task[None] | None = None
        outbox.notify = self._write_soon
        self._write_soon()

    def stop(self) -> None:
        """Send nothing more."""
        self._outbox.notify = ignore
        self.ended.cancel()
        if self._waiting is not None:
            self._waiting.cancel()

    def _write_soon(self) -> None:
        if not self._is_writing:
            self._is_writing = True
            self.ended.get_loop().call_soon(self._write_all)

    def _write_all(self) -> None:
        if self.ended.done():
            return
        try:
            waits = self._write_some()
        except Exception as error:  # noqa: BLE001 -- a callback has no caller
            self.ended.set_exception(error)
            return
        if waits is not None:
            self._waiting = self.ended.get_loop().create_task(self._go_on(waits))
            return
        self._is_writing = False
        if self._has_last:
            self.ended.set_result(None)
        elif self._outbox.problem is not None:
            self.ended.set_exception(self._outbox.problem)

    def _write_some(self) -> Awaitable[None] | None:
        """Write what has arrived, or return what waits until the client takes it."""
        while not self._has_last and (frames := self._outbox.take_together()):
            results = [self._result(frame) for frame in frames]
            texts = [b"%b%b}" % (self._start, each) for each in results if each]
            waits = self._write(texts) if texts else None
            if None in results:
                self._has_last = True
            if waits is not None:
                return waits
        return None

    async def _go_on(self, waits: Awaitable[None]) -> None:
        await waits
        self._write_all()


running: Final[ContextVar[Operation[Any, None]]] = ContextVar("running")
"""The operation of this task."""


@lru_cache(DOCUMENTS_MAX)
def _shared(asked: Asked) -> Asked:
    """Return the first of equal requests: thousands of connections may have the same."""
    return asked


@lru_cache(DOCUMENTS_MAX)
def _parsed(query: str) -> tuple[ast.DocumentNode, list[str]]:
    """Return a document, and the variables in it that do more than to begin a subscription."""
    document = parse(query)
    names: set[str] = set()

    class Names(Visitor):
        def enter_variable(self, node: ast.VariableNode, *_: Any) -> None:
            names.add(node.name.value)

    for part in _inside(document):
        visit(part, Names())
    return document, sorted(names)


def _inside(document: ast.DocumentNode) -> Iterator[ast.Node]:
    """Yield all of a document but the arguments of the fields of its operations."""
    for definition in document.definitions:
        if not isinstance(definition, ast.OperationDefinitionNode):
            yield definition
            continue
        for part in definition.selection_set.selections:
            if isinstance(part, ast.FieldNode):
                yield from part.directives or ()
                if part.selection_set is not None:
                    yield part.selection_set
            else:
                yield part
