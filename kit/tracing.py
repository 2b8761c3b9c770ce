"""Traces from a request to the statement that stores its commit, for OpenTelemetry.

Nothing is traced until `begin`. A statement that serves many callers is a trace of its own, with
links to all of them. No span names a person.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from opentelemetry.trace import Span, SpanContext, Tracer

_NOTHING: Final = nullcontext()
_tracer: "Tracer | None" = None


def begin(tracer: "Tracer | None") -> None:
    """Trace from now on, or stop tracing."""
    global _tracer  # noqa: PLW0603  (one tracer per process)
    _tracer = tracer


def is_on() -> bool:
    """Return whether anything is traced."""
    return _tracer is not None


def span(name: str) -> AbstractContextManager[Any]:
    """Trace the block as a part of what runs already."""
    return _NOTHING if _tracer is None else _tracer.start_as_current_span(name)


def caller() -> "SpanContext | None":
    """Return what a statement for many callers links to; None if nothing is traced."""
    if _tracer is None:
        return None
    from opentelemetry import trace  # noqa: PLC0415  (an extra)

    return trace.get_current_span().get_span_context()


def shared(name: str, callers: "Iterable[SpanContext | None]") -> AbstractContextManager[Any]:
    """Trace the block as done for several callers together."""
    span_ = started(name, callers)
    if span_ is None:
        return _NOTHING
    from opentelemetry.trace import use_span  # noqa: PLC0415  (an extra)

    return use_span(span_, end_on_exit=True)


def started(name: str, callers: "Iterable[SpanContext | None]") -> "Span | None":
    """Trace what is done for several callers together until the span ends; None if nothing is
    traced."""
    if _tracer is None:
        return None
    from opentelemetry.context import Context  # noqa: PLC0415  (an extra)
    from opentelemetry.trace import Link  # noqa: PLC0415

    everybody = list(callers)
    links = [Link(each) for each in everybody if each is not None and each.is_valid]
    attributes = {"callers": len(everybody)}
    return _tracer.start_span(name, context=Context(), links=links, attributes=attributes)
