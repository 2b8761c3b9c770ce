"""A trace leads from a request or a command to the statement that stores it."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from accounts.models import User
from games.models import Game
from kit import tracing
from tests.api.rest import Caller


@pytest.fixture
def traced() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.begin(provider.get_tracer("test"))
    yield exporter
    tracing.begin(None)


def context_of(span: ReadableSpan) -> tuple[int, int]:
    assert span.context is not None
    return span.context.trace_id, span.context.span_id


def test_a_request_leads_to_its_command_and_its_statement(
    traced: InMemorySpanExporter, new_user: Callable[[], User], new_game: Callable[..., Game]
) -> None:
    game = new_game(2)
    caller = Caller(game.lobby.host)
    traced.clear()
    assert caller.play(game.id, {"type": "take_spot", "spot": 1}, uuid4()).status == 201
    found = {span.name: span for span in traced.get_finished_spans()}
    request, command, statement = (found[n] for n in ("play", "command", "append"))
    assert command.parent is not None
    assert (command.parent.trace_id, command.parent.span_id) == context_of(request)
    (link,) = statement.links
    assert (link.context.trace_id, link.context.span_id) == context_of(command)
    assert statement.parent is None
